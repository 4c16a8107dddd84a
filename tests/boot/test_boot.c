// SPDX-License-Identifier: GPL-2.0-or-later
/* Real kernels on the emulated machine. See tests.cmake for what it needs. */
#include "tests/unit/unit.h"

#include "base/clock.h"
#include "base/fs.h"
#include "base/proc.h"
#include "testbeds/bench/bench.h"
#include "testbeds/initramfs.h"
#include <signal.h>
#include <sys/stat.h>

#define SKIP_CODE 77

static char work[64];
static char *initramfs;
static const char *kernel, *pause_ko;

/* On the guest's command line, so that its process can be told from others. */
static char mark[80];

static void boot(struct boot_spec *spec, const char *append, struct boot_result *ret)
{
	auto_free char *line = xasprintf("%s %s", append, mark);
	struct err err = ERR_INIT;

	spec->kernel = kernel;
	spec->initramfs = initramfs;
	spec->work_dir = work;
	spec->append = line;
	assert_ok(testbed_qemu_pseries.boot("", spec, ret, &err), &err);
}

static void test_functional_boot(void **state)
{
	struct boot_spec spec = {.cpus = 4, .nodes = 2};
	struct boot_result r = {0};

	(void)state;
	boot(&spec, "", &r);
	assert_int_equal(r.end, BOOT_DONE);
	if (r.n_tests < 9)
		fail_msg("%zu tests of 9: %s: %.900s", r.n_tests, r.reason,
			 r.console.buf + (r.console.len > 900 ? r.console.len - 900 : 0));
	for (size_t i = 0; i < r.n_tests; i++)
		if (r.test[i].outcome != OUTCOME_PASS)
			fail_msg("%s: %s", r.test[i].name, r.test[i].note);
	assert_true(r.guest_seconds > 0);
	boot_result_done(&r);
}

static void test_panic(void **state)
{
	struct boot_spec spec = {.cpus = 1};
	struct boot_result r = {0};

	(void)state;
	boot(&spec, "rdinit=/nonexistent init=/nonexistent", &r);
	assert_int_equal(r.end, BOOT_PANIC);
	assert_int_equal(r.n_complaints, 1);
	assert_int_equal(r.complaint[0].kind, COMPLAINT_PANIC);
	boot_result_done(&r);
}

static int never(void *ctx, struct machine *m, struct err *err)
{
	(void)ctx;
	(void)m;
	return err_set(err, ERR_INFRA, "this guest did not ask to be stopped");
}

/* The emulator stops on a panic here, instead of ending. */
static void test_panic_of_a_machine_that_may_stop(void **state)
{
	struct boot_spec spec = {.count = true, .on_stop = never};
	struct boot_result r = {0};

	(void)state;
	boot(&spec, "rdinit=/nonexistent init=/nonexistent", &r);
	assert_int_equal(r.end, BOOT_PANIC);
	boot_result_done(&r);
}

static void test_hang(void **state)
{
	struct boot_spec spec = {.silence_s = 4};
	struct boot_result r = {0};

	(void)state;
	boot(&spec, "firn.mode=hang", &r);
	assert_int_equal(r.end, BOOT_HANG);
	assert_non_null(strstr(r.console.buf, "Run /init"));
	boot_result_done(&r);
}

/* Too short for the firmware even. */
static void test_silent(void **state)
{
	struct boot_spec spec = {.silence_s = 0.01};
	struct boot_result r = {0};

	(void)state;
	boot(&spec, "", &r);
	assert_int_equal(r.end, BOOT_SILENT);
	boot_result_done(&r);
}

/* Calls `see` for each emulator that runs our guest; returns how many there are. */
static int emulators(void (*see)(pid_t pid))
{
	auto_dir DIR *proc = opendir("/proc");
	const struct dirent *e;
	int n = 0;

	while ((e = readdir(proc)) != NULL) {
		auto_free char *path = xasprintf("/proc/%s/cmdline", e->d_name);
		struct err err = ERR_INIT;
		auto_str struct str line;

		str_init(&line, 0);
		if (strtol(e->d_name, NULL, 10) <= 0 ||
		    fs_read(path, 1 << 20, ERR_INPUT, &line, &err) < 0 ||
		    !str_starts(line.buf, "qemu") ||
		    !memmem(line.buf, line.len, mark, strlen(mark)))
			continue;
		n++;
		if (see)
			see((pid_t)strtol(e->d_name, NULL, 10));
	}
	return n;
}

static void kill_it(pid_t pid)
{
	kill(pid, SIGKILL);
}

/* Whether init has been started; `ctx` collects the text, which comes in pieces of a few bytes. */
static bool init_runs(void *ctx, const char *data, size_t n)
{
	struct str *text = ctx;

	str_add(text, data, n);
	return strstr(text->buf, "Run /init as init process") != NULL;
}

static void on_console_kill(void *ctx, const char *data, size_t n)
{
	if (init_runs(ctx, data, n))
		emulators(kill_it);
}

static void test_killed_emulator_is_ours(void **state)
{
	auto_free char *append = xasprintf("firn.mode=hang %s", mark);
	auto_str struct str text;
	const struct boot_spec spec = {.kernel = kernel,
				       .initramfs = initramfs,
				       .append = append,
				       .silence_s = 60,
				       .work_dir = work,
				       .on_console = on_console_kill,
				       .ctx = &text};
	struct boot_result r = {0};
	struct err err = ERR_INIT;

	(void)state;
	str_init(&text, 0);
	assert_err(testbed_qemu_pseries.boot("", &spec, &r, &err), &err, ERR_INFRA, "signal 9");
}

