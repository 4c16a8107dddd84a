/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A tree by paths, changed in memory. Only folders on the way to a path that was asked for are
 * read, and only those with a change are written: a patch to one file of a kernel tree costs some
 * four tree objects, not 78,000 entries.
 *
 * Changes are collected for one patch, and become a tree with path_tree_write(). Until then each
 * path has two versions, since in one patch renames and copies read their source as it was before
 * the patch (git-apply(1)).
 */
#ifndef FIRN_SERIES_PATH_TREE_H
#define FIRN_SERIES_PATH_TREE_H

#include "base/str.h"
#include "series/objects.h"
#include <stdbool.h>
#include <stdint.h>

struct path_version {
	bool exists;
	uint32_t mode; /* as git keeps it: 0100644, 0100755, 0120000; 0160000 for a submodule */
	git_oid id;
};

bool path_version_same(const struct path_version *a, const struct path_version *b);

enum path_fate {
	PATH_KEPT,
	PATH_DOOMED,  /* a later file of the same patch deletes or renames it */
	PATH_GONE,    /* deleted or renamed by this patch */
	PATH_WRITTEN, /* written by this patch */
};

struct path_file {
	char *path;
	struct path_version before, now;
	enum path_fate fate;
	bool written; /* by this patch, whatever came after */
	char *fresh;  /* contents of `now` that are no object yet; NULL: now.id */
	size_t fresh_len;
	uint64_t turn; /* the patch that the fields above are about */
};

struct path_tree;

/* NULL: an empty tree. */
struct path_tree *path_tree_new(struct objects *objects, const git_oid *tree);
void path_tree_free(struct path_tree *t);

/* What is at `path`; a folder is not (exists is false). Belongs to the tree. ERR_INFRA when objects
 * cannot be read. */
must_check int path_tree_get(struct path_tree *t, const char *path, struct path_file **ret_file,
			     struct err *err);
/* Contents, of the version before the patch or as it is now. Empty for a file that is not there. */
must_check int path_tree_read(struct path_tree *t, const struct path_file *f, bool before,
			      struct bytes *ret_bytes, struct err *err);
/* Writes; takes the contents out of `data`. ERR_PATCH when the patch writes more than OBJECTS_MAX.
 */
must_check int path_tree_put(struct path_tree *t, struct path_file *f, uint32_t mode,
			     struct str *data, struct err *err);
/* Writes what `src` was before the patch; or, when that is `f` itself, changes its mode. */
void path_tree_put_same(struct path_file *f, uint32_t mode, const struct path_file *src);
/* Writes an object that is known by its id. */
void path_tree_point(struct path_file *f, uint32_t mode, const git_oid *id);
/* Removes; what this patch has written there stays, for a file may move away and another take its
 * place. */
void path_tree_remove(struct path_file *f);

/* As if the file had been there before the patch. */
void path_tree_settled(struct path_file *f);
/* Forgets all that was done since the last path_tree_write(). */
void path_tree_revert(struct path_tree *t);

/* The files that are not what they were before the patch; their contents become objects. The list
 * belongs to the tree, until it is asked for another path. */
must_check int path_tree_changes(struct path_tree *t, struct path_file ***ret_files, size_t *ret_n,
				 struct err *err);
/* Makes the tree, which the next patch begins with. ERR_PATCH when a path would be both file and
 * folder. */
must_check int path_tree_write(struct path_tree *t, git_oid *ret_tree, struct err *err);

/* True when a file that was asked for, or made, existed before the patch. Does not look further. */
bool path_tree_had(const struct path_tree *t, const char *path);
/* The tree of the last path_tree_write(). */
const git_oid *path_tree_root(const struct path_tree *t);

#endif
