/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Trailers of a commit message: "Signed-off-by: A <a@example.org>" (git-interpret-trailers(1)). */
#ifndef FIRN_CHECKERS_TRAILER_H
#define FIRN_CHECKERS_TRAILER_H

#include "base/str.h"

struct trailer {
	const char *value; /* after the colon and spaces; not NUL-terminated */
	size_t len;	   /* without trailing spaces */
	unsigned line;	   /* 1-based line of the message */
};

/* Finds the next line of `message` that starts with KEY and a colon, in any case. Begin with a
 * zeroed `it`. Looked for in the whole message and not its last paragraph alone: people put a blank
 * line between theirs and the maintainer's. */
struct trailer_iter {
	const char *at;
	unsigned line;
};
bool trailer_next(struct trailer_iter *it, const char *message, const char *key,
		  struct trailer *ret_trailer);

/* "A B <a@example.org> # comment", "a@example.org": the parts, never NULL. The caller frees both.
 */
void trailer_ident(const struct trailer *t, char **ret_name, char **ret_email);

#endif
