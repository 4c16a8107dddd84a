/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The one folder in which trees of a repository are checked out, for the builders. worktree_at() in
 * builder.h is for everybody else.
 *
 * make(1) compares times, so times are part of what is checked out: every file has the time
 * WORKTREE_STAMP, which is older than any object, except those that a list of times names. Who
 * builds keeps that list for each folder of objects (objects.h), and so going from one tree to
 * another and back rebuilds what really differs and nothing else.
 */
#ifndef FIRN_KERNEL_BUILDERS_WORKTREE_H
#define FIRN_KERNEL_BUILDERS_WORKTREE_H

#include "base/err.h"
#include <git2.h>
#include <jansson.h>

/* 2020-01-01T00:00:00Z */
#define WORKTREE_STAMP 1577836800

struct worktree {
	char *dir; /* CACHE/worktrees/REPO */
	char *src; /* its "src": the tree */
	int lock;
	/* Called now and then while files are written; may be NULL. */
	void (*on_progress)(void *ctx, const char *what, unsigned n);
	void *ctx;
};
#define WORKTREE_INIT                                                                              \
	{                                                                                          \
		.lock = -1                                                                         \
	}

/* The name of a repository in the cache: the last part of its path without ".git". The caller
 * frees. */
char *worktree_repo_name(git_repository *repo);

/* Makes the folders and takes the lock, which worktree_close() gives back. */
must_check int worktree_open(git_repository *repo, const char *cache_dir, struct worktree *ret,
			     struct err *err);
void worktree_close(struct worktree *w);
static inline void worktree_cleanup(struct worktree *w)
{
	worktree_close(w);
}
#define auto_worktree __attribute__((cleanup(worktree_cleanup)))

/* Makes the folder hold `tree`, writing only what differs. `times` has {"PATH": [ID, SECONDS,
 * NANOSECONDS]} for files with a time of their own; NULL: none. After a crash half-way the next
 * call begins from nothing. */
must_check int worktree_move(struct worktree *w, git_repository *repo, const git_oid *tree,
			     const json_t *times, struct err *err);

#endif
