// SPDX-License-Identifier: GPL-2.0-or-later
#include "store_help.h"

static int64_t new_trial(struct store_fixture *f, const char *name, unsigned version)
{
	int64_t mail = mail_put(f, name, NULL, "ada@example.org", 1);

	return trial_put(f, "ppc", posting_put(f, "ppc", mail, version, "d1"), STORE_NEW);
}

static int64_t say(struct store_fixture *f, int64_t trial, const char *state, bool held)
{
	json_t *want = json_pack("{s:s, s:s}", "state", state, "description", "x");
	const struct store_post_new post = {.trial = trial,
					    .poster = "patchwork",
					    .target = "ozlabs 7",
					    .context = "firn-apply",
					    .want = want,
					    .held = held};
	int64_t id = 0;

	assert_ok(store_outbox_put(f->store, &post, &id, &f->err), &f->err);
	json_decref(want);
	return id;
}

static bool next(struct store_fixture *f, int64_t now, struct store_post *ret)
{
	int64_t wait = 0;
	bool found = false;

	store_post_done(ret);
	assert_ok(store_outbox_next(f->store, now, ret, &found, &wait, &f->err), &f->err);
	return found;
}

static void tell(struct store_fixture *f, const struct store_post *p,
		 enum store_delivery_state state, int64_t not_before)
{
	assert_ok(
		store_delivery_tell(f->store, p->id, p->revision, state, not_before, "w", &f->err),
		&f->err);
}

/* pending, then success: each is sent once, and what does not change is not said again. */
static void test_revisions(void **state)
{
	struct store_fixture *f = *state;
	int64_t trial = new_trial(f, "a@example.org", 1), id = say(f, trial, "pending", false);
	struct store_post p = {0};

	assert_true(next(f, 1, &p));
	assert_int_equal(p.id, id);
	assert_int_equal(p.state, STORE_DELIVERY_NONE);
	assert_string_equal(json_string_value(json_object_get(p.want, "state")), "pending");
	tell(f, &p, STORE_DELIVERY_SENT, 0);
	assert_false(next(f, 1, &p));
	assert_int_equal(say(f, trial, "pending", false), id);
	assert_false(next(f, 1, &p));
	assert_int_equal(say(f, trial, "success", false), id);
	assert_true(next(f, 1, &p));
	assert_int_equal(p.revision, 2);
	assert_int_equal(p.sent_revision, 1);
	tell(f, &p, STORE_DELIVERY_SENT, 0);
	assert_false(next(f, 1, &p));
	store_post_done(&p);
}

/* Died between sending and the answer: that one comes first, and says so. */
static void test_sending_first(void **state)
{
	struct store_fixture *f = *state;
	int64_t one = say(f, new_trial(f, "a@example.org", 1), "pending", false);
	int64_t two = say(f, new_trial(f, "b@example.org", 1), "pending", false);
	struct store_post p = {0};

	assert_ok(store_outbox_get(f->store, two, &p, &f->err), &f->err);
	tell(f, &p, STORE_DELIVERY_SENDING, 0);
	assert_true(next(f, 1, &p));
	assert_int_equal(p.id, two);
	assert_int_equal(p.state, STORE_DELIVERY_SENDING);
	assert_int_equal(p.tries, 1);
	tell(f, &p, STORE_DELIVERY_RETRY, 50);
	assert_true(next(f, 1, &p));
	assert_int_equal(p.id, one);
	tell(f, &p, STORE_DELIVERY_FAILED, 0);
	assert_false(next(f, 49, &p));
	assert_true(next(f, 50, &p));
	assert_int_equal(p.id, two);
	tell(f, &p, STORE_DELIVERY_SENDING, 0);
	assert_ok(store_outbox_get(f->store, two, (store_post_done(&p), &p), &f->err), &f->err);
	assert_int_equal(p.tries, 2);
	store_post_done(&p);
}

/* Put off by a clock that ran ahead: when it is right again, nothing waits for that time. */
static void test_clock_set_back(void **state)
{
	struct store_fixture *f = *state;
	struct store_post p = {0};

	say(f, new_trial(f, "a@example.org", 1), "pending", false);
	assert_true(next(f, 1000 * DAY, &p));
	tell(f, &p, STORE_DELIVERY_RETRY, 1000 * DAY + 60);
	assert_false(next(f, 1000 * DAY, &p));
	assert_true(next(f, 1, &p));
	store_post_done(&p);
}

static void test_held(void **state)
{
	struct store_fixture *f = *state;
	int64_t id = say(f, new_trial(f, "a@example.org", 1), "pending", true);
	struct store_post_list l = {0};
	struct store_post p = {0};

	assert_false(next(f, 1, &p));
	assert_ok(store_outbox_list(f->store, STORE_OUTBOX_HELD, 0, 10, &l, &f->err), &f->err);
	assert_int_equal(l.n, 1);
	store_post_list_done(&l);
	assert_ok(store_outbox_get(f->store, id, &p, &f->err), &f->err);
	tell(f, &p, STORE_DELIVERY_APPROVED, 0);
	/* Changed after the approval: nobody has approved that. */
	say(f, p.trial, "warning", true);
	assert_false(next(f, 1, &p));
	assert_ok(store_outbox_get(f->store, id, &p, &f->err), &f->err);
	tell(f, &p, STORE_DELIVERY_APPROVED, 0);
	assert_true(next(f, 1, &p));
	tell(f, &p, STORE_DELIVERY_SENT, 0);
	/* What was approved is what was sent: what comes after it is held again. */
	say(f, p.trial, "fail", true);
	assert_ok(store_outbox_list(f->store, STORE_OUTBOX_OPEN, 0, 10, &l, &f->err), &f->err);
	assert_int_equal(l.n, 1);
	store_post_list_done(&l);
	assert_false(next(f, 1, &p));
	store_post_done(&p);
}

