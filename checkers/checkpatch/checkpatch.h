/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The native checker as a function: any text in, findings out. */
#ifndef FIRN_CHECKERS_CHECKPATCH_CHECKPATCH_H
#define FIRN_CHECKERS_CHECKPATCH_CHECKPATCH_H

#include "checkers/checker.h"

struct checkpatch_options {
	bool strict;	  /* tell CHECKs everywhere */
	bool is_source;	  /* the text is the file `path`, not a patch (-f) */
	bool new_only;	  /* leave out what the files had before, and quoted tables and logs
			     (new_only.h) */
	const char *path; /* of a source file, in the tree */
	const char *const *types, *const *ignore; /* TYPEs, NULL at the end; NULL: all, none */
	unsigned first_line;			  /* number of the text's first line; 0 is 1 */
};

/* Looks at a patch, or a source file. Finds the same as checkpatch.pl on that text. `patch_line`
 * counts in the text. `ret` is zeroed by the caller; totals and outcome are set. ERR_INFRA,
 * ERR_CANCELLED. */
must_check int checkpatch_text(const struct check_env *env, const struct checkpatch_options *o,
			       const char *text, size_t n, struct check_result *ret,
			       struct err *err);

#endif
