/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Findings that a patch is not to blame for: those of what the files had before.
 *
 * The rules are run a second time, over the patch turned round: what they find there was in the
 * files before. A finding at a line is left out when that run has one of the same TYPE at a line
 * with the same words (spaces before and after them do not count): on a context line that was no
 * better before, and on a line that only moved, from one place of the patch to another. A line that
 * was changed is the patch's own.
 */
#ifndef FIRN_CHECKERS_CHECKPATCH_NEW_ONLY_H
#define FIRN_CHECKERS_CHECKPATCH_NEW_ONLY_H

#include "checkers/checkpatch/checkpatch.h"
#include "checkers/checkpatch/view.h"

/* Takes such findings out of `r`. */
must_check int new_only_apply(const struct check_env *env, const struct checkpatch_options *o,
			      const struct view *v, struct check_result *r, struct err *err);

#endif
