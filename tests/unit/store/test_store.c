// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit/unit.h"

#include "base/fs.h"
#include "base/str.h"
#include "store/sql.h"
#include "store/store.h"
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

static const char *const steps[] = {"intake", "build", "boot", NULL};
static const struct store_series series = {.title = "mm: tidy up",
					   .message_id = "1@example.org",
					   .author = "Ada Example <ada@example.org>",
					   .version = 2};

struct scratch {
	char *dir, *path;
};

static int setup(void **state)
{
	struct scratch *s = xcalloc(1, sizeof(*s));

	s->dir = xasprintf("%s/firn-test-XXXXXX", getenv("TMPDIR") ?: "/tmp");
	assert_non_null(mkdtemp(s->dir));
	s->path = xasprintf("%s/firn.db", s->dir);
	*state = s;
	return 0;
}

static int teardown(void **state)
{
	struct scratch *s = *state;
	struct err err = ERR_INIT;

	assert_ok(fs_rmtree(s->dir, &err), &err);
	free(s->dir);
	free(s->path);
	free(s);
	return 0;
}

static struct store *open_for_writing(const struct scratch *s)
{
	struct store *store = NULL;
	struct err err = ERR_INIT;

	assert_ok(store_open(s->path, STORE_WRITE, &store, &err), &err);
	return store;
}

static int64_t begin(struct store *store)
{
	struct err err = ERR_INIT;
	int64_t id = 0;

	assert_ok(store_trial_begin(store, &series, steps, &id, &err), &err);
	return id;
}

/* A finished step of a trial of its own that took so long. */
static void ran(struct store *store, const char *name, double seconds, bool cached, enum outcome o)
{
	struct store_step_end end = {
		.outcome = o, .reason = "built", .seconds = seconds, .cached = cached};
	struct err err = ERR_INIT;
	int64_t id = begin(store);

	assert_ok(store_step_begin(store, id, name, &err), &err);
	assert_ok(store_step_finish(store, id, name, &end, &err), &err);
}

static void a_trial_is_kept(void **state)
{
	auto_store struct store *store = open_for_writing(*state);
	auto_store_trial struct store_trial t = {0};
	struct store_trial_end end = {.outcome = OUTCOME_WARN,
				      .words = "slower",
				      .base = "4d1c8f0b7a6e",
				      .report = "/tmp/report.json"};
	struct err err = ERR_INIT;
	int64_t id = begin(store);

	assert_ok(store_trial_finish(store, id, &end, &err), &err);
	assert_ok(store_trial_get(store, id, &t, &err), &err);
	assert_int_equal(t.state, STORE_TRIAL_FINISHED);
	assert_int_equal(t.outcome, OUTCOME_WARN);
	assert_int_equal(t.version, 2);
	assert_true(t.started > 0 && t.finished >= t.started);
	assert_string_equal(t.title, series.title);
	assert_string_equal(t.author, series.author);
	assert_string_equal(t.words, "slower");
	assert_string_equal(t.report, "/tmp/report.json");
	assert_null(t.work_dir);
	/* Once only. */
	assert_err(store_trial_finish(store, id, &end, &err), &err, ERR_INPUT,
		   "no trial 1 at work");
}

static void an_unknown_trial_is_the_callers(void **state)
{
	auto_store struct store *store = open_for_writing(*state);
	struct store_trial t = {0};
	struct store_step_end end = {.outcome = OUTCOME_PASS, .reason = ""};
	struct err err = ERR_INIT;
	int64_t id = begin(store);

	assert_err(store_trial_get(store, 77, &t, &err), &err, ERR_INPUT, "no trial 77");
	assert_err(store_trial_describe(store, 77, &series, &err), &err, ERR_INPUT, "no trial 77");
	assert_err(store_step_begin(store, id, "bake", &err), &err, ERR_INPUT, "no step bake");
	assert_err(store_step_finish(store, 77, "build", &end, &err), &err, ERR_INPUT,
		   "no step build");
}

