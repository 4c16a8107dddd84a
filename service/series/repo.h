/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The repository that firn writes to: a bare one in the cache that borrows the objects of the user's tree
 * (objects/info/alternates, gitrepository-layout(5)). The user's own repository is never written to.
 */
#ifndef FIRN_SERIES_REPO_H
#define FIRN_SERIES_REPO_H

#include "base/cleanup.h"
#include "base/err.h"

/* Opens, or makes, CACHE/repos/NAME-HASH.git for `tree`, a git repository (bare, a work tree, or a folder inside one).
 * `*ret_user` is the user's own repository, for revisions and refs: read only. ERR_CONFIG when `tree` is none. */
must_check int repo_open(const char *tree, const char *cache_dir, git_repository **ret_ours,
			 git_repository **ret_user, struct err *err);

#endif
