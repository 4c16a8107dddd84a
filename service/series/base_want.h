/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a series says about the tree that it was made on: the files it changes, and which blob each
 * was. */
#ifndef FIRN_SERIES_BASE_WANT_H
#define FIRN_SERIES_BASE_WANT_H

#include "series/series.h"
#include "series/tree_raw.h"

/* So many files are enough to know a tree by, and few enough to look for in thousands of commits.
 */
#define BASE_WANTS_MAX 1000u
/* git's own least number of digits of an abbreviated id. */
#define BASE_HEX_MIN 4

enum base_want_kind {
	BASE_WANT_BLOB,	  /* the index line names it */
	BASE_WANT_ABSENT, /* the series creates it: index 0000000 */
	BASE_WANT_FILE,	  /* is to be there, and the diff does not say what it was */
};

struct base_want {
	enum base_want_kind kind;
	const char *path; /* belongs to the series */
	const char *hex;  /* of the index line, perhaps abbreviated; belongs to the series */
	size_t n_hex;
	git_oid prefix; /* the same, filled up with zeros */
	uint32_t node;	/* of the path */
};

/* A part of a path. Siblings are in git's order. */
struct base_node {
	struct tree_entry part;		 /* its id is not used */
	uint32_t parent, sibling, first; /* 0: none */
	uint32_t slot;			 /* its place among its siblings */
	uint32_t n_kids;
};

struct base_wants {
	struct base_want *want; /* by path */
	size_t n, cap;
	size_t n_blobs;		/* of them BASE_WANT_BLOB */
	struct base_node *node; /* 0 is the root of the tree */
	size_t n_nodes, nodes_cap;
};

/* The files as they are before the series: of a file that several patches change, the first counts.
 * Ends at a patch that has not come or cannot be read, since what follows builds on it. */
void base_wants_make(const struct series *series, struct base_wants *ret_wants);
void base_wants_done(struct base_wants *w);

#endif
