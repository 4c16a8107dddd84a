// SPDX-License-Identifier: GPL-2.0-or-later
/* The engine without processes: plans, answers, and what is said. tests/flow/engine.sh has the
 * rest. */
#include "unit/store/store_help.h"

#include "base/clock.h"
#include "base/json.h"
#include "serve/engine.h"
#include "serve/engine_post.h"
#include "serve/turn.h"
#include <git2.h>

#define CONF                                                                                       \
	"[testbed]\n\tname = replay:/nowhere\n[post]\n\tfrom = Bot <bot@example.org>\n"            \
	"[patchwork \"pw\"]\n\turl = https://patchwork.example.org/\n"                             \
	"[tree \"t\"]\n\tpath = /nowhere\n"                                                        \
	"[list \"demo\"]\n\tpatchwork = pw\n\tproject = p\n\ttree = t\n\tonly = apply,check\n"     \
	"\tmail-list = true\n\taddress = list@example.org\n"

struct engine_fixture {
	struct store_fixture *f;
	struct conf conf;
	struct role_env env;
	struct engine e;
	int64_t posting;
};

static void conf_again(struct engine_fixture *t, const char *text)
{
	auto_free char *path = xasprintf("%s/conf", t->f->dir);

	conf_done(&t->conf);
	t->conf = (struct conf){0};
	assert_ok(fs_write_atomic(path, text, strlen(text), &t->f->err), &t->f->err);
	assert_ok(conf_read(&t->conf, path, NULL, NULL, &t->f->err), &t->f->err);
}

static void engine_open(struct engine_fixture *t, struct store_fixture *f)
{
	t->f = f;
	conf_again(t, CONF);
	t->env = (struct role_env){
		.conf = &t->conf, .data_dir = f->dir, .cache_dir = f->dir, .store = f->store};
	t->e.env = &t->env;
}

static void engine_close(struct engine_fixture *t)
{
	conf_done(&t->conf);
	free(t->e.child);
}

/* A posting of one patch, which Patchwork calls 7. */
static void posting_known(struct engine_fixture *t)
{
	int64_t mail = mail_put(t->f, "a@example.org", NULL, "ada@example.org", 1);
	auto_free char *id = xasprintf("m%lld@example.org", (long long)mail);
	const struct store_patchwork row = {
		.server = (char *)"pw", .message_id = id, .url = (char *)"u", .number = 7};

	t->posting = posting_put(t->f, "demo", mail, 1, "d1");
	assert_ok(store_patchwork_put(t->f->store, &row, &t->f->err), &t->f->err);
	assert_ok(engine_plan_new(&t->e, &t->f->err), &t->f->err);
}

static json_t *report_of(const char *outcome, const char *reason, int patch)
{
	json_t *r = json_pack("{s:s, s:i, s:{s:s, s:s}, s:{s:s, s:s}, s:[{s:s, s:s, s:s, s:o}],"
			      " s:{s:s, s:s, s:[{s:i, s:s, s:s}]}}",
			      "schema", "firn-report", "version", 1, "verdict", "outcome", outcome,
			      "words", reason, "base", "name", "t/merge", "commit",
			      "87d76f542a2400000000000000000000000000ff", "steps", "name", "apply",
			      "outcome", outcome, "reason", reason, "patch",
			      patch ? json_integer(patch) : json_null(), "series", "title",
			      "mm: tidy up", "message_id", "m1@example.org", "patches", "number", 1,
			      "subject", "mm: tidy up", "message_id", "m1@example.org");

	assert_non_null(r);
	return r;
}

static void test_backoff(void **state)
{
	(void)state;
	assert_int_equal(engine_backoff(0), 60);
	assert_int_equal(engine_backoff(1), 60);
	assert_int_equal(engine_backoff(2), 120);
	assert_int_equal(engine_backoff(6), 1920);
	assert_int_equal(engine_backoff(7), 3600);
	assert_int_equal(engine_backoff(4000000000U), 3600);
	assert_int_equal(engine_backoff_since(1000, 1001), 60);
	assert_int_equal(engine_backoff_since(1000, 1400), 400);
	assert_int_equal(engine_backoff_since(1000, 900), 60); /* the clock went back */
	assert_int_equal(engine_backoff_since(0, 1000000), 3600);
}

