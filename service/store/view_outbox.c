// SPDX-License-Identifier: GPL-2.0-or-later
/* The outbox, for the pages. */
#include "store/views.h"

#include "base/str.h"
#include "store/post_read.h"

#define BY_DELIVERY(state)                                                                         \
	" FROM delivery CROSS JOIN outbox ON outbox.id = delivery.outbox"                          \
	" WHERE state = '" state "' AND delivery.revision = outbox.revision"                       \
	" AND delivery.outbox < :before ORDER BY delivery.outbox DESC"

/* Those that were sent or failed by the delivery's index. */
static const char *const queries[] = {
	[VIEW_OUTBOX_ALL] = POST_FROM "WHERE outbox.id < :before ORDER BY outbox.id DESC",
	[VIEW_OUTBOX_HELD] = POST_FROM_OPEN "WHERE held AND NOT withdrawn"
					    " AND NOT coalesce(" IS_FREE ", 0)"
					    " AND to_say.outbox < :before"
					    " ORDER BY to_say.outbox DESC",
	[VIEW_OUTBOX_OPEN] =
		POST_FROM_OPEN "WHERE to_say.outbox < :before ORDER BY to_say.outbox DESC",
	[VIEW_OUTBOX_SENT] = BY_DELIVERY("sent"),
	[VIEW_OUTBOX_FAILED] = BY_DELIVERY("failed"),
};

int view_outbox(struct store *s, enum view_outbox_which which, int64_t before, unsigned limit,
		struct store_post_list *ret, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	auto_free char *sql =
		xasprintf("SELECT " POST_COLUMNS "%s LIMIT :limit + 1", queries[which]);
	int rc = sql_prepare(s, sql, &stmt, err);

	if (rc < 0)
		return rc;
	limit = limit && limit < VIEW_LIMIT_MAX ? limit : VIEW_LIMIT_MAX;
	sql_int(stmt, ":before", before ? before : INT64_MAX);
	sql_int(stmt, ":limit", limit);
	return post_list_fill(s, stmt, limit, ret, err);
}

int view_outbox_of(struct store *s, int64_t trial, unsigned limit, struct store_post_list *ret,
		   struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s,
			     "SELECT " POST_COLUMNS POST_FROM
			     "WHERE trial = :trial ORDER BY outbox.id DESC LIMIT :limit + 1",
			     &stmt, err);

	if (rc < 0)
		return rc;
	sql_int(stmt, ":trial", trial);
	sql_int(stmt, ":limit", limit);
	return post_list_fill(s, stmt, limit, ret, err);
}

const char *view_post_word(const struct store_post *p)
{
	bool current = p->state != STORE_DELIVERY_NONE && p->sent_revision == p->revision;

	if (p->withdrawn && !current)
		return "withdrawn";
	if (current)
		return store_delivery_state_name(p->state);
	return p->held ? "held" : "open";
}
