/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tags, which are also called trailers: "Reviewed-by: Ann Example <ann@example.org>". Which words
 * are tags is said in the kernel's SubmittingPatches and in b4's documentation.
 */
#ifndef FIRN_SERIES_TAG_H
#define FIRN_SERIES_TAG_H

#include "intake/mail.h"
#include "series/reply_lines.h"

struct tag {
	char *name;  /* "Reviewed-by", as it stands there; "NACK" for a line that says so */
	char *value; /* what follows the colon; of a NACK the whole line */
	struct mail_addr who; /* email "" when the value names nobody, as in Fixes: and Link: */
};

struct tag_line {
	struct tag tag;
	enum line_place place;
	uint32_t line; /* 1-based */
};

struct tag_lines {
	struct tag_line *item;
	size_t n, cap;
};

/* More of them in one text are not looked at. */
#define TAGS_MAX 10000

/* All tags in a text, a commit message or a reply, in any place: "Word-by:", Fixes:, Link: and
 * Closes:. A name that a mailer broke off its address ("Reviewed-by: Ann Example" and "<ann@...>"
 * on the next line) is put together again. */
void tags_read(const char *text, size_t n, struct tag_lines *ret_lines);
void tag_lines_done(struct tag_lines *l);

/* Says who: Reviewed-by and the like, not Fixes: or Link:. */
bool tag_is_personal(const struct tag *t);
/* Reviewed-by, Acked-by and Tested-by, which only the person himself can give. */
bool tag_is_verdict(const struct tag *t);
/* NACK or Nacked-by. */
bool tag_is_nack(const struct tag *t);
/* The order of names and persons; 0 for the same tag of the same person. Letters' case, and the
 * spelling of a name, make no difference. */
int tag_cmp(const struct tag *a, const struct tag *b);

void tag_copy(struct tag *ret_tag, const struct tag *t);
void tag_done(struct tag *t);

#endif
