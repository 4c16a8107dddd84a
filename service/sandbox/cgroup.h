/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Control groups: what all processes of one sandbox may use together, and the certain end of all of
 * them. Version 2 where memory and pids are there in a folder that is ours (a unit with
 * Delegate=yes, or root), else version 1 where its folders can be written to, else none.
 *
 * Every group is a folder "firn-box-PID-N" whose maker holds a lock on it (flock). One that nobody
 * holds was left behind by a crash: cgroup_sweep() ends what is in it and removes it.
 *
 * Documentation/admin-guide/cgroup-v2.rst, cgroup-v1/memory.rst, cgroup-v1/pids.rst; "Delegation"
 * in systemd's CGROUP_DELEGATION.
 */
#ifndef FIRN_SANDBOX_CGROUP_H
#define FIRN_SANDBOX_CGROUP_H

#include "base/err.h"
#include <stdbool.h>

enum cgroup_version { CGROUP_NONE, CGROUP_V1, CGROUP_V2 };

/* Version 2: one folder. Version 1: memory, pids, and cpu where that can be written to. */
#define CGROUP_DIRS 3

/* Where groups can be made. */
struct cgroup_place {
	enum cgroup_version version;
	char *dir[CGROUP_DIRS]; /* NULL at the end */
	char *why;		/* of CGROUP_NONE, in words; else NULL */
};

/* `root`: /sys/fs/cgroup; `own`: what /proc/self/cgroup says. In a folder that systemd has
 * delegated to us, moves what runs there into "firn-main" below it, since only folders without
 * processes may hand on controllers. */
void cgroup_place_find(const char *root, const char *own, struct cgroup_place *ret);
void cgroup_place_done(struct cgroup_place *p);

struct cgroup_limits {
	unsigned long memory_bytes; /* of all processes, and what they have in /tmp */
	unsigned processes;
};

struct cgroup {
	enum cgroup_version version; /* NONE: nothing to end */
	char *dir[CGROUP_DIRS];
	int lock;
};

/* A new group without limits. */
must_check int cgroup_make(const struct cgroup_place *p, struct cgroup *ret, struct err *err);
must_check int cgroup_limit(const struct cgroup *g, const struct cgroup_limits *l, struct err *err);
/* Opens what a process writes "0" to in order to join: -1 at the end. The caller closes. */
must_check int cgroup_open(const struct cgroup *g, int ret_fd[static CGROUP_DIRS + 1],
			   struct err *err);
/* Which limit was reached, in words: "more than 6.0 GiB of memory". NULL: none. The caller frees.
 */
char *cgroup_over(const struct cgroup *g, const struct cgroup_limits *l);
bool cgroup_is_empty(const struct cgroup *g);
/* Kills what is in it, and removes it. */
void cgroup_end(struct cgroup *g);

/* Ends and removes groups whose maker is gone. */
void cgroup_sweep(const struct cgroup_place *p);

#endif
