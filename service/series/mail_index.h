/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where each mail of a set's series stands, by Message-ID. For reroll.c and version.c. */
#ifndef FIRN_SERIES_MAIL_INDEX_H
#define FIRN_SERIES_MAIL_INDEX_H

#include "series/series.h"

#define PLACE_COVER SIZE_MAX

struct mail_place {
	const char *id;
	const struct mail *mail;
	struct series *series;
	size_t patch; /* in series->patch, or PLACE_COVER */
};

struct mail_index {
	struct mail_place *place; /* sorted by id */
	size_t n;
};

/* Leaves out borrowed patches: they are found where they were posted. */
void mail_index_make(struct series_set *set, struct mail_index *ret);
void mail_index_done(struct mail_index *ix);
/* NULL when no series has such a mail. `id` NULL is fine. */
struct mail_place *mail_index_find(const struct mail_index *ix, const char *id);

/* The ids that a mail answers, the nearest first: 0 is In-Reply-To. NULL after the last, or after
 * more than any honest thread has. */
const char *mail_answers(const struct mail *m, size_t i);

/* The same person posted both. */
bool series_same_author(const struct series *a, const struct series *b);
/* When its first own mail was sent, by that mail. */
int64_t series_posted(const struct series *s);

#endif
