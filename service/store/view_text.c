// SPDX-License-Identifier: GPL-2.0-or-later
/* Texts and files of a posting; the ledger. */
#include "store/views.h"

#include "base/str.h"
#include "store/mail_read.h"
#include "store/sql.h"

int view_posting_text(struct store *s, int64_t posting, char **ret_cover, json_t **ret_since,
		      struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	const char *since;
	int rc = sql_prepare(s, "SELECT cover, since FROM posting_text WHERE posting = :posting",
			     &stmt, err);

	if (rc < 0)
		return rc;
	sql_int(stmt, ":posting", posting);
	rc = sql_step(s, stmt, "reading the text of a posting", err);
	if (rc < 0)
		return rc;
	since = rc > 0 ? (const char *)sqlite3_column_text(stmt, 1) : NULL;
	*ret_since = since ? json_loads(since, 0, NULL) : NULL;
	*ret_cover = rc > 0 ? sql_column_text(stmt, 0) : xstrdup("");
	return 0;
}

void view_paths_done(struct view_paths *p)
{
	for (size_t i = 0; i < p->n; i++)
		free(p->path[i]);
	free(p->path);
	*p = (struct view_paths){0};
}

int view_posting_files(struct store *s, int64_t posting, unsigned limit, struct view_paths *ret,
		       struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	struct view_paths p = {0};
	int rc = sql_prepare(s,
			     "SELECT path FROM posting_file WHERE posting = :posting ORDER BY path"
			     " LIMIT :limit + 1",
			     &stmt, err);

	if (rc < 0)
		return rc;
	sql_int(stmt, ":posting", posting);
	sql_int(stmt, ":limit", limit);
	while ((rc = sql_step(s, stmt, "reading the files of a posting", err)) > 0) {
		p.more = p.n == limit;
		if (p.more)
			break;
		arr_grow(p.path, p.n, p.cap);
		p.path[p.n++] = sql_column_text(stmt, 0);
	}
	if (rc < 0) {
		view_paths_done(&p);
		return rc;
	}
	*ret = p;
	return 0;
}

/* A list is walked by its own index; a mail that came from two sources is there twice. */
static char *ledger_sql(const struct view_ledger_filter *f)
{
	const char *state = f->state && *f->state ? " AND mail.state = :state" : "";

	if (f->list && *f->list)
		return xasprintf("SELECT " MAIL_COLUMNS " FROM mail_place place"
				 " CROSS JOIN mail ON mail.id = place.mail WHERE place.list = :list"
				 " AND place.mail < :before%s GROUP BY place.mail"
				 " ORDER BY place.mail DESC LIMIT :limit + 1",
				 state);
	return xasprintf("SELECT " MAIL_COLUMNS " FROM mail WHERE mail.id < :before%s"
			 " ORDER BY mail.id DESC LIMIT :limit + 1",
			 state);
}

int view_ledger(struct store *s, const struct view_ledger_filter *f, struct store_mail_list *ret,
		struct err *err)
{
	unsigned limit = f->limit && f->limit < VIEW_LIMIT_MAX ? f->limit : VIEW_LIMIT_MAX;
	auto_stmt sqlite3_stmt *stmt = NULL;
	auto_free char *sql = ledger_sql(f);
	int rc = sql_prepare(s, sql, &stmt, err);

	if (rc < 0)
		return rc;
	if (f->list && *f->list)
		sql_text(stmt, ":list", f->list);
	if (f->state && *f->state)
		sql_text(stmt, ":state", f->state);
	sql_int(stmt, ":before", f->before ? f->before : INT64_MAX);
	sql_int(stmt, ":limit", limit);
	return mail_list_fill(s, stmt, limit, false, ret, err);
}

int view_message(struct store *s, const char *message_id, struct store_mail_list *ret,
		 struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(
		s, "SELECT " MAIL_COLUMNS " FROM mail WHERE message_id = :message_id ORDER BY id",
		&stmt, err);

	if (rc < 0)
		return rc;
	sql_text(stmt, ":message_id", message_id);
	return mail_list_fill(s, stmt, 100, false, ret, err);
}

/* By its threads, which have an index. */
int view_replies(struct store *s, int64_t posting, unsigned limit, struct store_mail_list *ret,
		 struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(
		s,
		"SELECT " MAIL_COLUMNS " FROM mail WHERE thread IN (SELECT part.thread FROM patch"
		" JOIN mail part ON part.id = patch.mail WHERE patch.posting = :posting)"
		" AND mail.posting = :posting AND state NOT IN ('patch', 'cover', 'removed')"
		" ORDER BY mail.date, mail.id LIMIT :limit + 1",
		&stmt, err);

	if (rc < 0)
		return rc;
	sql_int(stmt, ":posting", posting);
	sql_int(stmt, ":limit", limit);
	return mail_list_fill(s, stmt, limit, false, ret, err);
}

/* From one name to the next by the index, however many postings each has. */
int view_lists(struct store *s, struct view_paths *ret, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	struct view_paths p = {0};
	int rc = sql_prepare(s,
			     "WITH RECURSIVE name (list) AS (SELECT min(list) FROM posting"
			     " UNION ALL SELECT (SELECT min(list) FROM posting"
			     "  WHERE posting.list > name.list) FROM name WHERE list IS NOT NULL)"
			     " SELECT list FROM name WHERE list <> '' LIMIT 1000",
			     &stmt, err);

	if (rc < 0)
		return rc;
	while ((rc = sql_step(s, stmt, "reading the lists", err)) > 0) {
		arr_grow(p.path, p.n, p.cap);
		p.path[p.n++] = sql_column_text(stmt, 0);
	}
	if (rc < 0) {
		view_paths_done(&p);
		return rc;
	}
	*ret = p;
	return 0;
}

static int trial_find(struct store *s, const char *sql, const char *message_id, int64_t *ret_trial,
		      struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s, sql, &stmt, err);

	if (rc < 0)
		return rc;
	sql_text(stmt, ":message_id", message_id);
	rc = sql_step(s, stmt, "looking for a trial", err);
	if (rc < 0)
		return rc;
	*ret_trial = sqlite3_column_int64(stmt, 0);
	return 0;
}

int view_trial_of_message(struct store *s, const char *message_id, int64_t *ret_trial,
			  struct err *err)
{
	return trial_find(s,
			  "SELECT coalesce(max(id), 0) FROM trial WHERE message_id = :message_id",
			  message_id, ret_trial, err);
}

int view_trial_of_post(struct store *s, const char *message_id, int64_t *ret_trial, struct err *err)
{
	return trial_find(s,
			  "SELECT coalesce(max(trial), 0) FROM outbox WHERE poster = 'mail'"
			  " AND target IN (SELECT :message_id UNION ALL SELECT answered.message_id"
			  "  FROM mail JOIN mail_ref answered ON answered.mail = mail.id"
			  "  WHERE mail.message_id = :message_id)",
			  message_id, ret_trial, err);
}