static void a_trial_is_described_when_the_series_is_known(void **state)
{
	static const struct store_series nothing = {"", "", "", 0};
	auto_store struct store *store = open_for_writing(*state);
	auto_store_trial struct store_trial t = {0};
	struct err err = ERR_INIT;
	int64_t id = 0;

	assert_ok(store_trial_begin(store, &nothing, steps, &id, &err), &err);
	assert_ok(store_trial_describe(store, id, &series, &err), &err);
	assert_ok(store_trial_get(store, id, &t, &err), &err);
	assert_string_equal(t.message_id, "1@example.org");
	assert_int_equal(t.state, STORE_TRIAL_RUNNING);
}

static void steps_go_from_waiting_to_done(void **state)
{
	auto_store struct store *store = open_for_writing(*state);
	auto_store_step_list struct store_step_list list = {0};
	struct store_step_end step = {
		.outcome = OUTCOME_FAIL, .reason = "a.c:1", .seconds = 3.5, .cached = true};
	struct store_trial_end trial = {.outcome = OUTCOME_FAIL, .words = "does not compile"};
	struct err err = ERR_INIT;
	int64_t id = begin(store);

	assert_ok(store_step_begin(store, id, "build", &err), &err);
	assert_ok(store_step_list(store, id, &list, &err), &err);
	assert_int_equal(list.n, 3);
	assert_string_equal(list.step[0].name, "intake");
	assert_int_equal(list.step[0].state, STORE_STEP_WAITING);
	assert_int_equal(list.step[1].state, STORE_STEP_RUNNING);
	assert_true(list.step[1].started > 0);
	store_step_list_done(&list);

	assert_ok(store_step_finish(store, id, "build", &step, &err), &err);
	assert_ok(store_trial_finish(store, id, &trial, &err), &err);
	assert_ok(store_step_list(store, id, &list, &err), &err);
	assert_int_equal(list.step[1].outcome, OUTCOME_FAIL);
	assert_string_equal(list.step[1].reason, "a.c:1");
	assert_true(list.step[1].cached && list.step[1].seconds == 3.5);
	assert_int_equal(list.step[2].state, STORE_STEP_DONE);
	assert_int_equal(list.step[2].outcome, OUTCOME_SKIP);
	assert_non_null(strstr(list.step[2].reason, "over before"));
}

static double expected(struct store *store, const char *name, bool cached)
{
	struct err err = ERR_INIT;
	double seconds = -1;

	assert_ok(store_step_expected(store, name, cached, &seconds, &err), &err);
	return seconds;
}

static void the_expected_time_is_the_median_of_the_last_five(void **state)
{
	auto_store struct store *store = open_for_writing(*state);

	assert_true(expected(store, "build", false) == 0);
	ran(store, "build", 900, false, OUTCOME_PASS); /* the sixth last: forgotten below */
	ran(store, "build", 10, false, OUTCOME_PASS);
	assert_true(expected(store, "build", false) == 455);
	ran(store, "build", 50, false, OUTCOME_WARN);
	ran(store, "build", 20, false, OUTCOME_PASS);
	ran(store, "build", 40, false, OUTCOME_PASS);
	ran(store, "build", 30, false, OUTCOME_PASS);
	assert_true(expected(store, "build", false) == 30);
}

static void only_comparable_runs_count(void **state)
{
	auto_store struct store *store = open_for_writing(*state);

	ran(store, "build", 200, false, OUTCOME_PASS);
	ran(store, "build", 3, true, OUTCOME_PASS);
	ran(store, "build", 1, false, OUTCOME_FAIL);
	ran(store, "build", 1, false, OUTCOME_ERROR);
	ran(store, "boot", 7, false, OUTCOME_PASS);
	assert_true(expected(store, "build", false) == 200);
	assert_true(expected(store, "build", true) == 3);
}

