/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tree that the subject names: [PATCH net-next] is for the branch net-next. */
#ifndef FIRN_SERIES_BASE_HINT_H
#define FIRN_SERIES_BASE_HINT_H

#include "series/series.h"
#include <git2.h>

struct base_hint {
	char *word; /* "net-next"; NULL: no word of the subject is a ref */
	char *ref;  /* "origin/net-next", as people write it */
	git_oid commit;
};

/* Looks for each word in the brackets as a branch, a tag and a remote branch, in this order; of
 * several remote branches the one with the newest commit. */
void base_hint_find(git_repository *user, const struct series *series, struct base_hint *ret_hint);
void base_hint_done(struct base_hint *h);

#endif
