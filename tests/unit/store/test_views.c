// SPDX-License-Identifier: GPL-2.0-or-later
/* What the pages read. */
#include "view_help.h"

#include "base/json.h"
#include "store/trial_metric.h"

static void test_verdicts_are_one_row_a_posting(void **state)
{
	struct store_fixture *f = *state;
	int64_t a = tried(f, "a@x", "mm: tidy up", "ada", OUTCOME_PASS);

	tried(f, "b@x", "net: fix it", "bob", OUTCOME_FAIL);
	/* A rerun takes the place of what was there. */
	trial_put(f, "demo", a, STORE_RERUN);
	finish_at(f, taken(f), OUTCOME_WARN, 5000);
	auto_view_series_list struct view_series_list l =
		verdicts(f, &(struct view_filter){.limit = 10});
	assert_int_equal(l.n, 2);
	assert_false(l.more);
	assert_int_equal(l.row[0].posting, a);
	assert_string_equal(view_series_word(&l.row[0]), "warn");
	assert_string_equal(l.row[0].author, "ada <ada@example.org>");
	assert_string_equal(view_series_word(&l.row[1]), "fail");
	assert_string_equal(l.row[1].title, "net: fix it");
}

static void test_a_run_by_hand_is_a_row(void **state)
{
	struct store_fixture *f = *state;
	const struct store_series series = {
		.title = "by hand", .message_id = "h@x", .author = "Cleo", .version = 3};
	int64_t trial = 0;

	assert_ok(store_trial_begin(f->store, &series, trial_steps, &trial, &f->err), &f->err);
	assert_int_equal(count(f, &(struct view_filter){.state = "running", .limit = 5}), 1);
	finish_at(f, trial, OUTCOME_SKIP, 50);
	auto_view_series_list struct view_series_list l =
		verdicts(f, &(struct view_filter){.limit = 5});
	assert_int_equal(l.n, 1);
	assert_int_equal(l.row[0].posting, 0);
	assert_int_equal(l.row[0].trial, trial);
	assert_int_equal(l.row[0].version, 3);
	assert_ok(view_trial_of_message(f->store, "h@x", &trial, &f->err), &f->err);
	assert_int_equal(trial, l.row[0].trial);
}

static void test_pages_are_turned_by_key(void **state)
{
	struct store_fixture *f = *state;
	struct view_filter filter = {.limit = 2};
	int64_t seen[7], n = 0;

	for (int i = 0; i < 7; i++) {
		auto_free char *id = xasprintf("%d@x", i);

		tried(f, id, "mm: tidy up", "ada", OUTCOME_PASS);
	}
	/* Two verdicts of one second: none is lost between two pages. */
	assert_ok(sql_exec(f->store, "UPDATE trial SET finished = 1000 WHERE id < 6", "test",
			   &f->err),
		  &f->err);
	for (bool more = true; more;) {
		auto_view_series_list struct view_series_list l = verdicts(f, &filter);

		for (size_t i = 0; i < l.n; i++)
			seen[n++] = l.row[i].trial;
		more = l.more;
		filter.before = view_key(&filter, &l.row[l.n - 1]);
	}
	assert_int_equal(n, 7);
	for (int i = 0; i < 7; i++)
		assert_int_equal(seen[i], 7 - i);
}

