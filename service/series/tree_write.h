/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tree objects above changed files: path_tree.c keeps the files, this writes the folders. */
#ifndef FIRN_SERIES_TREE_WRITE_H
#define FIRN_SERIES_TREE_WRITE_H

#include "series/path_tree.h"

/* Puts `now` of each file into `*tree`, which becomes the new one. Sorts `file`; each path is in it
 * once. ERR_PATCH when a path would be both file and folder. */
must_check int tree_write(struct objects *o, struct path_file **file, size_t n, git_oid *tree,
			  struct err *err);

#endif
