// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/netblock.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEPARATORS ", \t"
#define TEXT_MAX   64

static const unsigned char mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

bool address_bytes(const struct sockaddr *addr, unsigned char ret[static 16])
{
	if (addr && addr->sa_family == AF_INET) {
		memcpy(ret, mapped, sizeof(mapped));
		memcpy(ret + sizeof(mapped), &((const struct sockaddr_in *)addr)->sin_addr, 4);
		return true;
	}
	if (!addr || addr->sa_family != AF_INET6)
		return false;
	memcpy(ret, &((const struct sockaddr_in6 *)addr)->sin6_addr, 16);
	return true;
}

/* Are the first `bits` of both the same? */
static bool same_bits(const unsigned char *a, const unsigned char *b, unsigned bits)
{
	unsigned whole = bits / 8, rest = bits % 8;

	return memcmp(a, b, whole) == 0 &&
	       (!rest || (unsigned)(a[whole] ^ b[whole]) >> (8 - rest) == 0);
}

static bool has_host_bits(const struct netblock *b)
{
	for (unsigned i = b->bits; i < 128; i++)
		if (b->addr[i / 8] & (0x80 >> i % 8))
			return true;
	return false;
}

static bool parse_bits(const char *s, unsigned most, unsigned *ret)
{
	size_t n = strlen(s);

	if (!n || n > 3 || strspn(s, "0123456789") != n)
		return false;
	*ret = (unsigned)strtoul(s, NULL, 10);
	return *ret <= most;
}

static bool parse_one(char *text, struct netblock *ret)
{
	char *slash = strchr(text, '/');
	unsigned bits;
	bool four;

	if (slash)
		*slash++ = '\0';
	memcpy(ret->addr, mapped, sizeof(mapped));
	four = inet_pton(AF_INET, text, ret->addr + sizeof(mapped)) == 1;
	if (!four && inet_pton(AF_INET6, text, ret->addr) != 1)
		return false;
	bits = four ? 32 : 128;
	if (slash && !parse_bits(slash, bits, &bits))
		return false;
	ret->bits = four ? bits + 96 : bits;
	return !has_host_bits(ret);
}

int netblocks_parse(const char *text, struct netblocks *ret, struct err *err)
{
	struct netblocks blocks = {0};

	for (text += strspn(text, SEPARATORS); *text; text += strspn(text, SEPARATORS)) {
		size_t n = strcspn(text, SEPARATORS);
		char one[TEXT_MAX];

		snprintf(one, sizeof(one), "%.*s", n < sizeof(one) ? (int)n : 0, text);
		if (blocks.n == NETBLOCK_MAX)
			return err_set(err, ERR_CONFIG, "more than %d addresses", NETBLOCK_MAX);
		if (!parse_one(one, &blocks.block[blocks.n++]))
			return err_set(err, ERR_CONFIG,
				       "\"%.*s\" is no address or network (192.0.2.1, "
				       "2001:db8::/32)",
				       (int)n, text);
		text += n;
	}
	*ret = blocks;
	return 0;
}

bool netblocks_have(const struct netblocks *b, const struct sockaddr *addr)
{
	unsigned char bytes[16];

	if (!address_bytes(addr, bytes))
		return false;
	for (size_t i = 0; i < b->n; i++)
		if (same_bits(bytes, b->block[i].addr, b->block[i].bits))
			return true;
	return false;
}

bool address_is_loopback(const struct sockaddr *addr)
{
	static const struct netblocks loopback = {
		.n = 2,
		.block = {{.addr = {[10] = 0xff, [11] = 0xff, [12] = 127}, .bits = 104},
			  {.addr = {[15] = 1}, .bits = 128}}};

	return netblocks_have(&loopback, addr);
}