static void test_filters(void **state)
{
	struct store_fixture *f = *state;
	static const char *const files[] = {"arch/powerpc/mm/mem.c", "mm/slub.c"};
	int64_t a = tried(f, "a@x", "mm: 100% tidy_up", "ada", OUTCOME_PASS);

	tried(f, "b@x", "net: fix it", "bob", OUTCOME_FAIL);
	assert_ok(store_posting_files(f->store, a, files, 2, &f->err), &f->err);
	const struct {
		struct view_filter filter;
		size_t n;
	} cases[] = {
		{{.text = "TIDY"}, 1},
		{{.text = "100%"}, 1},
		{{.text = "%"}, 1},
		{{.text = "tidyXup"}, 0},
		{{.text = "tidy_up"}, 1},
		{{.text = "bob"}, 1},
		{{.author = "ada"}, 1},
		{{.author = "zoe"}, 0},
		{{.file = "arch/powerpc/"}, 1},
		{{.file = "mm/slub.c"}, 1},
		{{.file = "slub.c"}, 0},
		{{.state = "fail"}, 1},
		{{.state = "error"}, 0},
		{{.list = "demo"}, 2},
		{{.list = "other"}, 0},
		{{.list = "demo", .state = "pass", .text = "tidy"}, 1},
		{{.state = "waiting"}, 0},
		{{.state = "incomplete"}, 0},
	};
	for (size_t i = 0; i < array_size(cases); i++) {
		struct view_filter filter = cases[i].filter;

		filter.limit = 10;
		assert_int_equal(count(f, &filter), cases[i].n);
	}
	struct view_series_list none = {0};
	assert_err(view_verdicts(f->store, &(struct view_filter){.state = "' OR 1 --"}, &none,
				 &f->err),
		   &f->err, ERR_INPUT, "no such state");
}

static void test_postings_and_versions(void **state)
{
	struct store_fixture *f = *state;
	int64_t one = tried(f, "a@x", "mm: tidy up", "ada", OUTCOME_FAIL),
		two = series_put(f, "b@x", "mm: tidy up", "ada", 2);
	auto_store_posting struct store_posting p = {0};
	auto_view_series_list struct view_series_list l = {0}, all = {0}, trials = {0};

	assert_ok(store_posting_link(f->store, one, two, &f->err), &f->err);
	assert_ok(store_posting_get(f->store, two, &p, &f->err), &f->err);
	assert_ok(view_versions(f->store, p.chain, &l, &f->err), &f->err);
	assert_int_equal(l.n, 2);
	assert_string_equal(view_series_word(&l.row[0]), "fail");
	assert_int_equal(l.row[0].newer, two);
	assert_string_equal(view_series_word(&l.row[1]), "planned");
	assert_ok(view_postings(f->store, &(struct view_filter){.list = "demo", .limit = 1}, &all,
				&f->err),
		  &f->err);
	assert_int_equal(all.n, 1);
	assert_true(all.more);
	assert_int_equal(all.row[0].posting, two);
	assert_ok(view_trials(f->store, one, &trials, &f->err), &f->err);
	assert_int_equal(trials.n, 1);
	assert_int_equal(count(f, &(struct view_filter){.state = "planned", .limit = 5}), 1);
}

static void test_texts(void **state)
{
	struct store_fixture *f = *state;
	int64_t posting = series_put(f, "a@x", "t", "ada", 1);
	auto_free char *cover = NULL, *long_text = xmalloc(STORE_TEXT_MAX + 3), *cut = NULL;
	auto_json json_t *since = NULL, *none = NULL;

	assert_ok(view_posting_text(f->store, posting, &cover, &none, &f->err), &f->err);
	assert_string_equal(cover, "");
	assert_null(none);
	/* Not cut inside of a character. */
	memset(long_text, 'x', STORE_TEXT_MAX + 2);
	memcpy(long_text + STORE_TEXT_MAX - 1, "\xc3\xa9", 3);
	assert_ok(store_posting_since(f->store, posting, "{\"version\":1}", &f->err), &f->err);
	assert_ok(store_posting_cover(f->store, posting, long_text, &f->err), &f->err);
	assert_ok(view_posting_text(f->store, posting, &cut, &since, &f->err), &f->err);
	assert_int_equal(strlen(cut), STORE_TEXT_MAX - 1);
	assert_int_equal(json_get_num(since, "version", 0), 1);
}

static void test_files_are_replaced(void **state)
{
	struct store_fixture *f = *state;
	static const char *const old[] = {"a", "b", "a"}, *const new[] = {"c"};
	int64_t posting = series_put(f, "a@x", "t", "ada", 1);
	struct view_paths p = {0};

	assert_ok(store_posting_files(f->store, posting, old, 3, &f->err), &f->err);
	assert_ok(view_posting_files(f->store, posting, 1, &p, &f->err), &f->err);
	assert_true(p.more);
	view_paths_done(&p);
	assert_ok(store_posting_files(f->store, posting, new, 1, &f->err), &f->err);
	assert_ok(view_posting_files(f->store, posting, 9, &p, &f->err), &f->err);
	assert_int_equal(p.n, 1);
	assert_string_equal(p.path[0], "c");
	view_paths_done(&p);
}

