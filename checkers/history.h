/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tree's history, for checkers that look commits up. */
#ifndef FIRN_CHECKERS_HISTORY_H
#define FIRN_CHECKERS_HISTORY_H

#include "checkers/checker.h"

enum found { FOUND, FOUND_NONE, FOUND_SEVERAL };

/* The commit with this abbreviated id (hex). `*ret_commit` is set on FOUND: git_commit_free().
 * ERR_INFRA when the repository cannot be read. */
must_check int commit_find(git_repository *repo, const char *id, enum found *ret_found,
			   git_commit **ret_commit, struct err *err);

/* A tree with fewer commits than this is an imported tarball with a few patches: it can't tell what
 * is in Linux. */
#define HISTORY_MIN 500

/* How many commits the base has behind it, counted up to HISTORY_MIN; 0 without base or repository.
 */
size_t history_count(const struct check_env *env);

/* Adds the note or the warning that fits a commit that is not there. */
void finding_unknown_commit(struct check_result *r, const struct check_env *env, const char *id,
			    unsigned patch_line);

#endif
