/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of collate() share. Nobody else includes this. */
#ifndef FIRN_SERIES_COLLATE_H
#define FIRN_SERIES_COLLATE_H

#include "series/message.h"

enum role {
	ROLE_REPLY,
	ROLE_PULL,    /* a pull request */
	ROLE_NO_DIFF, /* calls itself a patch, and holds none */
	ROLE_OTHER,
	ROLE_DUPLICATE, /* another mail has its Message-ID */
	ROLE_COVER,
	ROLE_PATCH,
};

struct item {
	const struct mail *mail;
	size_t index; /* in the input */
	enum role role;
	char *poster;	    /* the address of who sent it; "" for a file, which does not say */
	char *run;	    /* the same for all mails that one run of git or b4 made; NULL */
	bool settled;	    /* its series is complete and takes no more */
	size_t place;	    /* in the list that is being sorted */
	struct patch patch; /* the subject always; the rest of ROLE_PATCH */
	size_t up;    /* union-find: the place of another item of the group; its own in the root */
	size_t group; /* after items_group(): groups are numbered from 0 in order of their first
			 item */
	const struct item *other; /* ROLE_DUPLICATE: the one that was kept */
};

/* Covers and patches are what a series is made of. */
static inline bool item_is_part(const struct item *it)
{
	return it->role == ROLE_COVER || it->role == ROLE_PATCH;
}

static inline bool item_is_numbered(const struct item *it)
{
	return item_is_part(it) && it->patch.subject.numbered;
}

/* A total order that does not depend on the order of the input, as long as the mails differ. */
int item_order(const void *a, const void *b);

/* Marks duplicates and sets `group` of every part. `items` must be sorted by item_order(). */
void items_group(struct item *items, size_t n);

/* Parts by Message-ID, for whoever follows References. */
struct groups {
	struct item *item;
	size_t n;
	struct item **by_id; /* sorted by Message-ID */
	size_t n_by_id;
};

static inline int size_cmp(size_t a, size_t b)
{
	return (a > b) - (a < b);
}

/* The first item of the group that `it` is in, so far. */
struct item *group_root(const struct groups *g, const struct item *it);
void group_unite(struct groups *g, const struct item *x, const struct item *y);

/* What all mails of one series have in common, except perhaps the total. */
int version_key_cmp(const struct item *a, const struct item *b);
/* And the total. */
int series_key_cmp(const struct item *a, const struct item *b);

/* The mail that this one answers, here or not; NULL. */
const char *answered_id(const struct item *it);

/* The nearest part that this one answers, directly or not, of those with the same key; with any
 * key when `cmp` is NULL. Only numbered ones. */
struct item *ancestor_find(const struct groups *g, const struct item *it,
			   int (*cmp)(const struct item *a, const struct item *b));

/* collate_fate.c */
void fate_set(struct series_set *set, const struct item *it, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Of what is no part of a series. */
void fate_other(struct series_set *set, const struct item *it);

/* series.c: takes base-commit and change-id from a mail of the series, unless it has them. */
void series_trailers_read(struct series *s, const struct mail *m);
/* Fills `missing` anew, after the patches changed. */
void series_missing_find(struct series *s);

/* collate_id.c: what a Message-ID says about its mail. The caller frees. */
char *poster_find(const struct mail *m);
char *run_find(const char *id);

/* collate_loose.c: what numbers a list of parts of one key has. */
bool parts_distinct(struct item *const *part, size_t n); /* none twice */
bool parts_complete(struct item *const *part, size_t n); /* each from 1 to the total once */
/* From different runs of git, and about different things. */
bool parts_strangers(const struct item *a, const struct item *b);
/* Where a number comes again, a new run begins. Returns how many, and where each begins. */
size_t runs_find(struct item *const *part, size_t n, size_t *ret_begin);
void part_range_unite(struct groups *g, struct item *const *part, size_t n);

/* `n` parts with the same key, sorted by item_order() or as they came, and nothing
 * in the thread that would tell which belong together. */
void loose_unite(struct groups *g, struct item *const *part, size_t n);
/* All numbered parts that answer nothing and have found nobody yet. */
void loose_all_unite(struct groups *g);

/* collate_mend.c: numbers that disagree, covers that come late, and groups that are two postings.
 * After everything else. */
void groups_mend(struct groups *g);

#endif
