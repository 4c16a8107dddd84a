/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All files of a tree, as a list. */
#ifndef FIRN_SERIES_TREE_WALK_H
#define FIRN_SERIES_TREE_WALK_H

#include "series/path_tree.h"
#include "series/relocate.h"

struct tree_walk {
	struct relocate_file *file; /* in order of their paths, which belong to the list */
	size_t n, cap;
};

/* The files of `tree`, but for submodules and those that `known` had before its patch. Goes to
 * tree_walk_done() also on failure. */
must_check int tree_walk_without(struct tree_walk *w, struct objects *o, const git_oid *tree,
				 const struct path_tree *known, struct err *err);
void tree_walk_done(struct tree_walk *w);

#endif