static void lists_are_newest_first_and_paged(void **state)
{
	auto_store struct store *store = open_for_writing(*state);
	auto_store_trial_list struct store_trial_list list = {0};
	struct err err = ERR_INIT;

	for (int i = 0; i < 5; i++)
		begin(store);
	assert_ok(store_trial_list(store, 2, 5, &list, &err), &err);
	assert_int_equal(list.n, 2);
	assert_int_equal(list.trial[0].id, 4);
	assert_int_equal(list.trial[1].id, 3);
	assert_true(list.more);
	store_trial_list_done(&list);
	assert_ok(store_trial_list(store, 2, 3, &list, &err), &err);
	assert_int_equal(list.n, 2);
	assert_false(list.more);
	store_trial_list_done(&list);
	assert_ok(store_trial_list(store, 2, 1, &list, &err), &err);
	assert_int_equal(list.n, 0);
}

static enum store_trial_state state_of(struct store *store, int64_t id)
{
	auto_store_trial struct store_trial t = {0};
	struct err err = ERR_INIT;

	assert_ok(store_trial_get(store, id, &t, &err), &err);
	return t.state;
}

static void a_trial_whose_process_is_gone_is_interrupted(void **state)
{
	const struct scratch *scratch = *state;
	auto_store struct store *store = open_for_writing(scratch);
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		struct store *own = open_for_writing(scratch);

		begin(own);
		raise(SIGKILL);
	}
	/* Dead and not reaped counts as gone too. */
	while (waitid(P_PID, (id_t)pid, &(siginfo_t){0}, WEXITED | WNOWAIT) < 0 && errno == EINTR)
		;
	assert_int_equal(state_of(store, 1), STORE_TRIAL_INTERRUPTED);
	waitpid(pid, &status, 0);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(state_of(store, 1), STORE_TRIAL_INTERRUPTED);
	assert_int_equal(state_of(store, begin(store)), STORE_TRIAL_RUNNING);
}

static void a_pid_that_came_again_is_not_the_owner(void **state)
{
	struct owner o = owner_self();

	(void)state;
	assert_true(owner_alive(&o));
	o.pid_start++;
	assert_false(owner_alive(&o));
	o = owner_self();
	o.boot_id[0] = 'z';
	assert_false(owner_alive(&o));
	o = owner_self();
	o.pid = -1;
	assert_false(owner_alive(&o));
}

static void a_newer_schema_is_refused(void **state)
{
	const struct scratch *scratch = *state;
	struct store *store = open_for_writing(scratch), *again = NULL;
	struct err err = ERR_INIT;

	assert_ok(sql_exec(store, "PRAGMA user_version = 9", "testing", &err), &err);
	store_close(store);
	assert_err(store_open(scratch->path, STORE_WRITE, &again, &err), &err, ERR_CONFIG,
		   "newer firn (schema version 9");
	assert_null(again);
}