static void test_contexts(void **state)
{
	static const struct {
		const char *step, *context;
	} want[] = {{"apply", "firn-apply"},   {"build", "firn-build-ppc64le"},
		    {"boot", "firn-boot"},     {"bench-hot-add", "firn-hot-add"},
		    {"bench-ipi", "firn-ipi"}, {"bench-http", "firn-http"}};

	(void)state;
	for (size_t i = 0; i < array_size(want); i++) {
		auto_free char *got = post_context(want[i].step, "ppc64le-lean");

		assert_string_equal(got, want[i].context);
	}
	assert_null(post_context("series", "ppc64le-lean"));
	assert_null(post_context("check", "ppc64le-lean"));
}

static void said_is(const json_t *report, unsigned number, const char *state, const char *words)
{
	struct post_said said = {0};

	assert_true(post_step_said(report, "apply", number, &said));
	assert_string_equal(said.state, state);
	if (!strstr(said.words, words))
		fail_msg("\"%s\" lacks \"%s\"", said.words, words);
	free(said.words);
}

static void test_said(void **state)
{
	struct post_said none = {0};

	(void)state;
	auto_json json_t *good = report_of("pass", "3 commits in 1.2 s", 0);
	auto_json json_t *bad = report_of("fail", "hunk 1 of a.c does not apply", 2);
	auto_json json_t *error = report_of("error", "the disk is full", 0);
	auto_json json_t *skip = report_of("skip", "needs base", 0);

	said_is(good, 1, "success", "Applied on t/merge (87d76f542a24)");
	said_is(bad, 1, "success", "Applied on");
	said_is(bad, 2, "fail", "hunk 1 of a.c");
	said_is(bad, 3, "warning", "patch 2/");
	said_is(error, 1, "warning", "Could not find out: the disk is full");
	said_is(skip, 1, "warning", "Not tried: needs base");
	assert_false(post_step_said(good, "boot", 1, &none));
}

/* A report with these builds, each "ROW PATCH OUTCOME REASON"; patch -1: none. */
static json_t *report_of_builds(const char *const *builds)
{
	json_t *report = json_object(), *list = json_array();

	for (; *builds; builds++) {
		char row[32], outcome[16];
		int patch, reason = 0;
		json_t *b = json_object();

		assert_int_equal(sscanf(*builds, "%31s %d %15s %n", row, &patch, outcome, &reason),
				 3);
		json_object_set_new(b, "row", json_string(row));
		json_object_set_new(b, "main", json_boolean(strcmp(row, "lean") == 0));
		json_object_set_new(b, "patch", patch < 0 ? json_null() : json_integer(patch));
		json_object_set_new(b, "outcome", json_string(outcome));
		json_object_set_new(b, "reason", json_string(*builds + reason));
		json_array_append_new(list, b);
	}
	json_object_set_new(report, "builds", list);
	return report;
}

static void test_rows_said(void **state)
{
	static const char *const builds[] = {"lean 0 pass built",
					     "lean 3 pass built",
					     "each 0 pass built",
					     "each 1 pass built",
					     "each 2 fail a.c:1: error: x",
					     "each 3 pass built",
					     "last 0 pass built",
					     "last 3 pass built",
					     "old 0 error the base does not build",
					     "none -1 skip no gcc",
					     "noisy 0 pass built",
					     "noisy 3 warn 1 new warning",
					     NULL};
	static const struct {
		const char *row;
		unsigned number;
		const char *state, *words;
	} want[] = {
		{"each", 1, "success", "Builds"},
		{"each", 2, "fail", "a.c:1: error: x"},
		{"each", 3, "success", "Builds"},
		{"last", 1, "success", "The series as a whole builds"},
		{"last", 3, "success", "Builds"},
		{"old", 2, "warning", "Could not find out: the base does not build"},
		{"noisy", 3, "warning", "1 new warning"},
	};
	auto_json json_t *report = report_of_builds(builds);
	const char *name[16];
	struct post_said none = {0};

	(void)state;
	/* "last" and the like: what was left out says nothing, and the usual one has its own. */
	assert_int_equal(post_rows(report, name, array_size(name)), 4);
	assert_string_equal(name[0], "each");
	assert_string_equal(name[3], "noisy");
	for (size_t i = 0; i < array_size(want); i++) {
		struct post_said said = {0};

		assert_true(post_row_said(report, want[i].row, want[i].number, &said));
		assert_string_equal(said.state, want[i].state);
		assert_string_equal(said.words, want[i].words);
		free(said.words);
	}
	assert_false(post_row_said(report, "unknown", 1, &none));
	assert_int_equal(post_rows(NULL, name, array_size(name)), 0);
}

