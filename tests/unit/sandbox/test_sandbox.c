// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit/unit.h"

#include "base/clock.h"
#include "base/fs.h"
#include "sandbox/sandbox.h"
#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* A folder that sandboxed commands may write to; they see it as /build. */
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

static struct sandbox_spec shell(const char *const argv[static 4])
{
	return (struct sandbox_spec){
		.argv = argv, .bind = {{scratch, "/build", true}}, .timeout_s = 10};
}

/* Runs a shell script inside; `r` gets the result. */
static void run(const char *script, struct proc_result *r)
{
	const char *const argv[] = {"sh", "-c", script, NULL};
	const struct sandbox_spec spec = shell(argv);
	struct err err = ERR_INIT;

	assert_ok(sandbox_run(&spec, r, &err), &err);
	assert_int_equal(r->end, PROC_EXITED);
}

static void assert_says(const char *script, const char *want)
{
	auto_proc_result struct proc_result r = {0};

	run(script, &r);
	assert_string_equal(r.output.buf, want);
}

static void environment_is_fixed(void **state)
{
	const char *const env[] = {"FIRN=a=b", NULL};
	const char *const argv[] = {"sh", "-c", "echo $FIRN $HOME $USER; pwd; id -u; hostname",
				    NULL};
	auto_proc_result struct proc_result r = {0};
	struct sandbox_spec spec = shell(argv);
	struct err err = ERR_INIT;

	(void)state;
	spec.env = env;
	spec.chdir = "/build";
	assert_ok(sandbox_run(&spec, &r, &err), &err);
	assert_string_equal(r.output.buf, "a=b /tmp\n/build\n1000\nfirn\n");
}

static void there_is_no_network(void **state)
{
	(void)state;
	assert_says("cat /proc/net/dev | grep -c :", "1\n"); /* lo alone, and down */
	assert_says("perl -MSocket -e 'socket(S, AF_INET, SOCK_STREAM, 0) or print $!+0, qq(\\n)'",
		    "97\n");
	assert_says("perl -MSocket -e 'socket(S, 16, SOCK_RAW, 0) or print $!+0, qq(\\n)'", "97\n");
	assert_says("perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0) and print qq(ok\\n)'",
		    "ok\n");
}

static void an_abstract_socket_outside_is_not_reached(void **state)
{
	struct sockaddr_un_like {
		sa_family_t family;
		char path[32];
	} addr = {.family = AF_UNIX};
	auto_fd int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	auto_free char *script = NULL;

	(void)state;
	snprintf(addr.path + 1, sizeof(addr.path) - 1, "firn-test-%ld", (long)getpid());
	assert_int_equal(bind(fd, (struct sockaddr *)&addr, sizeof(addr)), 0);
	assert_int_equal(listen(fd, 1), 0);
	script = xasprintf("perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0) or die; "
			   "connect(S, pack(q(Sxa31), AF_UNIX, q(%s))) or print $!+0, qq(\\n)'",
			   addr.path + 1);
	assert_says(script, "111\n");
}

static void the_system_is_read_only(void **state)
{
	(void)state;
	assert_says("for d in / /usr /usr/bin /etc /dev /proc/sys/kernel; do "
		    "touch $d/firn-was-here 2>/dev/null && echo wrote $d; done; "
		    "echo 1 2>/dev/null > /proc/sys/kernel/panic && echo wrote sysctl; echo end",
		    "end\n");
	assert_says("ls /root /home /var /etc/passwd 2>/dev/null | wc -l", "0\n");
}

static void binds_are_what_they_say(void **state)
{
	const char *const argv[] = {"sh", "-c",
				    "cat /src/in; echo x > /build/out; echo x > /src/new", NULL};
	auto_free char *source = xasprintf("%s/source", scratch), *in = xasprintf("%s/in", source);
	auto_free char *out = xasprintf("%s/out", scratch), *new = xasprintf("%s/new", source);
	auto_proc_result struct proc_result r = {0};
	struct sandbox_spec spec = shell(argv);
	struct err err = ERR_INIT;

	(void)state;
	assert_ok(sandbox_own(source, &err), &err);
	assert_ok(fs_write_atomic(in, "hello\n", 6, &err), &err);
	spec.bind[1] = (struct sandbox_bind){source, "/src", false};
	assert_ok(sandbox_run(&spec, &r, &err), &err);
	assert_true(str_starts(r.output.buf, "hello\n"));
	assert_non_null(strstr(r.output.buf, "Read-only file system"));
	assert_true(fs_exists(out));
	assert_false(fs_exists(new));
}

