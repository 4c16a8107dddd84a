/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The merge of one file, for merge3.c. */
#ifndef FIRN_SERIES_MERGE3_FILE_H
#define FIRN_SERIES_MERGE3_FILE_H

#include "series/apply_run.h"

/* One file on three sides, where all have it, and where the result goes. */
struct sides {
	struct path_version base, ours, theirs;
	struct path_file *into;
};

/* Mode and contents. ERR_PATCH when both sides have changed the same. */
must_check int merge3_contents(struct apply_run *run, const struct sides *s, struct err *err);
/* Puts a blob that may be of the fake ancestor's side, where they are not kept. */
void merge3_put(struct apply_run *run, struct path_file *into, uint32_t mode, const git_oid *id);

#endif
