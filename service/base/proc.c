// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/proc.h"

#include "base/clock.h"
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#define OUTPUT_MAX_DEFAULT ((size_t)16 << 20)
#define GRACE_S		   2.0

void proc_result_done(struct proc_result *r)
{
	if (r->output.buf)
		str_done(&r->output);
}

/* In the child, between fork and exec: only async-signal-safe calls. Returns what failed, NULL when
 * all went well. */
static const char *child_setup(const struct proc_spec *spec, int in, int out)
{
	sigset_t none;

	setpgid(0, 0);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	if (dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0)
		return "dup2";
	if (spec->pass_fd > 2 && fcntl(spec->pass_fd, F_SETFD, 0) < 0)
		return "fcntl";
	for (const int *fd = spec->join_fd; fd && *fd >= 0; fd++)
		if (write(*fd, "0", 1) != 1)
			return "joining a control group";
	if (spec->cwd && chdir(spec->cwd) < 0)
		return "chdir";
	if (spec->uid && geteuid() == 0 &&
	    (setgroups(0, NULL) < 0 || setresgid(spec->gid, spec->gid, spec->gid) < 0 ||
	     setresuid(spec->uid, spec->uid, spec->uid) < 0))
		return "setresuid";
	/* After the change of user, which clears it: prctl(2). */
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0)
		return "prctl";
	return NULL;
}

struct child_failure {
	int error;	  /* errno */
	const char *what; /* a literal: the same address in parent and child */
};

static _Noreturn void child_main(const struct proc_spec *spec, int in, int out, int report)
{
	struct child_failure f = {0};
	const char *what = child_setup(spec, in, out);

	if (!what) {
		if (spec->envp)
			execvpe(spec->argv[0], (char *const *)spec->argv,
				(char *const *)spec->envp);
		else
			execvp(spec->argv[0], (char *const *)spec->argv);
		what = "exec";
	}
	f.error = errno;
	f.what = what;
	if (write(report, &f, sizeof(f)) < 0)
		_exit(126);
	_exit(127);
}

/* Waits until the child has exec'ed or said why not. */
static int child_started(int report, pid_t pid, const struct proc_spec *spec, struct err *err)
{
	struct child_failure f;
	ssize_t n;

	do
		n = read(report, &f, sizeof(f));
	while (n < 0 && errno == EINTR);
	if (n != sizeof(f))
		return 0;
	waitpid(pid, NULL, 0);
	errno = f.error;
	if (strcmp(f.what, "exec") == 0 && (f.error == ENOENT || f.error == EACCES))
		return err_sys(err, ERR_CONFIG, "cannot run %s", spec->argv[0]);
	return err_sys(err, ERR_INFRA, "cannot start %s (%s)", spec->argv[0], f.what);
}

int proc_start(const struct proc_spec *spec, struct proc *ret, struct err *err)
{
	int out[2] = {-1, -1}, report[2] = {-1, -1};
	auto_fd int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	pid_t pid;
	int rc;

	if (null < 0 || pipe2(report, O_CLOEXEC) < 0 ||
	    (spec->output_fd <= 0 && pipe2(out, O_CLOEXEC) < 0)) {
		rc = err_sys(err, ERR_INFRA, "cannot start %s", spec->argv[0]);
		goto out_close;
	}
	pid = fork();
	if (pid < 0) {
		rc = err_sys(err, ERR_INFRA, "cannot start %s", spec->argv[0]);
		goto out_close;
	}
	if (pid == 0)
		child_main(spec, spec->stdin_fd > 0 ? spec->stdin_fd : null,
			   spec->output_fd > 0 ? spec->output_fd : out[1], report[1]);
	setpgid(pid, pid); /* both sides, so that it is done when either goes on */
	close(report[1]);
	report[1] = -1;
	rc = child_started(report[0], pid, spec, err);
	if (rc < 0)
		goto out_close;
	if (out[0] >= 0)
		fcntl(out[0], F_SETFL, O_NONBLOCK);
	*ret = (struct proc){.pid = pid,
			     .pidfd = (int)syscall(SYS_pidfd_open, pid, 0),
			     .output_fd = take_fd(&out[0]),
			     .started = clock_mono()};
out_close:
	for (int i = 0; i < 2; i++) {
		fd_cleanup(&out[i]);
		fd_cleanup(&report[i]);
	}
	return rc;
}

static void proc_close(struct proc *p)
{
	fd_cleanup(&p->pidfd);
	fd_cleanup(&p->output_fd);
	*p = (struct proc){.pidfd = -1, .output_fd = -1};
}

void proc_reap(struct proc *p, struct proc_result *ret)
{
	int status = 0;

	while (waitpid(p->pid, &status, 0) < 0 && errno == EINTR)
		;
	/* What the child left behind in its group goes with it. */
	kill(-p->pid, SIGKILL);
	ret->seconds = clock_mono() - p->started;
	ret->end = WIFSIGNALED(status) ? PROC_SIGNALLED : PROC_EXITED;
	ret->code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
	proc_close(p);
}

