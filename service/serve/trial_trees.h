/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The repositories that a list's patches are tried on, as its configuration names them. */
#ifndef FIRN_SERVE_TRIAL_TREES_H
#define FIRN_SERVE_TRIAL_TREES_H

#include "base/conf_section.h"
#include "trial/trial.h"

struct trial_trees {
	struct trial_tree *tree; /* a NULL path at the end */
	char ***branches;	 /* one block each, for freeing */
	size_t n;
};

/* What it points to belongs to `conf`. ERR_CONFIG when the list is not there any more or has no
 * tree. */
must_check int trial_trees_make(const struct conf *conf, const char *list, struct trial_trees *ret,
				struct err *err);
/* Only the one with this path; all of them when it is none of these. */
void trial_trees_only(struct trial_trees *t, const char *path);
void trial_trees_done(struct trial_trees *t);

#endif
