/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The repository that firn writes to: a bare one in the cache that borrows the objects of the
 * user's tree (objects/info/alternates, gitrepository-layout(5)). The user's own repository is
 * never written to. As with `git clone --shared`, what is in the cache is lost when the user's
 * repository drops the objects that it borrows.
 */
#ifndef FIRN_SERIES_REPO_H
#define FIRN_SERIES_REPO_H

#include "base/cleanup.h"
#include "base/err.h"

/* Starts libgit2 with firn's settings. May be called any number of times; the functions of this
 * folder do. */
void repo_setup(void);

/* Opens, or makes, CACHE/repos/NAME-HASH.git for `tree`, a git repository (bare, a work tree, or a
 * folder inside one).
 * `*ret_user` is the user's own repository, for revisions and refs: read only. ERR_CONFIG when
 * `tree` is none. */
must_check int repo_open(const char *tree, const char *cache_dir, git_repository **ret_ours,
			 git_repository **ret_user, struct err *err);

#endif
