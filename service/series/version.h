/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Versions of one posting: v1 <- v2 <- v3, and series that are composed of two of them.
 */
#ifndef FIRN_SERIES_VERSION_H
#define FIRN_SERIES_VERSION_H

#include "series/series.h"

/*
 * Gives each series of the set its `older`, `older_why` and `chain`. A predecessor has the same
 * author, comes before it by version (an RFC before what is none, and what was sent first before
 * what was sent again), and is known by one of these: the same change-id in the cover letters (b4);
 * it is answered in the thread; or it has the same subject on the cover letter (or, without one, on
 * patch 1). Of several, the nearest version counts.
 *
 * The fates of a series that was sent again say where. collate() calls it.
 */
void versions_link(struct series_set *set);

/* Completes series that are partial rerolls: see struct series. collate() calls it, before
 * versions_link(). */
void rerolls_compose(struct series_set *set);

/*
 * The newest complete version in the posting that `of` is a version of; when none is complete, the
 * newest. `*ret_why` (NULL is fine) gets words, which the caller frees: "v3, the newest of 3
 * versions", "v2; v3 is incomplete (1 of 3 patches)". NULL, with the words, when two series of the
 * posting claim to be its newest version.
 */
const struct series *version_newest(const struct series_set *set, const struct series *of,
				    char **ret_why);

/* The same for a set that holds versions of one posting and nothing else. NULL, with the words,
 * when there are several postings in it, or none. */
const struct series *series_set_newest(const struct series_set *set, char **ret_why);

/* "v3", "v5.1". The caller frees. */
char *version_name(const struct series *s);

/* Negative, 0, positive: a comes before b by version alone, an RFC before what is none. */
int version_cmp(const struct series *a, const struct series *b);

#endif
