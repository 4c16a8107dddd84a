// SPDX-License-Identifier: GPL-2.0-or-later
/* The supervisor, with shell scripts for roles. */
#include "unit/unit.h"

#include "base/clock.h"
#include "base/fs.h"
#include "base/proc.h"
#include "serve/serve.h"
#include "serve/serve_child.h"
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

struct fixture {
	char *dir, *said; /* what roles wrote */
	struct err err;
};

static int setup(void **state)
{
	struct fixture *f = xcalloc(1, sizeof(*f));

	f->dir = xasprintf("%s/firn-test-XXXXXX", getenv("TMPDIR") ?: "/tmp");
	assert_non_null(mkdtemp(f->dir));
	f->said = xasprintf("%s/said", f->dir);
	setenv("FIRN_SAID", f->said, 1);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	assert_ok(fs_rmtree(f->dir, &f->err), &f->err);
	free(f->dir);
	free(f->said);
	free(f);
	return 0;
}

#define SH(script)                                                                                 \
	(const char *const[])                                                                      \
	{                                                                                          \
		"bash", "-c", script, NULL                                                         \
	}
/* Says that it is up, notes it, and stays. */
#define UP "echo x >&$FIRN_ALIVE_FD; echo up >> \"$FIRN_SAID\"; "

/* The supervisor in a process of its own, whose exit status is the error kind. */
static pid_t serve_fork(const struct fixture *f, const struct serve_role *role, size_t n,
			double silence_s)
{
	const struct serve_options opt = {
		.data_dir = f->dir, .role = role, .n = n, .silence_s = silence_s, .hurry = 20};
	pid_t pid = fork();

	if (pid == 0) {
		struct err err = ERR_INIT;
		int null = open("/dev/null", O_WRONLY);

		prctl(PR_SET_PDEATHSIG, SIGKILL); /* also when a test fails */
		dup2(null, STDERR_FILENO);
		dup2(null, STDOUT_FILENO);
		cancel_init();
		_exit(-serve_run(&opt, &err));
	}
	return pid;
}

static unsigned lines(const struct fixture *f, const char *line)
{
	auto_str struct str text;
	struct err err = ERR_INIT;
	unsigned n = 0;

	str_init(&text, 0);
	if (fs_read(f->said, 1 << 20, ERR_INPUT, &text, &err) < 0)
		return 0;
	for (const char *p = text.buf; (p = strstr(p, line)) != NULL; p += strlen(line))
		n++;
	return n;
}

/* At most 10 s; the machine may be busy. */
static void wait_lines(const struct fixture *f, const char *line, unsigned n)
{
	for (int i = 0; i < 1000 && lines(f, line) < n; i++)
		usleep(10000);
	assert_true(lines(f, line) >= n);
}

static int serve_end(pid_t pid, int sig)
{
	int status = 0;

	if (sig)
		kill(pid, sig);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return -WEXITSTATUS(status);
}

static void test_ends_in_order(void **state)
{
	struct fixture *f = *state;
	const struct serve_role role[] = {
		{.name = "one",
		 .argv = SH("trap 'sleep .1; echo end1 >> \"$FIRN_SAID\"; exit' TERM; " UP
			    "while :; do sleep .02; done"),
		 .grace_s = 5},
		{.name = "two",
		 .argv = SH("trap 'cat \"$FIRN_SAID\" > \"$FIRN_SAID.two\"; exit' TERM; " UP
			    "while :; do sleep .02; done"),
		 .grace_s = 5}};
	pid_t pid = serve_fork(f, role, 2, 0);
	auto_free char *seen = xasprintf("%s.two", f->said);
	auto_str struct str text;

	str_init(&text, 0);
	wait_lines(f, "up", 2);
	assert_int_equal(serve_end(pid, SIGTERM), 0);
	assert_ok(fs_read(seen, 1000, ERR_INPUT, &text, &f->err), &f->err);
	assert_non_null(strstr(text.buf, "end1"));
}

static void test_who_does_not_end_is_killed(void **state)
{
	struct fixture *f = *state;
	const struct serve_role role[] = {
		{.name = "deaf",
		 .argv = SH("trap '' TERM; " UP "while :; do sleep .02; done"),
		 .grace_s = 0.1}};
	pid_t pid = serve_fork(f, role, 1, 0);

	wait_lines(f, "up", 1);
	assert_int_equal(serve_end(pid, SIGTERM), 0);
}

/* Also when the configuration seems to be the reason: it was up before. */
static void test_restarts_who_was_up(void **state)
{
	struct fixture *f = *state;
	const struct serve_role role[] = {{.name = "brief", .argv = SH(UP "exit 78")}};
	pid_t pid = serve_fork(f, role, 1, 0);

	wait_lines(f, "up", 2);
	assert_int_equal(serve_end(pid, SIGTERM), 0);
}

static void test_configuration_ends_all(void **state)
{
	struct fixture *f = *state;
	const struct serve_role role[] = {
		{.name = "good", .argv = SH(UP "exec sleep 60"), .grace_s = 1},
		{.name = "bad", .argv = SH("exit 78"), .grace_s = 1}};
	double began = clock_mono();

	assert_int_equal(serve_end(serve_fork(f, role, 2, 0), 0), ERR_CONFIG);
	assert_true(clock_mono() - began < 20);
}