static void test_plan(void **state)
{
	struct engine_fixture t = {0};

	engine_open(&t, *state);
	posting_known(&t);
	assert_ok(engine_plan_new(&t.e, &t.f->err), &t.f->err);
	assert_int_equal(ask(t.f, "SELECT count(*) FROM trial"), 1);
	/* Its mail is of 1970. */
	assert_int_equal(ask(t.f, "SELECT priority FROM trial"), STORE_BACKLOG);
	assert_int_equal(ask(t.f, "SELECT count(*) FROM trial WHERE"
				  " json_extract(plan, '$.only') = 'apply,check' AND"
				  " json_extract(plan, '$.conf.\"testbed.name\"') ="
				  " 'replay:/nowhere'"),
			 1);
	assert_int_equal(ask(t.f, "SELECT count(*) FROM outbox WHERE"
				  " json_extract(want, '$.state') = 'pending'"),
			 4); /* apply, checkpatch, signoff, needs-stable */
	assert_int_equal(ask(t.f, "SELECT count(*) FROM outbox WHERE target = 'pw 7'"), 4);
	engine_close(&t);
}

static void ask_for(struct engine_fixture *t, const char *kind, const char *id, json_t *arguments)
{
	auto_json json_t *owned = arguments;
	const struct store_request r = {.kind = (char *)kind,
					.message_id = (char *)id,
					.arguments = owned,
					.who = (char *)"ada",
					.via = (char *)"command"};
	int64_t request;

	assert_ok(store_request_add(t->f->store, &r, &request, &t->f->err), &t->f->err);
	assert_ok(engine_answer(&t->e, &t->f->err), &t->f->err);
}

static void test_requests(void **state)
{
	struct engine_fixture t = {0};
	int64_t id, wait;
	const struct store_trial_end end = {
		.outcome = OUTCOME_PASS, .words = "good", .base = "87d76f542a24"};

	engine_open(&t, *state);
	posting_known(&t);
	ask_for(&t, "rerun", "m1@example.org", json_object()); /* it still waits */
	assert_int_equal(ask(t.f, "SELECT trial FROM answer WHERE request = 1 AND good"), 1);
	assert_int_equal(ask(t.f, "SELECT count(*) FROM trial"), 1);
	ask_for(&t, "rerun", "nobody@example.org", json_object());
	assert_int_equal(ask(t.f, "SELECT good FROM answer WHERE request = 2"), 0);
	assert_ok(store_queue_take(t.f->store, clock_wall(), &id, &wait, &t.f->err), &t.f->err);
	assert_ok(store_trial_finish(t.f->store, id, &end, &t.f->err), &t.f->err);
	ask_for(&t, "cancel", "m1@example.org", json_object());
	assert_int_equal(ask(t.f, "SELECT good FROM answer WHERE request = 3"), 0);
	ask_for(&t, "rerun", "m1@example.org", json_pack("{s:s}", "bench", "ipi"));
	assert_int_equal(ask(t.f, "SELECT count(*) FROM trial WHERE id = 2 AND replaces = 1"
				  " AND priority = 0 AND"
				  " json_extract(plan, '$.base') = '87d76f542a24' AND"
				  " json_extract(plan, '$.only') IS NULL AND"
				  " json_extract(plan, '$.conf.\"bench.run\"') = 'ipi'"),
			 1);
	ask_for(&t, "cancel", "m1@example.org", json_object());
	assert_int_equal(ask(t.f, "SELECT count(*) FROM trial WHERE state = 'cancelled'"), 1);
	assert_int_equal(ask(t.f, "SELECT count(*) FROM outbox WHERE trial = 2 AND NOT withdrawn"),
			 0);
	ask_for(&t, "rerun", "m1@example.org", json_pack("{s:b}", "unpin", 1));
	assert_int_equal(ask(t.f, "SELECT count(*) FROM trial WHERE id = 3 AND"
				  " json_extract(plan, '$.base') IS NULL"),
			 1);
	ask_for(&t, "rerun", "m1@example.org", json_pack("{s:s}", "only", "no-such-step"));
	assert_int_equal(ask(t.f, "SELECT good FROM answer WHERE request = 7"), 0);
	assert_int_equal(ask(t.f, "SELECT count(*) FROM trial"), 3);
	engine_close(&t);
}

