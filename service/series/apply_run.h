/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of apply share; nobody else includes this. */
#ifndef FIRN_SERIES_APPLY_RUN_H
#define FIRN_SERIES_APPLY_RUN_H

#include "series/apply.h"
#include "series/path_tree.h"
#include "series/place.h"

struct apply_run {
	git_repository *repo;
	git_oid base; /* of the series */
	struct objects *objects;
	struct path_tree *tree;
	uint64_t budget;	  /* of place.h */
	struct apply_commit now;  /* of the patch in hand: its counts */
	struct apply_result *ret; /* for what went wrong */
};

/* apply_file.c. All files of a patch, into run->tree. On ERR_PATCH run->ret says where. */
must_check int apply_files(struct apply_run *run, const struct diff *d, struct err *err);

/*
 * merge3.c. Where the files of a patch do not apply: makes them from the blobs that its index lines
 * name, and merges what the patch does to those with what they have become. Begins with a tree in
 * which nothing of the patch was done.
 */
must_check int merge3_patch(struct apply_run *run, const struct diff *d, struct err *err);

#define MODE_SUBMODULE 0160000u

/* explain.c. After a patch was refused: adds to run->ret what history has to say. */
void explain_refusal(struct apply_run *run, const struct diff *d, struct err *err);
/* The commit that made the change of this diff before; false when none was found. */
bool explain_find_commit(struct apply_run *run, const struct diff *d, git_oid *ret_id);

/* apply_content.c. The contents of a file after its hunks, or after its binary patch. `ret_new`
 * must be initialised. */
must_check int content_patch(struct apply_run *run, const struct diff_file *f, struct bytes old,
			     struct str *ret_new, struct err *err);

/* evidence.c. What the hunk wants and what is there, as lines for a report. */
void evidence_hunk(struct apply_result *ret, const struct image *img, const struct diff_hunk *h);
/* Adds a line. */
void evidence_say(struct apply_result *ret, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* Forgets all that was said of a failure. */
void evidence_drop(struct apply_result *ret);

/* commit_raw.c. The bytes of a commit object. */
struct commit_spec {
	git_oid tree, parent;
	const struct ident *author;
	const char *message;
};
void commit_text(struct str *out, const struct commit_spec *spec);

#endif
