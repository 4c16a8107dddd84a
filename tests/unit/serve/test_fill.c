// SPDX-License-Identifier: GPL-2.0-or-later
/* A store of an older firn gets what it lacks: files, texts, numbers and logs. */
#include "intake_help.h"

#include "base/json.h"
#include "serve/engine.h"
#include "store/fill.h"

#define FILES "SELECT group_concat(posting || path) FROM (SELECT * FROM posting_file ORDER BY 1, 2)"
#define TEXTS                                                                                      \
	"SELECT group_concat(posting || cover || ifnull(since, '-'), '|') FROM (SELECT * FROM "    \
	"posting_text ORDER BY 1)"
#define LEFT "SELECT (SELECT count(*) FROM to_fill_posting) + (SELECT count(*) FROM to_fill_trial)"

/* Rows of a table of the store that is attached as "new", as far as "main" has the columns. */
static void table_copy(sqlite3 *db, const char *table)
{
	auto_free char *sql = xasprintf("SELECT group_concat('\"' || name || '\"')"
					" FROM pragma_table_info('%s')",
					table);
	sqlite3_stmt *stmt = NULL;

	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
	auto_free char *copy = xasprintf("INSERT INTO main.%1$s (%2$s) SELECT %2$s FROM new.%1$s",
					 table, (const char *)sqlite3_column_text(stmt, 0));
	sqlite3_finalize(stmt);
	assert_int_equal(sqlite3_exec(db, copy, NULL, NULL, NULL), SQLITE_OK);
}

static void tables_copy(sqlite3 *db, const char *from)
{
	static const char *const tables[] = {"mail",  "mail_ref", "mail_place", "posting",
					     "patch", "trial",	  "step"};
	auto_free char *attach = xasprintf("PRAGMA foreign_keys = OFF; ATTACH '%s' AS new", from);

	assert_int_equal(sqlite3_exec(db, attach, NULL, NULL, NULL), SQLITE_OK);
	for (size_t i = 0; i < array_size(tables); i++)
		table_copy(db, tables[i]);
}

