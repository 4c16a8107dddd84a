// SPDX-License-Identifier: GPL-2.0-or-later
/* The numbers of benchmarks through time. */
#include "store_help.h"

#include "store/views.h"

struct number {
	const char *bench, *name, *testbed, *mode, *commit;
	int64_t time; /* of the commit; 0: not known */
	double median;
};

/* In a trial of its own, which ended at 5000. */
static int64_t measured(struct store_fixture *f, const struct number *n)
{
	const struct store_series series = {.title = "t", .message_id = "x@y", .author = "a"};
	static const char *const steps[] = {"build", NULL};
	auto_stmt sqlite3_stmt *stmt = NULL;
	int64_t trial;

	assert_ok(store_trial_begin(f->store, &series, steps, &trial, &f->err), &f->err);
	assert_ok(
		sql_prepare(f->store,
			    "INSERT INTO metric (trial, bench, name, title, unit, better, testbed, "
			    "mode, base_commit, base_commit_time, base_median, word) VALUES "
			    "(:trial, :bench, :name, 'title', 'us', 'lower', :testbed, :mode, "
			    ":commit, :time, :median, 'unchanged')",
			    &stmt, &f->err),
		&f->err);
	sql_int(stmt, ":trial", trial);
	sql_text(stmt, ":bench", n->bench);
	sql_text(stmt, ":name", n->name);
	sql_text(stmt, ":testbed", n->testbed);
	sql_text(stmt, ":mode", n->mode);
	sql_text(stmt, ":commit", n->commit);
	sql_id(stmt, ":time", n->time);
	sql_real(stmt, ":median", n->median);
	assert_ok(sql_run(f->store, stmt, "test", &f->err), &f->err);
	assert_ok(sql_exec(f->store, "UPDATE trial SET finished = 5000", "test", &f->err), &f->err);
	return trial;
}

static void benches_are_listed_once(void **state)
{
	struct store_fixture *f = *state;
	auto_view_bench_list struct view_bench_list none = {0}, l = {0};

	assert_ok(view_benches(f->store, &none, &f->err), &f->err);
	assert_int_equal(none.n, 0);
	measured(f, &(struct number){"ipi", "ipi/4", "qemu", "count", "a", 1, 1});
	measured(f, &(struct number){"hot-add", "hot-add/16", "qemu", "count", "a", 1, 1});
	measured(f, &(struct number){"ipi", "ipi/4", "qemu", "count", "a", 1, 1});
	assert_ok(view_benches(f->store, &l, &f->err), &f->err);
	assert_int_equal(l.n, 2);
	assert_string_equal(l.bench[0].name, "hot-add");
	assert_string_equal(l.bench[1].name, "ipi");
	assert_int_equal(l.bench[1].trial, 3);
	assert_int_equal(l.bench[1].numbers, 1);
}

static void other_machines_have_other_histories(void **state)
{
	struct store_fixture *f = *state;
	auto_view_history_list struct view_history_list l = {0};

	measured(f, &(struct number){"ipi", "ipi/16", "qemu", "count", "a", 100, 1});
	measured(f, &(struct number){"ipi", "ipi/4", "qemu", "count", "c", 300, 3});
	measured(f, &(struct number){"ipi", "ipi/4", "qemu", "clock", "b", 200, 9});
	measured(f, &(struct number){"ipi", "ipi/4", "lpar", "count", "b", 200, 8});
	measured(f, &(struct number){"ipi", "ipi/4", "qemu", "count", "b", 200, 2});
	measured(f, &(struct number){"ipi", "ipi/4", "qemu", "count", NULL, 0, 4});
	measured(f, &(struct number){"http", "http/4", "qemu", "count", "b", 200, 7});
	assert_ok(view_histories(f->store, &(struct view_history_filter){"ipi", 0, 10, 10}, &l,
				 &f->err),
		  &f->err);
	assert_int_equal(l.n, 4);
	assert_false(l.more);
	/* As people count: 4 before 16. The newest trial's machine first. */
	assert_string_equal(l.history[0].name, "ipi/4");
	assert_string_equal(l.history[3].name, "ipi/16");
	assert_string_equal(l.history[0].testbed, "qemu");
	assert_string_equal(l.history[0].mode, "count");
	/* By the commits' time; one that is not known stands at the trial's. */
	assert_int_equal(l.history[0].n, 3);
	for (size_t i = 0; i < 3; i++)
		assert_true(l.history[0].point[i].median == (double)i + 2);
	assert_string_equal(l.history[0].point[0].commit, "b");
	assert_int_equal(l.history[0].point[2].when, 5000);
	assert_string_equal(l.history[0].point[2].commit, "");
}

static void the_newest_are_kept_to_a_limit(void **state)
{
	struct store_fixture *f = *state;
	auto_view_history_list struct view_history_list l = {0}, none = {0}, rest = {0};

	for (int i = 1; i <= 5; i++)
		measured(f, &(struct number){"ipi", "ipi/4", "qemu", "count", "a", i, i});
	measured(f, &(struct number){"ipi", "ipi/8", "qemu", "count", "a", 1, 1});
	assert_ok(view_histories(f->store, &(struct view_history_filter){"ipi", 0, 1, 3}, &l,
				 &f->err),
		  &f->err);
	assert_int_equal(l.n, 1);
	assert_true(l.more);
	assert_true(l.history[0].more);
	assert_int_equal(l.history[0].n, 3);
	assert_true(l.history[0].point[0].median == 3);
	assert_ok(view_histories(f->store, &(struct view_history_filter){"' OR 1", 0, 1, 3}, &none,
				 &f->err),
		  &f->err);
	assert_int_equal(none.n, 0);
	assert_ok(view_histories(f->store, &(struct view_history_filter){"ipi", 1, 1, 3}, &rest,
				 &f->err),
		  &f->err);
	assert_int_equal(rest.n, 1);
	assert_false(rest.more);
	assert_string_equal(rest.history[0].name, "ipi/8");
}

#define TEST(t) cmocka_unit_test_setup_teardown(t, store_setup, store_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(benches_are_listed_once),
		TEST(other_machines_have_other_histories),
		TEST(the_newest_are_kept_to_a_limit),
	};

	return cmocka_run_group_tests_name("store-view-metric", tests, NULL, NULL);
}
