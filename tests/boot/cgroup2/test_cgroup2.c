// SPDX-License-Identifier: GPL-2.0-or-later
/* Control groups of version 2 as the kernel has them; cgroup2/plain.sh starts this in its machine.
 * FIRN_TEST_PLACE is the folder that groups are to be made in. */
#include "unit/unit.h"

#include "base/clock.h"
#include "base/fs.h"
#include "base/proc.h"
#include "sandbox/guard.h"
#include <dirent.h>
#include <signal.h>
#include <sys/wait.h>

#define MIB (1UL << 20)

static const struct cgroup_limits small = {.memory_bytes = 64 * MIB, .processes = 20};

static void group_make(struct cgroup *g)
{
	struct err err = ERR_INIT;

	assert_ok(cgroup_make(guard_place(), g, &err), &err);
	assert_ok(cgroup_limit(g, &small, &err), &err);
}

/* A shell in the group, beside us. */
static struct proc shell_start(const struct cgroup *g, const char *script)
{
	const char *const argv[] = {"sh", "-c", script, NULL};
	int join[CGROUP_DIRS + 1];
	const struct proc_spec spec = {.argv = argv, .join_fd = join};
	struct proc p = {0};
	struct err err = ERR_INIT;

	assert_ok(cgroup_open(g, join, &err), &err);
	assert_ok(proc_start(&spec, &p, &err), &err);
	close(join[0]);
	return p;
}

static void shell_run(const struct cgroup *g, const char *script, struct proc_result *ret)
{
	const char *const argv[] = {"sh", "-c", script, NULL};
	int join[CGROUP_DIRS + 1];
	const struct proc_spec spec = {.argv = argv, .join_fd = join, .timeout_s = 60};
	struct err err = ERR_INIT;

	assert_ok(cgroup_open(g, join, &err), &err);
	assert_ok(proc_run(&spec, ret, &err), &err);
	close(join[0]);
}

static void file_read(const char *dir, const char *name, struct str *ret)
{
	auto_free char *path = xasprintf("%s/%s", dir, name);
	struct err err = ERR_INIT;

	str_init(ret, 0);
	assert_ok(fs_read(path, 0, ERR_INFRA, ret, &err), &err);
}

static void assert_file(const char *dir, const char *name, const char *want)
{
	auto_str struct str text;

	file_read(dir, name, &text);
	assert_string_equal(text.buf, want);
}

/* The processes of a group, by its own list. */
static size_t processes(const char *dir)
{
	auto_str struct str text;
	size_t n = 0;

	file_read(dir, "cgroup.procs", &text);
	for (size_t i = 0; i < text.len; i++)
		n += text.buf[i] == '\n';
	return n;
}

static void wait_for_processes(const char *dir, size_t n)
{
	for (double end = clock_mono() + 30; processes(dir) != n; usleep(10000))
		assert_true(clock_mono() < end);
}

static void the_place_is_found(void **state)
{
	const char *want = getenv("FIRN_TEST_PLACE");
	const struct cgroup_place *p = guard_place();

	(void)state;
	assert_non_null(want);
	if (p->why)
		print_message("%s\n", p->why);
	assert_int_equal(p->version, CGROUP_V2);
	assert_string_equal(p->dir[0], want);
}

/* In a folder that hands on controllers, no process may stay; but for the one at the top. */
static void we_are_out_of_the_way(void **state)
{
	const char *dir = guard_place()->dir[0];

	(void)state;
	if (strcmp(dir, "/sys/fs/cgroup") != 0)
		assert_int_equal(processes(dir), 0);
}

static void the_kernel_has_the_limits(void **state)
{
	struct cgroup g;

	(void)state;
	group_make(&g);
	assert_file(g.dir[0], "memory.max", "67108864\n");
	assert_file(g.dir[0], "memory.swap.max", "0\n");
	assert_file(g.dir[0], "memory.oom.group", "1\n");
	assert_file(g.dir[0], "pids.max", "20\n");
	assert_file(g.dir[0], "cpu.weight", "50\n");
	cgroup_end(&g);
}

