// SPDX-License-Identifier: GPL-2.0-or-later
#include "series/range_diff.h"

#include "base/proc.h"
#include "series/assign.h"
#include "series/range_text.h"
#include <git2.h>

/* The price of a patch that stands alone, in percent of its lines: git's default. */
#define CREATION_FACTOR 60

/* Of the text of one pair. */
#define PAIR_TEXT_MAX ((size_t)16 << 10)

/* Lines looked at to find out which pairs can be worth anything, and lines compared for their
 * cost: seconds each. The largest series on lore need a thousandth. */
#define BOUND_LINES_MAX ((double)1e9)
#define COST_LINES_MAX	((double)2e7)

struct side {
	const struct series *series;
	struct range_text *text; /* of each patch */
	size_t *match;		 /* in the other side; RANGE_NONE */
};

struct compare {
	struct side a, b;
	struct assign_pair *pair; /* what may be worth it */
	size_t n_pairs, cap;
	double cost_lines; /* compared so far */
	const char *limited;
};

static void side_make(const struct series *series, struct side *ret)
{
	size_t n = series->n_patches;
	struct side s = {series, xcalloc(n, sizeof(*s.text)), xcalloc(n, sizeof(*s.match))};

	for (size_t i = 0; i < n; i++) {
		range_text_make(&series->patch[i], &s.text[i]);
		s.match[i] = RANGE_NONE;
	}
	*ret = s;
}

static void side_done(struct side *s)
{
	for (size_t i = 0; i < s->series->n_patches; i++)
		range_text_done(&s->text[i]);
	free(s->text);
	free(s->match);
}

static int diff_cmp(const struct range_text *a, const struct range_text *b)
{
	size_t n = range_text_diff_len(a), m = range_text_diff_len(b);
	int c = memcmp(range_text_diff(a), range_text_diff(b), n < m ? n : m);

	return c ? c : (n > m) - (n < m);
}

static bool same_diff(const struct range_text *a, const struct range_text *b)
{
	return diff_cmp(a, b) == 0;
}

struct keyed {
	const struct range_text *text;
	size_t at;
	bool newer;
};

static int keyed_order(const void *pa, const void *pb)
{
	const struct keyed *a = pa, *b = pb;
	int c = diff_cmp(a->text, b->text);

	if (!c)
		c = a->newer - b->newer;
	return c ? c : (a->at > b->at) - (a->at < b->at);
}

static void pair_up(struct compare *c, size_t older, size_t newer)
{
	c->a.match[older] = newer;
	c->b.match[newer] = older;
}

/* Of those with one diff (an empty one, for instance) the first goes with the first. */
static void exact_pair(struct compare *c, const struct keyed *k, size_t n)
{
	size_t mid = 0;

	while (mid < n && !k[mid].newer)
		mid++;
	for (size_t i = 0; i < mid && mid + i < n; i++)
		pair_up(c, k[i].at, k[mid + i].at);
}

static void exact_find(struct compare *c)
{
	size_t n_a = c->a.series->n_patches, n = n_a + c->b.series->n_patches;
	auto_free struct keyed *k = xcalloc(n, sizeof(*k));

	for (size_t i = 0; i < n; i++)
		k[i] = i < n_a ? (struct keyed){&c->a.text[i], i, false}
			       : (struct keyed){&c->b.text[i - n_a], i - n_a, true};
	qsort(k, n, sizeof(*k), keyed_order);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && same_diff(k[i].text, k[end].text);)
			end++;
		exact_pair(c, k + i, end - i);
	}
}

static long alone_cost(const struct range_text *t)
{
	return (long)(t->weight * CREATION_FACTOR / 100);
}

static bool same_subject(const struct compare *c, size_t i, size_t j)
{
	return strcmp(c->a.series->patch[i].subject.text, c->b.series->patch[j].subject.text) == 0;
}

/* A pair that costs more than the two apart is never part of the cheapest pairing. */
static int pair_weigh(struct compare *c, size_t i, size_t j, struct err *err)
{
	const struct range_text *a = &c->a.text[i], *b = &c->b.text[j];
	long apart = alone_cost(a) + alone_cost(b), cost = (long)range_text_bound(a, b);

	if (cost > apart)
		return 0;
	c->cost_lines += (double)a->lines + (double)b->lines;
	if (c->cost_lines > COST_LINES_MAX)
		c->limited = "too large: the cost of a pair is the number of lines that differ";
	else
		cost = (long)range_text_cost(a, b);
	if (cost < 0)
		return err_git(err, ERR_INFRA, "cannot compare two patches");
	if (cost > apart)
		return 0;
	arr_grow(c->pair, c->n_pairs, c->cap);
	c->pair[c->n_pairs++] = (struct assign_pair){i, j, apart - cost};
	return 0;
}

static bool is_too_large(const struct compare *c)
{
	double lines_a = 0, lines_b = 0;
	size_t n = c->a.series->n_patches, m = c->b.series->n_patches;

	for (size_t i = 0; i < n; i++)
		lines_a += c->a.match[i] == RANGE_NONE ? (double)c->a.text[i].lines : 0;
	for (size_t j = 0; j < m; j++)
		lines_b += c->b.match[j] == RANGE_NONE ? (double)c->b.text[j].lines : 0;
	return lines_a * (double)m + lines_b * (double)n > BOUND_LINES_MAX;
}

