// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which patches belong together. In this order: patches that answer the same series (References),
 * patches that answer the same mail, and then numbered patches that answer nothing, by who sent
 * them and what their brackets say.
 */
#include "series/collate.h"

/* The newest of References that are looked up: enough for a deep thread with holes. */
#define ANCESTORS_MAX 64

struct groups {
	struct item *item;
	size_t n;
	struct item **by_id; /* sorted by Message-ID */
	size_t n_by_id;
};

static int cmp(size_t a, size_t b)
{
	return (a > b) - (a < b);
}

int item_order(const void *pa, const void *pb)
{
	const struct item *a = pa, *b = pb;
	const char *id_a = a->mail->message_id, *id_b = b->mail->message_id;
	int c = (a->mail->date > b->mail->date) - (a->mail->date < b->mail->date);

	if (!c)
		c = cmp(a->patch.subject.number, b->patch.subject.number);
	if (!c)
		c = strcmp(id_a ? id_a : "", id_b ? id_b : "");
	return c ? c : cmp(a->index, b->index);
}

static size_t root(struct item *items, size_t i)
{
	while (items[i].up != i) {
		items[i].up = items[items[i].up].up;
		i = items[i].up;
	}
	return i;
}

/* The earlier one is the root. */
static void unite(struct groups *g, const struct item *x, const struct item *y)
{
	size_t a = root(g->item, (size_t)(x - g->item)), b = root(g->item, (size_t)(y - g->item));

	if (a < b)
		g->item[b].up = a;
	else
		g->item[a].up = b;
}

/* What all mails of one series have in common, in a thread. */
static int key_cmp(const struct item *a, const struct item *b)
{
	const struct subject *s = &a->patch.subject, *t = &b->patch.subject;
	int c = cmp(s->version, t->version);

	if (!c)
		c = cmp(s->total, t->total);
	return c ? c : a->resend - b->resend;
}

static int by_id_cmp(const void *pa, const void *pb)
{
	const struct item *a = *(struct item *const *)pa, *b = *(struct item *const *)pb;
	int c = strcmp(a->mail->message_id, b->mail->message_id);

	return c ? c : item_order(a, b);
}

static void by_id_make(struct groups *g)
{
	size_t kept = 0;

	g->by_id = xcalloc(g->n, sizeof(struct item *));
	for (size_t i = 0; i < g->n; i++)
		if (g->item[i].mail->message_id)
			g->by_id[g->n_by_id++] = &g->item[i];
	qsort(g->by_id, g->n_by_id, sizeof(*g->by_id), by_id_cmp);
	for (size_t i = 0; i < g->n_by_id; i++) {
		struct item *it = g->by_id[i], *last = kept ? g->by_id[kept - 1] : NULL;

		if (last && strcmp(last->mail->message_id, it->mail->message_id) == 0) {
			it->role = ROLE_DUPLICATE;
			it->other = last;
		} else {
			g->by_id[kept++] = it;
		}
	}
	g->n_by_id = kept;
}

static int id_cmp(const void *key, const void *item)
{
	return strcmp(key, (*(struct item *const *)item)->mail->message_id);
}

/* The part of the same series under this id; NULL when there is none. */
static struct item *part_find(const struct groups *g, const struct item *it, const char *id)
{
	struct item **hit = bsearch(id, g->by_id, g->n_by_id, sizeof(*g->by_id), id_cmp);

	if (!hit || *hit == it || !item_is_part(*hit) || !(*hit)->patch.subject.numbered ||
	    key_cmp(*hit, it) != 0)
		return NULL;
	return *hit;
}

/* The nearest mail before this one that belongs to the same series. */
static struct item *ancestor_find(const struct groups *g, const struct item *it)
{
	const struct mail *m = it->mail;
	struct item *hit = m->in_reply_to ? part_find(g, it, m->in_reply_to) : NULL;

	for (size_t i = m->n_references; !hit && i > 0 && i + ANCESTORS_MAX > m->n_references; i--)
		hit = part_find(g, it, m->references[i - 1]);
	return hit;
}

/* The mail that this one answers, here or not. */
static const char *answered_id(const struct item *it)
{
	const struct mail *m = it->mail;

	if (m->in_reply_to)
		return m->in_reply_to;
	return m->n_references ? m->references[m->n_references - 1] : NULL;
}

static int answered_cmp(const void *pa, const void *pb)
{
	const struct item *a = *(struct item *const *)pa, *b = *(struct item *const *)pb;
	int c = strcmp(answered_id(a), answered_id(b));

	return c ? c : key_cmp(a, b);
}

/* Patches go with their ancestor; those whose cover letter is not here, or is another version's, go
 * together. A cover letter begins a series wherever it is posted. */
static void threads_unite(struct groups *g)
{
	auto_free struct item **orphan = xcalloc(g->n, sizeof(struct item *));
	size_t n = 0;

	for (size_t i = 0; i < g->n; i++) {
		struct item *it = &g->item[i], *hit;

		if (it->role != ROLE_PATCH || !it->patch.subject.numbered || !answered_id(it))
			continue;
		hit = ancestor_find(g, it);
		if (hit)
			unite(g, it, hit);
		else
			orphan[n++] = it;
	}
	qsort(orphan, n, sizeof(*orphan), answered_cmp);
	for (size_t i = 1; i < n; i++)
		if (answered_cmp(&orphan[i - 1], &orphan[i]) == 0)
			unite(g, orphan[i - 1], orphan[i]);
}