static void calls_into_the_kernel_are_denied(void **state)
{
	(void)state;
	assert_says("unshare -U true 2>/dev/null; echo $?", "1\n");
	assert_says(
		"mkdir -p /tmp/m; mount -t tmpfs none /tmp/m 2>/dev/null; test $? != 0 && echo no",
		"no\n");
	assert_says("grep -E '^(Cap|Seccomp:|NoNewPrivs)' /proc/self/status | tr -d '\\t0\\n'",
		    "CapInh:CapPrm:CapEff:CapBnd:CapAmb:NoNewPrivs:1Seccomp:2");
#ifdef __x86_64__
	/* kexec_load, keyctl, bpf, userfaultfd, io_uring_setup: EPERM; clone3: ENOSYS */
	assert_says("perl -e 'for (246, 250, 321, 323, 425, 435) { syscall($_, 0, 0, 0, 0, 0); "
		    "print $!+0, q( ) }'",
		    "1 1 1 1 1 38 ");
#endif
}

static void a_fork_bomb_is_bounded(void **state)
{
	const char *const argv[] = {
		"sh", "-c", "i=0; while [ $i -lt 100 ]; do sleep 20 & i=$((i + 1)); done", NULL};
	auto_proc_result struct proc_result r = {0};
	struct sandbox_spec spec = shell(argv);
	struct err err = ERR_INIT;

	(void)state;
	spec.processes = 30;
	assert_ok(sandbox_run(&spec, &r, &err), &err);
	assert_int_not_equal(r.code, 0);
	assert_non_null(strstr(r.output.buf, "Cannot fork"));
	assert_true(r.seconds < 9); /* and nobody waited for the sleepers */
}

static void memory_and_files_are_bounded(void **state)
{
	const char *const argv[] = {"sh", "-c",
				    "ulimit -v -f -c; head -c 3000000 /dev/zero > /build/big; "
				    "stat -c %s /build/big; head -c 3000000 /dev/zero > /tmp/big",
				    NULL};
	auto_proc_result struct proc_result r = {0};
	struct sandbox_spec spec = shell(argv);
	struct err err = ERR_INIT;

	(void)state;
	spec.memory_bytes = SANDBOX_NO_LIMIT;
	spec.file_bytes = 2 << 20;
	spec.tmp_bytes = 1 << 20;
	assert_ok(sandbox_run(&spec, &r, &err), &err);
	assert_non_null(strstr(r.output.buf, "2097152\n"));
	assert_non_null(strstr(r.output.buf, "No space left on device"));
	proc_result_done(&r);
	r = (struct proc_result){0};
	assert_says("ulimit -v; ulimit -c", "8388608\n0\n");
}

/* A process that left its session, ignores SIGTERM and would go on for ever. */
#define SURVIVOR                                                                                   \
	"setsid sh -c 'trap \"\" TERM HUP INT; while :; do echo >> /build/tick; sleep 0.01; "      \
	"done' "                                                                                   \
	">/dev/null 2>&1 & "

static off_t tick_size(void)
{
	auto_free char *tick = xasprintf("%s/tick", scratch);
	struct stat st = {0};

	return stat(tick, &st) < 0 ? 0 : st.st_size;
}

/* The kernel ends a pid namespace soon after its first process, not at once: on a busy machine it
 * takes a while. */
static void assert_no_survivor(void)
{
	assert_true(tick_size() > 0);
	for (double end = clock_mono() + 10; clock_mono() < end;) {
		off_t before = tick_size();

		poll(NULL, 0, 250);
		if (tick_size() == before)
			return;
	}
	fail_msg("a process of the sandbox goes on");
}

