/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside store/: statements and transactions. */
#ifndef FIRN_STORE_SQL_H
#define FIRN_STORE_SQL_H

#include "base/cleanup.h"
#include "store/store.h"
#include <jansson.h>
#include <sqlite3.h>

struct store {
	sqlite3 *db;
	char *path;
};

/* SQLite's message for the last failed call, after the path and what was being done. */
int sql_error(struct store *s, struct err *err, const char *doing);

static inline void stmt_free(sqlite3_stmt *stmt)
{
	sqlite3_finalize(stmt);
}
DEFINE_CLEANUP(sqlite3_stmt *, stmt, stmt_free)
#define auto_stmt auto_cleanup(stmt)

must_check int sql_prepare(struct store *s, const char *sql, sqlite3_stmt **ret_stmt,
			   struct err *err);

/* Values by name (":title"). A name that the statement does not have is a bug. The text must live
 * until the statement is stepped; NULL is SQL's NULL. */
void sql_text(sqlite3_stmt *stmt, const char *name, const char *value);
void sql_int(sqlite3_stmt *stmt, const char *name, int64_t value);
void sql_real(sqlite3_stmt *stmt, const char *name, double value);
void sql_blob(sqlite3_stmt *stmt, const char *name, const void *value, size_t n);
/* NULL when it is 0: for ids of rows that may not be there. */
void sql_id(sqlite3_stmt *stmt, const char *name, int64_t value);

/* One step: 1 when there is a row, 0 at the end. */
must_check int sql_step(struct store *s, sqlite3_stmt *stmt, const char *doing, struct err *err);
/* For statements without rows. */
must_check int sql_run(struct store *s, sqlite3_stmt *stmt, const char *doing, struct err *err);
/* SQL without values, several statements. */
must_check int sql_exec(struct store *s, const char *sql, const char *doing, struct err *err);

/* A copy of a column; NULL for SQL's NULL. */
char *sql_column_text(sqlite3_stmt *stmt, int column);
/* A JSON object in a column: an empty one where it cannot be read. */
json_t *sql_column_json(sqlite3_stmt *stmt, int column);
/* Compact, keys sorted: equal objects give equal texts. The caller frees. */
char *sql_json_text(const json_t *obj);

/* The row of an id: a query with :id and nothing else, standing on it. ERR_INPUT "no WHAT ID". */
must_check int sql_row(struct store *s, const char *sql, const char *what, int64_t id,
		       sqlite3_stmt **ret_stmt, struct err *err);
/* Ids that a query gives in its first column, at most `limit`. Resets nothing. */
must_check int sql_ids(struct store *s, sqlite3_stmt *stmt, unsigned limit, int64_t *ret_ids,
		       size_t *ret_n, const char *doing, struct err *err);
/* An update that must have touched a row: ERR_INPUT "no WHAT ID" when it has not. */
must_check int sql_changed(struct store *s, const char *what, int64_t id, struct err *err);

/* A transaction that rolls back when it goes out of scope uncommitted:
 *
 *	auto_txn struct txn txn = {0};
 *	rc = txn_begin(&txn, store, err);
 *	...
 *	return txn_commit(&txn, "finishing a trial", err);
 *
 * Inside of another one (store_batch_begin()) it is a part of that: whoever began the outer one
 * must not commit it after an error.
 */
struct txn {
	struct store *open; /* NULL: none */
};
must_check int txn_begin(struct txn *t, struct store *s, struct err *err);
must_check int txn_commit(struct txn *t, const char *doing, struct err *err);
void txn_cleanup(struct txn *t);
#define auto_txn auto_cleanup(txn)

/* Who runs a trial. */
#define BOOT_ID_MAX 64
struct owner {
	char boot_id[BOOT_ID_MAX];
	int64_t pid, pid_start;
};
struct owner owner_self(void);
struct owner owner_of(int64_t pid);
/* From three columns: boot_id, pid, pid_start. */
struct owner owner_read(sqlite3_stmt *stmt, int column);
/* Errs on the side of true when it cannot tell. */
bool owner_alive(const struct owner *o);

/* trial.c: the word in the store; "interrupted" is none of them. */
enum store_trial_state trial_state_parse(const char *word);
/* The steps of a new trial, all waiting. */
must_check int sql_steps_insert(struct store *s, int64_t trial, const char *const *steps,
				struct err *err);

#endif
