/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Applies a series to a commit, in memory, one commit a patch; what comes of it is what `git am -3`
 * would make. libgit2 gives objects, trees and the merge of contents; finding where a hunk goes is
 * ours (offset search as git-apply(1) does it, never fuzz). How far the two agree: APPLY.md.
 */
#ifndef FIRN_SERIES_APPLY_H
#define FIRN_SERIES_APPLY_H

#include "series/series.h"
#include <git2.h>
#include <stdbool.h>

struct apply_commit {
	git_oid commit, tree;
	unsigned hunks, offset_hunks; /* how many, and how many were not on their line */
	/* Files that were merged with what they have become since the patch was made: its hunks did
	 * not apply, and went in by a 3-way merge from the blobs of its index lines. 0: applied. */
	unsigned merged_files;
	/* The merge left nothing to change: the patch is skipped, as `git am` does. `commit` and
	 * `tree` are those before it. */
	bool already_in;
	git_oid in_as; /* of `already_in`: the commit that has it; zero when that was not found */
};

struct apply_result {
	struct apply_commit *commit; /* one for each patch that applied, in order */
	size_t n_commits;

	/* When a patch did not apply (ERR_PATCH): */
	size_t failed_patch;  /* index into series->patch */
	char *failed_path;    /* file; NULL when it is not about one */
	unsigned failed_hunk; /* 1-based in that file; 0 when it is not about one */
	char **evidence;      /* lines: expected and found, what the 3-way merge says, and
				 what to do */
	size_t n_evidence;
	git_oid moved_by; /* the commit after which it does not apply any more; zero: not known */
	git_oid in_as;	  /* the commit that has the patch that failed; zero: none was found */
};

/* Writes the commits to `repo` as one pack and points `ref` ("refs/firn/...") at the last.
 * Committer is firn with the author's date, so that the same series on the same base gives the same
 * commits. Returns 0; ERR_PATCH when a patch does not apply (message: patch, file, hunk; the fields
 * above say more; nothing is written); ERR_CANCELLED; ERR_INFRA otherwise. `ret` must be zeroed, is
 * filled on 0 and ERR_PATCH, and goes to apply_result_done() in any case. With a `ref` of NULL
 * nothing is written at all: it is a trial. */
must_check int apply_series(git_repository *repo, const git_oid *base, const struct series *series,
			    const char *ref, struct apply_result *ret, struct err *err);
void apply_result_done(struct apply_result *r);

#endif