static void a_time_out_ends_the_whole_tree(void **state)
{
	const char *const argv[] = {"sh", "-c",
				    "trap '' TERM; " SURVIVOR "while :; do sleep 1; done", NULL};
	auto_proc_result struct proc_result r = {0};
	struct sandbox_spec spec = shell(argv);
	struct err err = ERR_INIT;

	(void)state;
	spec.timeout_s = 0.4;
	assert_ok(sandbox_run(&spec, &r, &err), &err);
	assert_int_equal(r.end, PROC_TIMED_OUT);
	assert_no_survivor();
}

static void nothing_outlives_the_command(void **state)
{
	auto_proc_result struct proc_result r = {0};

	(void)state;
	run(SURVIVOR "while [ ! -s /build/tick ]; do sleep 0.01; done", &r);
	assert_no_survivor();
}

static void a_started_sandbox_can_be_stopped(void **state)
{
	const char *const argv[] = {"sh", "-c", SURVIVOR "sleep 100", NULL};
	struct proc p = {0};
	struct sandbox_spec spec = shell(argv);
	struct err err = ERR_INIT;

	(void)state;
	assert_ok(sandbox_start(&spec, &p, &err), &err);
	for (double end = clock_mono() + 5; tick_size() == 0 && clock_mono() < end;)
		poll(NULL, 0, 5);
	proc_stop(&p, 0);
	assert_no_survivor();
}

/* In a child, since a cancelled process stays cancelled. */
static void a_cancel_ends_the_whole_tree(void **state)
{
	const char *const argv[] = {"sh", "-c", SURVIVOR "sleep 100", NULL};
	struct sandbox_spec spec = shell(argv);
	int status = 0;
	pid_t pid = fork();

	(void)state;
	if (pid == 0) {
		struct proc_result r = {0};
		struct err err = ERR_INIT;

		cancel_init();
		_exit(sandbox_run(&spec, &r, &err) == ERR_CANCELLED ? 0 : 1);
	}
	for (double end = clock_mono() + 5; tick_size() == 0 && clock_mono() < end;)
		poll(NULL, 0, 5);
	kill(pid, SIGTERM);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_no_survivor();
}

static void output_is_capped(void **state)
{
	const char *const argv[] = {"sh", "-c", "head -c 1000000 /dev/zero; exit 3", NULL};
	auto_proc_result struct proc_result r = {0};
	struct sandbox_spec spec = shell(argv);
	struct err err = ERR_INIT;

	(void)state;
	spec.output_max = 1000;
	assert_ok(sandbox_run(&spec, &r, &err), &err);
	assert_int_equal(r.output.len, 1000);
	assert_true(r.output.truncated);
	assert_int_equal(r.code, 3);
}

static void what_is_missing_is_named(void **state)
{
	const char *const argv[] = {"firn-no-such-tool", NULL};
	auto_free char *gone = xasprintf("%s/gone", scratch);
	struct sandbox_spec spec = {.argv = argv};
	struct proc_result r = {0};
	struct err err = ERR_INIT;

	(void)state;
	assert_err(sandbox_run(&spec, &r, &err), &err, ERR_CONFIG, "firn-no-such-tool");
	spec.bind[0] = (struct sandbox_bind){gone, "/src", false};
	assert_err(sandbox_run(&spec, &r, &err), &err, ERR_INFRA, gone);
}

static void a_missing_bwrap_is_for_the_operator(void **state)
{
	const char *const argv[] = {"true", NULL};
	const struct sandbox_spec spec = {.argv = argv};
	auto_free char *path = xstrdup(getenv("PATH"));
	struct proc_result r = {0};
	struct err err = ERR_INIT;

	(void)state;
	setenv("PATH", scratch, 1);
	assert_err(sandbox_run(&spec, &r, &err), &err, ERR_CONFIG, "apt-get install bubblewrap");
	setenv("PATH", path, 1);
}

/* As in a container that forbids namespaces. Runs first: a success is remembered. */
static void forbidden_namespaces_are_for_the_operator(void **state)
{
	static const char script[] =
		"#!/bin/sh\necho 'bwrap: No permissions to create new namespace'\nexit 1\n";
	const char *const argv[] = {"true", NULL};
	const struct sandbox_spec spec = {.argv = argv};
	auto_free char *fake = xasprintf("%s/bwrap", scratch), *path = xstrdup(getenv("PATH"));
	struct proc_result r = {0};
	struct err err = ERR_INIT;

	(void)state;
	assert_ok(fs_write_atomic(fake, script, strlen(script), &err), &err);
	assert_int_equal(chmod(fake, 0755), 0);
	setenv("PATH", scratch, 1);
	assert_err(sandbox_run(&spec, &r, &err), &err, ERR_CONFIG, "user.max_user_namespaces");
	setenv("PATH", path, 1);
}

