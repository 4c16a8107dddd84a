/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside of the base index. Only base_*.c includes this. */
#ifndef FIRN_SERIES_BASE_INDEX_RUN_H
#define FIRN_SERIES_BASE_INDEX_RUN_H

#include "base/str.h"
#include "series/base_index.h"

#define BASE_NONE UINT32_MAX

/* The child differs from its first parent in so many files that they were not entered. */
#define BASE_WIDE 1u

struct base_commit {
	git_oid id, tree;
	int64_t time;	  /* of the committer */
	int64_t order;	  /* as `time`, but later than that of every parent */
	uint32_t parents; /* where its parents begin */
	uint16_t n_parents;
	uint16_t flags;
};

/* A commit, `holder`, whose child by first parent has something else where this is. */
struct base_entry {
	uint64_t key; /* base_blob_key() or base_path_key() */
	uint32_t holder;
};

/* The first bytes of a blob's id, so that abbreviations are ranges. */
uint64_t base_blob_key(const git_oid *id);
/* Of a path that the holder does not have: the FNV-1a hash of its bytes, from BASE_PATH_SEED on. */
#define BASE_PATH_SEED 0xcbf29ce484222325u
uint64_t base_path_key(uint64_t seed, const char *bytes, size_t n);

/* An index is the bytes of its file, mapped or in memory. Commits are in the order of `order`, the
 * oldest first, and are named by their position. */
struct base_index {
	void *image;
	size_t len;
	bool mapped;
	const struct base_commit *commit;
	const uint32_t *parent; /* positions; BASE_NONE for one that is not in the index */
	const uint64_t *key;	/* ascending */
	const uint32_t *holder; /* beside the keys */
	git_oid refs;		/* digest of the refs that it was made from */
	struct base_index_facts facts;
};

/* base_image.c. The file: NULL when it is not there, broken or of another version. */
struct base_index *base_image_load(const char *file);
struct base_build;
struct base_index *base_image_make(const struct base_build *b);

/* Commit ids to numbers. */
struct base_map {
	uint32_t *slot;
	size_t cap, n;
};
uint32_t base_map_get(const struct base_map *m, const struct base_commit *commit,
		      const git_oid *id);
void base_map_add(struct base_map *m, const struct base_commit *commit, uint32_t number);

/* An index in the making. Commits are numbered as they come, until base_build_sort(). */
struct base_build {
	const struct base_index_request *request;
	git_repository *repo; /* the user's */
	git_odb *odb;
	struct base_map map;
	struct base_commit *commit;
	size_t n_commits, commits_cap;
	git_oid *parent_id; /* of the fresh ones */
	size_t n_parent_ids, parent_ids_cap;
	uint32_t *parent;
	size_t n_parents;
	struct base_entry *entry; /* the first n_old_entries are in the order of their keys */
	size_t n_entries, entries_cap, n_old_entries;
	size_t n_old;	/* commits that an older index had */
	size_t n_fresh; /* that were read now */
	git_oid refs;
	int64_t floor;
	bool cut;
};
void base_build_done(struct base_build *b);
/* base_build.c: from the tips to an index in memory. `old` (NULL: none) is where it begins. */
must_check int base_build(struct base_build *b, const struct base_index *old, const git_oid *tip,
			  size_t n_tips, struct err *err);
/* base_walk.c: reads the commits that are not known yet, the newest first. */
must_check int base_walk(struct base_build *b, const git_oid *tip, size_t n_tips, struct err *err);
/* base_edge.c: enters what the fresh commits changed. */
must_check int base_edges(struct base_build *b, struct err *err);

#endif
