/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whose code ran where a kernel is built. A Makefile that builds one patch can leave objects, times
 * and .cmd files behind that spoil what is built in the same folder after it. So:
 *
 * - A folder in which something is built that the kernel at hand does not descend from is begun
 * anew from the base's objects: a bisection that goes back to an earlier patch.
 * - The name of the artefact has the trees in between, from the base to the kernel. What a hostile
 *   patch 1 did to the kernel of patch 2 is found again by the same two patches alone, not by
 *   another series that comes to the same tree, nor by a base that has this tree one day.
 *
 * A kernel with nothing between the base and itself keeps the name that it has as a base: no code
 * but its own and the base's was there.
 */
#ifndef FIRN_KERNEL_BUILDERS_LINEAGE_H
#define FIRN_KERNEL_BUILDERS_LINEAGE_H

#include "base/str.h"
#include "kernel-builders/objects.h"

struct lineage {
	git_oid *tree; /* of the commits between, the last first */
	size_t n, cap;
};

/* The trees strictly between `base` and `commit`, by first parents. `base` zero: none. ERR_INPUT
 * when `commit` does not descend from it. `ret` must be zeroed and goes to lineage_done(). */
must_check int lineage_read(git_repository *repo, const git_oid *base, const git_oid *commit,
			    struct lineage *ret, struct err *err);
/* Appends a line for each. */
void lineage_describe(const struct lineage *l, struct str *s);
/* Begins `slot` anew from `kept` when something else was built in it than these and `tree`, and
 * notes that `tree` is. */
must_check int lineage_enter(const struct lineage *l, const git_oid *tree,
			     const struct objects *kept, struct objects *slot, struct err *err);
void lineage_done(struct lineage *l);

#endif
