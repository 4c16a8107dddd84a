/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sources that include a header, for rows of touched objects: a header has no object of its own.
 *
 * They are looked for in a tree of the repository, the nearest first, and no more are read than
 * USERS_BYTES of them: of a header that few include, none may be found. It is always the same for
 * the same tree.
 */
#ifndef FIRN_KERNEL_BUILDERS_HEADER_USERS_H
#define FIRN_KERNEL_BUILDERS_HEADER_USERS_H

#include "kernel-builders/builder.h"

#define USERS_OF_ONE 8			/* sources a header */
#define USERS_OF_ALL 64			/* and in sum */
#define USERS_BYTES  ((size_t)24 << 20) /* of files that are read */

/* `*ret` is an array, in the order of `paths` (NULL at the end): {"header": "include/linux/x.h",
 * "sources": ["mm/a.c", ...]} for each of them that is a header that the tree has and the row may
 * build something with. A header that only headers include has the sources that include those. */
must_check int header_users_find(const struct builder *b, git_repository *repo, const git_oid *tree,
				 const char *const *paths, json_t **ret, struct err *err);

#endif
