// SPDX-License-Identifier: GPL-2.0-or-later
/* The outbox, for those who look at it. */
#include "store/post_read.h"

#include "base/str.h"

static const char *const state_names[] = {
	[STORE_DELIVERY_NONE] = "not looked at", [STORE_DELIVERY_APPROVED] = "approved",
	[STORE_DELIVERY_SENDING] = "sending",	 [STORE_DELIVERY_SENT] = "sent",
	[STORE_DELIVERY_RETRY] = "retry",	 [STORE_DELIVERY_FAILED] = "failed",
	[STORE_DELIVERY_DROPPED] = "dropped",	 [STORE_DELIVERY_DRY] = "dry run",
};

const char *store_delivery_state_name(enum store_delivery_state state)
{
	return state < array_size(state_names) ? state_names[state] : "unknown";
}

static enum store_delivery_state state_parse(const char *name)
{
	for (size_t i = 0; i < array_size(state_names); i++)
		if (name && strcmp(name, state_names[i]) == 0)
			return (enum store_delivery_state)i;
	return STORE_DELIVERY_NONE;
}

void post_read(sqlite3_stmt *stmt, struct store_post *p)
{
	*p = (struct store_post){
		.id = sqlite3_column_int64(stmt, 0),
		.trial = sqlite3_column_int64(stmt, 1),
		.written = sqlite3_column_int64(stmt, 2),
		.poster = sql_column_text(stmt, 3),
		.target = sql_column_text(stmt, 4),
		.context = sql_column_text(stmt, 5),
		.want = sql_column_json(stmt, 6),
		.revision = (unsigned)sqlite3_column_int64(stmt, 7),
		.held = sqlite3_column_int(stmt, 8) != 0,
		.state = state_parse((const char *)sqlite3_column_text(stmt, 9)),
		.sent_revision = (unsigned)sqlite3_column_int64(stmt, 10),
		.tries = (unsigned)sqlite3_column_int64(stmt, 11),
		.not_before = sqlite3_column_int64(stmt, 12),
		.at = sqlite3_column_int64(stmt, 13),
		.words = sql_column_text(stmt, 14),
		.withdrawn = sqlite3_column_int(stmt, 15) != 0,
	};
	if (!p->words)
		p->words = xstrdup("");
}

void store_post_done(struct store_post *p)
{
	free(p->poster);
	free(p->target);
	free(p->context);
	json_decref(p->want);
	free(p->words);
	*p = (struct store_post){0};
}

/* Nothing is put off by a day: what seems to be was, by a clock that was wrong. */
#define DUE                                                                                        \
	"CASE WHEN coalesce(not_before, 0) > :now + 86400 THEN 0"                                  \
	" ELSE coalesce(not_before, 0) END"
#define DUE_COLUMN 16

int store_outbox_next(struct store *s, int64_t now, struct store_post *ret, bool *ret_found,
		      int64_t *ret_wait, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s,
			     "SELECT " POST_COLUMNS ", " DUE " AS due" POST_FROM_OPEN
			     "WHERE " IS_FREE " ORDER BY max(due, :now),"
			     " coalesce(state, '') <> 'sending', outbox.id LIMIT 1",
			     &stmt, err);

	if (rc < 0)
		return rc;
	sql_int(stmt, ":now", now);
	rc = sql_step(s, stmt, "looking for what to send", err);
	if (rc < 0)
		return rc;
	*ret_found = rc > 0 && sqlite3_column_int64(stmt, DUE_COLUMN) <= now;
	*ret_wait = rc > 0 && !*ret_found ? sqlite3_column_int64(stmt, DUE_COLUMN) : 0;
	if (*ret_found)
		post_read(stmt, ret);
	return 0;
}

int store_outbox_get(struct store *s, int64_t id, struct store_post *ret, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s, "SELECT " POST_COLUMNS POST_FROM "WHERE outbox.id = :id", &stmt,
			     err);

	if (rc < 0)
		return rc;
	sql_int(stmt, ":id", id);
	rc = sql_step(s, stmt, "reading the outbox", err);
	if (rc == 0)
		return err_set(err, ERR_INPUT, "%s: nothing in the outbox has the number %lld",
			       s->path, (long long)id);
	if (rc < 0)
		return rc;
	post_read(stmt, ret);
	return 0;
}

