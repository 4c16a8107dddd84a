// SPDX-License-Identifier: GPL-2.0-or-later
#include "store/store.h"

#include "base/fs.h"
#include "base/str.h"
#include "store/migrate.h"

#define STORE_SCHEMA_VERSION 4
/* "firn" in the file's header: file(1) and we tell it from other databases by it. */
#define STORE_APPLICATION_ID 0x6669726e

/* Made from schema.sql at build time. */
extern const char store_schema[];

struct identity {
	int64_t application, version, tables;
};

/* One statement, so that all three are of one moment: another process may be making the schema. */
static int identity_get(struct store *s, struct identity *ret, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s,
			     "SELECT (SELECT application_id FROM pragma_application_id),"
			     " (SELECT user_version FROM pragma_user_version),"
			     " (SELECT count(*) FROM sqlite_schema)",
			     &stmt, err);

	if (rc == 0)
		rc = sql_step(s, stmt, "reading the schema version", err);
	if (rc > 0)
		*ret = (struct identity){.application = sqlite3_column_int64(stmt, 0),
					 .version = sqlite3_column_int64(stmt, 1),
					 .tables = sqlite3_column_int64(stmt, 2)};
	return rc < 0 ? rc : 0;
}

static bool is_empty(const struct identity *id)
{
	return !id->application && !id->version && !id->tables;
}

static int identity_check(struct store *s, const struct identity *id, struct err *err)
{
	if (id->application != STORE_APPLICATION_ID)
		return err_set(err, ERR_CONFIG, "%s: a database, but not a store of firn's",
			       s->path);
	if (id->version > STORE_SCHEMA_VERSION)
		return err_set(err, ERR_CONFIG,
			       "%s: made by a newer firn (schema version %lld, this firn knows %d)",
			       s->path, (long long)id->version, STORE_SCHEMA_VERSION);
	if (id->version >= 1 && id->version < STORE_SCHEMA_VERSION)
		return err_set(err, ERR_CONFIG,
			       "%s: made by an older firn (schema version %lld): whoever writes to "
			       "it next (firn run, firn serve) brings it up to date",
			       s->path, (long long)id->version);
	if (id->version < 1)
		return err_set(err, ERR_CONFIG,
			       "%s: schema version %lld is none that firn ever made", s->path,
			       (long long)id->version);
	return 0;
}

static bool is_old(const struct identity *id)
{
	return id->application == STORE_APPLICATION_ID && id->version >= 1 &&
	       id->version < STORE_SCHEMA_VERSION;
}

/* Several processes may find the file empty, or old, at once: whoever comes second finds the schema
 * there. */
static int schema_make(struct store *s, struct err *err)
{
	auto_txn struct txn txn = {0};
	auto_free char *mark = xasprintf("PRAGMA application_id = %d; PRAGMA user_version = %d",
					 STORE_APPLICATION_ID, STORE_SCHEMA_VERSION);
	struct identity id = {0};
	int rc = txn_begin(&txn, s, err);

	if (rc == 0)
		rc = identity_get(s, &id, err);
	if (rc < 0 || (!is_empty(&id) && !is_old(&id)))
		return rc;
	if (is_empty(&id))
		rc = sql_exec(s, store_schema, "making the schema", err);
	else
		rc = store_migrate(s, id.version, store_schema, err);
	if (rc == 0)
		rc = sql_exec(s, mark, "making the schema", err);
	return rc < 0 ? rc : txn_commit(&txn, "making the schema", err);
}

/* The change to WAL does not wait for others as transactions do, so only one process makes a store
 * at a time. */
static int store_make(struct store *s, struct err *err)
{
	auto_free char *lock_path = xasprintf("%s.lock", s->path);
	auto_fd int lock = -1;
	int rc = fs_lock(lock_path, &lock, err);

	if (rc == 0)
		rc = sql_exec(s, "PRAGMA journal_mode = WAL", "turning WAL on", err);
	return rc < 0 ? rc : schema_make(s, err);
}

static int store_prepare(struct store *s, enum store_mode mode, struct err *err)
{
	struct identity id = {0};
	int rc;

	sqlite3_busy_timeout(s->db, STORE_BUSY_MS);
	sqlite3_extended_result_codes(s->db, 1);
	/* NORMAL: after a power cut the last trials may be gone, the file is sound. FULL starves a
	 * second writer. */
	rc = sql_exec(s,
		      "PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA "
		      "trusted_schema = OFF",
		      "opening", err);
	if (rc == 0)
		rc = identity_get(s, &id, err);
	if (rc == 0 && mode == STORE_WRITE && (is_empty(&id) || is_old(&id))) {
		rc = store_make(s, err);
		if (rc == 0)
			rc = identity_get(s, &id, err);
	}
	return rc < 0 ? rc : identity_check(s, &id, err);
}

int store_data_version(struct store *s, int64_t *ret_version, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	int rc = sql_prepare(s, "PRAGMA data_version", &stmt, err);

	if (rc == 0)
		rc = sql_step(s, stmt, "looking for changes", err);
	if (rc < 0)
		return rc;
	*ret_version = sqlite3_column_int64(stmt, 0);
	return 0;
}

int store_open(const char *path, enum store_mode mode, struct store **ret_store, struct err *err)
{
	int flags = mode == STORE_WRITE ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
					: SQLITE_OPEN_READONLY;
	auto_store struct store *s = xcalloc(1, sizeof(*s));
	int rc;

	s->path = xstrdup(path);
	/* SQLite does not say which: nothing there, or not permitted. */
	if (mode == STORE_READ && access(path, R_OK) < 0)
		return err_sys(err, ERR_CONFIG, "%s", path);
	if (sqlite3_open_v2(path, &s->db, flags | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
		return sql_error(s, err, "opening");
	rc = store_prepare(s, mode, err);
	if (rc < 0)
		return rc;
	*ret_store = take(s);
	return 0;
}

void store_close(struct store *s)
{
	if (!s)
		return;
	sqlite3_close(s->db);
	free(s->path);
	free(s);
}
