// SPDX-License-Identifier: GPL-2.0-or-later
#include "store_help.h"

/* A store as version 1 left it: one finished trial, one whose process is gone. */
static void make_version_1(const char *path)
{
	auto_str struct str sql;
	struct err err = ERR_INIT;
	sqlite3 *db = NULL;

	str_init(&sql, 0);
	assert_ok(fs_read(FIXTURES "/store/schema-1.sql", 1 << 20, ERR_INPUT, &sql, &err), &err);
	str_adds(&sql,
		 "PRAGMA application_id = 1718186606; PRAGMA user_version = 1;"
		 "INSERT INTO trial VALUES (3, 100, 160, 'mm: tidy up', 'a@example.org', 2, 'Ada',"
		 " 'c0ffee', 'warn', 'slower', '/w', '/w/report.json', 'b', 1, 1);"
		 "INSERT INTO trial VALUES (4, 200, NULL, 'mm: more', 'b@example.org', 1, 'Ada',"
		 " NULL, NULL, NULL, NULL, NULL, 'another boot', 1, 1);"
		 "INSERT INTO step VALUES (3, 0, 'apply', 'done', 'pass', 'ok', 101, 0.5, 0);"
		 "INSERT INTO step VALUES (4, 0, 'apply', 'running', NULL, NULL, 201, NULL, 0);");
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, sql.buf, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
}

static void test_brought_up_to_date(void **state)
{
	struct store_fixture *f = *state;
	auto_free char *path = xasprintf("%s/old.db", f->dir);
	auto_store struct store *store = NULL;
	auto_store_trial struct store_trial done = {0}, gone = {0};
	auto_store_step_list struct store_step_list steps = {0};
	int64_t id = 0;

	make_version_1(path);
	assert_err(store_open(path, STORE_READ, &store, &f->err), &f->err, ERR_CONFIG,
		   "made by an older firn");
	assert_ok(store_open(path, STORE_WRITE, &store, &f->err), &f->err);
	assert_ok(store_trial_get(store, 3, &done, &f->err), &f->err);
	assert_int_equal(done.state, STORE_TRIAL_FINISHED);
	assert_int_equal(done.outcome, OUTCOME_WARN);
	assert_int_equal(done.started, 100);
	assert_string_equal(done.report, "/w/report.json");
	assert_ok(store_trial_get(store, 4, &gone, &f->err), &f->err);
	assert_int_equal(gone.state, STORE_TRIAL_INTERRUPTED);
	assert_ok(store_step_list(store, 3, &steps, &f->err), &f->err);
	assert_int_equal(steps.n, 1);
	assert_string_equal(steps.step[0].reason, "ok");
	/* Ids go on where they were: links to old trials stay right. */
	const struct store_series series = {.title = "", .message_id = "", .author = ""};
	assert_ok(store_trial_begin(store, &series, trial_steps, &id, &f->err), &f->err);
	assert_int_equal(id, 5);
}

/* Its SQL, but for the columns that were added to `step` afterwards. */
static char *schema_of(struct store *store, struct err *err)
{
	auto_stmt sqlite3_stmt *stmt = NULL;
	struct str s;

	str_init(&s, 0);
	assert_ok(sql_prepare(
			  store,
			  "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name <> 'step'"
			  " UNION ALL SELECT name || type || \"notnull\" || ifnull(dflt_value, '')"
			  " FROM pragma_table_info('step') ORDER BY 1",
			  &stmt, err),
		  err);
	while (sql_step(store, stmt, "reading the schema", err) > 0)
		str_addf(&s, "%s\n", (const char *)sqlite3_column_text(stmt, 0));
	return str_take(&s);
}

static void make_version_2(const char *path)
{
	auto_str struct str sql;
	struct err err = ERR_INIT;
	sqlite3 *db = NULL;

	str_init(&sql, 0);
	assert_ok(fs_read(FIXTURES "/store/schema-2.sql", 1 << 20, ERR_INPUT, &sql, &err), &err);
	str_adds(&sql,
		 "PRAGMA application_id = 1718186606; PRAGMA user_version = 2;"
		 "INSERT INTO posting VALUES (7, 'demo', 'a@example.org', 'mm: tidy up', 'Ada',"
		 " 'ada@example.org', 1, 0, 1, 1, 50, 50, 50, 'd', 'complete', '', 7, NULL);"
		 "INSERT INTO trial (id, state, posting, list, digest, queued, title, message_id,"
		 " version, author, outcome, finished) VALUES (3, 'finished', 7, 'demo', 'd', 100,"
		 " 'mm: tidy up', 'a@example.org', 1, 'Ada', 'pass', 160);"
		 "INSERT INTO step (trial, position, name, state, outcome, reason)"
		 " VALUES (3, 0, 'apply', 'done', 'pass', 'ok');"
		 "INSERT INTO posting VALUES (8, 'demo', 'b@example.org', 'mm: more', 'Ada',"
		 " 'ada@example.org', 1, 0, 1, 1, 50, 50, 50, 'e', 'complete', '', 8, NULL);"
		 "INSERT INTO outbox (id, trial, poster, target, context, revision, want, held,"
		 " written) VALUES (1, 3, 'mail', 'x', '', 1, '{}', 0, 1),"
		 " (2, 3, 'mail', 'y', '', 2, '{}', 0, 1), (3, 3, 'mail', 'z', '', 1, '{}', 1, 1);"
		 "INSERT INTO delivery (outbox, revision, state, at) VALUES (1, 1, 'sent', 2),"
		 " (2, 1, 'sent', 2);");
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, sql.buf, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
}

