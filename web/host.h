/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside web/: which names this server goes by. A server that only its own machine reaches is also
 * reached by pages in that machine's browser: a stranger's name that resolves to 127.0.0.1 (DNS
 * rebinding) must not read it. */
#ifndef FIRN_WEB_HOST_H
#define FIRN_WEB_HOST_H

#include "web/response.h"

/* On loopback: localhost, 127.0.0.1, [::1], the address listened on and the host of web.url, with
 * any port, and no Host at all, which no browser sends. Elsewhere any. */
bool host_admits(const struct request *q);

#endif