static void test_queue_foresees(void **state)
{
	struct store_fixture *f = *state;
	const struct store_step_end end = {.outcome = OUTCOME_PASS, .reason = "", .seconds = 100};
	auto_view_queue struct view_queue q = {0};
	int64_t trial;

	trial_put(f, "demo", series_put(f, "a@x", "t", "ada", 1), STORE_NEW);
	trial = taken(f);
	assert_ok(store_step_finish(f->store, trial, "apply", &end, &f->err), &f->err);
	assert_ok(store_step_finish(f->store, trial, "build", &end, &f->err), &f->err);
	finish_at(f, trial, OUTCOME_PASS, 10);
	trial_put(f, "demo", series_put(f, "b@x", "t", "ada", 1), STORE_NEW);
	trial = taken(f);
	assert_ok(store_step_finish(f->store, trial, "apply", &end, &f->err), &f->err);
	assert_ok(store_step_begin(f->store, trial, "build", &f->err), &f->err);
	assert_ok(store_step_tell(f->store, trial, "build", "CC mm/slub.o", 3, 9, &f->err),
		  &f->err);
	trial_put(f, "demo", series_put(f, "c@x", "t", "ada", 1), STORE_NEW);
	trial_put(f, "demo", series_put(f, "d@x", "t", "ada", 1), STORE_RERUN);
	assert_ok(view_queue(f->store, 10, 1, &q, &f->err), &f->err);
	assert_int_equal(q.n, 3);
	assert_int_equal(q.running, 1);
	assert_string_equal(q.trial[0].step, "build");
	assert_string_equal(q.trial[0].note, "CC mm/slub.o");
	assert_int_equal(q.trial[0].done, 3);
	assert_int_equal(q.trial[0].steps_done, 1);
	assert_float_equal(q.trial[0].left, 100, 5);
	assert_int_equal(q.trial[1].priority, STORE_RERUN);
	assert_float_equal(q.trial[1].wait, 100, 5);
	assert_float_equal(q.trial[1].left, 200, 1);
	assert_float_equal(q.trial[2].wait, 300, 5);
}

static void test_what_was_never_seen_has_no_time(void **state)
{
	struct store_fixture *f = *state;
	auto_view_queue struct view_queue q = {0};

	trial_put(f, "demo", series_put(f, "a@x", "t", "ada", 1), STORE_NEW);
	taken(f);
	trial_put(f, "demo", series_put(f, "b@x", "t", "ada", 1), STORE_NEW);
	assert_ok(view_queue(f->store, 10, 1, &q, &f->err), &f->err);
	assert_true(q.trial[0].left < 0);
	assert_true(q.trial[1].wait < 0);
}

static void test_a_step_that_begins_anew_says_nothing(void **state)
{
	struct store_fixture *f = *state;
	auto_store_step_list struct store_step_list l = {0};
	int64_t trial;

	trial_put(f, "demo", series_put(f, "a@x", "t", "ada", 1), STORE_NEW);
	trial = taken(f);
	/* Before it runs, nothing is kept. */
	assert_ok(store_step_tell(f->store, trial, "apply", "x", 1, 2, &f->err), &f->err);
	assert_ok(store_step_begin(f->store, trial, "apply", &f->err), &f->err);
	assert_ok(store_step_tell(f->store, trial, "apply", "y", 1, 2, &f->err), &f->err);
	assert_ok(store_queue_put_back(f->store, trial, 0, "again", &f->err), &f->err);
	assert_ok(store_step_list(f->store, trial, &l, &f->err), &f->err);
	assert_string_equal(l.step[0].note, "");
	assert_int_equal(l.step[0].total, 0);
}

