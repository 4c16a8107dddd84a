/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside intake/: what http.c does with answers. */
#ifndef FIRN_INTAKE_HTTP_ANSWER_H
#define FIRN_INTAKE_HTTP_ANSWER_H

#include "intake/http.h"

/* One header line as it came, or the status line that begins a new set of them. */
void http_header_take(const char *line, size_t n, struct http_response *r);
/* Where a redirect leads, if that is the same scheme (or https instead of http), host and port;
 * else NULL. The caller frees. */
char *http_redirect(const char *from, const char *location);

#endif
