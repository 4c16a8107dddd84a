/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Child processes with a time limit, and Ctrl-C.
 *
 * A child gets a process group of its own, /dev/null as standard input unless told otherwise, and
 * SIGKILL when firn dies (PR_SET_PDEATHSIG). On a time-out or a cancel the whole group gets
 * SIGTERM, then SIGKILL after two seconds.
 */
#ifndef FIRN_BASE_PROC_H
#define FIRN_BASE_PROC_H

#include "base/err.h"
#include "base/str.h"
#include <stdbool.h>
#include <sys/types.h>

struct proc_spec {
	const char *const *argv; /* NULL-terminated; argv[0] is looked up in PATH */
	const char *const *envp; /* NULL: firn's own environment */
	const char *cwd;	 /* NULL: firn's own */
	int stdin_fd;		 /* 0 or -1: /dev/null. Not closed */
	int output_fd;		 /* where stdout and stderr go; 0 or -1: captured. Not closed */
	int pass_fd;		 /* > 2: stays open in the child under the same number; else none */
	size_t output_max; /* cap of the captured output in bytes; 0: 16 MiB. The rest is read and
			      dropped */
	double timeout_s;  /* seconds; 0: none */
	bool cleaning;	   /* for cleaning up: a cancel does not end it; give it a timeout_s */
	uid_t uid;	   /* > 0 and firn is root: become this user and group first, */
	gid_t gid;	   /* with no supplementary groups */
	/* Files that the child writes "0" to before it becomes somebody else, -1 at the end: the
	 * cgroup.procs of groups that it is to be in. May be NULL. Not closed. */
	const int *join_fd;
	/* Called with each piece of captured output as it comes; may be NULL. */
	void (*on_output)(void *ctx, const char *data, size_t n);
	/* Called at least once a second while the child runs, so that a clock can be drawn; may be
	 * NULL. */
	void (*on_tick)(void *ctx);
	void *ctx;
	/* Asked at least once a second while the child runs: true ends it as a time-out does. May
	 * be NULL. */
	bool (*must_stop)(void *stop_ctx);
	void *stop_ctx;
};

enum proc_end {
	PROC_EXITED,	/* code is the exit status */
	PROC_SIGNALLED, /* code is the signal: somebody else killed it */
	PROC_TIMED_OUT, /* timeout_s passed */
	PROC_STOPPED,	/* must_stop() said so */
};

struct proc_result {
	enum proc_end end;
	int code;
	double seconds;	   /* wall */
	struct str output; /* stdout and stderr as they came; empty when output_fd was given */
};

void proc_result_done(struct proc_result *r);
static inline void proc_result_cleanup(struct proc_result *r)
{
	proc_result_done(r);
}
#define auto_proc_result __attribute__((cleanup(proc_result_cleanup)))

/* Runs to the end. Returns 0 when the child was run, whatever its status; ERR_CONFIG when argv[0]
 * is not to be found; ERR_INFRA when it could not be started; ERR_CANCELLED after cancel_request().
 * `ret` must be zeroed; it is filled on 0 only, and is safe to pass to proc_result_done() always.
 */
must_check int proc_run(const struct proc_spec *spec, struct proc_result *ret, struct err *err);

/* A child that runs beside us, for callers with a poll loop of their own. */
struct proc {
	pid_t pid;
	int pidfd;	/* readable once the child has ended */
	int output_fd;	/* non-blocking read end of stdout and stderr; -1 when spec->output_fd was
			   given */
	double started; /* clock_mono() */
};

must_check int proc_start(const struct proc_spec *spec, struct proc *ret, struct err *err);
/* Ends the whole group (SIGTERM, SIGKILL after `grace_s`; 0: SIGKILL at once), reaps, closes the
 * fds. Safe on an ended or zeroed proc. */
void proc_stop(struct proc *p, double grace_s);
/* Reaps a child whose pidfd is readable; fills end, code and seconds; closes the fds. */
void proc_reap(struct proc *p, struct proc_result *ret);

/* "exit status 2", "signal 9 (Killed)", "time-out after 30 s". The caller frees. */
char *proc_end_text(const struct proc_result *r);

/* Cancelling. cancel_init() installs handlers for SIGINT, SIGTERM and SIGHUP; a second SIGINT ends
 * firn at once. Everything that waits polls cancel_fd() too, and returns err_cancelled() once it is
 * readable. */
void cancel_init(void);
int cancel_fd(void); /* -1 before cancel_init(): poll() ignores it */
bool cancel_requested(void);
int err_cancelled(struct err *err);

#endif
