/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which of many files some were renamed to, as git's rename detection tells it (git-diff(1),
 * -M50%): the same contents; else the only file of the same name, when three quarters of it are
 * alike; else the one that is most alike, when half of it is.
 *
 * Not done: git's guess by the folder that other files went to, which decides among several files
 * of the same name. And of several lost files the first takes what is most like it, not the one
 * that is most like it.
 */
#ifndef FIRN_SERIES_RELOCATE_H
#define FIRN_SERIES_RELOCATE_H

#include "series/objects.h"
#include <stdbool.h>
#include <stdint.h>

struct relocate_file {
	const char *path; /* NULL: does not count */
	uint32_t mode;
	git_oid id;
	bool taken; /* a file was renamed to it already */
};

struct relocate {
	struct objects *objects;
	struct relocate_file *candidate; /* in order of their paths */
	size_t n;
	uint64_t *budget; /* of place.h */
};

#define RELOCATE_NONE SIZE_MAX

/* For each of the `n` lost files the index of a candidate, which is `taken` then, or RELOCATE_NONE.
 * ERR_PATCH when it would take too long to find out. */
must_check int relocate_find(const struct relocate *r, const struct relocate_file *lost, size_t n,
			     size_t *ret_index, struct err *err);

#endif
