// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit/unit.h"

#include "base/clock.h"
#include "base/fs.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/outcome.h"
#include "base/proc.h"
#include "base/str.h"
#include <git2.h>
#include <pwd.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

static char *scratch(void)
{
	char *dir = xasprintf("%s/firn-test-XXXXXX", getenv("TMPDIR") ?: "/tmp");

	assert_non_null(mkdtemp(dir));
	return dir;
}

static void str_stops_at_its_cap(void **state)
{
	auto_str struct str s;

	(void)state;
	str_init(&s, 5);
	assert_true(str_adds(&s, "abc"));
	assert_false(str_adds(&s, "defg"));
	assert_string_equal(s.buf, "abcde");
	assert_true(s.truncated);
	str_drop(&s, 2);
	assert_string_equal(s.buf, "cde");
}

static void str_formats_long_text(void **state)
{
	auto_str struct str s;

	(void)state;
	str_init(&s, 0);
	str_addf(&s, "%0600d", 7);
	assert_int_equal(s.len, 600);
	assert_int_equal(s.buf[599], '7');
}

static void utf8_is_told_from_junk(void **state)
{
	(void)state;
	assert_true(utf8_valid("Gr\xc3\xbc\xc3\x9f", 6));
	assert_false(utf8_valid("\xc0\x80", 2));     /* overlong */
	assert_false(utf8_valid("\xed\xa0\x80", 3)); /* surrogate */
	assert_false(utf8_valid("\xf4\x90\x80\x80", 4));
	assert_false(utf8_valid("\xe2\x82", 2));
	assert_false(utf8_valid("a\0b", 3));
}

static void err_wraps_and_keeps_the_kind(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(err_set(&err, ERR_PATCH, "hunk %d", 3), ERR_PATCH);
	assert_int_equal(err_wrap(&err, "patch %d", 1), ERR_PATCH);
	assert_string_equal(err.msg, "patch 1: hunk 3");
	assert_int_equal(err_exit_code(ERR_PATCH), 1);
	assert_int_equal(err_exit_code(ERR_USAGE), 64);
	assert_int_equal(err_exit_code(ERR_INFRA), 2);
}

static void err_full_disk_is_never_the_patch(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	errno = ENOSPC;
	assert_int_equal(err_sys(&err, ERR_PATCH, "write"), ERR_INFRA);
	assert_non_null(strstr(err.msg, "No space left"));
}

static void fs_writes_whole_files(void **state)
{
	auto_free char *dir = scratch();
	auto_free char *sub = xasprintf("%s/a/b", dir);
	auto_free char *path = xasprintf("%s/f", sub);
	auto_str struct str data;
	struct err err = ERR_INIT;

	(void)state;
	str_init(&data, 0);
	assert_ok(fs_mkdirs(sub, &err), &err);
	assert_ok(fs_mkdirs(sub, &err), &err);
	assert_ok(fs_write_atomic(path, "one\0two", 7, &err), &err);
	assert_ok(fs_read(path, 100, ERR_INPUT, &data, &err), &err);
	assert_int_equal(data.len, 7);
	assert_memory_equal(data.buf, "one\0two", 7);
	assert_err(fs_read(path, 3, ERR_INPUT, &data, &err), &err, ERR_INPUT, "larger than");
	assert_ok(fs_rmtree(dir, &err), &err);
	assert_false(fs_exists(dir));
	assert_ok(fs_rmtree(dir, &err), &err);
	assert_err(fs_read(path, 3, ERR_CONFIG, &data, &err), &err, ERR_CONFIG, "No such file");
}

static void json_takes_any_bytes(void **state)
{
	auto_json json_t *bad = json_text_n("a\xff\0b", 4), *null = json_text(NULL);

	(void)state;
	assert_true(json_is_string(bad));
	assert_true(utf8_valid(json_string_value(bad), strlen(json_string_value(bad))));
	assert_true(json_is_null(null));
}

static void hash_is_a_git_blob_id(void **state)
{
	char hex[HASH_HEX_MAX];

	(void)state;
	/* printf 'hello\n' | git hash-object --stdin */
	assert_string_equal(hash_hex("hello\n", 6, hex),
			    "ce013625030ba8dba906f756967f9e9ca394464a");
}

static void spans_read_well(void **state)
{
	char b[CLOCK_SPAN_MAX];

	(void)state;
	assert_string_equal(clock_span(0.44, b), "0.4 s");
	assert_string_equal(clock_span(61, b), "61 s");
	assert_string_equal(clock_span(185, b), "3 min 05 s");
	assert_string_equal(clock_span(7260, b), "2 h 01 min");
}

static int run(const char *script, double timeout_s, struct proc_result *r, struct err *err)
{
	const char *argv[] = {"/bin/sh", "-c", script, NULL};
	struct proc_spec spec = {.argv = argv, .timeout_s = timeout_s, .output_max = 1000};

	return proc_run(&spec, r, err);
}

static unsigned mode_of(const char *path)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	return st.st_mode & 07777;
}

