// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A commit that has all that is wanted is the newest such one only if none of its children has all
 * of it. So only these are looked at: commits without a child by first parent in the span, and
 * those whose child has something else in the place of a wanted blob, or a file where none is
 * wanted.
 */
#include "series/base_search.h"

#include "base/proc.h"
#include "series/base_index_run.h"
#include "series/base_look.h"

struct base_search {
	const struct base_index *ix;
	const struct base_wants *wants;
	git_odb *odb;
	struct base_look *look;
	uint32_t *turn; /* wants in the order of trying: what failed last is first */
	bool *known;	/* for each want */
};

#define IN_SPAN	  1
#define HAS_CHILD 2
#define REPLACED  4

int base_search_new(git_repository *user, const struct base_index *index,
		    const struct base_wants *wants, struct base_search **ret_search,
		    struct err *err)
{
	struct base_search *s = xcalloc(1, sizeof(*s));

	if (git_repository_odb(&s->odb, user) < 0) {
		free(s);
		return err_git(err, ERR_CONFIG, "cannot open the objects of %s",
			       git_repository_path(user));
	}
	s->ix = index;
	s->wants = wants;
	s->look = base_look_new(s->odb, wants);
	s->turn = xreallocarray(NULL, wants->n + 1, sizeof(*s->turn));
	s->known = xcalloc(wants->n + 1, sizeof(*s->known));
	for (size_t i = 0; i < wants->n; i++)
		s->turn[i] = (uint32_t)i;
	*ret_search = s;
	return 0;
}

void base_search_free(struct base_search *s)
{
	if (!s)
		return;
	base_look_free(s->look);
	git_odb_free(s->odb);
	free(s->turn);
	free(s->known);
	free(s);
}

/* Positions are by age, so the parents of a marked one come later in the loop. */
static void mark_within(const struct base_index *ix, const git_oid *tip, unsigned char *mark)
{
	size_t i = ix->facts.commits;

	while (i && !git_oid_equal(&ix->commit[i - 1].id, tip))
		i--;
	if (!i)
		return;
	mark[i - 1] = IN_SPAN;
	while (i--) {
		const struct base_commit *c = &ix->commit[i];

		for (size_t k = 0; mark[i] && k < c->n_parents; k++) {
			uint32_t p = ix->parent[c->parents + k];

			if (p != BASE_NONE)
				mark[p] = IN_SPAN;
		}
	}
}

static void mark_span(const struct base_index *ix, const struct base_span *span,
		      unsigned char *mark)
{
	if (span->within)
		mark_within(ix, span->within, mark);
	for (size_t i = 0; i < ix->facts.commits; i++) {
		const struct base_commit *c = &ix->commit[i];

		if (c->time < span->from || c->time > span->to)
			mark[i] = 0;
		else if (!span->within)
			mark[i] = IN_SPAN;
	}
}

static void mark_parents(const struct base_index *ix, unsigned char *mark)
{
	for (size_t i = 0; i < ix->facts.commits; i++) {
		const struct base_commit *c = &ix->commit[i];
		uint32_t p = mark[i] && c->n_parents ? ix->parent[c->parents] : BASE_NONE;

		if (p != BASE_NONE && !(c->flags & BASE_WIDE))
			mark[p] |= HAS_CHILD;
	}
}

static size_t key_find(const struct base_index *ix, uint64_t key)
{
	size_t lo = 0, hi = ix->facts.entries;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (ix->key[mid] < key)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static void mark_holders(const struct base_index *ix, const struct base_want *w,
			 unsigned char *mark)
{
	uint64_t first, last;

	if (w->kind == BASE_WANT_FILE)
		return;
	if (w->kind == BASE_WANT_ABSENT) {
		first = last = base_path_key(BASE_PATH_SEED, w->path, strlen(w->path));
	} else {
		first = last = base_blob_key(&w->prefix);
		if (w->n_hex < 16)
			last |= UINT64_MAX >> 4 * w->n_hex;
	}
	for (size_t i = key_find(ix, first); i < ix->facts.entries && ix->key[i] <= last; i++)
		mark[ix->holder[i]] |= REPLACED;
}

static unsigned char *candidates(const struct base_search *s, const struct base_span *span)
{
	unsigned char *mark = xcalloc(s->ix->facts.commits + 1, 1);

	mark_span(s->ix, span, mark);
	mark_parents(s->ix, mark);
	for (size_t i = 0; i < s->wants->n; i++)
		mark_holders(s->ix, &s->wants->want[i], mark);
	return mark;
}

static bool worth_a_look(unsigned char mark)
{
	return (mark & IN_SPAN) && (!(mark & HAS_CHILD) || (mark & REPLACED));
}

/* Neighbours in time mostly lack the same file: it is tried first. */
static bool has_all(struct base_search *s, const git_oid *tree)
{
	for (size_t i = 0; i < s->wants->n; i++) {
		uint32_t t = s->turn[i];

		/* That a file is there is no reason to go back to when it was. */
		if (s->wants->want[t].kind == BASE_WANT_FILE ||
		    base_look_has(s->look, tree, &s->wants->want[t]))
			continue;
		s->turn[i] = s->turn[0];
		s->turn[0] = t;
		return false;
	}
	return true;
}

void base_search_tree(struct base_search *s, const git_oid *tree, struct base_score *ret_score)
{
	struct base_score score = {0};

	for (size_t i = 0; i < s->wants->n; i++) {
		const struct base_want *w = &s->wants->want[i];

		if (!base_look_has(s->look, tree, w)) {
			/* A blob says more than a file that is there. */
			if (!score.odd ||
			    (score.odd->kind != BASE_WANT_BLOB && w->kind == BASE_WANT_BLOB))
				score.odd = w;
			continue;
		}
		s->known[i] = true;
		if (w->kind == BASE_WANT_BLOB)
			score.blobs++;
		else
			score.others++;
	}
	*ret_score = score;
}

bool base_search_has(struct base_search *s, const git_oid *tree, const struct base_want *w)
{
	return base_look_has(s->look, tree, w);
}

bool base_search_known(const struct base_search *s, const struct base_want *w)
{
	return s->known[w - s->wants->want];
}

static void match_set(struct base_search *s, size_t at, struct base_match *ret)
{
	const struct base_commit *c = &s->ix->commit[at];

	ret->commit = c->id;
	ret->time = c->time;
	base_search_tree(s, &c->tree, &ret->score);
}

int base_search_all(struct base_search *s, const struct base_span *span,
		    struct base_match *ret_match, struct err *err)
{
	auto_free unsigned char *mark = candidates(s, span);

	for (size_t i = s->ix->facts.commits; i--;) {
		if (!worth_a_look(mark[i]))
			continue;
		if (cancel_requested())
			return err_cancelled(err);
		if (has_all(s, &s->ix->commit[i].tree)) {
			match_set(s, i, ret_match);
			return 1;
		}
	}
	return 0;
}

static bool score_better(const struct base_score *a, const struct base_score *b)
{
	return a->blobs != b->blobs ? a->blobs > b->blobs : a->others > b->others;
}

int base_search_most(struct base_search *s, const struct base_span *span,
		     struct base_match *ret_match, struct err *err)
{
	auto_free unsigned char *mark = candidates(s, span);
	struct base_match best = {0}, it;

	for (size_t i = s->ix->facts.commits; i--;) {
		if (!worth_a_look(mark[i]))
			continue;
		if (cancel_requested())
			return err_cancelled(err);
		match_set(s, i, &it);
		if (it.score.blobs && score_better(&it.score, &best.score))
			best = it;
	}
	if (!best.score.blobs)
		return 0;
	*ret_match = best;
	return 1;
}
