/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes and removes files of a tree below one folder. Never goes through a symlink, since the tree
 * may hold any.
 */
#ifndef FIRN_KERNEL_BUILDERS_CHECKOUT_H
#define FIRN_KERNEL_BUILDERS_CHECKOUT_H

#include "base/err.h"
#include "kernel-builders/tree_diff.h"
#include <jansson.h>
#include <stdbool.h>

struct checkout {
	git_repository *repo;
	int root;
	/* The folder used last: files come sorted, so it is mostly the next one's too. "" is the
	 * root. */
	int parent;
	char *parent_path;
	bool sync_each; /* else the whole file system at the end: for many files that is faster */
	/* Called now and then while files are written; may be NULL. */
	void (*on_progress)(void *ctx, const char *what, unsigned n);
	void *ctx;
};
#define CHECKOUT_INIT                                                                              \
	{                                                                                          \
		.root = -1, .parent = -1                                                           \
	}

must_check int checkout_init(struct checkout *c, git_repository *repo, const char *src,
			     struct err *err);
void checkout_done(struct checkout *c);
static inline void checkout_cleanup(struct checkout *c)
{
	checkout_done(c);
}
#define auto_checkout __attribute__((cleanup(checkout_cleanup)))

/* Every file that is written has the time WORKTREE_STAMP. What was done is on the disk when this
 * returns 0, so that a state file may say so. */
must_check int checkout_apply(struct checkout *c, const struct tree_changes *changes,
			      struct err *err);
/* Gives the files in `before` the time WORKTREE_STAMP back, and those in `times` theirs: see
 * worktree_move(). */
must_check int checkout_times(struct checkout *c, const json_t *before, const json_t *times,
			      struct err *err);

#endif