static void check_folder_in_the_way(void)
{
	auto_free char *locked = xasprintf("%s/locked", scratch),
		       *dir = xasprintf("%s/a/b", locked);
	struct err err = ERR_INIT;

	assert_int_equal(mkdir(locked, 0700), 0);
	assert_err(sandbox_own(dir, &err), &err, ERR_CONFIG, "may not enter");
	assert_non_null(strstr(err.msg, locked));
	assert_int_equal(chmod(locked, 0711), 0);
	assert_ok(sandbox_own(dir, &err), &err);
}

/* skip() jumps over cleanups. */
static void the_folder_in_the_way_is_named(void **state)
{
	(void)state;
	if (geteuid() != 0) {
		print_message("SKIP: only root runs builds as somebody else\n");
		skip();
	}
	check_folder_in_the_way();
}

static void the_build_user_is_never_root(void **state)
{
	uid_t uid = 0;
	gid_t gid;
	struct err err = ERR_INIT;

	(void)state;
	assert_ok(sandbox_user(&uid, &gid, &err), &err);
	assert_int_not_equal(uid, 0);
	if (geteuid() != 0) {
		print_message("SKIP: only root chooses the user of builds\n");
		skip();
	}
	setenv("FIRN_BUILD_USER", "root", 1);
	assert_err(sandbox_user(&uid, &gid, &err), &err, ERR_CONFIG, "root");
	setenv("FIRN_BUILD_USER", "no-such-user", 1);
	assert_err(sandbox_user(&uid, &gid, &err), &err, ERR_CONFIG, "no-such-user");
	unsetenv("FIRN_BUILD_USER");
}

/* In a child: root in a namespace that has no other user. 77 when there are no namespaces. */
static int root_alone(void)
{
	auto_free char *map = xasprintf("0 %u 1", geteuid());
	auto_fd int fd = -1;
	struct err err = ERR_INIT;
	uid_t uid;
	gid_t gid;

	if (unshare(CLONE_NEWUSER) < 0)
		return 77;
	fd = open("/proc/self/uid_map", O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, map, strlen(map)) < 0 || geteuid() != 0)
		return 77;
	if (sandbox_user(&uid, &gid, &err) != ERR_CONFIG)
		return 1;
	return strstr(err.msg, "this container does not have") ? 0 : 2;
}

static void root_of_a_container_without_users_is_told(void **state)
{
	int status;
	pid_t pid = fork();

	(void)state;
	if (pid == 0)
		_exit(root_alone());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 77) {
		print_message("SKIP: no user namespaces here\n");
		skip();
	}
	assert_int_equal(WEXITSTATUS(status), 0);
}

#define test_here(f) cmocka_unit_test_setup_teardown(f, scratch_make, scratch_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_here(forbidden_namespaces_are_for_the_operator),
		test_here(a_missing_bwrap_is_for_the_operator),
		test_here(environment_is_fixed),
		test_here(there_is_no_network),
		test_here(an_abstract_socket_outside_is_not_reached),
		test_here(the_system_is_read_only),
		test_here(binds_are_what_they_say),
		test_here(calls_into_the_kernel_are_denied),
		test_here(a_fork_bomb_is_bounded),
		test_here(memory_and_files_are_bounded),
		test_here(a_time_out_ends_the_whole_tree),
		test_here(nothing_outlives_the_command),
		test_here(a_started_sandbox_can_be_stopped),
		test_here(a_cancel_ends_the_whole_tree),
		test_here(output_is_capped),
		test_here(what_is_missing_is_named),
		test_here(the_folder_in_the_way_is_named),
		test_here(the_build_user_is_never_root),
		test_here(root_of_a_container_without_users_is_told),
	};

	return cmocka_run_group_tests_name("sandbox", tests, NULL, NULL);
}
