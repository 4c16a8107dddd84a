/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside web/: what a reader's headers say that he takes, and has. */
#ifndef FIRN_WEB_ACCEPT_H
#define FIRN_WEB_ACCEPT_H

#include <stdbool.h>

/* Accept-Encoding; may be NULL. */
bool accepts_gzip(const char *accept_encoding);
/* If-None-Match (may be NULL) names the tag, or its compressed form, or all. `etag` is without
 * quotes; "" is no tag. */
bool etag_is_among(const char *if_none_match, const char *etag);

#endif
