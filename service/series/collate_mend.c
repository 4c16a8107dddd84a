// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the threads alone get wrong: a cover letter that was sent after its patches, numbers that
 * disagree, and a whole series posted again below its first cover letter without a word.
 */
#include "series/collate.h"

#define NUMBER_MAX 9999 /* four digits: subject.c */

/* All parts, those of a group next to each other and in their order. */
struct members {
	struct item **part;
	const struct item **root; /* of each part */
	size_t n;
};

struct placed {
	struct item *part, *root;
};

static int placed_order(const void *pa, const void *pb)
{
	const struct placed *a = pa, *b = pb;
	int c = size_cmp((size_t)a->root, (size_t)b->root);

	return c ? c : size_cmp((size_t)a->part, (size_t)b->part);
}

static struct members members_make(const struct groups *g)
{
	auto_free struct placed *placed = xcalloc(g->n, sizeof(*placed));
	struct members m = {.part = xcalloc(g->n, sizeof(struct item *)),
			    .root = xcalloc(g->n, sizeof(struct item *))};

	for (size_t i = 0; i < g->n; i++)
		if (item_is_numbered(&g->item[i]))
			placed[m.n++] = (struct placed){&g->item[i], group_root(g, &g->item[i])};
	qsort(placed, m.n, sizeof(*placed), placed_order);
	for (size_t i = 0; i < m.n; i++) {
		m.part[i] = placed[i].part;
		m.root[i] = placed[i].root;
	}
	return m;
}

static void members_done(struct members *m)
{
	free(m->part);
	free(m->root);
}

static size_t members_end(const struct members *m, size_t i)
{
	size_t end = i + 1;

	while (end < m->n && m->root[end] == m->root[i])
		end++;
	return end;
}

/* Where the group of this root begins; it is there. */
static size_t members_find(const struct members *m, const struct item *root)
{
	size_t lo = 0, hi = m->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if ((size_t)m->root[mid] < (size_t)root)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* A later run that is complete is a series of its own; the numbers of other runs come twice. */
static void group_split(struct groups *g, struct item **part, size_t n)
{
	auto_free size_t *begin = xcalloc(n + 1, sizeof(*begin));
	size_t runs = runs_find(part, n, begin), kept = 0;

	begin[runs] = n;
	for (size_t i = 0; i < n; i++)
		part[i]->up = (size_t)(part[i] - g->item);
	for (size_t r = 0; r < runs; r++) {
		struct item **run = part + begin[r];
		size_t len = begin[r + 1] - begin[r];

		part_range_unite(g, run, len);
		if (r && !parts_complete(run, len))
			group_unite(g, part[kept], run[0]);
		else
			kept = begin[r];
	}
}

static void groups_split(struct groups *g)
{
	struct members m = members_make(g);

	for (size_t i = 0, end; i < m.n; i = end) {
		end = members_end(&m, i);
		if (!parts_distinct(m.part + i, end - i))
			group_split(g, m.part + i, end - i);
	}
	members_done(&m);
}

/* A group that may go into another. */
struct move {
	const struct item *target; /* the root of the other */
	size_t begin, n;	   /* in the members */
};

static int move_order(const void *pa, const void *pb)
{
	const struct move *a = pa, *b = pb;
	int c = size_cmp((size_t)a->target, (size_t)b->target);

	return c ? c : size_cmp(a->begin, b->begin);
}

/* The group of the nearest mail that one of these answers, if that is the same version of the same
 * person; NULL. */
static const struct item *target_find(const struct groups *g, struct item *const *part, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct item *up = ancestor_find(g, part[i], version_key_cmp);

		if (up && group_root(g, up) != group_root(g, part[0]))
			return group_root(g, up);
	}
	return NULL;
}

/* A whole series is no part of another, but its cover letter may promise another number. */
static bool may_move(const struct members *m, const struct move *v)
{
	size_t at = members_find(m, v->target);
	bool lone_cover = members_end(m, at) == at + 1 && m->part[at]->role == ROLE_COVER;

	return !parts_complete(m->part + v->begin, v->n) || (lone_cover && v->n > 1);
}

