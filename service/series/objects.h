/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * New git objects in memory, over the repository's own, and one pack for all of them at the end.
 * Nothing is written before that, so a series that does not apply leaves no trace.
 *
 * This is not a libgit2 backend on purpose: git_odb_write() refreshes the time stamp of an object
 * that exists, and these may be the user's.
 */
#ifndef FIRN_SERIES_OBJECTS_H
#define FIRN_SERIES_OBJECTS_H

#include "base/err.h"
#include "series/bytes.h"
#include <git2.h>
#include <stdbool.h>

struct objects;

/* All new objects of a series together; and one file that is patched. */
#define OBJECTS_MAX	((size_t)1 << 30)
#define OBJECT_FILE_MAX ((size_t)256 << 20)

must_check int objects_new(git_repository *repo, struct objects **ret_objects, struct err *err);
void objects_free(struct objects *o);

/* The bytes belong to `o`. ERR_INFRA when the repository cannot read it, or it is of another type;
 * ERR_PATCH for a blob of more than OBJECT_FILE_MAX, which is not read. */
must_check int objects_read(struct objects *o, const git_oid *id, git_object_t type,
			    struct bytes *ret_bytes, struct err *err);
/* Takes `data` (malloc) over, also on failure. ERR_PATCH past OBJECTS_MAX. */
must_check int objects_add(struct objects *o, git_object_t type, char *data, size_t len,
			   git_oid *ret_id, struct err *err);
/* While on, new objects can be read but are not written at the end, unless they are added again
 * when it is off: git leaves such on disk for its gc. */
void objects_aside(struct objects *o, bool on);
void objects_keep(struct objects *o, const git_oid *id);
/* The one blob whose id begins with these hex digits. False when there is none, or several. */
bool objects_find_blob(struct objects *o, const char *hex, git_oid *ret_id);
/* Size of an object, without reading it. */
must_check int objects_size(struct objects *o, const git_oid *id, size_t *ret_size,
			    struct err *err);
/* Hands the bytes of an object to `fn`, and does not keep it in memory. */
must_check int objects_visit(struct objects *o, const git_oid *id,
			     void (*fn)(struct bytes bytes, void *arg), void *arg, struct err *err);
/* True when the repository, or `o`, has it as a blob. */
bool objects_has_blob(struct objects *o, const git_oid *id);

/* Writes what the repository does not have yet as one pack; nothing at all when there is nothing
 * new. */
must_check int objects_write_pack(struct objects *o, git_repository *repo, struct err *err);

#endif
