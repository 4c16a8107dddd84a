/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A patch as text that can be compared: what range_diff.c works on. */
#ifndef FIRN_SERIES_RANGE_TEXT_H
#define FIRN_SERIES_RANGE_TEXT_H

#include "series/series.h"
#include <sys/types.h>

struct range_text {
	char *author;	     /* "Name <address>" */
	const char *message; /* NUL-terminated, in the patch */
	char *whole;	     /* everything, under headings; ends in the diff */
	size_t whole_len;
	size_t diff_at; /* where the diff begins in `whole` */
	size_t lines;	/* of the diff */
	size_t weight;	/* the same without the empty lines between files, as git counts */
	uint64_t *bag;	/* a hash of each line of the diff, sorted */
};

void range_text_make(const struct patch *p, struct range_text *ret);
void range_text_done(struct range_text *t);

static inline const char *range_text_diff(const struct range_text *t)
{
	return t->whole + t->diff_at;
}
static inline size_t range_text_diff_len(const struct range_text *t)
{
	return t->whole_len - t->diff_at;
}

/* No diff of the two diffs can be shorter: lines of one that the other does not have. */
size_t range_text_bound(const struct range_text *a, const struct range_text *b);
/* Lines of a unified diff of the two diffs; negative when libgit2 failed. */
ssize_t range_text_cost(const struct range_text *a, const struct range_text *b);
/* The diff of both in full, at most `max` bytes of it. NULL when libgit2 failed; the caller frees.
 */
char *range_text_compare(const struct range_text *a, const struct range_text *b, size_t max);

#endif