static void test_version_2_becomes_the_same_schema(void **state)
{
	struct store_fixture *f = *state;
	auto_free char *path = xasprintf("%s/old.db", f->dir);
	auto_store struct store *store = NULL;
	auto_store_step_list struct store_step_list steps = {0};
	auto_store_posting struct store_posting posting = {0};

	make_version_2(path);
	assert_ok(store_open(path, STORE_WRITE, &store, &f->err), &f->err);
	auto_free char *migrated = schema_of(store, &f->err);
	auto_free char *fresh = schema_of(f->store, &f->err);
	assert_string_equal(migrated, fresh);
	assert_ok(store_posting_get(store, 7, &posting, &f->err), &f->err);
	assert_string_equal(posting.title, "mm: tidy up");
	assert_ok(store_step_list(store, 3, &steps, &f->err), &f->err);
	assert_string_equal(steps.step[0].reason, "ok");
	assert_string_equal(steps.step[0].note, "");
	assert_null(steps.step[0].log);
	/* What was left to do is known, and what it lacks. */
	store_close(f->store);
	f->store = take(store);
	assert_int_equal(ask(f, "SELECT sum(posting) FROM to_plan"), 8);
	assert_int_equal(ask(f, "SELECT sum(outbox) FROM to_say"), 2 + 3);
	assert_int_equal(ask(f, "SELECT sum(posting) FROM to_fill_posting"), 7 + 8);
	assert_int_equal(ask(f, "SELECT count(*) FROM to_fill_trial"), 0); /* it has no report */
}

static void test_version_3_becomes_the_same_schema(void **state)
{
	struct store_fixture *f = *state;
	auto_free char *path = xasprintf("%s/old.db", f->dir);
	auto_store struct store *store = NULL;
	auto_str struct str sql;
	sqlite3 *db = NULL;

	str_init(&sql, 0);
	assert_ok(fs_read(FIXTURES "/store/schema-3.sql", 1 << 20, ERR_INPUT, &sql, &f->err),
		  &f->err);
	str_adds(&sql,
		 "PRAGMA application_id = 1718186606; PRAGMA user_version = 3;"
		 "INSERT INTO testbed VALUES ('qemu-pseries', 'good', 1, 1, '', 9, 0),"
		 " ('replay:/a', 'good', 1, 1, '', 1, 0), ('replay:/b', 'out', 1, 1, '/b', 2, 1);");
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, sql.buf, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
	assert_ok(store_open(path, STORE_WRITE, &store, &f->err), &f->err);
	auto_free char *migrated = schema_of(store, &f->err);
	auto_free char *fresh = schema_of(f->store, &f->err);
	assert_string_equal(migrated, fresh);
	/* Testbeds have names, not folders. */
	store_close(f->store);
	f->store = take(store);
	assert_int_equal(ask(f, "SELECT count(*) FROM testbed WHERE (name = 'replay' AND boots = 2"
				" AND words = '') OR (name = 'qemu-pseries' AND boots = 9)"),
			 2);
	assert_int_equal(ask(f, "SELECT count(*) FROM testbed"), 2);
}

static void test_backup(void **state)
{
	struct store_fixture *f = *state;
	auto_free char *path = xasprintf("%s/copy.db", f->dir);
	auto_store struct store *copy = NULL;
	auto_store_mail_list struct store_mail_list l = {0};

	mail_put(f, "a@example.org", NULL, "ada@example.org", 1);
	assert_ok(store_backup(f->store, path, &f->err), &f->err);
	assert_err(store_backup(f->store, path, &f->err), &f->err, ERR_CONFIG, "is there already");
	assert_ok(store_open(path, STORE_READ, &copy, &f->err), &f->err);
	assert_ok(store_mail_list_by_id(copy, "a@example.org", &l, &f->err), &f->err);
	assert_int_equal(l.n, 1);
	auto_free char *nowhere = xasprintf("%s/none/copy.db", f->dir);
	assert_int_equal(store_backup(f->store, nowhere, &f->err), ERR_INFRA);
}

static void test_data_version(void **state)
{
	struct store_fixture *f = *state;
	auto_store struct store *reader = NULL;
	int64_t before = 0, after = 0;

	assert_ok(store_open(f->path, STORE_READ, &reader, &f->err), &f->err);
	assert_ok(store_data_version(reader, &before, &f->err), &f->err);
	assert_ok(store_data_version(reader, &after, &f->err), &f->err);
	assert_int_equal(before, after);
	mail_put(f, "a@example.org", NULL, "ada@example.org", 1);
	assert_ok(store_data_version(reader, &after, &f->err), &f->err);
	assert_int_not_equal(before, after);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, store_setup, store_teardown)
		TEST(test_brought_up_to_date),
		TEST(test_version_2_becomes_the_same_schema),
		TEST(test_version_3_becomes_the_same_schema),
		TEST(test_backup),
		TEST(test_data_version),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