static void test_last_sent(void **state)
{
	struct store_fixture *f = *state;
	int64_t v1 = new_trial(f, "a@example.org", 1), v2 = new_trial(f, "b@example.org", 2);
	struct store_post p = {0};
	bool found = true;

	say(f, v1, "success", false);
	assert_ok(store_outbox_last_sent(f->store, v2, "patchwork", "firn-apply", &p, &found,
					 &f->err),
		  &f->err);
	assert_false(found);
	assert_true(next(f, 1, &p));
	tell(f, &p, STORE_DELIVERY_SENT, 0);
	store_post_done(&p);
	assert_ok(store_posting_link(f->store, 1, 2, &f->err), &f->err);
	assert_ok(store_outbox_last_sent(f->store, v2, "patchwork", "firn-apply", &p, &found,
					 &f->err),
		  &f->err);
	assert_true(found);
	assert_int_equal(p.trial, v1);
	store_post_done(&p);
}

static void test_withdrawn(void **state)
{
	struct store_fixture *f = *state;
	int64_t trial = new_trial(f, "a@example.org", 1);
	struct store_post p = {0};

	say(f, trial, "pending", true);
	assert_ok(store_outbox_withdraw(f->store, trial, &f->err), &f->err);
	assert_true(next(f, 1, &p));
	assert_true(p.withdrawn);
	tell(f, &p, STORE_DELIVERY_DROPPED, 0);
	assert_false(next(f, 1, &p));
}

static void test_suppression(void **state)
{
	struct store_fixture *f = *state;
	bool is = true;

	assert_ok(store_is_suppressed(f->store, "ada@example.org", &is, &f->err), &f->err);
	assert_false(is);
	assert_ok(store_suppress(f->store, "Ada@Example.org", "asked", &f->err), &f->err);
	assert_ok(store_is_suppressed(f->store, "ada@EXAMPLE.org", &is, &f->err), &f->err);
	assert_true(is);
	assert_ok(store_allow(f->store, "ada@example.org", &f->err), &f->err);
	assert_ok(store_is_suppressed(f->store, "ada@example.org", &is, &f->err), &f->err);
	assert_false(is);
}

static void test_requests(void **state)
{
	struct store_fixture *f = *state;
	const char *const rerun[] = {"rerun", NULL}, *const approve[] = {"approve", "drop", NULL};
	json_t *arguments = json_pack("{s:s}", "base", "v6.1");
	const struct store_request asked = {.kind = "rerun",
					    .message_id = "a@example.org",
					    .arguments = arguments,
					    .who = "ada@example.org",
					    .via = "command"};
	struct store_request r = {0};
	struct store_answer a = {0};
	int64_t id = 0;
	unsigned count = 0;
	bool found = true;

	assert_ok(store_request_add(f->store, &asked, &id, &f->err), &f->err);
	json_decref(arguments);
	assert_ok(store_request_next(f->store, approve, &r, &found, &f->err), &f->err);
	assert_false(found);
	assert_ok(store_request_next(f->store, rerun, &r, &found, &f->err), &f->err);
	assert_true(found);
	assert_int_equal(r.id, id);
	assert_string_equal(json_string_value(json_object_get(r.arguments, "base")), "v6.1");
	store_request_done(&r);
	assert_ok(store_request_look(f->store, id, &a, &f->err), &f->err);
	assert_false(a.given);
	assert_ok(store_request_answer(f->store, id, true, "queued", 0, &f->err), &f->err);
	assert_ok(store_request_look(f->store, id, &a, &f->err), &f->err);
	assert_true(a.given && a.good);
	assert_string_equal(a.words, "queued");
	store_answer_done(&a);
	assert_ok(store_request_next(f->store, rerun, &r, &found, &f->err), &f->err);
	assert_false(found);
	assert_ok(store_request_count(f->store, "ada@example.org", NULL, 0, &count, &f->err),
		  &f->err);
	assert_int_equal(count, 1);
}

/* What went out in the last hour, and what came too late. */
static void test_guards(void **state)
{
	struct store_fixture *f = *state;
	int64_t v1 = new_trial(f, "a@example.org", 1), v2 = new_trial(f, "b@example.org", 2);
	struct store_post p = {0};
	unsigned n = 9;
	bool is = true;

	say(f, v1, "success", false);
	assert_true(next(f, 1, &p));
	assert_ok(store_outbox_is_outdone(f->store, &p, &is, &f->err), &f->err);
	assert_false(is);
	assert_ok(store_delivery_count(f->store, "patchwork", 0, &n, &f->err), &f->err);
	assert_int_equal(n, 0);
	tell(f, &p, STORE_DELIVERY_SENDING, 0);
	tell(f, &p, STORE_DELIVERY_SENT, 0);
	assert_ok(store_delivery_count(f->store, "patchwork", 0, &n, &f->err), &f->err);
	assert_int_equal(n, 1);
	assert_ok(store_delivery_count(f->store, "mail", 0, &n, &f->err), &f->err);
	assert_int_equal(n, 0);
	say(f, v2, "fail", false);
	assert_ok(store_outbox_is_outdone(f->store, &p, &is, &f->err), &f->err);
	assert_true(is);
	store_post_done(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, store_setup, store_teardown)
		TEST(test_revisions),	   TEST(test_sending_first), TEST(test_held),
		TEST(test_clock_set_back), TEST(test_last_sent),     TEST(test_withdrawn),
		TEST(test_suppression),	   TEST(test_requests),	     TEST(test_guards),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
