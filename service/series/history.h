/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The commits that changed some paths, newest first, as `git log -- PATH...` has them: where a
 * parent agrees in all of them, only that parent is followed.
 */
#ifndef FIRN_SERIES_HISTORY_H
#define FIRN_SERIES_HISTORY_H

#include "base/err.h"
#include <git2.h>
#include <stdbool.h>

#define HISTORY_PATHS_MAX 16

/* Bounds of a walk: it is for a message, not for the verdict. Commits looked at, and reported. */
#define HISTORY_COMMITS_MAX 20000
#define HISTORY_CHANGES_MAX 500

/* A path in one commit. */
struct history_version {
	uint32_t mode; /* 0: it is not there */
	git_oid id;
};

struct history_change {
	git_commit *commit, *parent; /* `parent` is the first */
	/* One for each path. */
	const struct history_version *before, *after;
};

struct history_query {
	git_repository *repo;
	git_oid tip;
	const char *const *path; /* at most HISTORY_PATHS_MAX */
	size_t n_paths;
	/* Return true to end the walk there. */
	bool (*fn)(const struct history_change *change, void *arg);
	void *arg;
};

/* True when `fn` ended it; false at the end of history, at a bound, and where objects are missing
 * (a shallow clone). */
bool history_walk(const struct history_query *q);

#endif
