// SPDX-License-Identifier: GPL-2.0-or-later
/* Who works in something, and who may throw it away. */
#include "unit/unit.h"

#include "base/fs.h"
#include "base/hold.h"
#include <sched.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

/* Of each race. */
#define ROUNDS 300

static char *top;

static int setup(void **state)
{
	(void)state;
	top = xasprintf("%s/firn-test-XXXXXX", getenv("TMPDIR") ?: "/tmp");
	return mkdtemp(top) ? 0 : -1;
}

static int teardown(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	assert_ok(fs_rmtree(top, &err), &err);
	free(top);
	return 0;
}

static void what_is_held_is_not_seized(void **state)
{
	auto_free char *dir = xasprintf("%s/a/b", top);
	auto_fd int mine = -1, other = -1;
	struct err err = ERR_INIT;
	int seized;

	(void)state;
	assert_ok(hold_dir(dir, &mine, &err), &err);
	assert_ok(hold_dir(dir, &other, &err), &err); /* by several */
	assert_int_equal(hold_seize(dir), -1);
	fd_cleanup(&mine);
	mine = -1;
	assert_int_equal(hold_seize(dir), -1);
	fd_cleanup(&other);
	other = -1;
	seized = hold_seize(dir);
	assert_true(seized >= 0);
	assert_int_equal(hold_seize(dir), -1); /* one sweeps it */
	close(seized);
}

static void a_process_that_is_killed_holds_nothing(void **state)
{
	auto_free char *dir = xasprintf("%s/a", top);
	struct err err = ERR_INIT;
	int told[2], seized, fd;
	char byte;
	pid_t pid;

	(void)state;
	assert_int_equal(pipe(told), 0);
	pid = fork();
	if (pid == 0) {
		if (hold_dir(dir, &fd, &err) < 0 || write(told[1], "x", 1) != 1)
			_exit(1);
		pause();
	}
	assert_int_equal(read(told[0], &byte, 1), 1);
	assert_int_equal(hold_seize(dir), -1);
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	seized = hold_seize(dir);
	assert_true(seized >= 0);
	close(seized);
	close(told[0]);
	close(told[1]);
}

static void a_held_folder_may_move(void **state)
{
	auto_free char *aside = xasprintf("%s/aside", top), *dir = xasprintf("%s/dir", top);
	auto_fd int fd = -1;
	struct err err = ERR_INIT;

	(void)state;
	assert_ok(hold_dir(aside, &fd, &err), &err);
	assert_int_equal(rename(aside, dir), 0);
	assert_int_equal(hold_seize(dir), -1);
	assert_int_equal(hold_seize(aside), -1); /* not there */
}

static void builds_of_root_may_enter(void **state)
{
	auto_free char *dir = xasprintf("%s/slots/dir", top);
	mode_t before = umask(077);
	struct err err = ERR_INIT;
	auto_fd int fd = -1;
	struct stat st;
	int rc = hold_dir(dir, &fd, &err);

	(void)state;
	umask(before);
	assert_ok(rc, &err);
	assert_int_equal(stat(dir, &st), 0);
	assert_int_equal(st.st_mode & 0777, geteuid() == 0 ? 0711 : 0700);
}

static void no_link_is_followed(void **state)
{
	auto_free char *dir = xasprintf("%s/dir", top), *link = xasprintf("%s/link", top);

	(void)state;
	assert_int_equal(mkdir(dir, 0755), 0);
	assert_int_equal(symlink(dir, link), 0);
	assert_int_equal(hold_seize(link), -1);
}

static bool sweep_once(const char *path)
{
	auto_fd int fd = hold_seize(path);
	struct err err = ERR_INIT;

	return fd < 0 || fs_rmtree(path, &err) == 0;
}

/* Removes `path` as often as nobody holds it, until it is killed. In between it lets others try:
 * one that never rests keeps them from it for long. */
static pid_t sweeper(const char *path)
{
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	for (unsigned i = 0;; i++) {
		const struct timespec rest = {.tv_nsec = i * 7919 % 300 * 1000};

		if (getppid() == 1 || !sweep_once(path))
			_exit(1);
		nanosleep(&rest, NULL);
	}
}

static void sweeper_end(pid_t pid)
{
	int status;

	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status)); /* it never failed */
}

static void who_begins_is_never_swept(void **state)
{
	auto_free char *dir = xasprintf("%s/slot", top), *inner = xasprintf("%s/x", dir);
	pid_t pid = sweeper(dir);
	unsigned swept = 0;

	(void)state;
	for (unsigned i = 0; i < ROUNDS; i++) {
		struct err err = ERR_INIT;
		int fd;

		assert_ok(hold_dir(dir, &fd, &err), &err);
		assert_true(mkdir(inner, 0755) == 0 || errno == EEXIST);
		sched_yield();
		assert_true(fs_exists(inner));
		close(fd);
		/* Every other time it is given a moment. */
		for (unsigned k = 0; i % 2 && k < 1000 && fs_exists(dir); k++)
			sched_yield();
		swept += !fs_exists(dir);
	}
	sweeper_end(pid);
	assert_true(swept > 0);
}

static void what_is_written_aside_comes_to_its_name(void **state)
{
	auto_free char *path = xasprintf("%s/file", top);
	auto_free char *aside = xasprintf("%s.tmp-%ld", path, (long)getpid());
	pid_t pid = sweeper(aside);

	(void)state;
	for (unsigned i = 0; i < ROUNDS / 6; i++) {
		auto_str struct str got;
		struct err err = ERR_INIT;

		str_init(&got, 0);
		assert_ok(fs_write_atomic(path, "12345", 5, &err), &err);
		assert_ok(fs_read(path, 100, ERR_INFRA, &got, &err), &err);
		assert_string_equal(got.buf, "12345");
	}
	sweeper_end(pid);
}

#define test_here(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_here(what_is_held_is_not_seized),
		test_here(a_process_that_is_killed_holds_nothing),
		test_here(a_held_folder_may_move),
		test_here(builds_of_root_may_enter),
		test_here(no_link_is_followed),
		test_here(who_begins_is_never_swept),
		test_here(what_is_written_aside_comes_to_its_name),
	};

	return cmocka_run_group_tests_name("hold", tests, NULL, NULL);
}
