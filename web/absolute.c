// SPDX-License-Identifier: GPL-2.0-or-later
#include "web/absolute.h"

/* A name or an address, with a port: what else a reader sends does not go into an address. */
static bool host_is_plain(const char *host)
{
	return host && *host &&
	       !host[strspn(host, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
				  ".-:[]")];
}

char *absolute_base(const struct request *q)
{
	const char *url = q->opt->url;
	size_t n = url ? strlen(url) : 0;

	if (!url)
		return xasprintf("http://%s", host_is_plain(q->host) ? q->host : "localhost");
	while (n && url[n - 1] == '/')
		n--;
	return xmemdup(url, n);
}
