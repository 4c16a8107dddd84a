// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which patches belong together. In this order: patches that answer the same series (References),
 * patches that answer the same thread, and then numbered patches that answer nothing, by who sent
 * them and what their brackets say.
 */
#include "series/collate.h"

/* The newest of References that are looked up: enough for a deep thread with holes. */
#define ANCESTORS_MAX 64

/* Copies of one mail differ by what lists add to it, so the smaller is nearer to what was sent. */
static int content_cmp(const struct mail *a, const struct mail *b)
{
	int c = size_cmp(a->text_len, b->text_len);

	if (!c)
		c = memcmp(a->text, b->text, a->text_len);
	if (!c)
		c = size_cmp(a->raw_len, b->raw_len);
	return c ? c : memcmp(a->raw, b->raw, a->raw_len);
}

int item_order(const void *pa, const void *pb)
{
	const struct item *a = pa, *b = pb;
	const char *id_a = a->mail->message_id, *id_b = b->mail->message_id;
	int c = (a->mail->date > b->mail->date) - (a->mail->date < b->mail->date);

	if (!c)
		c = size_cmp(a->patch.subject.number, b->patch.subject.number);
	if (!c)
		c = strcmp(id_a ? id_a : "", id_b ? id_b : "");
	if (!c && id_a)
		c = content_cmp(a->mail, b->mail);
	return c ? c : size_cmp(a->index, b->index);
}

struct item *group_root(const struct groups *g, const struct item *it)
{
	struct item *items = g->item;
	size_t i = (size_t)(it - items);

	while (items[i].up != i) {
		items[i].up = items[items[i].up].up;
		i = items[i].up;
	}
	return &items[i];
}

/* The earlier one is the root. */
void group_unite(struct groups *g, const struct item *x, const struct item *y)
{
	struct item *a = group_root(g, x), *b = group_root(g, y);

	if (a < b)
		b->up = (size_t)(a - g->item);
	else
		a->up = (size_t)(b - g->item);
}

int version_key_cmp(const struct item *a, const struct item *b)
{
	const struct subject *s = &a->patch.subject, *t = &b->patch.subject;
	int c = size_cmp(s->version, t->version);

	if (!c)
		c = size_cmp(s->minor, t->minor);
	if (!c)
		c = s->resend - t->resend;
	return c ? c : strcmp(a->poster, b->poster);
}

int series_key_cmp(const struct item *a, const struct item *b)
{
	int c = version_key_cmp(a, b);

	return c ? c : size_cmp(a->patch.subject.total, b->patch.subject.total);
}

static int by_id_cmp(const void *pa, const void *pb)
{
	const struct item *a = *(struct item *const *)pa, *b = *(struct item *const *)pb;
	int c = strcmp(a->mail->message_id, b->mail->message_id);

	return c ? c : content_cmp(a->mail, b->mail);
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

static struct item *part_find(const struct groups *g, const struct item *it, const char *id,
			      int (*cmp)(const struct item *a, const struct item *b))
{
	struct item **hit = bsearch(id, g->by_id, g->n_by_id, sizeof(*g->by_id), id_cmp);

	if (!hit || *hit == it || !item_is_numbered(*hit) || (cmp && cmp(*hit, it) != 0))
		return NULL;
	return *hit;
}

struct item *ancestor_find(const struct groups *g, const struct item *it,
			   int (*cmp)(const struct item *a, const struct item *b))
{
	const struct mail *m = it->mail;
	struct item *hit = m->in_reply_to ? part_find(g, it, m->in_reply_to, cmp) : NULL;

	for (size_t i = m->n_references; !hit && i > 0 && i + ANCESTORS_MAX > m->n_references; i--)
		hit = part_find(g, it, m->references[i - 1], cmp);
	return hit;
}

const char *answered_id(const struct item *it)
{
	const struct mail *m = it->mail;

	if (m->in_reply_to)
		return m->in_reply_to;
	return m->n_references ? m->references[m->n_references - 1] : NULL;
}

/* A patch whose series says nothing about where it begins: it answers another version, or a mail
 * that is not here. `anchor` is the same for all its siblings. */
struct orphan {
	struct item *item;
	const char *anchor;
};

static int orphan_key_cmp(const struct orphan *a, const struct orphan *b)
{
	int c = series_key_cmp(a->item, b->item);

	return c ? c : strcmp(a->anchor, b->anchor);
}

static int orphan_order(const void *pa, const void *pb)
{
	const struct orphan *a = pa, *b = pb;
	int c = orphan_key_cmp(a, b);

	return c ? c : size_cmp((size_t)a->item, (size_t)b->item);
}

static int orphan_by_version(const void *pa, const void *pb)
{
	const struct orphan *a = pa, *b = pb;
	int c = version_key_cmp(a->item, b->item);

	return c ? c : size_cmp((size_t)a->item, (size_t)b->item);
}

static void anchor_find(const struct groups *g, struct orphan *o)
{
	const struct item *up = ancestor_find(g, o->item, NULL);
	const char *id = up ? group_root(g, up)->mail->message_id : NULL;

	o->anchor = id ? id : answered_id(o->item);
}

/* All of one version and poster: those below the same thread are siblings. */
static void orphans_unite_version(struct groups *g, struct orphan *orphan, size_t n)
{
	auto_free struct item **part = xcalloc(n, sizeof(struct item *));

	for (size_t i = 0; i < n; i++)
		anchor_find(g, &orphan[i]);
	qsort(orphan, n, sizeof(*orphan), orphan_order);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i; end < n && orphan_key_cmp(&orphan[i], &orphan[end]) == 0; end++)
			part[end - i] = orphan[end].item;
		loose_unite(g, part, end - i);
	}
}

/* Version by version: v3 may answer a v2 whose patches have only just been brought together. */
static void orphans_unite(struct groups *g, struct orphan *orphan, size_t n)
{
	qsort(orphan, n, sizeof(*orphan), orphan_by_version);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1;
		     end < n && version_key_cmp(orphan[i].item, orphan[end].item) == 0;)
			end++;
		orphans_unite_version(g, orphan + i, end - i);
	}
}

/* Patches go with their ancestor; those whose cover letter is not here, or is another version's, go
 * together. A cover letter begins a series wherever it is posted. */
static void threads_unite(struct groups *g)
{
	auto_free struct orphan *orphan = xcalloc(g->n, sizeof(*orphan));
	size_t n = 0;

	for (size_t i = 0; i < g->n; i++) {
		struct item *it = &g->item[i], *hit;

		if (it->role != ROLE_PATCH || !it->patch.subject.numbered || !answered_id(it))
			continue;
		hit = ancestor_find(g, it, series_key_cmp);
		if (hit)
			group_unite(g, it, hit);
		else
			orphan[n++].item = it;
	}
	orphans_unite(g, orphan, n);
}

/* The root of a group is its earliest item, so that one pass numbers them in order. */
static void groups_number(struct groups *g)
{
	size_t n = 0;

	for (size_t i = 0; i < g->n; i++) {
		struct item *it = &g->item[i], *root = group_root(g, it);

		if (item_is_part(it))
			it->group = root == it ? n++ : root->group;
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
	groups_mend(&g);
	groups_number(&g);
	free(g.by_id);
}
