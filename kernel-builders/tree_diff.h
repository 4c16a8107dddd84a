/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which files differ between two trees. Subtrees that are the same are not read. */
#ifndef FIRN_KERNEL_BUILDERS_TREE_DIFF_H
#define FIRN_KERNEL_BUILDERS_TREE_DIFF_H

#include "base/err.h"
#include <git2.h>

struct tree_change {
	char *path;
	unsigned old_mode, new_mode; /* of the file, symlink or submodule; 0: there is none */
	git_oid new_id;		     /* zero when new_mode is 0 */
};

struct tree_changes {
	struct tree_change *item;
	size_t n, cap;
};

/* `old_tree` NULL or zero: nothing. ERR_INPUT when the new tree has names that may not be written
 * to a disk: "..", ".git", more than 255 bytes, or not UTF-8. `ret` must be zeroed and goes to
 * tree_changes_done() in any case. */
must_check int tree_diff(git_repository *repo, const git_oid *old_tree, const git_oid *new_tree,
			 struct tree_changes *ret, struct err *err);
void tree_changes_done(struct tree_changes *c);
static inline void tree_changes_cleanup(struct tree_changes *c)
{
	tree_changes_done(c);
}
#define auto_tree_changes __attribute__((cleanup(tree_changes_cleanup)))

#endif
