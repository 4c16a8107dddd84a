// SPDX-License-Identifier: GPL-2.0-or-later
/* Shell scripts play the emulator: console on standard output, control socket on standard input. */
#include "tests/unit/unit.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/fs.h"
#include "testbeds/emulator.h"
#include <sys/socket.h>

struct stand {
	struct boot_spec spec;
	struct boot_result result;
	struct err err;
	unsigned stops;
	int stop_answer;
	struct disk_watch disk;
};

static int play(struct stand *s, const char *script)
{
	const char *const argv[] = {"sh", "-c", script, NULL};
	int console[2], qmp[2] = {-1, -1};
	struct proc_spec spec = {.argv = argv, .cwd = s->disk.dir[0]};
	struct emulator e = {.name = "qemu"};

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, console), 0);
	if (s->spec.on_stop)
		assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, qmp), 0);
	spec.output_fd = console[1];
	spec.stdin_fd = qmp[1];
	assert_ok(proc_start(&spec, &e.proc, &s->err), &s->err);
	fd_cleanup(&console[1]);
	fd_cleanup(&qmp[1]);
	e.disk = s->disk;
	e.console_fd = console[0];
	e.qmp_fd = qmp[0];
	s->spec.ctx = s;
	return emulator_watch(&e, &s->spec, &s->result, &s->err);
}

#define BOOTS "echo '[    0.100000] Linux version 6.1'; echo 'KTAP version 1'; echo 1..1; "

static void test_done(void **state)
{
	struct stand s = {0};

	(void)state;
	assert_ok(play(&s, BOOTS "echo 'ok 1 cpus'; echo 'firn: done'"), &s.err);
	assert_int_equal(s.result.end, BOOT_DONE);
	assert_int_equal(s.result.n_tests, 1);
	boot_result_done(&s.result);
}

static void test_done_counts_whatever_the_emulator_does_then(void **state)
{
	struct stand s = {0};

	(void)state;
	assert_ok(play(&s, BOOTS "echo 'ok 1 cpus'; echo 'firn: done'; exit 3"), &s.err);
	assert_int_equal(s.result.end, BOOT_DONE);
	boot_result_done(&s.result);
}

static void test_panic(void **state)
{
	struct stand s = {0};

	(void)state;
	assert_ok(play(&s, BOOTS
		       "echo '[    0.200000] Kernel panic - not syncing: Fatal exception'; exit 1"),
		  &s.err);
	assert_int_equal(s.result.end, BOOT_PANIC);
	assert_non_null(strstr(s.result.reason, "Fatal exception"));
	boot_result_done(&s.result);
}

static void test_off_without_a_word(void **state)
{
	struct stand s = {0};

	(void)state;
	assert_ok(play(&s, "echo '[    0.100000] Linux version 6.1'"), &s.err);
	assert_int_equal(s.result.end, BOOT_EXITED);
	boot_result_done(&s.result);
}

static void test_hang_and_silence(void **state)
{
	struct stand s = {.spec.silence_s = 0.7};

	(void)state;
	assert_ok(play(&s, "echo '[    0.100000] Linux version 6.1'; sleep 20"), &s.err);
	assert_int_equal(s.result.end, BOOT_HANG);
	boot_result_done(&s.result);
	s.spec.silence_s = 0.1;
	assert_ok(play(&s, "sleep 20"), &s.err);
	assert_int_equal(s.result.end, BOOT_SILENT);
	boot_result_done(&s.result);
}

static void test_talks_for_ever(void **state)
{
	struct stand s = {.spec.timeout_s = 0.6};

	(void)state;
	assert_ok(play(&s, "while :; do echo '[    0.100000] still here'; sleep 0.02; done"),
		  &s.err);
	assert_int_equal(s.result.end, BOOT_HANG);
	boot_result_done(&s.result);
}

static void test_emulator_fails(void **state)
{
	struct stand s = {0};

	(void)state;
	assert_err(play(&s, "echo 'qemu: cannot set up guest memory: out of it'; exit 1"), &s.err,
		   ERR_INFRA, "cannot set up guest memory: out of it");
	assert_err(play(&s, BOOTS "kill -9 $$"), &s.err, ERR_INFRA, "signal 9");
	/* As bwrap reports it. */
	assert_err(play(&s, BOOTS "exit 137"), &s.err, ERR_INFRA, "signal 9");
	assert_null(s.result.reason);
}

/* Lets the script write to a folder of its own, 4 MiB at most. */
static int play_writing(struct stand *s, const char *script)
{
	auto_free char *dir = xasprintf("%s/firn-test-XXXXXX", getenv("TMPDIR") ?: "/tmp");
	struct err err = ERR_INIT;
	int rc;

	assert_non_null(mkdtemp(dir));
	s->disk = (struct disk_watch){
		.dir = {dir}, .most = {.bytes = 4UL << 20, .files = 100}, .few = true};
	disk_watch_over(&s->disk, false);
	rc = play(s, script);
	assert_ok(fs_rmtree(dir, &err), &err);
	return rc;
}