static bool any_seen(const bool *seen, struct item *const *part, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (seen[part[i]->patch.subject.number])
			return true;
	return false;
}

static void mark(bool *seen, struct item *const *part, size_t n, bool value)
{
	for (size_t i = 0; i < n; i++)
		seen[part[i]->patch.subject.number] = value;
}

/* Those with the same target; each goes there when its numbers are still free. */
static void moves_do(struct groups *g, const struct members *m, const struct move *move, size_t n,
		     bool *seen)
{
	size_t at = members_find(m, move->target), len = members_end(m, at) - at;

	mark(seen, m->part + at, len, true);
	for (size_t i = 0; i < n; i++) {
		struct item **part = m->part + move[i].begin;

		if (any_seen(seen, part, move[i].n))
			continue;
		mark(seen, part, move[i].n, true);
		group_unite(g, move[i].target, part[0]);
	}
	mark(seen, m->part + at, len, false);
	for (size_t i = 0; i < n; i++)
		mark(seen, m->part + move[i].begin, move[i].n, false);
}

static void groups_move(struct groups *g)
{
	struct members m = members_make(g);
	auto_free struct move *move = xcalloc(m.n, sizeof(*move));
	auto_free bool *seen = xcalloc(NUMBER_MAX + 1, sizeof(*seen));
	size_t n = 0;

	for (size_t i = 0, end; i < m.n; i = end) {
		struct move *v = &move[n];

		end = members_end(&m, i);
		*v = (struct move){target_find(g, m.part + i, end - i), i, end - i};
		if (v->target && may_move(&m, v))
			n++;
	}
	qsort(move, n, sizeof(*move), move_order);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && move[end].target == move[i].target;)
			end++;
		moves_do(g, &m, move + i, end - i, seen);
	}
	members_done(&m);
}

/* A part of a group that answers nothing and lacks something: its cover letter at least. */
struct piece {
	const struct item *root;
	struct item *part;
};

static int piece_cmp(const struct piece *a, const struct piece *b)
{
	int c = series_key_cmp(a->root, b->root);

	return c ? c : strcmp(a->root->patch.subject.prefixes, b->root->patch.subject.prefixes);
}

static int piece_order(const void *pa, const void *pb)
{
	const struct piece *a = pa, *b = pb;
	int c = piece_cmp(a, b);

	return c ? c : size_cmp((size_t)a->part, (size_t)b->part);
}

static size_t pieces_find(const struct members *m, struct piece *ret)
{
	size_t n = 0;

	for (size_t i = 0, end; i < m->n; i = end) {
		bool cover = false;

		end = members_end(m, i);
		for (size_t k = i; k < end; k++)
			cover |= m->part[k]->role == ROLE_COVER;
		if (answered_id(m->root[i]) || (cover && parts_complete(m->part + i, end - i)))
			continue;
		for (size_t k = i; k < end; k++)
			ret[n++] = (struct piece){m->root[i], m->part[k]};
	}
	return n;
}

/* Half a thread and loose mails, or a thread and a cover letter: when all that fit together make
 * one whole series, they are one. */
static void pieces_join(struct groups *g)
{
	struct members m = members_make(g);
	auto_free struct piece *piece = xcalloc(m.n, sizeof(*piece));
	auto_free struct item **part = xcalloc(m.n, sizeof(struct item *));
	size_t n = pieces_find(&m, piece);

	qsort(piece, n, sizeof(*piece), piece_order);
	for (size_t i = 0, end; i < n; i = end) {
		bool strangers = false;

		for (end = i; end < n && piece_cmp(&piece[i], &piece[end]) == 0; end++) {
			part[end - i] = piece[end].part;
			strangers |= parts_strangers(piece[i].root, piece[end].root);
		}
		if (!strangers && parts_complete(part, end - i))
			part_range_unite(g, part, end - i);
	}
	members_done(&m);
}

void groups_mend(struct groups *g)
{
	groups_split(g);
	groups_move(g);
	pieces_join(g);
}