static int pairs_weigh(struct compare *c, struct err *err)
{
	bool large = is_too_large(c);
	int rc = 0;

	if (large)
		c->limited = "too large: only patches with the same diff or subject are paired";
	for (size_t i = 0; rc == 0 && i < c->a.series->n_patches; i++) {
		if (cancel_requested())
			return err_cancelled(err);
		if (c->a.match[i] != RANGE_NONE)
			continue;
		for (size_t j = 0; rc == 0 && j < c->b.series->n_patches; j++)
			if (c->b.match[j] == RANGE_NONE && (!large || same_subject(c, i, j)))
				rc = pair_weigh(c, i, j, err);
	}
	return rc;
}

static void rest_assign(struct compare *c)
{
	size_t n = c->a.series->n_patches;
	auto_free size_t *col = xcalloc(n, sizeof(*col));

	if (!assign(c->pair, c->n_pairs, n, c->b.series->n_patches, col))
		c->limited = "too large: the pairing may not be the cheapest";
	for (size_t i = 0; i < n; i++)
		if (col[i] != ASSIGN_NONE)
			pair_up(c, i, col[i]);
}

static int pair_fill(const struct compare *c, struct range_pair *p, struct err *err)
{
	const struct range_text *a, *b;

	if (p->older == RANGE_NONE || p->newer == RANGE_NONE) {
		p->mark = p->older == RANGE_NONE ? '>' : '<';
		p->text = xstrdup("");
		return 0;
	}
	a = &c->a.text[p->older];
	b = &c->b.text[p->newer];
	p->author_changed = strcmp(a->author, b->author) != 0;
	p->message_changed = strcmp(a->message, b->message) != 0;
	p->diff_changed = !same_diff(a, b);
	p->mark = p->author_changed || p->message_changed || p->diff_changed ? '!' : '=';
	p->text = p->mark == '=' ? xstrdup("") : range_text_compare(a, b, PAIR_TEXT_MAX);
	return p->text ? 0 : err_git(err, ERR_INFRA, "cannot compare two patches");
}

/* What was dropped comes as soon as everything before it in the older series has been there. */
static void dropped_add(const struct compare *c, size_t *next, struct range_diff *rd,
			const bool *shown)
{
	for (; *next < c->a.series->n_patches; ++*next) {
		if (c->a.match[*next] == RANGE_NONE)
			rd->pair[rd->n++] =
				(struct range_pair){.older = *next, .newer = RANGE_NONE};
		else if (!shown[*next])
			return;
	}
}

static void pairs_order(const struct compare *c, struct range_diff *rd)
{
	size_t n = c->a.series->n_patches, m = c->b.series->n_patches, next = 0;
	auto_free bool *shown = xcalloc(n, sizeof(*shown));

	rd->pair = xcalloc(n + m, sizeof(*rd->pair));
	for (size_t j = 0; j < m; j++) {
		size_t i = c->b.match[j];

		dropped_add(c, &next, rd, shown);
		rd->pair[rd->n++] = (struct range_pair){.older = i, .newer = j};
		if (i != RANGE_NONE)
			shown[i] = true;
	}
	dropped_add(c, &next, rd, shown);
}

int range_diff_make(const struct series *older, const struct series *newer, struct range_diff *ret,
		    struct err *err)
{
	struct range_diff rd = {};
	struct compare c = {};
	int rc;

	git_libgit2_init();
	side_make(older, &c.a);
	side_make(newer, &c.b);
	exact_find(&c);
	rc = pairs_weigh(&c, err);
	if (rc == 0) {
		rest_assign(&c);
		pairs_order(&c, &rd);
	}
	for (size_t i = 0; rc == 0 && i < rd.n; i++)
		rc = pair_fill(&c, &rd.pair[i], err);
	if (c.limited)
		rd.limited = xstrdup(c.limited);
	side_done(&c.a);
	side_done(&c.b);
	free(c.pair);
	git_libgit2_shutdown();
	if (rc < 0)
		range_diff_done(&rd);
	else
		*ret = rd;
	return rc;
}

void range_diff_done(struct range_diff *rd)
{
	for (size_t i = 0; i < rd->n; i++)
		free(rd->pair[i].text);
	free(rd->pair);
	free(rd->limited);
	*rd = (struct range_diff){};
}

static void place_add(struct str *out, size_t at)
{
	if (at == RANGE_NONE)
		str_addc(out, '-');
	else
		str_addf(out, "%zu", at + 1);
}

char *range_pair_line(const struct range_pair *p, const struct series *older,
		      const struct series *newer)
{
	const struct patch *patch =
		p->newer == RANGE_NONE ? &older->patch[p->older] : &newer->patch[p->newer];
	const char *const what[] = {p->author_changed ? "author" : NULL,
				    p->message_changed ? "commit message" : NULL,
				    p->diff_changed ? "diff" : NULL};
	struct str out;
	size_t n = 0;

	str_init(&out, 1024);
	place_add(&out, p->older);
	str_addf(&out, " %c ", p->mark);
	place_add(&out, p->newer);
	str_addf(&out, ": %s", patch->subject.text);
	for (size_t i = 0; i < array_size(what); i++)
		if (what[i])
			str_addf(&out, "%s%s", n++ ? ", " : " (", what[i]);
	if (n)
		str_addc(&out, ')');
	return str_take(&out);
}