/*
 * Loose parts of one series have all this in common. Mails carry the address of who sent them;
 * files that git-format-patch(1) wrote have no Message-ID and name the author of each commit.
 */
static int loose_cmp(const struct item *a, const struct item *b)
{
	bool id_a = a->mail->message_id, id_b = b->mail->message_id;
	int c = id_a - id_b;

	if (!c)
		c = key_cmp(a, b);
	if (!c)
		c = strcmp(a->patch.subject.prefixes, b->patch.subject.prefixes);
	if (!c && id_a)
		c = strcasecmp(a->mail->from.email, b->mail->from.email);
	return c;
}

static int loose_order(const void *pa, const void *pb)
{
	const struct item *a = *(struct item *const *)pa, *b = *(struct item *const *)pb;
	int c = loose_cmp(a, b);

	if (!c) /* a file's date is that of the commit, which says nothing about the posting */
		c = a->mail->message_id ? item_order(a, b) : cmp(a->index, b->index);
	return c;
}

/* "powerpc/numa" of "powerpc/numa: say more". */
static size_t area_len(const struct item *it)
{
	return strcspn(it->patch.subject.text, ":");
}

static int area_cmp(const struct item *a, const struct item *b)
{
	size_t n = area_len(a), m = area_len(b);
	int c = memcmp(a->patch.subject.text, b->patch.subject.text, n < m ? n : m);

	return c ? c : cmp(n, m);
}

static int area_order(const void *pa, const void *pb)
{
	const struct item *a = *(struct item *const *)pa, *b = *(struct item *const *)pb;
	int c = area_cmp(a, b);

	return c ? c : cmp(a->patch.subject.number, b->patch.subject.number);
}

/* True when each area has every number from 1 to the total once: then two series were posted at the
 * same time. */
static bool areas_are_series(struct item *const *part, size_t n)
{
	unsigned next = 1;

	for (size_t i = 0; i < n; i++) {
		const struct subject *s = &part[i]->patch.subject;
		bool last = i + 1 == n || area_cmp(part[i], part[i + 1]) != 0;

		if (s->number == 0 && next == 1 && !last)
			continue;
		if (s->number != next || (last && next != s->total))
			return false;
		next = last ? 1 : next + 1;
	}
	return true;
}

static bool areas_unite(struct groups *g, struct item *const *part, size_t n)
{
	auto_free struct item **sorted = xcalloc(n, sizeof(struct item *));

	memcpy(sorted, part, n * sizeof(struct item *));
	qsort(sorted, n, sizeof(*sorted), area_order);
	if (!areas_are_series(sorted, n))
		return false;
	for (size_t i = 1; i < n; i++)
		if (area_cmp(sorted[i - 1], sorted[i]) == 0)
			unite(g, sorted[i - 1], sorted[i]);
	return true;
}

/* In order, and a number that was there already begins the next series. False when there was none:
 * one series. */
static bool runs_unite(struct groups *g, struct item *const *part, size_t n, bool commit)
{
	auto_free unsigned *seen_in = NULL;
	unsigned run = 1, max = 0;
	size_t begin = 0;

	for (size_t i = 0; i < n; i++)
		if (part[i]->patch.subject.number > max)
			max = part[i]->patch.subject.number;
	seen_in = xcalloc((size_t)max + 1, sizeof(*seen_in));
	for (size_t i = 0; i < n; i++) {
		unsigned number = part[i]->patch.subject.number;

		if (seen_in[number] == run) {
			run++;
			begin = i;
		}
		seen_in[number] = run;
		if (commit && i > begin)
			unite(g, part[begin], part[i]);
	}
	return run > 1;
}

static void loose_unite(struct groups *g, struct item *const *part, size_t n)
{
	bool several = n > 1 && runs_unite(g, part, n, false);

	if (n > 1 && (!several || !areas_unite(g, part, n)))
		runs_unite(g, part, n, true);
}

static void loose_all_unite(struct groups *g)
{
	auto_free struct item **part = xcalloc(g->n, sizeof(struct item *));
	auto_free size_t *size = xcalloc(g->n, sizeof(*size));
	size_t n = 0;

	for (size_t i = 0; i < g->n; i++)
		size[root(g->item, i)]++;
	for (size_t i = 0; i < g->n; i++) {
		struct item *it = &g->item[i];

		if (item_is_part(it) && it->patch.subject.numbered && !answered_id(it) &&
		    size[root(g->item, i)] == 1)
			part[n++] = it;
	}
	qsort(part, n, sizeof(*part), loose_order);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && loose_cmp(part[i], part[end]) == 0;)
			end++;
		loose_unite(g, part + i, end - i);
	}
}

/* The root of a group is its earliest item, so that one pass numbers them in order. */
static void groups_number(struct groups *g)
{
	size_t n = 0;

	for (size_t i = 0; i < g->n; i++) {
		struct item *it = &g->item[i];

		if (item_is_part(it))
			it->group = root(g->item, i) == i ? n++ : g->item[root(g->item, i)].group;
	}
}

void items_group(struct item *items, size_t n)
{
	struct groups g = {.item = items, .n = n};

	for (size_t i = 0; i < n; i++)
		items[i].up = i;
	by_id_make(&g);
	threads_unite(&g);
	loose_all_unite(&g);
	groups_number(&g);
	free(g.by_id);
}
