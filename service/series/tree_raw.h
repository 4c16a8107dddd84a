/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bytes of a git tree object: "MODE NAME\0" and 20 bytes of id, over and over, in git's order.
 * libgit2's tree builder makes and sorts a struct for each entry of a folder; copying the bytes is
 * all that a change of one needs.
 */
#ifndef FIRN_SERIES_TREE_RAW_H
#define FIRN_SERIES_TREE_RAW_H

#include "base/str.h"
#include "series/bytes.h"
#include <git2.h>

#define TREE_MODE_FOLDER 0040000u

struct tree_entry {
	uint32_t mode; /* 0: no entry */
	const char *name;
	size_t len; /* of name */
	git_oid id;
};

/* The first entry of `*rest`, which moves behind it. False at the end, and for bytes that are no
 * tree. */
bool tree_next(struct bytes *rest, struct tree_entry *ret_entry);
void tree_entry_add(struct str *out, const struct tree_entry *e);
/* git's order: by bytes, a folder as if its name ended in '/'. */
int tree_entry_cmp(const struct tree_entry *a, const struct tree_entry *b);

#endif
