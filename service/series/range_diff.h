/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What changed from one version of a series to another, patch by patch: which patch became which,
 * as git-range-diff(1) finds out, but from patches as they were mailed and without a repository.
 *
 * Patches with the same diff are the same. For the others, the cost of a pair is the number of
 * lines in the diff of their two diffs, the cost of a patch that was dropped or added is 60 % of
 * the lines of its diff, and the cheapest way to pair them all is taken (a linear assignment, see
 * "ALGORITHM" in git-range-diff(1)). SERIES.md has how often git agrees.
 */
#ifndef FIRN_SERIES_RANGE_DIFF_H
#define FIRN_SERIES_RANGE_DIFF_H

#include "series/series.h"

#define RANGE_NONE SIZE_MAX

struct range_pair {
	char mark;	     /* '=' the same, '!' changed, '<' dropped, '>' new */
	size_t older, newer; /* places in series->patch; RANGE_NONE */
	bool author_changed, message_changed, diff_changed; /* of '!' */
	char *text; /* of '!': a unified diff of the two patches, cut at 16 KiB; else "" */
};

/* In the order of the newer series; what was dropped stands where it was in the older one. */
struct range_diff {
	struct range_pair *pair;
	size_t n;
	char *limited; /* why the pairing is less exact than it could be: "too large ..."; NULL */
};

/* Compares. Both series must outlive the calls, not the result. ERR_CANCELLED; ERR_INFRA. */
must_check int range_diff_make(const struct series *older, const struct series *newer,
			       struct range_diff *ret, struct err *err);
void range_diff_done(struct range_diff *rd);

/* One line a pair, without newline: "2 ! 3: mm: text (commit message, diff)". The caller frees. */
char *range_pair_line(const struct range_pair *p, const struct series *older,
		      const struct series *newer);

#endif