void proc_stop(struct proc *p, double grace_s)
{
	struct pollfd pfd = {.fd = p->pidfd, .events = POLLIN};
	struct proc_result ignored = {0};

	if (p->pid <= 0)
		return;
	if (grace_s > 0) {
		double end = clock_mono() + grace_s;

		kill(-p->pid, SIGTERM);
		while (poll(&pfd, 1, (int)((end - clock_mono()) * 1000) + 1) < 0 &&
		       errno == EINTR && clock_mono() < end)
			;
	}
	kill(-p->pid, SIGKILL);
	proc_reap(p, &ignored);
}

/* A pipe holds 1 MiB at most: pipe(7). Who writes without end must not keep us from the clock. */
#define DRAIN_READS 64

/* Reads what is there. Returns false at the end of the output. */
static bool proc_drain(struct proc *p, const struct proc_spec *spec, struct str *output)
{
	char buf[16384];
	ssize_t n = 1;

	for (unsigned i = 0; i < DRAIN_READS && n > 0; i++) {
		n = read(p->output_fd, buf, sizeof(buf));
		if (n <= 0)
			break;
		str_add(output, buf, (size_t)n);
		if (spec->on_output)
			spec->on_output(spec->ctx, buf, (size_t)n);
	}
	return n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR));
}

#define TICK_S 1.0

/* How long poll() may wait: until the deadline (0: none), and at most a tick when somebody wants
 * ticks. */
static int wait_ms(double deadline, bool ticks)
{
	double left = deadline > 0 ? deadline - clock_mono() : 1e6;

	if (deadline <= 0 && !ticks)
		return -1;
	if (ticks && left > TICK_S)
		left = TICK_S;
	return left <= 0 ? 0 : left > 1e6 ? 1000000000 : (int)(left * 1000) + 1;
}

/* Ends it before its time. */
static void proc_cut(struct proc *p, const struct proc_spec *spec, enum proc_end end,
		     struct proc_result *r)
{
	r->seconds = clock_mono() - p->started;
	if (p->output_fd >= 0)
		proc_drain(p, spec, &r->output);
	proc_stop(p, GRACE_S);
	r->end = end;
	r->code = 0;
}

int proc_run(const struct proc_spec *spec, struct proc_result *ret, struct err *err)
{
	struct proc p = {.pidfd = -1, .output_fd = -1};
	auto_proc_result struct proc_result r = {0};
	const bool ticks = spec->on_tick || spec->must_stop;
	double deadline;
	int rc;

	str_init(&r.output, spec->output_max ? spec->output_max : OUTPUT_MAX_DEFAULT);
	rc = proc_start(spec, &p, err);
	if (rc < 0)
		return rc;
	deadline = spec->timeout_s > 0 ? p.started + spec->timeout_s : 0;
	for (;;) {
		struct pollfd fds[] = {{.fd = p.pidfd, .events = POLLIN},
				       {.fd = p.output_fd, .events = POLLIN},
				       {.fd = spec->cleaning ? -1 : cancel_fd(), .events = POLLIN}};
		int n = poll(fds, array_size(fds), wait_ms(deadline, ticks));

		if (cancel_requested() && !spec->cleaning) {
			proc_stop(&p, GRACE_S);
			return err_cancelled(err);
		}
		if (spec->on_tick)
			spec->on_tick(spec->ctx);
		if ((n == 0 && !ticks) || (deadline > 0 && clock_mono() >= deadline)) {
			proc_cut(&p, spec, PROC_TIMED_OUT, &r);
			break;
		}
		if (spec->must_stop && spec->must_stop(spec->stop_ctx)) {
			proc_cut(&p, spec, PROC_STOPPED, &r);
			break;
		}
		if (fds[1].revents && !proc_drain(&p, spec, &r.output)) {
			close(p.output_fd);
			p.output_fd = -1;
		}
		if (fds[0].revents) {
			if (p.output_fd >= 0)
				proc_drain(&p, spec, &r.output);
			proc_reap(&p, &r);
			break;
		}
	}
	*ret = r;
	r = (struct proc_result){0};
	return 0;
}

char *proc_end_text(const struct proc_result *r)
{
	switch (r->end) {
	case PROC_SIGNALLED: return xasprintf("signal %d (%s)", r->code, strsignal(r->code));
	case PROC_TIMED_OUT: return xasprintf("time-out after %.0f s", r->seconds);
	case PROC_STOPPED: return xasprintf("being stopped after %.0f s", r->seconds);
	case PROC_EXITED: break;
	}
	return xasprintf("exit status %d", r->code);
}