static void fs_makes_folders_that_builds_may_pass(void **state)
{
	auto_free char *dir = scratch(), *strict = xasprintf("%s/strict/a", dir),
		       *lax = xasprintf("%s/lax/a", dir);
	struct err err = ERR_INIT;
	mode_t before = umask(077);

	(void)state;
	assert_ok(fs_mkdirs(strict, &err), &err);
	assert_int_equal(umask(0), 077);
	assert_ok(fs_mkdirs(lax, &err), &err);
	umask(before);
	assert_int_equal(mode_of(strict), geteuid() == 0 ? 0711 : 0700);
	assert_int_equal(mode_of(lax), 0755);
	assert_ok(fs_rmtree(dir, &err), &err);
}

/* "" is a variable that is not set. */
static void env_is(const char *name, const char *value)
{
	if (*value)
		setenv(name, value, 1);
	else
		unsetenv(name);
}

static void assert_cache(const char *xdg, const char *home, const char *want)
{
	auto_free char *is = NULL;

	env_is("XDG_CACHE_HOME", xdg);
	env_is("HOME", home);
	is = fs_cache_dir();
	assert_string_equal(is, want);
}

static void fs_keeps_its_cache_at_home(void **state)
{
	const struct passwd *pw = getpwuid(geteuid());
	bool root = geteuid() == 0;
	auto_free char *own = xasprintf("%s/.cache/firn", pw ? pw->pw_dir : "");
	const char *passwd = root || !pw ? "/var/cache/firn" : own;
	auto_free char *xdg = xstrdup(getenv("XDG_CACHE_HOME") ?: ""),
		       *home = xstrdup(getenv("HOME") ?: "");

	(void)state;
	assert_cache("/x", "/home/ada", "/x/firn");
	assert_cache("x", "/home/ada", root ? passwd : "/home/ada/.cache/firn");
	assert_cache("", "ada", passwd);
	assert_cache("", "", passwd);
	env_is("XDG_CACHE_HOME", xdg);
	env_is("HOME", home);
}

static void proc_tells_how_a_child_ended(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	{
		auto_proc_result struct proc_result r = {0};
		assert_ok(run("echo out; echo err >&2; exit 3", 0, &r, &err), &err);
		assert_int_equal(r.end, PROC_EXITED);
		assert_int_equal(r.code, 3);
		assert_string_equal(r.output.buf, "out\nerr\n");
	}
	{
		auto_proc_result struct proc_result r = {0};
		assert_ok(run("kill -9 $$", 0, &r, &err), &err);
		assert_int_equal(r.end, PROC_SIGNALLED);
		assert_int_equal(r.code, SIGKILL);
	}
	{
		auto_proc_result struct proc_result r = {0};
		assert_ok(run("echo start; sleep 100 & sleep 100", 0.2, &r, &err), &err);
		assert_int_equal(r.end, PROC_TIMED_OUT);
		assert_string_equal(r.output.buf, "start\n");
	}
	{
		auto_proc_result struct proc_result r = {0};
		assert_ok(run("yes | head -c 100000", 0, &r, &err), &err);
		assert_int_equal(r.output.len, 1000);
		assert_true(r.output.truncated);
	}
}

static void proc_names_a_missing_program(void **state)
{
	const char *argv[] = {"firn-no-such-program", NULL};
	struct proc_spec spec = {.argv = argv};
	auto_proc_result struct proc_result r = {0};
	struct err err = ERR_INIT;

	(void)state;
	assert_err(proc_run(&spec, &r, &err), &err, ERR_CONFIG, "firn-no-such-program");
}

/* In a child of its own, since a cancel cannot be taken back. */
static void cancel_ends_a_child_and_its_children(void **state)
{
	pid_t pid = fork();
	int status;

	(void)state;
	if (pid == 0) {
		auto_proc_result struct proc_result r = {0};
		struct err err = ERR_INIT;

		cancel_init();
		alarm(0);
		if (fork() == 0) {
			usleep(200 * 1000);
			kill(getppid(), SIGTERM);
			_exit(0);
		}
		_exit(run("sleep 100 & sleep 100", 60, &r, &err) == ERR_CANCELLED ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void outcomes_have_an_order(void **state)
{
	(void)state;
	assert_int_equal(outcome_worse(OUTCOME_PASS, OUTCOME_SKIP), OUTCOME_PASS);
	assert_int_equal(outcome_worse(OUTCOME_ERROR, OUTCOME_FAIL), OUTCOME_FAIL);
	assert_int_equal(outcome_parse("warn"), OUTCOME_WARN);
	assert_int_equal(outcome_parse("nonsense"), OUTCOME_ERROR);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(str_stops_at_its_cap),
		cmocka_unit_test(str_formats_long_text),
		cmocka_unit_test(utf8_is_told_from_junk),
		cmocka_unit_test(err_wraps_and_keeps_the_kind),
		cmocka_unit_test(err_full_disk_is_never_the_patch),
		cmocka_unit_test(fs_writes_whole_files),
		cmocka_unit_test(fs_makes_folders_that_builds_may_pass),
		cmocka_unit_test(fs_keeps_its_cache_at_home),
		cmocka_unit_test(json_takes_any_bytes),
		cmocka_unit_test(hash_is_a_git_blob_id),
		cmocka_unit_test(spans_read_well),
		cmocka_unit_test(proc_tells_how_a_child_ended),
		cmocka_unit_test(proc_names_a_missing_program),
		cmocka_unit_test(cancel_ends_a_child_and_its_children),
		cmocka_unit_test(outcomes_have_an_order),
	};

	git_libgit2_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
