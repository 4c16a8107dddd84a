/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The builders that the configuration asks for. */
#ifndef FIRN_TRIAL_ROWS_H
#define FIRN_TRIAL_ROWS_H

#include "base/conf.h"
#include "kernel-builders/builder.h"

/* The shipped row of that name, as [builder "NAME"] changes it, or a new one. Its strings belong to
 * the tables and to `conf`. False when there is none; `*ret_mistake` (may be NULL) says why, and
 * the caller frees it. */
bool row_find(const struct conf *conf, const char *name, struct builder *ret, char **ret_mistake);

/* Names of the rows of build.rows besides build.builder, NULL at the end, in one block that the
 * caller frees. "all" are all that there are. */
char **row_names(const struct conf *conf);

/* What is wrong with build.rows and the [builder] sections; NULL: nothing. The caller frees. */
char *row_mistake(const struct conf *conf);

/* Is it one of the shipped rows, unchanged? */
bool row_is_shipped(const struct builder *row);

#endif
