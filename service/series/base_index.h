/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is needed to find, in a long history, the newest commit that holds given blobs: the commits
 * by age, and for each blob the commits whose child has something else in its place. Made once from
 * the branches, remote branches and tags of the user's repository, kept in one file, and added to
 * when a ref has moved. BASE.md has the reasoning and the figures.
 */
#ifndef FIRN_SERIES_BASE_INDEX_H
#define FIRN_SERIES_BASE_INDEX_H

#include "base/err.h"
#include <git2.h>
#include <stdbool.h>
#include <stdint.h>

/* How old a base may be when the mail is written. */
#define BASE_WINDOW_DAYS 400
/* The newest that are looked at; some four years of the kernel. */
#define BASE_COMMITS_MAX 400000u

struct base_index;

/* How an index came to be, for the report and the bench. */
struct base_index_facts {
	size_t commits, entries, bytes; /* bytes: of the file */
	size_t fresh;			/* commits that were read from the repository now */
	bool rebuilt;  /* nothing was kept from before: no file, a broken one, or too short */
	bool cut;      /* there are more than BASE_COMMITS_MAX commits */
	bool unsaved;  /* the file could not be written; the index is good */
	int64_t since; /* seconds since 1970: older commits are not in it */
};

struct base_index_request {
	git_repository *user;
	const char *file; /* where it is kept; NULL: nowhere */
	int64_t from;	  /* seconds since 1970: commits since then must be in it */
	/* Called now and then while commits are read; may be NULL. */
	void (*tell)(void *ctx, unsigned done, unsigned total);
	void *ctx;
};

/* A broken file is made again. ERR_CONFIG when the repository cannot be read, ERR_CANCELLED. */
must_check int base_index_open(const struct base_index_request *request,
			       struct base_index **ret_index, struct err *err);
void base_index_free(struct base_index *ix);
const struct base_index_facts *base_index_facts(const struct base_index *ix);

#define auto_base_index __attribute__((cleanup(base_index_cleanup)))
static inline void base_index_cleanup(struct base_index **ix)
{
	base_index_free(*ix);
}

#endif
