/* SPDX-License-Identifier: GPL-2.0-or-later */
/* On which commit a series is tried, and why. */
#ifndef FIRN_SERIES_BASE_PICK_H
#define FIRN_SERIES_BASE_PICK_H

#include "series/series.h"
#include <git2.h>

struct base_choice {
	git_oid commit, tree;
	char *subject; /* of the commit */
	char *why; /* for the report: "--base v6.1", "the series names it (base-commit:)", "head of
		      TREE; ..." */
	char *warning; /* a base-commit: that the tree does not have; NULL */
};

/* In this order: `given` (--base REV; ERR_CONFIG when unknown), the base-commit: trailer, the head
 * of `user`. An unknown base-commit: is a warning, never an error. */
must_check int base_pick(git_repository *user, const struct series *series, const char *given,
			 struct base_choice *ret_choice, struct err *err);
void base_choice_done(struct base_choice *c);

#endif
