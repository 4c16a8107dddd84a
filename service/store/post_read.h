/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside store/: rows of the outbox with what was done about them, for the queries that list them.
 */
#ifndef FIRN_STORE_POST_READ_H
#define FIRN_STORE_POST_READ_H

#include "store/outbox.h"
#include "store/sql.h"

#define POST_COLUMNS                                                                               \
	"outbox.id, trial, written, poster, target, context, want, outbox.revision, held,"         \
	" state, delivery.revision, tries, not_before, at, words, withdrawn"
#define POST_FROM " FROM outbox LEFT JOIN delivery ON delivery.outbox = outbox.id "

/* The open ones alone: not looked at, newer than what was done, or not done yet. */
#define POST_FROM_OPEN                                                                             \
	" FROM to_say CROSS JOIN outbox ON outbox.id = to_say.outbox"                              \
	" LEFT JOIN delivery ON delivery.outbox = outbox.id "

/* An approval is of one revision: what was written since then is held again. */
#define IS_FREE                                                                                    \
	"(NOT held OR withdrawn OR (delivery.revision = outbox.revision"                           \
	" AND coalesce(state, '') IN ('approved', 'sending', 'retry')))"

/* The row that the statement stands on, of POST_COLUMNS. */
void post_read(sqlite3_stmt *stmt, struct store_post *p);
/* All rows of the statement, at most `limit`: `more` is set then. */
must_check int post_list_fill(struct store *s, sqlite3_stmt *stmt, unsigned limit,
			      struct store_post_list *ret, struct err *err);

#endif
