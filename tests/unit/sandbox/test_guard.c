// SPDX-License-Identifier: GPL-2.0-or-later
/* Limits in sum, by whatever this machine has; and what the filter says about files that run as
 * somebody else. */
#include "unit/unit.h"

#include "base/fs.h"
#include "sandbox/guard.h"
#include <dirent.h>
#include <sys/stat.h>
#include <sys/wait.h>

static char *scratch;

static int scratch_make(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	scratch = xasprintf("%s/firn-test-XXXXXX", getenv("TMPDIR") ?: "/tmp");
	assert_non_null(mkdtemp(scratch));
	assert_int_equal(chmod(scratch, 0755), 0);
	assert_ok(sandbox_own(scratch, &err), &err);
	return 0;
}

static int scratch_remove(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	assert_ok(fs_rmtree(scratch, &err), &err);
	free(scratch);
	return 0;
}

static bool has_groups(void)
{
	return strcmp(sandbox_limits(NULL), "rlimits") != 0;
}

/* What was over, of a script with small limits. */
static char *run(const char *script, struct proc_result *ret)
{
	const char *const argv[] = {"sh", "-c", script, NULL};
	char *over = NULL;
	const struct sandbox_spec spec = {.argv = argv,
					  .bind = {{scratch, "/build", true}},
					  .timeout_s = 30,
					  .tmp_bytes = 1UL << 30,
					  .processes = 40,
					  .total_bytes = 128UL << 20,
					  .disk_bytes = 8UL << 20,
					  .ret_over = &over};
	struct err err = ERR_INIT;

	assert_ok(sandbox_run(&spec, ret, &err), &err);
	return over;
}

static void check_over(const char *script, const char *want)
{
	auto_proc_result struct proc_result r = {0};
	auto_free char *over = run(script, &r);

	assert_non_null(over);
	assert_non_null(strstr(over, want));
}

static void need_groups(void)
{
	if (has_groups())
		return;
	print_message("SKIP: %s\n", guard_place()->why);
	skip();
}

static void memory_is_bounded_in_sum(void **state)
{
	(void)state;
	need_groups();
	check_over("perl -e '$x = q(a) x (60 << 20); sleep 0.4' & "
		   "perl -e '$x = q(a) x (60 << 20); sleep 0.4' & "
		   "perl -e '$x = q(a) x (60 << 20); sleep 0.4' & wait",
		   "of memory");
	check_over("head -c 300000000 /dev/zero > /tmp/x", "of memory");
}

static void a_fork_bomb_is_told(void **state)
{
	(void)state;
	need_groups();
	check_over("i=0; while [ $i -lt 100 ]; do sleep 20 & i=$((i + 1)); done",
		   "more than 40 processes");
}

static void a_full_folder_ends_the_command(void **state)
{
	auto_proc_result struct proc_result r = {0};
	auto_free char *over = run(
		"while :; do head -c 1000000 /dev/zero > /build/$((i += 1)); sleep 0.02; done", &r);

	(void)state;
	assert_non_null(over);
	assert_non_null(strstr(over, "on the disk"));
	assert_int_equal(r.end, PROC_STOPPED);
	assert_true(r.seconds < 20);
}

/* Faster than anybody looks. */
static void a_folder_that_is_full_at_the_end_is_told(void **state)
{
	(void)state;
	check_over("head -c 20000000 /dev/zero > /build/x", "on the disk");
}

static void what_stays_within_is_not_told(void **state)
{
	auto_proc_result struct proc_result r = {0};
	auto_free char *over = run("head -c 2000000 /dev/zero > /build/x", &r);

	(void)state;
	assert_null(over);
	assert_int_equal(r.end, PROC_EXITED);
}

/* For those who are started beside us: a file that is bound is watched as a folder is, and what is
 * read-only is not. */
static void files_that_are_bound_are_watched(void **state)
{
	auto_free char *file = xasprintf("%s/file", scratch), *block = xcalloc(1, 3 << 20);
	const struct sandbox_spec spec = {.bind = {{"/usr", "/usr", false}, {file, "/file", true}},
					  .disk_bytes = 2UL << 20};
	struct disk_watch watch;
	struct err err = ERR_INIT;

	(void)state;
	assert_ok(fs_write_atomic(file, "small", 5, &err), &err);
	sandbox_watch(&spec, &watch);
	watch.few = true;
	assert_string_equal(watch.dir[0], file);
	assert_null(watch.dir[1]);
	assert_false(disk_watch_over(&watch, true));
	assert_ok(fs_write_atomic(file, block, 3 << 20, &err), &err);
	assert_true(disk_watch_over(&watch, true));
}

/* A reader that only stops when there is nothing to read would never look at the clock. */
static void output_without_end_is_cut_by_the_time_out(void **state)
{
	const char *const argv[] = {"yes", "a line that goes on and on", NULL};
	const struct sandbox_spec spec = {.argv = argv, .timeout_s = 0.3, .output_max = 100};
	auto_proc_result struct proc_result r = {0};
	struct err err = ERR_INIT;

	(void)state;
	assert_ok(sandbox_run(&spec, &r, &err), &err);
	assert_int_equal(r.end, PROC_TIMED_OUT);
	assert_true(r.seconds < 15);
}

/* Its group and the children in it stay when a process dies without a word. */
static void crash(void)
{
	static const char *const argv[] = {"sleep", "100", NULL};
	const struct sandbox_spec spec = {.argv = argv};
	struct proc p = {0};
	struct err err = ERR_INIT;

	_exit(sandbox_start(&spec, &p, &err) < 0);
}

static unsigned count_boxes(const struct cgroup_place *place)
{
	auto_dir DIR *dir = opendir(place->dir[0]);
	const struct dirent *e;
	unsigned n = 0;

	while ((e = readdir(dir)))
		n += str_starts(e->d_name, "firn-box-");
	return n;
}

/* Other tests may run beside us, and have theirs. */
static void a_crash_is_swept_up_after(void **state)
{
	int status = 0;
	unsigned before;
	pid_t pid;

	(void)state;
	need_groups();
	before = count_boxes(guard_place());
	pid = fork();
	if (pid == 0)
		crash();
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	cgroup_sweep(guard_place());
	assert_true(count_boxes(guard_place()) <= before);
}

static void files_of_somebody_else_are_not_made(void **state)
{
	auto_proc_result struct proc_result r = {0};
	auto_free char *over =
		run("cd /build; cp /usr/bin/true t; chmod 4755 t 2>/dev/null && echo "
		    "setuid; chmod 2755 t 2>/dev/null && echo setgid; chmod 755 t && "
		    "install -m 4755 /usr/bin/true u 2>/dev/null; "
		    "perl -e 'use Fcntl; sysopen(F, q(v), O_CREAT|O_WRONLY, 06755) "
		    "and print qq(made\\n)'; find . -perm /6000",
		    &r);

	(void)state;
	assert_null(over);
	assert_string_equal(r.output.buf, "");
}

#define test_here(f) cmocka_unit_test_setup_teardown(f, scratch_make, scratch_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_here(memory_is_bounded_in_sum),
		test_here(a_fork_bomb_is_told),
		test_here(a_full_folder_ends_the_command),
		test_here(a_folder_that_is_full_at_the_end_is_told),
		test_here(what_stays_within_is_not_told),
		test_here(files_that_are_bound_are_watched),
		test_here(output_without_end_is_cut_by_the_time_out),
		test_here(a_crash_is_swept_up_after),
		test_here(files_of_somebody_else_are_not_made),
	};

	return cmocka_run_group_tests_name("guard", tests, NULL, NULL);
}