static void test_silent_is_killed(void **state)
{
	struct fixture *f = *state;
	const struct serve_role role[] = {
		{.name = "silent", .argv = SH(UP "exec sleep 60"), .grace_s = 1}};
	pid_t pid = serve_fork(f, role, 1, 0.2);

	wait_lines(f, "up", 2);
	assert_int_equal(serve_end(pid, SIGTERM), 0);
}

static void test_hangup_starts_anew(void **state)
{
	struct fixture *f = *state;
	const struct serve_role role[] = {
		{.name = "one", .argv = SH(UP "exec sleep 60"), .grace_s = 1}};
	pid_t pid = serve_fork(f, role, 1, 0);

	wait_lines(f, "up", 1);
	kill(pid, SIGHUP);
	wait_lines(f, "up", 2);
	assert_int_equal(serve_end(pid, SIGTERM), 0);
}

static void test_one_at_a_time(void **state)
{
	struct fixture *f = *state;
	const struct serve_role role = {.name = "none", .argv = SH("exit 1")};
	const struct serve_options opt = {.data_dir = f->dir, .role = &role, .n = 1};
	auto_fd int lock = -1;

	assert_int_equal(serve_lock_holder(f->dir, "serve"), 0);
	assert_ok(serve_lock(f->dir, "serve", &lock, &f->err), &f->err);
	assert_int_equal(serve_lock_holder(f->dir, "serve"), getpid());
	auto_free char *who = xasprintf("process %ld", (long)getpid());
	assert_err(serve_run(&opt, &f->err), &f->err, ERR_CONFIG, who);
}

static void test_notify(void **state)
{
	struct fixture *f = *state;
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	char got[100] = {0};
	auto_fd int fd = socket(AF_UNIX, SOCK_DGRAM, 0);

	snprintf(at.sun_path, sizeof(at.sun_path), "%s/notify", f->dir);
	assert_int_equal(bind(fd, (struct sockaddr *)&at, sizeof(at)), 0);
	serve_notify("READY=%d", 1); /* nobody listens */
	setenv("NOTIFY_SOCKET", at.sun_path, 1);
	serve_notify("STATUS=%s", "all up");
	unsetenv("NOTIFY_SOCKET");
	assert_int_equal(recv(fd, got, sizeof(got) - 1, MSG_DONTWAIT), 13);
	assert_string_equal(got, "STATUS=all up");

	setenv("WATCHDOG_USEC", "60000000", 1);
	assert_true(serve_notify_interval() == 30);
	setenv("WATCHDOG_PID", "1", 1);
	assert_true(serve_notify_interval() == 0);
	unsetenv("WATCHDOG_USEC");
	unsetenv("WATCHDOG_PID");
}

static bool env_has(const char **env, const char *entry)
{
	for (; *env; env++)
		if (strcmp(*env, entry) == 0)
			return true;
	return false;
}

static void test_environment(void **state)
{
	char *const env[] = {(char *)"PATH=/bin",
			     (char *)"LC_ALL=C",
			     (char *)"https_proxy=x",
			     (char *)"CREDENTIALS_DIRECTORY=/run/c",
			     (char *)"GITHUB_TOKEN=s",
			     (char *)"NOTIFY_SOCKET=/n",
			     (char *)"LD_PRELOAD=x",
			     (char *)"FIRN_ALIVE_FD=3",
			     NULL};
	auto_free const char **engine = child_environment(env, 0, "FIRN_ALIVE_FD=7");
	auto_free const char **post =
		child_environment(env, SERVE_MAY_NETWORK | SERVE_MAY_SECRETS, NULL);

	(void)state;
	assert_true(env_has(engine, "PATH=/bin") && env_has(engine, "LC_ALL=C"));
	assert_true(env_has(engine, "FIRN_ALIVE_FD=7") && !env_has(engine, "FIRN_ALIVE_FD=3"));
	assert_false(env_has(engine, "https_proxy=x"));
	assert_false(env_has(engine, "CREDENTIALS_DIRECTORY=/run/c"));
	assert_true(env_has(post, "https_proxy=x"));
	assert_true(env_has(post, "CREDENTIALS_DIRECTORY=/run/c"));
	assert_false(env_has(post, "GITHUB_TOKEN=s") || env_has(post, "NOTIFY_SOCKET=/n") ||
		     env_has(post, "LD_PRELOAD=x"));
}

static void test_backoff(void **state)
{
	(void)state;
	assert_true(child_backoff(0) == 0 && child_backoff(1) == 1 && child_backoff(3) == 4);
	assert_true(child_backoff(7) == 60 && child_backoff(1000000) == 60);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_ends_in_order, setup, teardown),
		cmocka_unit_test_setup_teardown(test_who_does_not_end_is_killed, setup, teardown),
		cmocka_unit_test_setup_teardown(test_restarts_who_was_up, setup, teardown),
		cmocka_unit_test_setup_teardown(test_configuration_ends_all, setup, teardown),
		cmocka_unit_test_setup_teardown(test_silent_is_killed, setup, teardown),
		cmocka_unit_test_setup_teardown(test_hangup_starts_anew, setup, teardown),
		cmocka_unit_test_setup_teardown(test_one_at_a_time, setup, teardown),
		cmocka_unit_test_setup_teardown(test_notify, setup, teardown),
		cmocka_unit_test(test_environment),
		cmocka_unit_test(test_backoff),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
