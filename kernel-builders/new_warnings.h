/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which warnings are new.
 *
 * Both sides are sets. A warning of the base that stands at the same line of the same file, as the
 * difference between the trees has moved it, is old. So is one with the same words in the same
 * function where the base's line was rewritten or taken away: code that moves or is touched up
 * keeps its warnings. Each of the base accounts for one.
 */
#ifndef FIRN_KERNEL_BUILDERS_NEW_WARNINGS_H
#define FIRN_KERNEL_BUILDERS_NEW_WARNINGS_H

#include "kernel-builders/diagnostic.h"
#include "kernel-builders/line_map.h"

struct warning_set {
	const struct diagnostic *item;
	size_t n;
};

/* `ret_new` has room for now.n flags, `ret_gone` for base.n; either may be NULL. */
void new_warnings(const struct warning_set *base, const struct warning_set *now,
		  const struct line_map *map, bool *ret_new, bool *ret_gone);

/* The words of a warning without what changes with every build: offsets, and lines of other places.
 * The caller frees. */
char *warning_words(const struct diagnostic *d);

#endif
