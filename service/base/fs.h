/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files and folders. Errors name the path and what was being done. A full disk is ERR_INFRA; a path
 * that the user named and that is not there is what `kind` says.
 */
#ifndef FIRN_BASE_FS_H
#define FIRN_BASE_FS_H

#include "base/err.h"
#include "base/str.h"
#include <sys/types.h>

/* Reads a whole file, at most `max` bytes: a larger one is an error of kind `kind`. */
must_check int fs_read(const char *path, size_t max, enum err_kind kind, struct str *ret_data,
		       struct err *err);

/* Writes aside, fsyncs and renames: a reader sees the old contents or the new, never half. The
 * folder is fsynced too, so that it survives a power cut. */
must_check int fs_write_atomic(const char *path, const void *data, size_t n, struct err *err);

/* write(2) until all is written. -1 with errno. */
must_check int fs_write_all(int fd, const void *data, size_t n);

/* A folder with mode 0755; one that is there is fine. -1 with errno. Whatever the umask is, what
 * root makes can be passed by the user that its builds run as. */
int fs_mkdir(const char *path);
/* mkdir -p, each as fs_mkdir() makes it. */
must_check int fs_mkdirs(const char *path, struct err *err);

/* rm -rf; does not follow symlinks; a path that is not there is success. */
must_check int fs_rmtree(const char *path, struct err *err);

/* chown -R without following symlinks. */
must_check int fs_chown_tree(const char *path, uid_t uid, gid_t gid, struct err *err);

bool fs_exists(const char *path);

/* Takes an advisory lock (flock) on `path`, creating it; waits for another holder unless cancelled.
 * `*ret_fd` holds the lock until closed. */
must_check int fs_lock(const char *path, int *ret_fd, struct err *err);

/* $HOME, else what passwd(5) says; NULL when neither is an absolute path. The caller frees. */
char *fs_home_dir(void);

/* $XDG_CACHE_HOME/firn, else /var/cache/firn for root (whose home other users cannot enter, and
 * builds run as another user) and who has no home, else ~/.cache/firn. The caller frees. XDG Base
 * Directory Specification. */
char *fs_cache_dir(void);

/* Where firn's data files are (kernel configurations, guest sources): $FIRN_DATA_DIR, else the
 * source tree or install prefix that CMake knew. Constant; not to be freed. */
const char *fs_data_dir(void);

#endif