int post_list_fill(struct store *s, sqlite3_stmt *stmt, unsigned limit, struct store_post_list *ret,
		   struct err *err)
{
	struct store_post_list l = {0};
	int rc;

	while ((rc = sql_step(s, stmt, "listing the outbox", err)) > 0) {
		if (l.n == limit) {
			l.more = true;
			break;
		}
		arr_grow(l.post, l.n, l.cap);
		post_read(stmt, &l.post[l.n++]);
	}
	if (rc < 0) {
		store_post_list_done(&l);
		return rc;
	}
	*ret = l;
	return 0;
}

int store_outbox_list(struct store *s, enum store_outbox_which which, int64_t trial, unsigned limit,
		      struct store_post_list *ret, struct err *err)
{
	static const char *const queries[] = {
		[STORE_OUTBOX_ALL] = POST_FROM "WHERE 1",
		[STORE_OUTBOX_OPEN] = POST_FROM_OPEN "WHERE 1",
		[STORE_OUTBOX_HELD] = POST_FROM_OPEN "WHERE held AND NOT withdrawn"
						     " AND NOT coalesce(" IS_FREE ", 0)",
	};
	auto_stmt sqlite3_stmt *stmt = NULL;
	auto_free char *sql =
		xasprintf("SELECT " POST_COLUMNS "%s%s ORDER BY outbox.id DESC LIMIT :limit + 1",
			  queries[which], trial ? " AND trial = :trial" : "");
	int rc = sql_prepare(s, sql, &stmt, err);

	if (rc < 0)
		return rc;
	if (trial)
		sql_int(stmt, ":trial", trial);
	sql_int(stmt, ":limit", limit);
	return post_list_fill(s, stmt, limit, ret, err);
}

void store_post_list_done(struct store_post_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		store_post_done(&l->post[i]);
	free(l->post);
	*l = (struct store_post_list){0};
}

int store_outbox_last_sent(struct store *s, int64_t trial, const char *poster, const char *context,
			   struct store_post *ret, bool *ret_found, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(
		s,
		"SELECT " POST_COLUMNS POST_FROM "WHERE poster = :poster AND context = :context"
		" AND state = 'sent' AND trial IN (SELECT other.id FROM trial it"
		" JOIN posting p ON p.id = it.posting JOIN posting q ON q.chain = p.chain"
		" JOIN trial other ON other.posting = q.id WHERE it.id = :trial)"
		" ORDER BY at DESC, outbox.id DESC LIMIT 1",
		&stmt, err);

	if (rc < 0)
		return rc;
	sql_int(stmt, ":trial", trial);
	sql_text(stmt, ":poster", poster);
	sql_text(stmt, ":context", context);
	rc = sql_step(s, stmt, "looking for what was sent", err);
	if (rc < 0)
		return rc;
	*ret_found = rc > 0;
	if (rc > 0)
		post_read(stmt, ret);
	return 0;
}

int store_delivery_count(struct store *s, const char *poster, int64_t since, unsigned *ret_n,
			 struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(
		s,
		"SELECT count(*) FROM delivery JOIN outbox ON outbox.id = delivery.outbox"
		" WHERE at >= :since AND poster = :poster AND tries > 0"
		" AND state IN ('sent', 'sending', 'failed')",
		&stmt, err);

	if (rc < 0)
		return rc;
	sql_text(stmt, ":poster", poster);
	sql_int(stmt, ":since", since);
	rc = sql_step(s, stmt, "counting deliveries", err);
	if (rc < 0)
		return rc;
	*ret_n = (unsigned)sqlite3_column_int64(stmt, 0);
	return 0;
}

int store_outbox_is_outdone(struct store *s, const struct store_post *post, bool *ret_is,
			    struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s,
			     "SELECT 1 FROM outbox WHERE target = :target AND id > :id"
			     " AND poster = :poster AND context = :context AND NOT withdrawn",
			     &stmt, err);

	if (rc < 0)
		return rc;
	sql_int(stmt, ":id", post->id);
	sql_text(stmt, ":poster", post->poster);
	sql_text(stmt, ":target", post->target);
	sql_text(stmt, ":context", post->context);
	rc = sql_step(s, stmt, "looking for something newer to say", err);
	if (rc < 0)
		return rc;
	*ret_is = rc > 0;
	return 0;
}
