/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Folders of objects (make's O=), and which version of which file each was last built from.
 *
 * Beside DIR is DIR.json, out of reach of what is built: whether the folder may be used ("ready"),
 * the tree that it began with, and "times": for each file that has differed from that tree since,
 * the blob and the time under which make saw it last. With these times in the worktree make
 * rebuilds exactly what was built from something else.
 */
#ifndef FIRN_KERNEL_BUILDERS_OBJECTS_H
#define FIRN_KERNEL_BUILDERS_OBJECTS_H

#include "base/err.h"
#include <git2.h>
#include <jansson.h>
#include <stdbool.h>

struct objects {
	char *dir;
	char *state_path;
	json_t *state;
};

/* The kept folder CACHE/objects/REPO/BUILDER; emptied when it was built by another toolchain or the
 * last build in it did not end. */
must_check int objects_open(const char *cache_dir, const char *repo, const char *builder,
			    const char *toolchain, struct objects *ret, struct err *err);

/* The throw-away folder CACHE/slots/SLOT/BUILDER: as the last build of the same slot left it, else
 * a copy of `base`. */
must_check int objects_open_slot(const char *cache_dir, const char *slot, const char *builder,
				 const struct objects *base, struct objects *ret, struct err *err);

/* Throws away what is in it, for a new copy of `base`. */
must_check int objects_refill(struct objects *slot, const struct objects *base, struct err *err);

/* Before a build of `tree`: brings the times up to date, and says in DIR.json that the folder is
 * not to be relied on.
 * `*ret_times`, which belongs to the struct, is for worktree_move(). */
must_check int objects_begin(struct objects *o, git_repository *repo, const git_oid *tree,
			     const json_t **ret_times, struct err *err);

/* After a build that came to its end, well or not. */
must_check int objects_end(struct objects *o, struct err *err);

/* The warnings of all that is in this folder, for warnings.h. Belongs to the struct; may be changed
 * between begin and end. */
json_t *objects_warnings(struct objects *o);
/* Were there ever more of them than are kept? `now` says so for good. */
bool objects_warnings_cut(struct objects *o, bool now);

/* Removes all that is in the folder, whatever its modes are. A folder that is not there is fine. */
must_check int objects_wipe(const char *dir, struct err *err);

void objects_close(struct objects *o);
static inline void objects_cleanup(struct objects *o)
{
	objects_close(o);
}
#define auto_objects __attribute__((cleanup(objects_cleanup)))

#endif
