/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside web/: addresses for those who read us elsewhere: feeds, other services. */
#ifndef FIRN_WEB_ABSOLUTE_H
#define FIRN_WEB_ABSOLUTE_H

#include "web/response.h"

/* "https://firn.example.org", without a slash at its end: web.url, else the name that we were asked
 * by. The caller frees. */
char *absolute_base(const struct request *q);

#endif
