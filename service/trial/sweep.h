/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What killed processes leave in the cache. Everything there is either whole or held (base/hold.h)
 * by who works on it, so what is neither goes:
 *
 *	slots/SLOT		   throw-away folders of builds
 *	worktrees/REPO/artifact	   half a kernel; held by the lock of the worktree
 *	runs/RUN		   of a run, a benchmark or a calibration that came to no report:
 *				   when it is a day old
 *	*.tmp-PID		   files and folders that were being written aside
 *	repos/REPO/objects/...	   libgit2's own, which hold nothing: when they are a day old
 */
#ifndef FIRN_TRIAL_SWEEP_H
#define FIRN_TRIAL_SWEEP_H

#include "base/err.h"

/* Safe beside any number of runs, and beside another sweep. Goes on after an error, and returns the
 * first. */
must_check int sweep_cache(const char *cache_dir, struct err *err);

#endif
