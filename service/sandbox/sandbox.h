/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs a command that strangers had a hand in (a patched Makefile, a patched script, an emulator
 * with a patched kernel) under bubblewrap: own user, pid, network, IPC, UTS and cgroup namespaces,
 * no network, read-only system, no capabilities, a seccomp filter, rlimits, and the end of the
 * whole process tree on a time-out.
 *
 * Inside, paths are fixed, so that builds do not depend on where the cache is. bubblewrap is never
 * started as root: when firn is root, the command runs as the build user (see sandbox_user()).
 *
 * Memory and processes are bounded in sum by a control group where firn may make one (cgroup.h),
 * and for each process by rlimits always; what is written to folders that are bound writable is
 * watched (disk.h). Where there are rlimits only, sandbox_limits() says so, for the report.
 * $FIRN_LIMITS = "rlimits" does without groups.
 *
 * What it does not promise: no defence against bugs in the kernel of the host; the command can read
 * everything under /usr.
 */
#ifndef FIRN_SANDBOX_SANDBOX_H
#define FIRN_SANDBOX_SANDBOX_H

#include "base/err.h"
#include "base/proc.h"
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct sandbox_bind {
	const char *outside; /* absolute path */
	const char *inside;  /* absolute path: "/src" */
	bool writable;
};

#define SANDBOX_BINDS_MAX 12
/* For an emulator, which reserves more address space than it uses. */
#define SANDBOX_NO_LIMIT ULONG_MAX

struct sandbox_spec {
	const char *const *argv; /* argv[0]: a path inside, or looked up in /usr/bin:/bin inside */
	struct sandbox_bind bind[SANDBOX_BINDS_MAX]; /* ends at the first with a NULL `outside` */
	const char *chdir;			     /* inside; NULL: / */
	const char *const *
		env; /* "NAME=VALUE", NULL-terminated, added to PATH, HOME, LC_ALL=C; may be NULL */

	/* Limits; 0 means the default in brackets, SANDBOX_NO_LIMIT none. */
	double timeout_s;	    /* wall (none) */
	bool cleaning;		    /* as in struct proc_spec */
	unsigned long memory_bytes; /* address space of each process, RLIMIT_AS (8 GiB) */
	unsigned long file_bytes;   /* largest file, RLIMIT_FSIZE (4 GiB) */
	unsigned long tmp_bytes;    /* size of /tmp (64 MiB) */
	unsigned long total_bytes;  /* memory of all processes and /tmp; only with control groups
				       (three quarters of the machine, which is also the most) */
	unsigned long disk_bytes;   /* what is below the folders and files bound writable (not
				       watched) */
	unsigned
		processes; /* RLIMIT_NPROC; counted for each sandbox alone since Linux 5.14 (512) */
	size_t output_max; /* captured output (16 MiB) */

	/* Set by sandbox_run() to what was reached of total_bytes, processes and disk_bytes, in
	 * words: "more than 6.0 GiB of memory"; else to NULL. The caller frees. May be NULL. */
	char **ret_over;

	int output_fd; /* as in struct proc_spec */
	int stdin_fd;
	void (*on_output)(void *ctx, const char *data, size_t n);
	void *ctx;
};

/* What bounds sandboxes in sum on this machine: "cgroup-v2", "cgroup-v1", or "rlimits", which is
 * each process alone; then `*ret_why` says why it is no more. It may be NULL; not to be freed. */
const char *sandbox_limits(const char **ret_why);

/* The user that sandboxed commands run as: ourselves, unless we are root; then the user named by
 * $FIRN_BUILD_USER or "firn-build", else "nobody". Folders bound writable must belong to it: see
 * sandbox_own(). */
must_check int sandbox_user(uid_t *ret_uid, gid_t *ret_gid, struct err *err);

/* Makes a folder (mkdir -p) that sandboxed commands may write to, with all that is in it, and
 * checks that they can reach it. ERR_CONFIG names the parent folder that the build user may not
 * enter. */
must_check int sandbox_own(const char *dir, struct err *err);

/* Runs to the end; result and errors as proc_run(), and nothing of the command is left running.
 * ERR_CONFIG when bwrap is not installed or user namespaces are not permitted, with what to do
 * about it, and when argv[0] is not there inside; ERR_INFRA when a bind can't be made. The last two
 * are read from the output: with output_fd given, they are exit statuses 127 and 1. */
must_check int sandbox_run(const struct sandbox_spec *spec, struct proc_result *ret,
			   struct err *err);
/* The same beside us: see proc_start(). timeout_s, output_max, on_output and disk_bytes are the
 * caller's to see to: the last by sandbox_watch(). */
must_check int sandbox_start(const struct sandbox_spec *spec, struct proc *ret, struct err *err);
/* The watch over what it may write to, to be asked with disk_watch_over(). The paths stay those of
 * `spec`. */
struct disk_watch;
void sandbox_watch(const struct sandbox_spec *spec, struct disk_watch *ret);

#endif
