// SPDX-License-Identifier: GPL-2.0-or-later
#include "web/host.h"

#include <arpa/inet.h>

static bool is_loopback(const char *address)
{
	struct in6_addr six;

	return str_starts(address, "127.") ||
	       (inet_pton(AF_INET6, address, &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six));
}

/* Length of the host in "host:port" or "[::1]:port", up to the end or one of "/?#". */
static size_t host_length(const char *s)
{
	size_t n = strcspn(s, *s == '[' ? "]/?#" : ":/?#");

	return *s == '[' && s[n] == ']' ? n + 1 : n;
}

static bool is_port(const char *s)
{
	return !*s || (*s == ':' && strspn(s + 1, "0123456789") == strlen(s + 1));
}

static bool same(const char *host, size_t n, const char *name, size_t n_name)
{
	return n == n_name && strncasecmp(host, name, n) == 0;
}

bool host_admits(const struct request *q)
{
	static const char *const here[] = {"localhost", "127.0.0.1", "[::1]"};
	const char *address = q->opt->address ? q->opt->address : here[1];
	const char *url = q->opt->url ? strstr(q->opt->url, "://") : NULL;
	size_t n = q->host ? host_length(q->host) : 0;

	if (!q->host || !is_loopback(address))
		return true;
	if (!n || !is_port(q->host + n))
		return false;
	for (size_t i = 0; i < array_size(here); i++)
		if (same(q->host, n, here[i], strlen(here[i])))
			return true;
	return same(q->host, n, address, strlen(address)) ||
	       (url && same(q->host, n, url + 3, host_length(url + 3)));
}