static void test_writes_for_ever(void **state)
{
	struct stand s = {0};
	double begin = clock_mono();

	(void)state;
	assert_err(play_writing(&s, BOOTS "while :; do head -c 1000000 /dev/zero >> profile; "
					  "sleep 0.02; done"),
		   &s.err, ERR_INFRA, "was stopped: it wrote more than 0.0 GiB");
	assert_true(clock_mono() - begin < 20);
	assert_null(s.result.reason);
}

/* A good end does not make it good: whoever fills the disk can say so, too. Nor is it the end that
 * is told when the file ended the emulator. */
static void test_wrote_too_much_at_once(void **state)
{
	struct stand s = {0};

	(void)state;
	assert_err(play_writing(&s, BOOTS "head -c 20000000 /dev/zero > profile; "
					  "echo 'firn: done'"),
		   &s.err, ERR_INFRA, "on the disk");
	s = (struct stand){0};
	assert_err(play_writing(&s, BOOTS "head -c 20000000 /dev/zero > profile; kill -25 $$"),
		   &s.err, ERR_INFRA, "on the disk");
}

static void test_writes_little(void **state)
{
	struct stand s = {0};

	(void)state;
	assert_ok(play_writing(&s, BOOTS "head -c 2000000 /dev/zero > profile; echo 'firn: done'"),
		  &s.err);
	assert_int_equal(s.result.end, BOOT_DONE);
	boot_result_done(&s.result);
}

/* Plays the control socket until the guest runs;  */
#define SAYS(text) "echo '" text "' >&0; "
#define QMP_STARTS                                                                                 \
	"hear() { dd bs=4096 count=1 2>/dev/null | grep -q \"$1\" || exit 9; echo '{\"return\": "  \
	"{}}' >&0; }; " SAYS("{\"QMP\": {}}") "hear qmp_capabilities; hear cont; "
#define STOPS	SAYS("{\"event\": \"GUEST_PANICKED\"}") SAYS("{\"event\": \"STOP\"}")
#define RESUMES "hear cont; " SAYS("{\"event\": \"RESUME\"}")

static int on_stop(void *ctx, struct machine *m, struct err *err)
{
	struct stand *s = ctx;

	(void)m;
	s->stops++;
	return s->stop_answer ? err_set(err, s->stop_answer, "cannot plug") : 0;
}

static void test_planned_stop(void **state)
{
	struct stand s = {.spec.on_stop = on_stop};

	(void)state;
	assert_ok(play(&s, QMP_STARTS BOOTS "echo 'qemu: OS terminated: firn: planned stop'; " STOPS
					    "hear cont; echo 'ok 1 x'; echo 'firn: done'"),
		  &s.err);
	assert_int_equal(s.stops, 1);
	assert_int_equal(s.result.end, BOOT_DONE);
	boot_result_done(&s.result);
}

/* Also one that comes after a planned stop: each stop has words of its own. */
static void test_panic_is_no_planned_stop(void **state)
{
	struct stand s = {.spec.on_stop = on_stop};

	(void)state;
	assert_ok(play(&s, QMP_STARTS BOOTS
		       "echo 'qemu: OS terminated: firn: planned stop'; " STOPS RESUMES
		       "echo '[    0.300000] Kernel panic - not syncing: Oops'; "
		       "echo 'qemu: OS terminated: OS panic: Oops'; " STOPS "sleep 20"),
		  &s.err);
	assert_int_equal(s.stops, 1);
	assert_int_equal(s.result.end, BOOT_PANIC);
	boot_result_done(&s.result);
}

static void test_error_of_on_stop_is_the_result(void **state)
{
	struct stand s = {.spec.on_stop = on_stop, .stop_answer = ERR_INFRA};

	(void)state;
	assert_err(play(&s, QMP_STARTS BOOTS
			"echo 'qemu: OS terminated: firn: planned stop'; " STOPS "sleep 20"),
		   &s.err, ERR_INFRA, "cannot plug");
}

static void test_emulator_fails_before_it_answers(void **state)
{
	struct stand s = {.spec.on_stop = on_stop};

	(void)state;
	assert_err(play(&s, "echo 'qemu: could not load kernel'; exit 1"), &s.err, ERR_INFRA,
		   "could not load kernel");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_done),
		cmocka_unit_test(test_done_counts_whatever_the_emulator_does_then),
		cmocka_unit_test(test_panic),
		cmocka_unit_test(test_off_without_a_word),
		cmocka_unit_test(test_hang_and_silence),
		cmocka_unit_test(test_talks_for_ever),
		cmocka_unit_test(test_emulator_fails),
		cmocka_unit_test(test_writes_for_ever),
		cmocka_unit_test(test_wrote_too_much_at_once),
		cmocka_unit_test(test_writes_little),
		cmocka_unit_test(test_planned_stop),
		cmocka_unit_test(test_panic_is_no_planned_stop),
		cmocka_unit_test(test_error_of_on_stop_is_the_result),
		cmocka_unit_test(test_emulator_fails_before_it_answers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