/* By mail: `who` answers the posting's first patch. */
static void ask_by_mail(struct engine_fixture *t, const char *who, const char *id,
			json_t *arguments)
{
	auto_json json_t *owned = arguments;
	auto_free char *command = xasprintf("c-%s", who);
	const struct store_request r = {
		.kind = (char *)"rerun",
		.message_id = (char *)id,
		.arguments = owned,
		.who = (char *)who,
		.via = (char *)"mail",
		.mail = mail_put(t->f, command, "m1@example.org", who, 2),
	};
	int64_t request;

	assert_ok(store_request_add(t->f->store, &r, &request, &t->f->err), &t->f->err);
	assert_ok(engine_answer(&t->e, &t->f->err), &t->f->err);
}

static json_t *refused(const char *words)
{
	return json_pack("{s:s, s:s}", "refuse", words, "about", "m1@example.org");
}

#define MAILS "SELECT count(*) FROM outbox WHERE poster = 'mail'"

static void test_refusals_by_mail(void **state)
{
	struct engine_fixture t = {0};

	engine_open(&t, *state);
	posting_known(&t);
	ask_by_mail(&t, "eve@example.net", "", refused("you may not"));
	assert_int_equal(ask(t.f,
			     MAILS " AND trial = 1 AND context = 'request 1' AND NOT held AND"
				   " target LIKE 'firn.request-1.%@example.org' AND"
				   " json_extract(want, '$.to') = '[\"eve@example.net\"]' AND"
				   " json_extract(want, '$.cc') = '[]' AND"
				   " json_extract(want, '$.in_reply_to') = 'c-eve@example.net' AND"
				   " json_extract(want, '$.references[0]') = 'm1@example.org' AND"
				   " json_extract(want, '$.body') LIKE 'Not done: you may not%'"),
			 1);
	assert_int_equal(ask(t.f, "SELECT count(*) FROM answer WHERE words = 'you may not'"), 1);
	/* What the engine itself refuses; and what it does not. */
	ask_by_mail(&t, "ada@example.org", "m1@example.org", json_pack("{s:s}", "only", "nothing"));
	assert_int_equal(ask(t.f, MAILS), 2);
	ask_by_mail(&t, "bob@example.org", "m1@example.org", json_object());
	ask_by_mail(&t, "cy@example.org", "nobody@example.org", json_object());
	assert_int_equal(ask(t.f, MAILS), 2);
	/* An answer to a person is not about the trial. */
	ask_for(&t, "cancel", "m1@example.org", json_object());
	assert_int_equal(ask(t.f, MAILS " AND NOT withdrawn"), 2);
	assert_int_equal(ask(t.f, "SELECT count(*) FROM outbox WHERE NOT withdrawn"), 2);
	conf_again(&t, CONF "\tmail = never\n");
	ask_by_mail(&t, "dan@example.org", "", refused("you may not"));
	assert_int_equal(ask(t.f, MAILS), 2);
	assert_int_equal(ask(t.f, "SELECT count(*) FROM answer WHERE words LIKE '%mail = never)'"),
			 1);
	engine_close(&t);
}

static struct post_about about_of(const struct engine_fixture *t, struct store_queued *q,
				  struct store_posting *p, int64_t trial)
{
	assert_ok(store_queue_get(t->f->store, trial, q, &t->f->err), &t->f->err);
	assert_ok(store_posting_get(t->f->store, t->posting, p, &t->f->err), &t->f->err);
	return (struct post_about){
		.conf = &t->conf, .store = t->f->store, .trial = q, .posting = p};
}

static void test_checks_stand(void **state)
{
	struct engine_fixture t = {0};
	struct store_queued q = {0};
	struct store_posting p = {0};

	engine_open(&t, *state);
	posting_known(&t);
	auto_json json_t *report = report_of("pass", "1 commit", 0);
	struct post_about about = about_of(&t, &q, &p, 1);

	for (int i = 0; i < 2; i++) /* as after a crash */
		assert_ok(post_checks(&about, report, NULL, &t.f->err), &t.f->err);
	assert_ok(post_checks(&about, NULL, NULL, &t.f->err), &t.f->err);
	assert_int_equal(ask(t.f, "SELECT revision FROM outbox WHERE context = 'firn-apply'"
				  " AND json_extract(want, '$.state') = 'success'"),
			 2);
	assert_ok(post_checks(&about, NULL, "the disk is full", &t.f->err), &t.f->err);
	assert_int_equal(ask(t.f, "SELECT count(*) FROM outbox WHERE"
				  " json_extract(want, '$.state') = 'success'"),
			 1);
	assert_int_equal(ask(t.f, "SELECT count(*) FROM outbox WHERE"
				  " json_extract(want, '$.state') = 'warning'"),
			 3);
	store_queued_done(&q);
	store_posting_done(&p);
	engine_close(&t);
}

