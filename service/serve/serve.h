/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The supervisor: starts each role as a process of its own, starts those again that end, and tells
 * the service manager how it goes (sd_notify(3)).
 *
 * A role that ends is started again after a while that doubles from one second to one minute, and
 * begins anew once the role has lived for a minute. One that has been silent for SERVE_SILENCE_S is
 * killed first. A role that ends with SERVE_EXIT_CONFIG before it ever was up ends the service:
 * only the operator can mend that. One that was up before is tried again: a disk that became
 * read-only looks the same, and may recover.
 */
#ifndef FIRN_SERVE_SERVE_H
#define FIRN_SERVE_SERVE_H

#include "base/conf.h"
#include "base/err.h"
#include <stdbool.h>
#include <stddef.h>

/* EX_CONFIG of sysexits.h: of roles, and of `firn serve`; the unit does not restart on it. */
#define SERVE_EXIT_CONFIG 78
#define SERVE_SILENCE_S	  120.0

/* In the environment of a role: the number of the file descriptor to which it writes a byte when it
 * is up, and again while it is alive. */
#define SERVE_ALIVE_ENV "FIRN_ALIVE_FD"

/* What a role may have in its environment, besides what all have. */
enum serve_may {
	SERVE_MAY_NETWORK = 1, /* proxies and certificates */
	SERVE_MAY_SECRETS = 2, /* $CREDENTIALS_DIRECTORY, systemd.exec(5) */
};

struct serve_role {
	const char *name;
	const char *const *argv; /* NULL at the end; argv[0] is a path or looked up in PATH */
	unsigned may;		 /* of enum serve_may */
	double grace_s;		 /* between SIGTERM and SIGKILL; those of all are 10 s together */
};

struct serve_options {
	const char *data_dir;	       /* there already; serve.lock is in it */
	const struct serve_role *role; /* ended in this order */
	size_t n;
	double silence_s; /* 0: SERVE_SILENCE_S */
	double hurry;	  /* for tests: waits are so many times shorter; 0: 1 */
	/* After SIGHUP: whether the roles may be started anew with what the configuration is now.
	 * Says itself what is wrong. May be NULL: yes. */
	bool (*may_reload)(void *ctx);
	void *ctx;
};

/* Runs until cancelled (0). ERR_CONFIG when a role can never start, when another firn serve has the
 * folder, or the folder cannot be used. Logs. */
must_check int serve_run(const struct serve_options *opt, struct err *err);

/* Takes DATA/NAME.lock until `*ret_fd` is closed. ERR_CONFIG says which process has it. */
must_check int serve_lock(const char *data_dir, const char *name, int *ret_fd, struct err *err);

/* The process that has the lock; 0: none. */
long serve_lock_holder(const char *data_dir, const char *name);

/* The role's end: the pipe to the supervisor, out of SERVE_ALIVE_ENV; -1: it was started by hand.
 * Programs that the role starts do not get it. */
int serve_alive_open(void);
/* Says that the role is alive. `fd`: an int, may be -1. Does not block. */
void serve_alive(void *fd);

/* Tells $NOTIFY_SOCKET: "READY=1", "STATUS=...". Nothing happens without it, or when it fails: the
 * manager's own time-outs see to that. */
void serve_notify(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Seconds between two "WATCHDOG=1"; 0: the manager wants none. */
double serve_notify_interval(void);

#endif
