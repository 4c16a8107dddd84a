/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a store of an older schema lacks: rows of posting_file, posting_text and metric, and the
 * logs of steps. Whoever brings it up to date notes what is to be filled in (migrate.c); the role
 * that writes those tables does it when it has time, newest first:
 *
 *	ids = store_fill_postings(), for each of them in one batch:
 *		store_fill_posting_done(), store_posting_files(), store_posting_cover()
 *
 * so that a kill leaves a row as it was or filled in.
 */
#ifndef FIRN_STORE_FILL_H
#define FIRN_STORE_FILL_H

#include "store/store.h"
#include <jansson.h>

/* Ids, newest first, at most `limit`. */
must_check int store_fill_postings(struct store *s, unsigned limit, int64_t *ret_ids, size_t *ret_n,
				   struct err *err);
must_check int store_fill_trials(struct store *s, unsigned limit, int64_t *ret_ids, size_t *ret_n,
				 struct err *err);
/* How many there are. */
must_check int store_fill_left(struct store *s, int64_t *ret_postings, int64_t *ret_trials,
			       struct err *err);

/* Takes one off the list; `*ret_was` tells whether it was on it. */
must_check int store_fill_posting_done(struct store *s, int64_t posting, bool *ret_was,
				       struct err *err);
must_check int store_fill_trial_done(struct store *s, int64_t trial, struct err *err);

/* The mail that a posting begins with; 0: its mails are not here. */
must_check int store_fill_mail(struct store *s, int64_t posting, int64_t *ret_mail,
			       struct err *err);
/* The logs of the steps, as the trial's report has them. */
must_check int store_fill_logs(struct store *s, int64_t trial, const json_t *report,
			       struct err *err);

#endif
