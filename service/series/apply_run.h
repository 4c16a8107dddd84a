/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of apply share; nobody else includes this. */
#ifndef FIRN_SERIES_APPLY_RUN_H
#define FIRN_SERIES_APPLY_RUN_H

#include "series/apply.h"
#include "series/path_tree.h"
#include "series/place.h"

struct apply_run {
	struct objects *objects;
	struct path_tree *tree;
	uint64_t budget;	  /* of place.h */
	struct apply_commit now;  /* of the patch in hand: its counts */
	struct apply_result *ret; /* for what went wrong */
};

/* apply_file.c. One file of a patch, into run->tree. On ERR_PATCH run->ret says where. */
must_check int apply_file(struct apply_run *run, const struct diff_file *f, struct err *err);
/* Before the first file of a patch: git lets a file take a place that a later one of the same patch
 * vacates. */
must_check int apply_announce(struct apply_run *run, const struct diff *d, struct err *err);

/* apply_content.c. The contents of a file after its hunks, or after its binary patch. `ret_new`
 * must be initialised. */
must_check int content_patch(struct apply_run *run, const struct diff_file *f, struct bytes old,
			     struct str *ret_new, struct err *err);

/* evidence.c. What the hunk wants and what is there, as lines for a report. */
void evidence_hunk(struct apply_result *ret, const struct image *img, const struct diff_hunk *h);

/* commit_raw.c. The bytes of a commit object. */
struct commit_spec {
	git_oid tree, parent;
	const struct ident *author;
	const char *message;
};
void commit_text(struct str *out, const struct commit_spec *spec);

#endif
