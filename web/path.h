/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside web/: the pattern of a route against a path. */
#ifndef FIRN_WEB_PATH_H
#define FIRN_WEB_PATH_H

#include "base/str.h"
#include <stdint.h>

#define PATH_REST_MAX 998 /* of a Message-ID: no line of a mail is longer (RFC 5322, 2.1.1) */
#define PATH_NAME_MAX 128

/* What stood in the holes of the pattern. */
struct path_parts {
	int64_t id, id2;   /* {id}, and a second {id} */
	char *name, *rest; /* {name}, {rest}; NULL when the pattern has none */
};

/* Holes: {id} is a number as we write it: no sign, no leading zero (0 alone is one only for the
 * second). {name} is one word, decoded, of [A-Za-z0-9._+-], not only dots. {rest} is the rest of
 * the path, decoded: UTF-8 without control characters, not empty; behind it the pattern may go on
 * (".svg"). What is outside of the holes is compared as it was sent. */
bool path_match(const char *pattern, const char *path, struct path_parts *ret);
void path_parts_done(struct path_parts *p);

#endif