static void test_work_dir_is_known_while_it_runs(void **state)
{
	struct store_fixture *f = *state;
	auto_store_trial struct store_trial t = {0};
	int64_t trial;

	trial_put(f, "demo", series_put(f, "a@x", "t", "ada", 1), STORE_NEW);
	trial = taken(f);
	assert_ok(store_trial_work_dir(f->store, trial, "/w/1", &f->err), &f->err);
	finish_at(f, trial, OUTCOME_ERROR, 10);
	assert_ok(store_trial_get(f->store, trial, &t, &f->err), &f->err);
	assert_string_equal(t.work_dir, "/w/1");
	assert_null(t.report);
	assert_err(store_trial_work_dir(f->store, trial, "/w/2", &f->err), &f->err, ERR_INPUT,
		   "at work");
}

static void test_ledger(void **state)
{
	struct store_fixture *f = *state;
	int64_t posting = series_put(f, "a@x", "t", "ada", 1);
	auto_store_mail_list struct store_mail_list all = {0}, new = {0}, other = {0}, by_id = {0},
						    replies = {0};
	int64_t reply = mail_put(f, "r@x", "a@x", "bob@example.org", 200);

	assert_ok(store_mail_settle(f->store, reply, "reply", "thanks", posting, 0, &f->err),
		  &f->err);
	mail_put(f, "z@x", NULL, "zoe@example.org", 300);
	const struct view_ledger_filter of_demo = {.list = "demo", .limit = 2},
					of_new = {.state = "new"},
					of_both = {.list = "other", .state = "new"};
	assert_ok(view_ledger(f->store, &of_demo, &all, &f->err), &f->err);
	assert_int_equal(all.n, 2);
	assert_true(all.more);
	assert_string_equal(all.mail[0].message_id, "z@x");
	assert_ok(view_ledger(f->store, &of_new, &new, &f->err), &f->err);
	assert_int_equal(new.n, 1);
	assert_ok(view_ledger(f->store, &of_both, &other, &f->err), &f->err);
	assert_int_equal(other.n, 0);
	assert_ok(view_message(f->store, "r@x", &by_id, &f->err), &f->err);
	assert_int_equal(by_id.n, 1);
	assert_int_equal(by_id.mail[0].posting, posting);
	assert_ok(view_replies(f->store, posting, 10, &replies, &f->err), &f->err);
	assert_int_equal(replies.n, 1);
	assert_string_equal(replies.mail[0].reason, "thanks");
}

static int64_t say(struct store_fixture *f, int64_t trial, const char *target, bool held)
{
	auto_json json_t *want = json_pack("{s:s}", "description", "fine");
	const struct store_post_new post = {.trial = trial,
					    .poster = "patchwork",
					    .target = target,
					    .context = "firn-apply",
					    .want = want,
					    .held = held};
	int64_t id = 0;

	assert_ok(store_outbox_put(f->store, &post, &id, &f->err), &f->err);
	return id;
}

static void test_outbox_and_health(void **state)
{
	struct store_fixture *f = *state;
	int64_t posting = tried(f, "a@x", "t", "ada", OUTCOME_PASS), trial = 0, sent, failed;
	struct view_health h = {0};

	assert_ok(store_queue_newest(f->store, posting, &trial, &f->err), &f->err);
	say(f, trial, "one 1", true);
	say(f, trial, "one 2", false);
	sent = say(f, trial, "one 3", false);
	failed = say(f, trial, "one 4", false);
	assert_ok(store_delivery_tell(f->store, sent, 1, STORE_DELIVERY_SENT, 0, "", &f->err),
		  &f->err);
	assert_ok(store_delivery_tell(f->store, failed, 1, STORE_DELIVERY_FAILED, 0, "no", &f->err),
		  &f->err);
	assert_int_equal(outbox_count(f, VIEW_OUTBOX_ALL), 4);
	assert_int_equal(outbox_count(f, VIEW_OUTBOX_HELD), 1);
	assert_int_equal(outbox_count(f, VIEW_OUTBOX_OPEN), 2);
	assert_int_equal(outbox_count(f, VIEW_OUTBOX_SENT), 1);
	assert_int_equal(outbox_count(f, VIEW_OUTBOX_FAILED), 1);
	assert_ok(store_source_tell(f->store, "lore demo", NULL, 0, &f->err), &f->err);
	assert_ok(store_testbed_tell(f->store, "qemu", false, "broken", &f->err), &f->err);
	assert_ok(view_health(f->store, &h, &f->err), &f->err);
	assert_int_equal(h.held, 1);
	assert_int_equal(h.failed, 1);
	assert_int_equal(h.sources, 1);
	assert_int_equal(h.sources_bad, 0);
	assert_int_equal(h.testbeds_out, 1);
	assert_true(h.good > 0);
	assert_int_equal(h.last, 1000 + posting);
}

