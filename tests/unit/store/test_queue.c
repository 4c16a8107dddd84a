// SPDX-License-Identifier: GPL-2.0-or-later
#include "store_help.h"

#define IDS 16

static int64_t take_next(struct store_fixture *f, int64_t now)
{
	int64_t id = 0, wait = 0;

	assert_ok(store_queue_take(f->store, now, &id, &wait, &f->err), &f->err);
	return id;
}

static int64_t posting_new(struct store_fixture *f, const char *list, const char *name,
			   unsigned version)
{
	return posting_put(f, list, mail_put(f, name, NULL, "ada@example.org", 1), version, "d1");
}

static void test_priority_and_fairness(void **state)
{
	struct store_fixture *f = *state;
	int64_t p = posting_new(f, "ppc", "a@example.org", 1);
	int64_t a1 = trial_put(f, "ppc", p, STORE_NEW), a2 = trial_put(f, "ppc", p, STORE_NEW);
	int64_t old = trial_put(f, "ppc", p, STORE_BACKLOG);
	int64_t b1 = trial_put(f, "mm", p, STORE_NEW);
	int64_t again = trial_put(f, "ppc", p, STORE_RERUN);

	assert_int_equal(take_next(f, 100), again); /* a person waits */
	assert_int_equal(take_next(f, 101), b1);    /* ppc was served */
	assert_int_equal(take_next(f, 102), a1);
	assert_int_equal(take_next(f, 103), a2);
	assert_int_equal(take_next(f, 104), old);
	assert_int_equal(take_next(f, 105), 0);
}

static void test_put_back(void **state)
{
	struct store_fixture *f = *state;
	int64_t p = posting_new(f, "ppc", "a@example.org", 1),
		id = trial_put(f, "ppc", p, STORE_NEW);
	int64_t none = 0, wait = 0;
	struct store_queued q = {0};

	assert_int_equal(take_next(f, 100), id);
	assert_ok(store_step_begin(f->store, id, "apply", &f->err), &f->err);
	assert_ok(store_queue_put_back(f->store, id, 500, "the disk was full", &f->err), &f->err);
	assert_int_equal(ask(f, "SELECT count(*) FROM step WHERE state = 'waiting'"
				" AND started IS NULL"),
			 2);
	assert_ok(store_queue_take(f->store, 499, &none, &wait, &f->err), &f->err);
	assert_int_equal(none, 0);
	assert_int_equal(wait, 500);
	assert_int_equal(take_next(f, 500), id);
	assert_ok(store_queue_get(f->store, id, &q, &f->err), &f->err);
	assert_int_equal(q.attempts, 2);
	assert_int_equal(q.state, STORE_TRIAL_RUNNING);
	store_queued_done(&q);
	assert_int_equal(ask(f, "SELECT count(*) FROM step WHERE state = 'waiting'"), 2);
	assert_err(store_queue_put_back(f->store, 99, 0, "", &f->err), &f->err, ERR_INPUT,
		   "no running trial 99");
}

static void test_put_off(void **state)
{
	struct store_fixture *f = *state;
	int64_t p = posting_new(f, "ppc", "a@example.org", 1),
		id = trial_put(f, "ppc", p, STORE_NEW), newest = 0;

	assert_int_equal(take_next(f, 100), id);
	assert_ok(store_queue_put_off(f->store, id, 0, "the testbed is out", &f->err), &f->err);
	assert_int_equal(ask(f, "SELECT attempts FROM trial"), 0);
	assert_err(store_queue_put_off(f->store, id, 0, "", &f->err), &f->err, ERR_INPUT,
		   "no running trial");
	assert_ok(store_queue_newest(f->store, p, &newest, &f->err), &f->err);
	assert_int_equal(newest, id);
	assert_ok(store_queue_newest(f->store, 99, &newest, &f->err), &f->err);
	assert_int_equal(newest, 0);
}

/* What has a transaction of its own is a part of the one around it. */
static void test_batch(void **state)
{
	struct store_fixture *f = *state;
	int64_t p = posting_new(f, "ppc", "a@example.org", 1),
		id = trial_put(f, "ppc", p, STORE_NEW);

	{
		auto_batch struct store_batch batch = {0};

		assert_ok(store_batch_begin(&batch, f->store, &f->err), &f->err);
		assert_int_equal(take_next(f, 100), id);
	}
	assert_int_equal(ask(f, "SELECT state = 'waiting' FROM trial"), 1);
	{
		auto_batch struct store_batch batch = {0};

		assert_ok(store_batch_begin(&batch, f->store, &f->err), &f->err);
		assert_int_equal(take_next(f, 100), id);
		assert_ok(store_batch_commit(&batch, "a test", &f->err), &f->err);
	}
	assert_int_equal(ask(f, "SELECT state = 'running' FROM trial"), 1);
}

static void test_clock_set_back(void **state)
{
	struct store_fixture *f = *state;
	int64_t p = posting_new(f, "ppc", "a@example.org", 1),
		id = trial_put(f, "ppc", p, STORE_NEW);

	assert_int_equal(take_next(f, 1000 * DAY), id);
	assert_ok(store_queue_put_back(f->store, id, 1000 * DAY + 60, "busy", &f->err), &f->err);
	assert_int_equal(take_next(f, 1000 * DAY), 0);
	assert_int_equal(take_next(f, 1), id);
}

