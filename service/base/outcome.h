/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What came of a step. Ordered so that the worst of several is the highest, with one rule on top:
 * `error` (we could not find out) is never the author's, and `fail` is only said when it is
 * certain.
 */
#ifndef FIRN_BASE_OUTCOME_H
#define FIRN_BASE_OUTCOME_H

enum outcome {
	OUTCOME_SKIP, /* not done, with the reason */
	OUTCOME_PASS,
	OUTCOME_WARN,
	OUTCOME_ERROR, /* could not find out: our fault or our machine's */
	OUTCOME_FAIL,  /* certain, attributable to this series, and the base is good */
};

/* "skip", "pass", "warn", "error", "fail". */
const char *outcome_name(enum outcome o);
/* The reverse; OUTCOME_ERROR for a word that is none of these. */
enum outcome outcome_parse(const char *name);
/* The worse of two. */
enum outcome outcome_worse(enum outcome a, enum outcome b);

#endif
