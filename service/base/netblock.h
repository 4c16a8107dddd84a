/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Addresses and networks as configuration names them: "192.0.2.1", "10.0.0.0/8", "2001:db8::/32".
 */
#ifndef FIRN_BASE_NETBLOCK_H
#define FIRN_BASE_NETBLOCK_H

#include "base/err.h"
#include <stdbool.h>
#include <sys/socket.h>

#define NETBLOCK_MAX 32

struct netblocks {
	struct netblock {
		unsigned char addr[16]; /* IPv4 as ::ffff:a.b.c.d */
		unsigned bits;		/* 0 to 128 */
	} block[NETBLOCK_MAX];
	size_t n;
};

/* A list with commas or blanks. ERR_CONFIG names the first that is none; host bits that are set are
 * a mistake too. */
must_check int netblocks_parse(const char *text, struct netblocks *ret, struct err *err);
/* Is the address (may be NULL) in one of them? IPv4 is the same by an IPv6 socket. */
bool netblocks_have(const struct netblocks *b, const struct sockaddr *addr);
/* 127.0.0.0/8 and ::1. */
bool address_is_loopback(const struct sockaddr *addr);
/* The 16 bytes of an address, IPv4 as ::ffff:a.b.c.d; false for another family. */
bool address_bytes(const struct sockaddr *addr, unsigned char ret[static 16]);

#endif
