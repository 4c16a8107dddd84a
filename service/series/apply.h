/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Applies a series to a commit, in memory, one commit a patch; what comes of it is what `git am`
 * would make. libgit2 gives objects and trees; finding where a hunk goes is ours (offset search as
 * git-apply(1) does it, never fuzz).
 */
#ifndef FIRN_SERIES_APPLY_H
#define FIRN_SERIES_APPLY_H

#include "series/series.h"
#include <git2.h>

struct apply_commit {
	git_oid commit, tree;
	unsigned hunks, offset_hunks; /* how many, and how many were not on their line */
};

struct apply_result {
	struct apply_commit *commit; /* one for each patch that applied, in order */
	size_t n_commits;

	/* When a patch did not apply (ERR_PATCH): */
	size_t failed_patch;  /* index into series->patch */
	char *failed_path;    /* file; NULL when it is not about one */
	unsigned failed_hunk; /* 1-based in that file; 0 when it is not about one */
	char **evidence;      /* lines: expected and found */
	size_t n_evidence;
};

/* Writes the commits to `repo` as one pack and points `ref` ("refs/firn/...") at the last.
 * Committer is firn with the author's date, so that the same series on the same base gives the same
 * commits. Returns 0; ERR_PATCH when a patch does not apply (message: patch, file, hunk; the fields
 * above say more; nothing is written); ERR_CANCELLED; ERR_INFRA otherwise. `ret` must be zeroed, is
 * filled on 0 and ERR_PATCH, and goes to apply_result_done() in any case. */
must_check int apply_series(git_repository *repo, const git_oid *base, const struct series *series,
			    const char *ref, struct apply_result *ret, struct err *err);
void apply_result_done(struct apply_result *r);

#endif
