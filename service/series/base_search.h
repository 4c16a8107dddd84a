/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The newest commit that has what a series wants. */
#ifndef FIRN_SERIES_BASE_SEARCH_H
#define FIRN_SERIES_BASE_SEARCH_H

#include "series/base_index.h"
#include "series/base_want.h"

struct base_search;

/* Among which commits. */
struct base_span {
	int64_t from, to;      /* committer's time, both included */
	const git_oid *within; /* what this commit holds; NULL: all */
};

struct base_score {
	size_t blobs;		     /* of the series' that it has */
	size_t others;		     /* files that are there, or not there, as they must */
	const struct base_want *odd; /* the first that is not as it must be; NULL: all are */
};

struct base_match {
	git_oid commit;
	int64_t time; /* of the committer */
	struct base_score score;
};

/* `index` may be NULL, for base_search_tree() alone. All must outlive it. */
must_check int base_search_new(git_repository *user, const struct base_index *index,
			       const struct base_wants *wants, struct base_search **ret_search,
			       struct err *err);
void base_search_free(struct base_search *s);

/* The newest with all; 1 when there is one. Else 0. */
must_check int base_search_all(struct base_search *s, const struct base_span *span,
			       struct base_match *ret_match, struct err *err);
/* The newest of those that have the most blobs; 0 when none has any. */
must_check int base_search_most(struct base_search *s, const struct base_span *span,
				struct base_match *ret_match, struct err *err);
/* What one tree has. */
void base_search_tree(struct base_search *s, const git_oid *tree, struct base_score *ret_score);
bool base_search_has(struct base_search *s, const git_oid *tree, const struct base_want *w);
/* Was the blob of this want in any commit that base_search_most() looked at? */
bool base_search_known(const struct base_search *s, const struct base_want *w);

#define auto_base_search __attribute__((cleanup(base_search_cleanup)))
static inline void base_search_cleanup(struct base_search **s)
{
	base_search_free(*s);
}

#endif
