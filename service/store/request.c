// SPDX-License-Identifier: GPL-2.0-or-later
/* The request and answer tables. */
#include "store/requests.h"

#include "base/clock.h"
#include "base/str.h"
#include "store/sql.h"

void store_request_done(struct store_request *r)
{
	free(r->kind);
	free(r->message_id);
	json_decref(r->arguments);
	free(r->who);
	free(r->via);
	*r = (struct store_request){0};
}

int store_request_add(struct store *s, const struct store_request *r, int64_t *ret_id,
		      struct err *err)
{
	auto_free char *arguments = sql_json_text(r->arguments);
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s,
			     "INSERT INTO request (at, kind, message_id, arguments, who, via, mail)"
			     " VALUES (:now, :kind, :message_id, :arguments, :who, :via, :mail)",
			     &stmt, err);

	if (rc < 0)
		return rc;
	sql_int(stmt, ":now", clock_wall());
	sql_text(stmt, ":kind", r->kind);
	sql_text(stmt, ":message_id", r->message_id ? r->message_id : "");
	sql_text(stmt, ":arguments", arguments);
	sql_text(stmt, ":who", r->who);
	sql_text(stmt, ":via", r->via);
	sql_id(stmt, ":mail", r->mail);
	rc = sql_run(s, stmt, "noting a request", err);
	if (rc == 0)
		*ret_id = sqlite3_last_insert_rowid(s->db);
	return rc;
}

static bool is_of(const char *kind, const char *const *kinds)
{
	for (; *kinds; kinds++)
		if (strcmp(kind, *kinds) == 0)
			return true;
	return false;
}

#define REQUEST_COLUMNS "id, at, mail, kind, message_id, arguments, who, via"

static void request_take(sqlite3_stmt *stmt, struct store_request *ret)
{
	*ret = (struct store_request){
		.id = sqlite3_column_int64(stmt, 0),
		.at = sqlite3_column_int64(stmt, 1),
		.mail = sqlite3_column_int64(stmt, 2),
		.kind = sql_column_text(stmt, 3),
		.message_id = sql_column_text(stmt, 4),
		.arguments = sql_column_json(stmt, 5),
		.who = sql_column_text(stmt, 6),
		.via = sql_column_text(stmt, 7),
	};
}

int store_request_next(struct store *s, const char *const *kinds, struct store_request *ret,
		       bool *ret_found, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	bool found = false;
	int rc = sql_prepare(
		s,
		"SELECT " REQUEST_COLUMNS " FROM request"
		" WHERE NOT EXISTS (SELECT 1 FROM answer WHERE answer.request = request.id)"
		" ORDER BY id",
		&stmt, err);

	if (rc < 0)
		return rc;
	while (!found && (rc = sql_step(s, stmt, "looking for requests", err)) > 0)
		found = is_of((const char *)sqlite3_column_text(stmt, 3), kinds);
	if (rc < 0)
		return rc;
	if (found)
		request_take(stmt, ret);
	*ret_found = found;
	return 0;
}

int store_request_get(struct store *s, int64_t id, struct store_request *ret, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s, "SELECT " REQUEST_COLUMNS " FROM request WHERE id = :id", &stmt,
			     err);

	if (rc < 0)
		return rc;
	sql_int(stmt, ":id", id);
	rc = sql_step(s, stmt, "reading a request", err);
	if (rc < 0)
		return rc;
	if (rc == 0)
		return err_set(err, ERR_INPUT, "no request %lld", (long long)id);
	request_take(stmt, ret);
	return 0;
}

int store_request_answer(struct store *s, int64_t request, bool good, const char *words,
			 int64_t trial, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s,
			     "INSERT INTO answer (request, at, good, words, trial)"
			     " VALUES (:request, :now, :good, :words, :trial)",
			     &stmt, err);

	if (rc < 0)
		return rc;
	sql_int(stmt, ":request", request);
	sql_int(stmt, ":now", clock_wall());
	sql_int(stmt, ":good", good);
	sql_text(stmt, ":words", words);
	sql_id(stmt, ":trial", trial);
	return sql_run(s, stmt, "answering a request", err);
}

int store_request_look(struct store *s, int64_t request, struct store_answer *ret, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc =
		sql_prepare(s, "SELECT good, words, at, trial FROM answer WHERE request = :request",
			    &stmt, err);

	if (rc < 0)
		return rc;
	sql_int(stmt, ":request", request);
	rc = sql_step(s, stmt, "looking for an answer", err);
	if (rc < 0)
		return rc;
	*ret = (struct store_answer){.given = rc > 0};
	if (rc > 0)
		*ret = (struct store_answer){
			.given = true,
			.good = sqlite3_column_int(stmt, 0) != 0,
			.words = sql_column_text(stmt, 1),
			.at = sqlite3_column_int64(stmt, 2),
			.trial = sqlite3_column_int64(stmt, 3),
		};
	return 0;
}

void store_answer_done(struct store_answer *a)
{
	free(a->words);
	*a = (struct store_answer){0};
}

int store_request_count(struct store *s, const char *who, const char *kind, int64_t since,
			unsigned *ret_n, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s,
			     "SELECT count(*) FROM request WHERE who = :who AND at >= :since"
			     " AND (:kind IS NULL OR kind = :kind)",
			     &stmt, err);

	if (rc < 0)
		return rc;
	sql_text(stmt, ":who", who);
	sql_text(stmt, ":kind", kind);
	sql_int(stmt, ":since", since);
	rc = sql_step(s, stmt, "counting requests", err);
	if (rc < 0)
		return rc;
	*ret_n = (unsigned)sqlite3_column_int64(stmt, 0);
	return 0;
}
