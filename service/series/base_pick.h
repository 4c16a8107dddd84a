/* SPDX-License-Identifier: GPL-2.0-or-later */
/* On which commit a series is tried, and why. BASE.md has the long form. */
#ifndef FIRN_SERIES_BASE_PICK_H
#define FIRN_SERIES_BASE_PICK_H

#include "series/series.h"
#include <git2.h>

enum base_reason {
	BASE_GIVEN,  /* --base */
	BASE_NAMED,  /* base-commit: */
	BASE_HINT,   /* a word of the subject is a branch or tag */
	BASE_BLOBS,  /* by the index lines */
	BASE_BRANCH, /* a branch of the tree */
};

struct base_choice {
	git_oid commit, tree;
	enum base_reason reason;
	char *subject; /* of the commit */
	char *why; /* for the report: "--base v6.1", "the series names it (base-commit:); matches 3
		      of 3 blobs", "the newest commit before the mail that matches 3 of 3 blobs" */
	char *warning;		   /* a base-commit: that the tree does not have; NULL */
	size_t n_blobs, n_matched; /* of the series' index lines; how many this commit has */
	char **tried; /* what else was looked at, and why it is not this, a line each */
	size_t n_tried;
};

struct base_request {
	git_repository *user; /* read only */
	git_repository *ours; /* of repo_open(): the index is kept in it; NULL: it is not kept */
	const struct series *series;
	const char *given; /* --base REV; NULL */
	/* While a history is read for the first time, which may take a minute; may be NULL. */
	void (*tell)(void *ctx, unsigned done, unsigned total);
	void *ctx;
};

/* In this order: `given` (ERR_CONFIG when unknown), the base-commit: trailer, the tree that the
 * subject names, the newest commit that has all blobs of the index lines, the branches of the tree
 * with HEAD first. An unknown base-commit: is a warning, never an error; so is a history that
 * cannot be searched. */
must_check int base_pick(const struct base_request *request, struct base_choice *ret_choice,
			 struct err *err);
void base_choice_done(struct base_choice *c);

#endif
