// SPDX-License-Identifier: GPL-2.0-or-later
/* The patchwork table. */
#include "store/mails.h"

#include "base/str.h"
#include "store/sql.h"

int store_patchwork_put(struct store *s, const struct store_patchwork *row, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	/* A series is told later than its patches, and not by every event. */
	int rc = sql_prepare(
		s,
		"INSERT INTO patchwork (server, kind, number, message_id, series, url)"
		" VALUES (:server, :kind, :number, :message_id, :series, :url)"
		" ON CONFLICT (server, kind, number) DO UPDATE SET message_id = :message_id,"
		" series = coalesce(:series, series), url = :url",
		&stmt, err);

	if (rc < 0)
		return rc;
	sql_text(stmt, ":server", row->server);
	sql_text(stmt, ":kind", row->is_cover ? "cover" : "patch");
	sql_int(stmt, ":number", row->number);
	sql_text(stmt, ":message_id", row->message_id);
	sql_id(stmt, ":series", row->series);
	sql_text(stmt, ":url", row->url);
	return sql_run(s, stmt, "noting a patch of Patchwork", err);
}

static int list_fill(struct store *s, sqlite3_stmt *stmt, struct store_patchwork_list *ret,
		     struct err *err)
{
	struct store_patchwork_list l = {0};
	int rc;

	while ((rc = sql_step(s, stmt, "reading what Patchwork has", err)) > 0) {
		arr_grow(l.row, l.n, l.cap);
		l.row[l.n++] = (struct store_patchwork){
			.server = sql_column_text(stmt, 0),
			.message_id = sql_column_text(stmt, 1),
			.url = sql_column_text(stmt, 2),
			.is_cover = sqlite3_column_int(stmt, 3) != 0,
			.number = sqlite3_column_int64(stmt, 4),
			.series = sqlite3_column_int64(stmt, 5),
		};
	}
	if (rc < 0) {
		store_patchwork_list_done(&l);
		return rc;
	}
	*ret = l;
	return 0;
}

#define COLUMNS "server, message_id, url, kind = 'cover', number, series"

int store_patchwork_by_message(struct store *s, const char *message_id,
			       struct store_patchwork_list *ret, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s,
			     "SELECT " COLUMNS " FROM patchwork WHERE message_id = :message_id"
			     " ORDER BY server, number",
			     &stmt, err);

	if (rc < 0)
		return rc;
	sql_text(stmt, ":message_id", message_id);
	return list_fill(s, stmt, ret, err);
}

int store_patchwork_by_series(struct store *s, const char *server, int64_t series,
			      struct store_patchwork_list *ret, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s,
			     "SELECT " COLUMNS " FROM patchwork WHERE server = :server"
			     " AND series = :series ORDER BY number",
			     &stmt, err);

	if (rc < 0)
		return rc;
	sql_text(stmt, ":server", server);
	sql_int(stmt, ":series", series);
	return list_fill(s, stmt, ret, err);
}

int store_patchwork_by_number(struct store *s, const char *server, int64_t number,
			      struct store_patchwork_list *ret, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s,
			     "SELECT " COLUMNS " FROM patchwork WHERE server = :server"
			     " AND kind = 'patch' AND number = :number",
			     &stmt, err);

	if (rc < 0)
		return rc;
	sql_text(stmt, ":server", server);
	sql_int(stmt, ":number", number);
	return list_fill(s, stmt, ret, err);
}

void store_patchwork_list_done(struct store_patchwork_list *l)
{
	for (size_t i = 0; i < l->n; i++) {
		free(l->row[i].server);
		free(l->row[i].message_id);
		free(l->row[i].url);
	}
	free(l->row);
	*l = (struct store_patchwork_list){0};
}