/* The store as a firn of that version would have it; it is brought up to date, as by any writer. */
static void make_old(struct store_fixture *f, int version)
{
	auto_free char *fixture = xasprintf(FIXTURES "/store/schema-%d.sql", version);
	auto_free char *path = xasprintf("%s/old.db", f->dir);
	auto_free char *mark = xasprintf("PRAGMA application_id = 1718186606;"
					 "PRAGMA user_version = %d",
					 version);
	auto_str struct str sql;
	sqlite3 *db = NULL;

	str_init(&sql, 0);
	assert_ok(fs_read(fixture, 1 << 20, ERR_INPUT, &sql, &f->err), &f->err);
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, sql.buf, NULL, NULL, NULL), SQLITE_OK);
	tables_copy(db, f->path);
	assert_int_equal(sqlite3_exec(db, mark, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
	store_close(f->store);
	assert_ok(store_open(path, STORE_WRITE, &f->store, &f->err), &f->err);
}

static bool fill_once(struct intake_fixture *f, struct fill *fill)
{
	struct settle st = {.conf = &f->conf, .store = f->store.store};
	bool more = false;

	assert_ok(intake_fill(&st, fill, &more, &f->store.err), &f->store.err);
	return more;
}

/* Two versions with a cover letter each, and a patch alone. */
static void series_bring(struct intake_fixture *f)
{
	static const struct letter letters[] = {
		{.id = "c1@example.org", .subject = "[PATCH 0/1] mm: tidy", .body = "Why.\n"},
		{.id = "p1@example.org",
		 .subject = "[PATCH 1/1] mm: tidy up",
		 .answers = "c1@example.org",
		 .body = DIFF("mm/slab.c")},
		{.id = "c2@example.org", .subject = "[PATCH v2 0/1] mm: tidy", .body = "Better.\n"},
		{.id = "p2@example.org",
		 .subject = "[PATCH v2 1/1] mm: tidy up",
		 .answers = "c2@example.org",
		 .body = DIFF("mm/slub.c")},
		{.id = "o@example.org", .subject = "[PATCH] mm: other", .body = DIFF("mm/oom.c")},
	};

	for (size_t i = 0; i < array_size(letters); i++) {
		bring(f, &letters[i]);
		if (i % 2)
			settle(f);
	}
	settle(f);
	assert_int_equal(ask(&f->store, "SELECT count(*) FROM posting"), 3);
	assert_int_equal(ask(&f->store, "SELECT count(*) FROM posting_text WHERE since <> ''"), 1);
}

static void test_postings(void **state)
{
	struct intake_fixture *f = *state;
	struct fill fill = {0};

	series_bring(f);
	auto_free char *files = ask_text(f, FILES), *texts = ask_text(f, TEXTS);
	make_old(&f->store, 2);
	assert_int_equal(ask(&f->store, "SELECT count(*) FROM to_fill_posting"), 3);
	assert_text(f, FILES, "(null)");
	while (fill_once(f, &fill))
		;
	assert_text(f, FILES, files);
	assert_text(f, TEXTS, texts);
	assert_int_equal(ask(&f->store, LEFT), 0);
	assert_false(fill_once(f, &fill));
}

/* One whose mails were purged stays without, and does not come again. */
static void test_mails_that_are_gone(void **state)
{
	struct intake_fixture *f = *state;
	struct fill fill = {0};

	series_bring(f);
	assert_ok(sql_exec(f->store.store,
			   "UPDATE mail SET raw = NULL WHERE message_id LIKE '%1@example.org'",
			   "purging", &f->store.err),
		  &f->store.err);
	make_old(&f->store, 2);
	while (fill_once(f, &fill))
		;
	assert_text(f, FILES, "2mm/slub.c,3mm/oom.c");
	assert_int_equal(ask(&f->store, LEFT), 0);
}

/* What is there already is left alone, and what came under version 3 is not looked at. */
static void test_what_has_all_is_not_listed(void **state)
{
	struct intake_fixture *f = *state;

	series_bring(f);
	assert_int_equal(ask(&f->store, LEFT), 0);
	make_old(&f->store, 3);
	assert_int_equal(ask(&f->store, LEFT), 3); /* version 3, but not filled by it */
	store_close(f->store.store);
	auto_free char *old = xasprintf("%s/old.db", f->store.dir);
	assert_ok(store_open(old, STORE_WRITE, &f->store.store, &f->store.err), &f->store.err);
	assert_int_equal(ask(&f->store, LEFT), 3);
	assert_ok(sql_exec(f->store.store,
			   "INSERT INTO posting_file VALUES (1, 'a'); DROP TABLE to_fill_trial;"
			   "INSERT INTO posting_text VALUES (3, 'b', NULL);"
			   "DROP TABLE to_fill_posting; PRAGMA user_version = 3",
			   "going back", &f->store.err),
		  &f->store.err);
	store_close(f->store.store);
	assert_ok(store_open(old, STORE_WRITE, &f->store.store, &f->store.err), &f->store.err);
	assert_text(f, "SELECT group_concat(posting) FROM to_fill_posting", "2");
}

static int64_t trial_ended(struct store_fixture *f, const char *report)
{
	static const char *const steps[] = {"build", "boot", NULL};
	const struct store_series series = {.title = "", .message_id = "", .author = ""};
	const struct store_trial_end end = {
		.outcome = OUTCOME_WARN, .words = "slower", .report = report};
	const struct store_step_end step = {.outcome = OUTCOME_PASS, .reason = "ok"};
	int64_t id = 0;

	assert_ok(store_trial_begin(f->store, &series, steps, &id, &f->err), &f->err);
	for (size_t i = 0; steps[i]; i++)
		assert_ok(store_step_finish(f->store, id, steps[i], &step, &f->err), &f->err);
	assert_ok(store_trial_finish(f->store, id, &end, &f->err), &f->err);
	return id;
}

static void engine_run(struct store_fixture *f)
{
	const struct role_env env = {.store = f->store};
	struct engine e = {.env = &env};

	while (!e.fill.ended)
		assert_ok(engine_fill(&e, &f->err), &f->err);
}

static void test_trials(void **state)
{
	struct intake_fixture *f = *state;
	struct store_fixture *s = &f->store;
	auto_json json_t *report = NULL;
	int64_t id = trial_ended(s, FIXTURES "/report/slower.json");
	int64_t gone = trial_ended(s, "/nonexistent/report.json");
	int64_t other = trial_ended(s, FIXTURES "/store/schema-2.sql");

	assert_true(gone > id && other > gone);
	assert_ok(json_read(FIXTURES "/report/slower.json", ERR_INPUT, &report, &s->err), &s->err);
	make_old(s, 2);
	assert_int_equal(ask(s, "SELECT count(*) FROM to_fill_trial"), 3);
	engine_run(s);
	assert_int_equal(ask(s, LEFT), 0);
	assert_true(json_array_size(json_object_get(report, "metrics")) > 0);
	assert_int_equal(ask(s, "SELECT count(*) FROM metric WHERE trial = 1"),
			 json_array_size(json_object_get(report, "metrics")));
	assert_int_equal(ask(s, "SELECT count(*) FROM metric"),
			 json_array_size(json_object_get(report, "metrics")));
	assert_text(f, "SELECT group_concat(trial || name || log) FROM step WHERE log IS NOT NULL",
		    "1bootboot/console,1buildbuild/log");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, intake_setup, intake_teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_postings),
		TEST(test_mails_that_are_gone),
		TEST(test_what_has_all_is_not_listed),
		TEST(test_trials),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
