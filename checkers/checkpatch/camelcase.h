/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names in CamelCase, and which of them the tree already uses. */
#ifndef FIRN_CHECKERS_CHECKPATCH_CAMELCASE_H
#define FIRN_CHECKERS_CHECKPATCH_CAMELCASE_H

#include "checkers/checkpatch/tree.h"

/* Whether a word mixes cases in a way that is not usual in the kernel: SetPageDirty, foo_mV and
 * FOO_Bar are. */
bool is_camelcase(const char *s, size_t n);
/* Adds the CamelCase names that C text defines or declares. */
void camelcase_add(struct word_set *set, const char *text, size_t n);
/* Those of the headers below include/ of the env's tree. Read once for a tree: from a file in
 * env->cache_dir when there is one, else from all headers (some tenths of a second). Kept as long
 * as the process lives. */
const struct word_set *camelcase_of_tree(const struct check_env *env, struct tree *t);

/* What the rule about names keeps for one view. */
struct camelcase;
void camelcase_free(struct camelcase *c);

#endif