static void test_unplanned_and_outdated(void **state)
{
	struct store_fixture *f = *state;
	int64_t v1 = posting_new(f, "ppc", "a@example.org", 1), v2, id, ids[IDS];
	size_t n = 0;

	assert_ok(store_queue_unplanned(f->store, IDS, ids, &n, &f->err), &f->err);
	assert_int_equal(n, 1);
	assert_int_equal(ids[0], v1);
	id = trial_put(f, "ppc", v1, STORE_NEW);
	assert_ok(store_queue_unplanned(f->store, IDS, ids, &n, &f->err), &f->err);
	assert_int_equal(n, 0);
	v2 = posting_new(f, "ppc", "b@example.org", 2);
	assert_ok(store_posting_link(f->store, v1, v2, &f->err), &f->err);
	assert_ok(store_queue_outdated(f->store, IDS, ids, &n, &f->err), &f->err);
	assert_int_equal(n, 1);
	assert_int_equal(ids[0], id);
	assert_ok(store_queue_cancel(f->store, id, "v2 came", &f->err), &f->err);
	assert_ok(store_queue_outdated(f->store, IDS, ids, &n, &f->err), &f->err);
	assert_int_equal(n, 0);
	assert_int_equal(take_next(f, 100), 0);
}

/* What was running when its process died is found, whoever owned it. */
static void test_orphans(void **state)
{
	struct store_fixture *f = *state;
	int64_t p = posting_new(f, "ppc", "a@example.org", 1), ids[IDS];
	int64_t dead = trial_put(f, "ppc", p, STORE_NEW), alive = trial_put(f, "ppc", p, STORE_NEW);
	size_t n = 0;

	assert_int_equal(take_next(f, 1), dead);
	assert_int_equal(take_next(f, 2), alive);
	assert_ok(store_queue_own(f->store, dead, INT32_MAX, &f->err), &f->err);
	assert_ok(store_queue_orphans(f->store, IDS, ids, &n, &f->err), &f->err);
	assert_int_equal(n, 1);
	assert_int_equal(ids[0], dead);
}

/* A cancelled trial takes no result, and a finished one is not cancelled. */
static void test_states_are_final(void **state)
{
	struct store_fixture *f = *state;
	int64_t p = posting_new(f, "ppc", "a@example.org", 1),
		id = trial_put(f, "ppc", p, STORE_NEW);
	const struct store_trial_end end = {.outcome = OUTCOME_PASS, .words = "good"};

	assert_int_equal(take_next(f, 1), id);
	assert_ok(store_trial_finish(f->store, id, &end, &f->err), &f->err);
	assert_err(store_queue_cancel(f->store, id, "late", &f->err), &f->err, ERR_INPUT,
		   "no waiting or running trial");
	id = trial_put(f, "ppc", p, STORE_NEW);
	assert_int_equal(take_next(f, 2), id);
	assert_ok(store_step_begin(f->store, id, "apply", &f->err), &f->err);
	assert_ok(store_queue_cancel(f->store, id, "v2 came", &f->err), &f->err);
	assert_int_equal(ask(f, "SELECT count(*) FROM step WHERE trial = 2 AND outcome = 'skip'"
				" AND reason = 'cancelled: v2 came'"),
			 2);
	assert_err(store_step_begin(f->store, id, "build", &f->err), &f->err, ERR_INPUT, "no step");
	assert_err(store_trial_finish(f->store, id, &end, &f->err), &f->err, ERR_INPUT, "no trial");
}

/* The evidence of an open finding stays; that of an old version goes. */
static void test_expired(void **state)
{
	struct store_fixture *f = *state;
	int64_t v1 = posting_new(f, "ppc", "a@example.org", 1), ids[IDS], id;
	const struct store_trial_end end = {
		.outcome = OUTCOME_FAIL, .words = "panics", .work_dir = "/w"};
	size_t n = 0;

	id = trial_put(f, "ppc", v1, STORE_NEW);
	assert_int_equal(take_next(f, 1), id);
	assert_ok(store_trial_finish(f->store, id, &end, &f->err), &f->err);
	assert_ok(store_queue_expired(f->store, INT64_MAX, IDS, ids, &n, &f->err), &f->err);
	assert_int_equal(n, 0);
	assert_ok(store_posting_link(f->store, v1, posting_new(f, "ppc", "b@example.org", 2),
				     &f->err),
		  &f->err);
	assert_ok(store_queue_expired(f->store, INT64_MAX, IDS, ids, &n, &f->err), &f->err);
	assert_int_equal(n, 1);
	assert_ok(store_queue_forget(f->store, id, &f->err), &f->err);
	assert_ok(store_queue_expired(f->store, INT64_MAX, IDS, ids, &n, &f->err), &f->err);
	assert_int_equal(n, 0);
}

static void test_testbeds(void **state)
{
	struct store_fixture *f = *state;
	struct store_testbed_list l = {0};

	assert_ok(store_testbed_tell(f->store, "qemu-pseries", true, "boots", &f->err), &f->err);
	assert_ok(store_testbed_count(f->store, "qemu-pseries", 10, 1, &f->err), &f->err);
	assert_ok(store_testbed_tell(f->store, "qemu-pseries", false, "does not", &f->err),
		  &f->err);
	assert_ok(store_testbed_list(f->store, &l, &f->err), &f->err);
	assert_int_equal(l.n, 1);
	assert_false(l.testbed[0].good);
	assert_int_equal(l.testbed[0].boots, 10);
	assert_int_equal(l.testbed[0].failed, 1);
	store_testbed_list_done(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, store_setup, store_teardown)
		TEST(test_priority_and_fairness),
		TEST(test_put_back),
		TEST(test_clock_set_back),
		TEST(test_put_off),
		TEST(test_batch),
		TEST(test_unplanned_and_outdated),
		TEST(test_orphans),
		TEST(test_states_are_final),
		TEST(test_expired),
		TEST(test_testbeds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
