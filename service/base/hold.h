/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Folders and files that somebody works in: a shared lock (flock) on the thing itself says so, for
 * as long as one of those processes lives. What nobody holds was left behind by a crash, and may be
 * swept by whoever finds it. A sweep in between making a thing and holding it is seen, and it is
 * made again.
 *
 * A file system without locks holds nothing and sweeps nothing.
 */
#ifndef FIRN_BASE_HOLD_H
#define FIRN_BASE_HOLD_H

#include "base/err.h"
#include <stdbool.h>

/* Makes the folder (mkdir -p) and holds it: `*ret_fd` until closed, also where it is renamed. Waits
 * for a sweep of it to end, unless cancelled. */
must_check int hold_dir(const char *dir, int *ret_fd, struct err *err);

/* The same of a file: made or emptied, mode 0644, and open for writing. -1 with errno. */
int hold_file(const char *path);

/* Takes what nobody holds, for removing it: -1 when somebody does, or it is not there. No link is
 * followed. Nobody comes to hold it until the caller closes. */
int hold_seize(const char *path);

#endif
