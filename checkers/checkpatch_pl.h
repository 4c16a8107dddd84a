/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of the checkpatch-pl checker: the folder that the script runs in, and what it prints.
 */
#ifndef FIRN_CHECKERS_CHECKPATCH_PL_H
#define FIRN_CHECKERS_CHECKPATCH_PL_H

#include "checkers/checker.h"

/*
 * The script's working folder: links to everything in the tree, which is at /src in the sandbox. A
 * folder of its own keeps the tree read-only and saves the script's two slow habits, with the same
 * findings:
 *
 * - For CAMELCASE it reads every header of the tree (6 to 8 s) and keeps the names in a file of the
 * working folder that is called after the newest header's date. Through a linked include/ its
 * find(1) sees no header, which makes that date 0: names kept from an earlier run can be put there.
 * - For OBSOLETE it runs get_maintainer.pl once a file (0.24 s). With an empty scripts/ it does
 * not; that is done when no file can belong to an entry of MAINTAINERS that is obsolete.
 */
#define SCRIPT_SEEDS	    "camelcase.date.0" /* after SCRIPT_SEEDS_PREFIX */
#define SCRIPT_SEEDS_PREFIX ".checkpatch-"

/* Makes `dir` anew for one patch, with the patch's text in the file "patch". `seeds` may be NULL.
 */
must_check int script_dir_make(const char *dir, const struct check_env *env,
			       const struct patch *patch, const struct str *seeds, struct err *err);
/* The names that a run left in `dir`; empty when it left none, or left something else than names.
 */
void script_dir_seeds(const char *dir, struct str *ret_seeds);
/* Whether a file of the patch may be obsolete by the tree's MAINTAINERS: true in doubt. */
bool maintainers_maybe_obsolete(const char *source_dir, const struct patch *patch);

/* Adds the findings in the script's output (--show-types) to the result, and the number of lines.
 * `text` is the patch that it was given. False when the output does not end as a whole run does,
 * with its totals. */
bool script_output_read(const struct str *output, const char *text, size_t text_len,
			struct check_result *r);

/* Settles the UNKNOWN_COMMIT_ID findings, which the script makes of every id since it runs without
 * git: an id that env->repo has is taken out; in a tree without history it becomes a note. */
must_check int script_commits_settle(struct check_result *r, const struct check_env *env,
				     struct err *err);

#endif