static void test_no_kernel(void **state)
{
	const struct boot_spec spec = {
		.kernel = initramfs, .initramfs = initramfs, .work_dir = work};
	struct boot_result r = {0};
	struct err err = ERR_INIT;

	(void)state;
	assert_err(testbed_qemu_pseries.boot("", &spec, &r, &err), &err, ERR_INFRA,
		   "The image is not ELF");
}

static void assert_repeats(const struct bench_metric *m)
{
	assert_int_equal(m->word, BENCH_UNCHANGED);
	assert_true(m->exact);
	for (size_t i = 0; i < m->base.n; i++)
		assert_true(m->base.sample[i] == m->base.sample[0]);
	for (size_t i = 0; i < m->patched.n; i++)
		assert_true(m->patched.sample[i] == m->base.sample[0]);
	print_message("%s: %.0f us, %zu times\n", m->title, m->base.sample[0],
		      m->base.n + m->patched.n);
}

/* Adds, adds again, takes away, and a boot with as many blocks. */
static void test_hot_add_repeats(void **state)
{
	static const unsigned lmbs[] = {16, 0};
	struct bench_request req = {.testbed = &testbed_qemu_pseries,
				    .testbed_arg = "",
				    .base = {.vmlinux = kernel, .initramfs = initramfs},
				    .sizes = lmbs,
				    .samples = 3,
				    .work_dir = work};
	struct bench_result r = {0};
	struct err err = ERR_INIT;

	(void)state;
	req.patched = req.base;
	assert_ok(bench_run(&bench_hot_add, &req, &r, &err), &err);
	if (r.outcome != OUTCOME_PASS)
		fail_msg("%s", r.reason);
	assert_int_equal(r.n_metrics, 4);
	for (size_t i = 0; i < r.n_metrics; i++)
		assert_repeats(&r.metric[i]);
	for (size_t i = 0; i < r.n_facts; i++)
		if (r.fact[i].expected)
			assert_string_equal(r.fact[i].base, r.fact[i].expected);
	bench_result_done(&r);
}

static void on_console_cancel(void *ctx, const char *data, size_t n)
{
	if (!init_runs(ctx, data, n))
		return;
	assert_int_equal(emulators(NULL), 1);
	kill(getpid(), SIGTERM);
}

/* The last one: a cancelled program stays cancelled. */
static void test_cancel_leaves_no_process(void **state)
{
	auto_free char *append = xasprintf("firn.mode=hang %s", mark);
	auto_str struct str text;
	const struct boot_spec spec = {.kernel = kernel,
				       .initramfs = initramfs,
				       .append = append,
				       .work_dir = work,
				       .on_console = on_console_cancel,
				       .ctx = &text};
	double limit = clock_mono() + 5;
	struct boot_result r = {0};
	struct err err = ERR_INIT;

	(void)state;
	str_init(&text, 0);
	cancel_init();
	assert_int_equal(testbed_qemu_pseries.boot("", &spec, &r, &err), ERR_CANCELLED);
	while (emulators(NULL) && clock_mono() < limit)
		usleep(10000);
	assert_int_equal(emulators(NULL), 0);
}

static int skip_all(const char *why)
{
	printf("SKIP: %s\n", why);
	return SKIP_CODE;
}

/* 0 when all is there. The folder must be open to the user that sandboxed commands run as. */
static int prepare(struct err *err)
{
	const char *const modules[] = {pause_ko, NULL};
	auto_free char *cache = NULL, *init = NULL;
	int rc;

	snprintf(work, sizeof(work), "/tmp/firn-boot-XXXXXX");
	if (!mkdtemp(work) || chmod(work, 0755) < 0)
		return err_sys(err, ERR_INFRA, "cannot make %s", work);
	snprintf(mark, sizeof(mark), "firn.mark=%s", work + 5);
	cache = xasprintf("%s/cache", work);
	initramfs = xasprintf("%s/initramfs", work);
	rc = testbed_qemu_pseries.probe("", err);
	if (rc == 0)
		rc = guest_init_build("powerpc64le-linux-gnu-", cache, &init, err);
	return rc < 0 ? rc : initramfs_write(initramfs, init, modules, err);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_functional_boot),
		cmocka_unit_test(test_panic),
		cmocka_unit_test(test_panic_of_a_machine_that_may_stop),
		cmocka_unit_test(test_hang),
		cmocka_unit_test(test_silent),
		cmocka_unit_test(test_killed_emulator_is_ours),
		cmocka_unit_test(test_no_kernel),
		cmocka_unit_test(test_hot_add_repeats),
		cmocka_unit_test(test_cancel_leaves_no_process),
	};
	struct err err = ERR_INIT, ignored = ERR_INIT;
	int rc;

	kernel = getenv("FIRN_TEST_KERNEL");
	pause_ko = getenv("FIRN_TEST_PAUSE_KO");
	if (!kernel || !pause_ko)
		return skip_all("FIRN_TEST_KERNEL and FIRN_TEST_PAUSE_KO name no kernel to boot");
	rc = prepare(&err);
	if (rc == ERR_CONFIG)
		rc = skip_all(err.msg);
	else if (rc < 0)
		printf("%s\n", err.msg);
	else
		rc = cmocka_run_group_tests(tests, NULL, NULL);
	free(initramfs);
	if (fs_rmtree(work, &ignored) < 0)
		printf("%s\n", ignored.msg);
	return rc < 0 ? 1 : rc;
}