static void other_databases_and_files_are_refused(void **state)
{
	const struct scratch *scratch = *state;
	struct store *store = NULL;
	struct err err = ERR_INIT;
	sqlite3 *db;

	assert_err(store_open(scratch->path, STORE_READ, &store, &err), &err, ERR_CONFIG,
		   "No such file");
	assert_ok(fs_write_atomic(scratch->path, "not a database, but long enough to be one", 41,
				  &err),
		  &err);
	assert_err(store_open(scratch->path, STORE_WRITE, &store, &err), &err, ERR_CONFIG,
		   "not a database");
	assert_int_equal(unlink(scratch->path), 0);
	assert_int_equal(sqlite3_open(scratch->path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, "CREATE TABLE t (x)", NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
	assert_err(store_open(scratch->path, STORE_WRITE, &store, &err), &err, ERR_CONFIG,
		   "not a store of firn's");
	auto_free char *nowhere = xasprintf("%s/no/firn.db", scratch->dir);
	assert_err(store_open(nowhere, STORE_WRITE, &store, &err), &err, ERR_CONFIG, "firn.db");
}

static void a_reader_cannot_write(void **state)
{
	const struct scratch *scratch = *state;
	auto_store struct store *writer = open_for_writing(scratch);
	auto_store struct store *reader = NULL;
	struct err err = ERR_INIT;
	int64_t id = begin(writer);

	assert_ok(store_open(scratch->path, STORE_READ, &reader, &err), &err);
	assert_int_equal(state_of(reader, id), STORE_TRIAL_RUNNING);
	assert_err(store_trial_begin(reader, &series, steps, &id, &err), &err, ERR_CONFIG,
		   "readonly");
}

static void a_transaction_rolls_back_unless_committed(void **state)
{
	auto_store struct store *store = open_for_writing(*state);
	static const char *const twice[] = {"build", "build", NULL};
	auto_store_trial_list struct store_trial_list list = {0};
	struct err err = ERR_INIT;
	int64_t id = 0;

	assert_err(store_trial_begin(store, &series, twice, &id, &err), &err, ERR_INFRA, "UNIQUE");
	assert_int_equal(id, 0);
	assert_ok(store_trial_list(store, 10, 0, &list, &err), &err);
	assert_int_equal(list.n, 0);
	begin(store); /* no transaction is left open */
}

/* Also what makes the file: all start from nothing. */
static void many_processes_write_at_once(void **state)
{
	enum { WRITERS = 6, TRIALS = 10 };
	const struct scratch *scratch = *state;
	auto_store_trial_list struct store_trial_list list = {0};
	struct err err = ERR_INIT;
	pid_t pid[WRITERS];

	for (int i = 0; i < WRITERS; i++) {
		pid[i] = fork();
		if (pid[i] == 0) {
			struct store *own = NULL;
			int64_t id;
			int rc = store_open(scratch->path, STORE_WRITE, &own, &err);

			for (int n = 0; rc == 0 && n < TRIALS; n++)
				rc = store_trial_begin(own, &series, steps, &id, &err);
			if (rc < 0)
				fprintf(stderr, "%s\n", err.msg);
			_exit(rc < 0);
		}
	}
	for (int i = 0; i < WRITERS; i++) {
		int status = -1;

		waitpid(pid[i], &status, 0);
		assert_int_equal(status, 0);
	}
	auto_store struct store *store = open_for_writing(scratch);
	assert_ok(store_trial_list(store, 1000, 0, &list, &err), &err);
	assert_int_equal(list.n, WRITERS * TRIALS);
}

static void hostile_strings_stay_strings(void **state)
{
	static const char evil[] = "'); DROP TABLE trial; --\xff\x1b[2J";
	const struct store_series hostile = {
		.title = evil, .message_id = evil, .author = evil, .version = 4294967295u};
	auto_store struct store *store = open_for_writing(*state);
	auto_store_trial struct store_trial t = {0};
	struct err err = ERR_INIT;
	int64_t id = 0;

	assert_ok(store_trial_begin(store, &hostile, steps, &id, &err), &err);
	assert_ok(store_trial_get(store, id, &t, &err), &err);
	assert_string_equal(t.title, evil);
	assert_true(t.version == 4294967295u);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_trial_is_kept),
		TEST(an_unknown_trial_is_the_callers),
		TEST(a_trial_is_described_when_the_series_is_known),
		TEST(steps_go_from_waiting_to_done),
		TEST(the_expected_time_is_the_median_of_the_last_five),
		TEST(only_comparable_runs_count),
		TEST(lists_are_newest_first_and_paged),
		TEST(a_trial_whose_process_is_gone_is_interrupted),
		TEST(a_pid_that_came_again_is_not_the_owner),
		TEST(a_newer_schema_is_refused),
		TEST(other_databases_and_files_are_refused),
		TEST(a_reader_cannot_write),
		TEST(a_transaction_rolls_back_unless_committed),
		TEST(many_processes_write_at_once),
		TEST(hostile_strings_stay_strings),
	};

	return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}
