// SPDX-License-Identifier: GPL-2.0-or-later
#include "store/sql.h"

#include "base/fault.h"
#include "base/str.h"
#include <assert.h>

static enum err_kind sql_kind(int code)
{
	switch (code & 0xff) {
	case SQLITE_CANTOPEN:
	case SQLITE_NOTADB:
	case SQLITE_PERM:
	case SQLITE_AUTH:
	case SQLITE_READONLY: return ERR_CONFIG;
	default: return ERR_INFRA;
	}
}

int sql_error(struct store *s, struct err *err, const char *doing)
{
	int code = sqlite3_extended_errcode(s->db), kind = code & 0xff;
	/* "disk I/O error" does not tell a full disk from a broken one. */
	int number =
		kind == SQLITE_IOERR || kind == SQLITE_CANTOPEN ? sqlite3_system_errno(s->db) : 0;

	return err_set(err, sql_kind(code), "%s: %s: %s%s%s", s->path, doing, sqlite3_errmsg(s->db),
		       number ? ": " : "", number ? strerror(number) : "");
}

int sql_prepare(struct store *s, const char *sql, sqlite3_stmt **ret_stmt, struct err *err)
{
	if (sqlite3_prepare_v2(s->db, sql, -1, ret_stmt, NULL) != SQLITE_OK)
		return sql_error(s, err, "preparing a query");
	return 0;
}

static int parameter(sqlite3_stmt *stmt, const char *name)
{
	int i = sqlite3_bind_parameter_index(stmt, name);

	assert(i > 0);
	return i;
}

/* Binding fails only for a wrong index, a statement at work or without memory: bugs, all three. */
static void bound(int code)
{
	assert(code == SQLITE_OK);
	(void)code;
}

void sql_text(sqlite3_stmt *stmt, const char *name, const char *value)
{
	bound(sqlite3_bind_text(stmt, parameter(stmt, name), value, -1, SQLITE_STATIC));
}

void sql_int(sqlite3_stmt *stmt, const char *name, int64_t value)
{
	bound(sqlite3_bind_int64(stmt, parameter(stmt, name), value));
}

void sql_real(sqlite3_stmt *stmt, const char *name, double value)
{
	bound(sqlite3_bind_double(stmt, parameter(stmt, name), value));
}

void sql_blob(sqlite3_stmt *stmt, const char *name, const void *value, size_t n)
{
	bound(sqlite3_bind_blob64(stmt, parameter(stmt, name), value, n, SQLITE_STATIC));
}

void sql_id(sqlite3_stmt *stmt, const char *name, int64_t value)
{
	int i = parameter(stmt, name);

	bound(value ? sqlite3_bind_int64(stmt, i, value) : sqlite3_bind_null(stmt, i));
}

int sql_step(struct store *s, sqlite3_stmt *stmt, const char *doing, struct err *err)
{
	switch (sqlite3_step(stmt)) {
	case SQLITE_ROW: return 1;
	case SQLITE_DONE: return 0;
	default: return sql_error(s, err, doing);
	}
}

int sql_run(struct store *s, sqlite3_stmt *stmt, const char *doing, struct err *err)
{
	int rc = sql_step(s, stmt, doing, err);

	return rc < 0 ? rc : 0;
}

int sql_exec(struct store *s, const char *sql, const char *doing, struct err *err)
{
	if (sqlite3_exec(s->db, sql, NULL, NULL, NULL) != SQLITE_OK)
		return sql_error(s, err, doing);
	return 0;
}

char *sql_column_text(sqlite3_stmt *stmt, int column)
{
	const char *text = (const char *)sqlite3_column_text(stmt, column);

	return text ? xmemdup(text, (size_t)sqlite3_column_bytes(stmt, column)) : NULL;
}

json_t *sql_column_json(sqlite3_stmt *stmt, int column)
{
	const char *text = (const char *)sqlite3_column_text(stmt, column);
	json_t *obj = text ? json_loads(text, 0, NULL) : NULL;

	if (json_is_object(obj))
		return obj;
	json_decref(obj);
	return json_object();
}

char *sql_json_text(const json_t *obj)
{
	char *text = json_dumps(obj, JSON_COMPACT | JSON_SORT_KEYS);

	return text ? text : xstrdup("{}");
}

int sql_row(struct store *s, const char *sql, const char *what, int64_t id, sqlite3_stmt **ret_stmt,
	    struct err *err)
{
	int rc = sql_prepare(s, sql, ret_stmt, err);

	if (rc < 0)
		return rc;
	sql_int(*ret_stmt, ":id", id);
	rc = sql_step(s, *ret_stmt, "reading a row", err);
	if (rc == 0)
		return err_set(err, ERR_INPUT, "%s: no %s %lld", s->path, what, (long long)id);
	return rc < 0 ? rc : 0;
}

int sql_ids(struct store *s, sqlite3_stmt *stmt, unsigned limit, int64_t *ret_ids, size_t *ret_n,
	    const char *doing, struct err *err)
{
	size_t n = 0;
	int rc = 0;

	while (n < limit && (rc = sql_step(s, stmt, doing, err)) > 0)
		ret_ids[n++] = sqlite3_column_int64(stmt, 0);
	if (rc < 0)
		return rc;
	*ret_n = n;
	return 0;
}

int sql_changed(struct store *s, const char *what, int64_t id, struct err *err)
{
	if (sqlite3_changes(s->db) == 0)
		return err_set(err, ERR_INPUT, "%s: no %s %lld", s->path, what, (long long)id);
	return 0;
}

/* IMMEDIATE: waits for another writer here, where the busy time-out works, and not in the middle.
 */
int txn_begin(struct txn *t, struct store *s, struct err *err)
{
	int rc;

	if (!sqlite3_get_autocommit(s->db))
		return 0;
	rc = sql_exec(s, "BEGIN IMMEDIATE", "beginning a transaction", err);
	if (rc == 0)
		t->open = s;
	return rc;
}

int txn_commit(struct txn *t, const char *doing, struct err *err)
{
	int rc;

	if (!t->open)
		return 0;
	fault_point("commit");
	rc = sql_exec(t->open, "COMMIT", doing, err);
	fault_point("committed");
	if (rc == 0)
		t->open = NULL;
	return rc;
}

void txn_cleanup(struct txn *t)
{
	/* SQLite has rolled back by itself after some errors (disk full). */
	if (t->open && !sqlite3_get_autocommit(t->open->db))
		sqlite3_exec(t->open->db, "ROLLBACK", NULL, NULL, NULL);
	t->open = NULL;
}
