/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who answers what: for each mail that is no part of a series, the patch or cover letter that it
 * answers, over other replies if need be. The order of the input makes no difference.
 */
#ifndef FIRN_SERIES_THREAD_H
#define FIRN_SERIES_THREAD_H

#include "series/series.h"

/* A mail that is a cover letter or a patch. One that stands in two series, as the patches that a
 * partial reroll keeps, is in both; the first is named. */
struct thread_part {
	const struct mail *mail;
	size_t series;		   /* index in the set */
	unsigned number;	   /* of the patch; 0 for the cover letter */
	const struct patch *patch; /* NULL for the cover letter */
};

struct thread_reply {
	const struct mail *mail;
	const struct mail *to; /* a patch or a cover letter */
};

struct threads;

/* Both must outlive it. */
struct threads *threads_new(const struct mail_list *mails, const struct series_set *set);
void threads_free(struct threads *t);

/* What part of a series the mail is; NULL when it is none. */
const struct thread_part *threads_part(const struct threads *t, const struct mail *m);
/* The patch or cover letter that a reply answers; NULL when it is no reply, or what it answers is
 * not here. */
const struct mail *threads_answered(const struct threads *t, const struct mail *m);
/* The mail of the list that it answers directly, or nearest; NULL. */
const struct mail *threads_parent(const struct threads *t, const struct mail *m);
/* The mail that counts for its Message-ID: mostly itself. */
const struct mail *threads_kept(const struct threads *t, const struct mail *m);
/* Answers something, here or not, and does not call itself a patch. */
bool threads_is_reply(const struct threads *t, const struct mail *m);
/* The mail that has this Message-ID (without <>); NULL. */
const struct mail *threads_find(const struct threads *t, const char *message_id);

/* All that answers a patch or a cover letter, the earliest first. */
const struct thread_reply *threads_replies(const struct threads *t, const struct mail *part,
					   size_t *ret_n);

/* By date, then by Message-ID and bytes: an order that does not depend on the input's. For qsort()
 * of `const struct mail *`. */
int thread_mail_order(const void *a, const void *b);

#endif
