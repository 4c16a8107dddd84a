/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A small web server and what asks it, each in a network namespace of its own. */
#ifndef FIRN_GUEST_HTTP_H
#define FIRN_GUEST_HTTP_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define HTTP_PORT     80
#define HTTP_BODY     11264 /* bytes: as much as a distribution's default page */
#define HTTP_OPEN_MAX 1024  /* connections */

/* http_net.c: false with errno. */
/* Gives a card an address in a /24, and switches it on. */
bool net_up(const char *card, in_addr_t address);
/* Moves a card into the namespace of a process. */
bool net_move(const char *card, pid_t to);

/* http_server.c: answers on HTTP_PORT until it is killed. Writes a byte to `ready_fd` when it can
 * be asked; returns when it cannot. */
void http_serve(int ready_fd);

/* http_load.c */
struct http_load {
	unsigned answered, failed;
	uint64_t ns;	      /* from the first request to the last answer */
	uint64_t bytes;	      /* of answers, with their heads */
	uint64_t *latency_ns; /* of each answered request, in order of the answers */
};
/* Opens the connections; false with errno. */
bool http_connect(in_addr_t server, unsigned connections);
/* Keeps one request on its way on each connection, until `requests` are answered or nothing comes
 * for some seconds. `latency_ns` must have room for them. */
void http_ask(unsigned requests, struct http_load *ret);

#endif