/* The trial ends with this outcome; how many mails there are then. */
static int64_t mails_after(struct engine_fixture *t, int64_t trial, const char *outcome)
{
	struct store_queued q = {0};
	struct store_posting p = {0};
	auto_json json_t *report = report_of(outcome, "words", 0);
	struct post_about about = about_of(t, &q, &p, trial);
	const struct store_trial_end end = {.outcome = outcome_parse(outcome), .words = "words"};
	int64_t id, wait;

	assert_ok(store_queue_take(t->f->store, clock_wall(), &id, &wait, &t->f->err), &t->f->err);
	assert_int_equal(id, trial);
	assert_ok(post_mail(&about, report, &t->f->err), &t->f->err);
	assert_ok(store_trial_finish(t->f->store, trial, &end, &t->f->err), &t->f->err);
	store_queued_done(&q);
	store_posting_done(&p);
	return ask(t->f, "SELECT count(*) FROM outbox WHERE poster = 'mail'");
}

static void all_sent(struct engine_fixture *t)
{
	int64_t id = ask(t->f, "SELECT max(id) FROM outbox WHERE poster = 'mail'");

	assert_ok(store_delivery_tell(t->f->store, id, 1, STORE_DELIVERY_SENT, 0, "", &t->f->err),
		  &t->f->err);
}

static void test_mail_again_on_a_flip(void **state)
{
	struct engine_fixture t = {0};

	engine_open(&t, *state);
	posting_known(&t);
	assert_int_equal(mails_after(&t, 1, "fail"), 1);
	assert_int_equal(ask(t.f, "SELECT count(*) FROM outbox WHERE poster = 'mail' AND"
				  " target LIKE 'firn.1.%@example.org' AND"
				  " json_extract(want, '$.to[0]') = 'ada@example.org' AND"
				  " json_extract(want, '$.cc[0]') = 'list@example.org' AND"
				  " json_extract(want, '$.in_reply_to') = 'm1@example.org'"),
			 1);
	all_sent(&t);
	ask_for(&t, "rerun", "m1@example.org", json_object());
	assert_int_equal(mails_after(&t, 2, "fail"), 1); /* said already */
	ask_for(&t, "rerun", "m1@example.org", json_object());
	assert_int_equal(mails_after(&t, 3, "error"), 1); /* no news */
	ask_for(&t, "rerun", "m1@example.org", json_object());
	assert_int_equal(mails_after(&t, 4, "pass"), 2); /* it is good now */
	engine_close(&t);
}

static void test_turns(void **state)
{
	struct store_fixture *f = *state;
	const struct turn two = {.cache_dir = f->dir, .name = "build", .places = 2};
	int a = -1, b = -1, c = -1;

	assert_ok(turn_take(&two, &a, &f->err), &f->err);
	assert_ok(turn_take(&two, &b, &f->err), &f->err);
	close(a);
	assert_ok(turn_take(&two, &c, &f->err), &f->err); /* the one that was given back */
	close(b);
	close(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_backoff),
		cmocka_unit_test(test_contexts),
		cmocka_unit_test(test_said),
		cmocka_unit_test(test_rows_said),
		cmocka_unit_test_setup_teardown(test_plan, store_setup, store_teardown),
		cmocka_unit_test_setup_teardown(test_requests, store_setup, store_teardown),
		cmocka_unit_test_setup_teardown(test_refusals_by_mail, store_setup, store_teardown),
		cmocka_unit_test_setup_teardown(test_checks_stand, store_setup, store_teardown),
		cmocka_unit_test_setup_teardown(test_mail_again_on_a_flip, store_setup,
						store_teardown),
		cmocka_unit_test_setup_teardown(test_turns, store_setup, store_teardown),
	};

	git_libgit2_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
