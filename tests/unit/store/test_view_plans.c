// SPDX-License-Identifier: GPL-2.0-or-later
/* No query of the pages, and none that the roles ask again and again, walks through a whole table.
 */
#include "view_help.h"

#include "store/metrics.h"

/* Statements that ran, while they are listened to. */
struct heard {
	char *sql[128];
	size_t n;
};

static int on_statement(unsigned what, void *ctx, void *stmt, void *text)
{
	struct heard *h = ctx;

	(void)what;
	(void)text;
	if (h->n < array_size(h->sql))
		h->sql[h->n++] = xstrdup(sqlite3_sql(stmt));
	return 0;
}

/* Queries that sort, of few rows: what waits and runs, the versions of a posting, steps, the mails
 * of a thread or of one id, the postings of a file that few touch, what is to be said. */
static bool may_sort(const char *sql)
{
	static const char *const parts[] = {"state = 'waiting'",
					    "state = 'running'",
					    "p.chain",
					    "thread IN",
					    "t.posting IN",
					    "FROM to_say",
					    "message_id = :message_id",
					    "FROM step WHERE trial"};

	for (size_t i = 0; i < array_size(parts); i++)
		if (strstr(sql, parts[i]))
			return true;
	return false;
}

/* "SCAN trial" is a walk through the table, "SCAN trial USING INDEX" through an index in its order,
 * which ends at the limit. Tables of a few rows may be walked. */
static bool is_walk(const char *detail)
{
	static const char *const small[] = {"source", "testbed", "CONSTANT", "(subquery",
					    "place",  "name",	 "to_plan",  "to_say"};

	if (!str_starts(detail, "SCAN ") || strstr(detail, "USING"))
		return false;
	for (size_t i = 0; i < array_size(small); i++)
		if (str_starts(detail + strlen("SCAN "), small[i]))
			return false;
	return true;
}

static void assert_quick(struct store_fixture *f, const char *sql)
{
	auto_free char *explain = xasprintf("EXPLAIN QUERY PLAN %s", sql);
	auto_stmt sqlite3_stmt *stmt = NULL;

	assert_ok(sql_prepare(f->store, explain, &stmt, &f->err), &f->err);
	while (sql_step(f->store, stmt, "explaining", &f->err) > 0) {
		const char *detail = (const char *)sqlite3_column_text(stmt, 3);

		if (is_walk(detail) ||
		    (strstr(detail, "TEMP B-TREE FOR ORDER BY") && !may_sort(sql)))
			fail_msg("%s: %s", detail, sql);
	}
}

static void run_all(struct store_fixture *f, int64_t posting)
{
	static const struct view_filter filters[] = {
		{.limit = 5},
		{.limit = 5, .before = 3},
		{.limit = 5, .state = "fail"},
		{.limit = 5, .list = "demo"},
		{.limit = 5, .list = "demo", .before = 3},
		{.limit = 5, .state = "waiting"},
		{.limit = 5, .state = "cancelled"},
		{.limit = 5, .state = "incomplete"},
		{.limit = 5, .state = "left alone", .before = 3},
		{.limit = 5, .file = "mm/"},
	};
	static const struct view_ledger_filter ledgers[] = {
		{.limit = 5},
		{.limit = 5, .state = "new", .before = 9},
		{.limit = 5, .list = "demo"}};
	auto_store_mail_list struct store_mail_list mails = {0}, replies = {0};
	auto_free char *cover = NULL;
	struct view_health health = {0};
	struct view_paths lists = {0};
	json_t *since = NULL;
	int64_t trial;

	for (size_t i = 0; i < array_size(filters); i++)
		count(f, &filters[i]);
	auto_view_series_list struct view_series_list l = {0}, versions = {0}, trials = {0};
	const struct view_filter of_list = {.limit = 5, .list = "demo"};
	assert_ok(view_postings(f->store, &of_list, &l, &f->err), &f->err);
	assert_ok(view_versions(f->store, 1, &versions, &f->err), &f->err);
	assert_ok(view_trials(f->store, posting, &trials, &f->err), &f->err);
	for (size_t i = 0; i < array_size(ledgers); i++) {
		auto_store_mail_list struct store_mail_list page = {0};

		assert_ok(view_ledger(f->store, &ledgers[i], &page, &f->err), &f->err);
	}
	for (int i = VIEW_OUTBOX_ALL; i <= VIEW_OUTBOX_FAILED; i++)
		outbox_count(f, (enum view_outbox_which)i);
	assert_ok(view_health(f->store, &health, &f->err), &f->err);
	assert_ok(view_lists(f->store, &lists, &f->err), &f->err);
	view_paths_done(&lists);
	assert_ok(view_message(f->store, "a@x", &mails, &f->err), &f->err);
	assert_ok(view_replies(f->store, posting, 5, &replies, &f->err), &f->err);
	assert_ok(view_trial_of_message(f->store, "a@x", &trial, &f->err), &f->err);
	assert_ok(view_posting_text(f->store, posting, &cover, &since, &f->err), &f->err);
	auto_view_queue struct view_queue q = {0};
	assert_ok(view_queue(f->store, 5, 2, &q, &f->err), &f->err);
}

static void run_roles(struct store_fixture *f)
{
	struct store_post post = {0};
	struct store_post_list open = {0}, held = {0};
	struct store_counts counts = {0};
	int64_t ids[5], wait;
	size_t n;
	bool found;

	assert_ok(store_queue_unplanned(f->store, 5, ids, &n, &f->err), &f->err);
	assert_ok(store_outbox_next(f->store, 1, &post, &found, &wait, &f->err), &f->err);
	assert_ok(store_outbox_list(f->store, STORE_OUTBOX_OPEN, 0, 5, &open, &f->err), &f->err);
	assert_ok(store_outbox_list(f->store, STORE_OUTBOX_HELD, 0, 5, &held, &f->err), &f->err);
	assert_ok(store_counts(f->store, &counts, &f->err), &f->err);
	store_post_list_done(&open);
	store_post_list_done(&held);
	const struct store_post sent = {.id = 1, .poster = "mail", .target = "a@x", .context = ""};
	assert_ok(store_outbox_is_outdone(f->store, &sent, &found, &f->err), &f->err);
}

static void test_nothing_walks_a_table(void **state)
{
	struct store_fixture *f = *state;
	struct heard heard = {0};
	int64_t posting = tried(f, "a@x", "t", "ada", OUTCOME_PASS);

	trial_put(f, "demo", posting, STORE_RERUN);
	sqlite3_trace_v2(f->store->db, SQLITE_TRACE_STMT, on_statement, &heard);
	run_all(f, posting);
	run_roles(f);
	sqlite3_trace_v2(f->store->db, 0, NULL, NULL);
	assert_true(heard.n > 30);
	for (size_t i = 0; i < heard.n; i++) {
		assert_quick(f, heard.sql[i]);
		free(heard.sql[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, store_setup, store_teardown)
		TEST(test_nothing_walks_a_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
