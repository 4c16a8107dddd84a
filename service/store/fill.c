// SPDX-License-Identifier: GPL-2.0-or-later
#include "store/fill.h"

#include "base/json.h"
#include "store/sql.h"

static int ids_list(struct store *s, const char *sql, unsigned limit, int64_t *ret_ids,
		    size_t *ret_n, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s, sql, &stmt, err);

	if (rc < 0)
		return rc;
	sql_int(stmt, ":limit", limit);
	return sql_ids(s, stmt, limit, ret_ids, ret_n, "looking for what is to be filled in", err);
}

int store_fill_postings(struct store *s, unsigned limit, int64_t *ret_ids, size_t *ret_n,
			struct err *err)
{
	return ids_list(s, "SELECT posting FROM to_fill_posting ORDER BY posting DESC LIMIT :limit",
			limit, ret_ids, ret_n, err);
}

int store_fill_trials(struct store *s, unsigned limit, int64_t *ret_ids, size_t *ret_n,
		      struct err *err)
{
	return ids_list(s, "SELECT trial FROM to_fill_trial ORDER BY trial DESC LIMIT :limit",
			limit, ret_ids, ret_n, err);
}

int store_fill_left(struct store *s, int64_t *ret_postings, int64_t *ret_trials, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s,
			     "SELECT (SELECT count(*) FROM to_fill_posting),"
			     " (SELECT count(*) FROM to_fill_trial)",
			     &stmt, err);

	if (rc == 0)
		rc = sql_step(s, stmt, "counting what is to be filled in", err);
	if (rc < 0)
		return rc;
	*ret_postings = sqlite3_column_int64(stmt, 0);
	*ret_trials = sqlite3_column_int64(stmt, 1);
	return 0;
}

static int row_delete(struct store *s, const char *sql, int64_t id, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s, sql, &stmt, err);

	if (rc < 0)
		return rc;
	sql_int(stmt, ":id", id);
	return sql_run(s, stmt, "noting what is filled in", err);
}

int store_fill_posting_done(struct store *s, int64_t posting, bool *ret_was, struct err *err)
{
	int rc = row_delete(s, "DELETE FROM to_fill_posting WHERE posting = :id", posting, err);

	if (rc < 0)
		return rc;
	*ret_was = sqlite3_changes(s->db) > 0;
	return 0;
}

int store_fill_trial_done(struct store *s, int64_t trial, struct err *err)
{
	return row_delete(s, "DELETE FROM to_fill_trial WHERE trial = :id", trial, err);
}

int store_fill_mail(struct store *s, int64_t posting, int64_t *ret_mail, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc =
		sql_prepare(s, "SELECT mail FROM patch WHERE posting = :id ORDER BY number LIMIT 1",
			    &stmt, err);

	if (rc < 0)
		return rc;
	sql_int(stmt, ":id", posting);
	rc = sql_step(s, stmt, "looking for the mails of a posting", err);
	if (rc < 0)
		return rc;
	*ret_mail = rc > 0 ? sqlite3_column_int64(stmt, 0) : 0;
	return 0;
}

int store_fill_logs(struct store *s, int64_t trial, const json_t *report, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	const json_t *step;
	size_t i;
	int rc = sql_prepare(s,
			     "UPDATE step SET log = :log WHERE trial = :trial AND name = :name"
			     " AND log IS NULL",
			     &stmt, err);

	json_array_foreach (json_object_get(report, "steps"), i, step) {
		if (rc < 0)
			break;
		sqlite3_reset(stmt);
		sql_int(stmt, ":trial", trial);
		sql_text(stmt, ":name", json_get_str(step, "name", ""));
		sql_text(stmt, ":log", json_get_str(step, "log", NULL));
		rc = sql_run(s, stmt, "noting the logs of a trial", err);
	}
	return rc;
}
