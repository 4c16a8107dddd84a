/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside report/: builds[] as one group a row of the builder table. */
#ifndef FIRN_REPORT_BUILDS_H
#define FIRN_REPORT_BUILDS_H

#include "base/outcome.h"
#include <jansson.h>
#include <stdbool.h>

struct build_group {
	const char *name;    /* escaped by nobody yet */
	const json_t *first; /* its rows stand together: from here */
	size_t start, n;     /* in builds[] */
	size_t patches;	     /* that were built */
	bool all_cached;
	double seconds;		      /* of all */
	enum outcome outcome;	      /* the worst */
	const json_t *worst;	      /* the first row that has it */
	size_t new_warnings, options; /* options: turned on, off, changed */
};

/* The caller frees. */
struct build_group *build_groups(const json_t *report, size_t *ret_n);

/* "3 patches, 2 new warnings, 1 option changed" or the reason of the worst; not escaped. The caller
 * frees. */
char *build_group_words(const struct build_group *g);

/* Of one entry of `headers`: "for include/linux/x.h: mm/a.o, mm/b.o"; not escaped. The caller
 * frees.
 */
char *build_header_words(const json_t *header);
/* `headers` of group `i`; NULL when it has none or was left out, or a group before it has the same.
 */
const json_t *build_group_headers(const struct build_group *g, size_t i);

/* Where something was built with rlimits only: that, for the operator. NULL: nothing was. */
const char *build_limits_notice(const json_t *report);

/* The row whose commands are worth showing: the first that fails, else the last of the main one.
 * NULL: none. */
const json_t *build_to_repeat(const json_t *report);

#endif