static void test_metrics_are_kept(void **state)
{
	struct store_fixture *f = *state;
	auto_json json_t *report = json_pack(
		"{s:{s:s, s:s}, s:[{s:s, s:s, s:s}], s:[{s:s, s:s, s:s, s:s, s:s, s:f, s:{s:f},"
		" s:{s:f}, s:f, s:s}]}",
		"base", "commit", "c0ffee", "committed", "2026-11-30T14:00:00Z", "benches", "bench",
		"hot-add", "testbed", "qemu", "mode", "count", "metrics", "bench", "hot-add",
		"name", "hot-add/16", "title", "hot-add of 16 LMBs", "unit", "us", "better",
		"lower", "x", 16.0, "base", "median", 10.0, "patched", "median", 12.0, "change",
		0.2, "word", "slower");

	tried(f, "a@x", "t", "ada", OUTCOME_PASS);
	/* Twice: a crash after the first time leaves one row all the same. */
	for (int i = 0; i < 2; i++)
		assert_ok(store_metrics_keep(f->store, 1, report, &f->err), &f->err);
	assert_int_equal(ask(f, "SELECT count(*) FROM metric WHERE bench = 'hot-add'"
				" AND x = 16 AND base_median = 10 AND patched_median = 12"
				" AND testbed = 'qemu' AND mode = 'count' AND word = 'slower'"
				" AND base_commit = 'c0ffee'"),
			 1);
	assert_int_equal(ask(f, "SELECT base_commit_time FROM metric"), 1796047200);
}

/* Mails that we sent, and what answers them, have no posting. */
static void test_mails_of_ours_are_found(void **state)
{
	struct store_fixture *f = *state;
	auto_json json_t *want = json_object();
	int64_t trial = trial_put(f, "demo", tried(f, "a@x", "t", "ada", OUTCOME_PASS),
				  STORE_RERUN),
		found = -1, row = 0;
	const struct store_post_new post = {.trial = trial,
					    .poster = "mail",
					    .target = "ours@firn",
					    .context = "",
					    .want = want};

	assert_ok(store_outbox_put(f->store, &post, &row, &f->err), &f->err);
	mail_put(f, "answer@x", "ours@firn", "ada@example.org", 100);
	assert_ok(view_trial_of_post(f->store, "ours@firn", &found, &f->err), &f->err);
	assert_int_equal(found, trial);
	assert_ok(view_trial_of_post(f->store, "answer@x", &found, &f->err), &f->err);
	assert_int_equal(found, trial);
	assert_ok(view_trial_of_post(f->store, "a@x", &found, &f->err), &f->err);
	assert_int_equal(found, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, store_setup, store_teardown)
		TEST(test_verdicts_are_one_row_a_posting),
		TEST(test_a_run_by_hand_is_a_row),
		TEST(test_pages_are_turned_by_key),
		TEST(test_filters),
		TEST(test_postings_and_versions),
		TEST(test_texts),
		TEST(test_files_are_replaced),
		TEST(test_queue_foresees),
		TEST(test_what_was_never_seen_has_no_time),
		TEST(test_a_step_that_begins_anew_says_nothing),
		TEST(test_work_dir_is_known_while_it_runs),
		TEST(test_ledger),
		TEST(test_outbox_and_health),
		TEST(test_metrics_are_kept),
		TEST(test_mails_of_ours_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