static void a_child_joins(void **state)
{
	auto_proc_result struct proc_result r = {0};
	auto_free char *over = NULL;
	struct cgroup g;

	(void)state;
	group_make(&g);
	shell_run(&g, "cat /proc/self/cgroup", &r);
	assert_int_equal(r.end, PROC_EXITED);
	assert_non_null(strstr(r.output.buf, "/firn-box-"));
	over = cgroup_over(&g, &small);
	assert_null(over);
	cgroup_end(&g);
}

/* Four of 30 MiB each; the sleeper, which has none, goes with them. */
static void memory_in_sum_ends_all(void **state)
{
	auto_proc_result struct proc_result r = {0};
	auto_free char *over = NULL;
	struct cgroup g;

	(void)state;
	group_make(&g);
	shell_run(&g,
		  "sleep 300 > /dev/null 2>&1 & for i in 1 2 3 4; do "
		  "perl -e '$x = q(a) x (30 << 20); sleep 20' & done; wait",
		  &r);
	assert_int_equal(r.end, PROC_SIGNALLED);
	over = cgroup_over(&g, &small);
	assert_non_null(over);
	assert_string_equal(over, "more than 0.1 GiB of memory");
	wait_for_processes(g.dir[0], 0);
	cgroup_end(&g);
}

static void too_many_processes_are_told(void **state)
{
	auto_proc_result struct proc_result r = {0};
	auto_free char *over = NULL;
	struct cgroup g;

	(void)state;
	group_make(&g);
	shell_run(&g,
		  "i=0; while [ $i -lt 40 ]; do sleep 300 > /dev/null 2>&1 & "
		  "i=$((i + 1)); done",
		  &r);
	assert_true(processes(g.dir[0]) <= small.processes);
	over = cgroup_over(&g, &small);
	assert_non_null(over);
	assert_string_equal(over, "more than 20 processes");
	cgroup_end(&g);
}

/* Nobody of them would go by himself: one kill for all. */
static void the_end_is_certain(void **state)
{
	auto_free char *dir = NULL;
	struct proc p;
	struct cgroup g;
	double began;

	(void)state;
	group_make(&g);
	dir = xstrdup(g.dir[0]);
	p = shell_start(&g, "trap '' TERM HUP INT; for i in 1 2 3 4; do "
			    "setsid sleep 300 > /dev/null 2>&1 & done; wait");
	wait_for_processes(dir, 5);
	assert_false(cgroup_is_empty(&g));
	began = clock_mono();
	cgroup_end(&g);
	print_message("killed and removed after %.1f ms\n", (clock_mono() - began) * 1000);
	assert_false(fs_exists(dir));
	proc_stop(&p, 0);
}

/* The maker of a group and its child die; what the child began in its own session goes on. */
static void crash(int ret_fd)
{
	struct cgroup g;

	group_make(&g);
	shell_start(&g, "setsid sleep 300 > /dev/null 2>&1 & setsid sleep 300 > /dev/null 2>&1 & "
			"wait");
	wait_for_processes(g.dir[0], 3);
	dprintf(ret_fd, "%s", g.dir[0]);
	kill(getpid(), SIGKILL);
}

static void a_crash_is_swept_up_after(void **state)
{
	char dir[4096] = "";
	struct cgroup ours;
	int fd[2], status;
	pid_t pid;

	(void)state;
	group_make(&ours);
	assert_int_equal(pipe(fd), 0);
	pid = fork();
	if (pid == 0)
		crash(fd[1]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	assert_true(read(fd[0], dir, sizeof(dir) - 1) > 0);
	close(fd[0]);
	close(fd[1]);
	assert_true(processes(dir) >= 2);
	cgroup_sweep(guard_place());
	assert_false(fs_exists(dir));
	assert_true(fs_exists(ours.dir[0]));
	cgroup_end(&ours);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_place_is_found),
		cmocka_unit_test(we_are_out_of_the_way),
		cmocka_unit_test(the_kernel_has_the_limits),
		cmocka_unit_test(a_child_joins),
		cmocka_unit_test(memory_in_sum_ends_all),
		cmocka_unit_test(too_many_processes_are_told),
		cmocka_unit_test(the_end_is_certain),
		cmocka_unit_test(a_crash_is_swept_up_after),
	};

	return cmocka_run_group_tests_name("cgroup2", tests, NULL, NULL);
}
