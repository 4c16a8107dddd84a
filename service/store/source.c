// SPDX-License-Identifier: GPL-2.0-or-later
/* The cursor and source tables. */
#include "store/mails.h"

#include "base/clock.h"
#include "base/str.h"
#include "store/sql.h"

int store_cursor_get(struct store *s, const char *source, char **ret_value, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s, "SELECT value FROM cursor WHERE source = :source", &stmt, err);

	if (rc < 0)
		return rc;
	sql_text(stmt, ":source", source);
	rc = sql_step(s, stmt, "reading a cursor", err);
	if (rc < 0)
		return rc;
	*ret_value = rc ? sql_column_text(stmt, 0) : xstrdup("");
	return 0;
}

int store_cursor_set(struct store *s, const char *source, const char *value, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s,
			     "INSERT INTO cursor (source, value, updated)"
			     " VALUES (:source, :value, :now) ON CONFLICT (source)"
			     " DO UPDATE SET value = :value, updated = :now",
			     &stmt, err);

	if (rc < 0)
		return rc;
	sql_text(stmt, ":source", source);
	sql_text(stmt, ":value", value);
	sql_int(stmt, ":now", clock_wall());
	return sql_run(s, stmt, "moving a cursor", err);
}

int store_source_tell(struct store *s, const char *source, const char *words, int64_t not_before,
		      struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	const char *good =
		"INSERT INTO source (name, tried, good, not_before, words)"
		" VALUES (:name, :now, :now, :not_before, :words) ON CONFLICT (name) DO UPDATE"
		" SET tried = :now, good = :now, failures = 0, not_before = :not_before,"
		" words = :words";
	const char *bad = "INSERT INTO source (name, tried, failures, not_before, words)"
			  " VALUES (:name, :now, 1, :not_before, :words) ON CONFLICT (name) DO "
			  "UPDATE SET tried = :now, failures = failures + 1,"
			  " not_before = :not_before, words = :words";
	int rc = sql_prepare(s, words ? bad : good, &stmt, err);

	if (rc < 0)
		return rc;
	sql_text(stmt, ":name", source);
	sql_int(stmt, ":now", clock_wall());
	sql_int(stmt, ":not_before", not_before);
	sql_text(stmt, ":words", words);
	return sql_run(s, stmt, "noting how a source is", err);
}

int store_source_list(struct store *s, struct store_source_list *ret, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	struct store_source_list l = {0};
	int rc = sql_prepare(s,
			     "SELECT name, words, tried, good, not_before, failures FROM source"
			     " ORDER BY name",
			     &stmt, err);

	if (rc < 0)
		return rc;
	while ((rc = sql_step(s, stmt, "listing sources", err)) > 0) {
		arr_grow(l.source, l.n, l.cap);
		l.source[l.n++] = (struct store_source){
			.name = sql_column_text(stmt, 0),
			.words = sql_column_text(stmt, 1),
			.tried = sqlite3_column_int64(stmt, 2),
			.good = sqlite3_column_int64(stmt, 3),
			.not_before = sqlite3_column_int64(stmt, 4),
			.failures = (unsigned)sqlite3_column_int64(stmt, 5),
		};
	}
	if (rc < 0) {
		store_source_list_done(&l);
		return rc;
	}
	*ret = l;
	return 0;
}

void store_source_list_done(struct store_source_list *l)
{
	for (size_t i = 0; i < l->n; i++) {
		free(l->source[i].name);
		free(l->source[i].words);
	}
	free(l->source);
	*l = (struct store_source_list){0};
}
