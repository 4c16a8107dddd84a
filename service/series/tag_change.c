// SPDX-License-Identifier: GPL-2.0-or-later
#include "series/reply.h"

/* Tags as a set: for one patch, or for the whole series under number 0. */
struct entry {
	unsigned number;
	const struct tag *tag;
	const struct mail *mail;
};

struct entries {
	struct entry *item;
	size_t n, cap;
};

static int entry_cmp(const void *pa, const void *pb)
{
	const struct entry *a = pa, *b = pb;
	int c = (a->number > b->number) - (a->number < b->number);

	return c ? c : tag_cmp(a->tag, b->tag);
}

static void entry_add(struct entries *e, unsigned number, const struct tag *tag,
		      const struct mail *mail)
{
	arr_grow(e->item, e->n, e->cap);
	e->item[e->n++] = (struct entry){.number = number, .tag = tag, .mail = mail};
}

static void entries_sort(struct entries *e)
{
	if (e->n)
		qsort(e->item, e->n, sizeof(*e->item), entry_cmp);
}

static bool entries_have(const struct entries *e, unsigned number, const struct tag *tag)
{
	struct entry key = {.number = number, .tag = tag};

	return e->n && bsearch(&key, e->item, e->n, sizeof(key), entry_cmp);
}

/* One side: what the messages say, and what the mails gave. */
struct side {
	const struct series *series;
	struct tag_lines *message; /* one for each patch */
	struct entries in_message, given, said;
};

static void side_make(struct side *side, struct tagged_series t)
{
	const struct series *s = t.series;

	*side = (struct side){.series = s};
	side->message = xcalloc(s->n_patches, sizeof(*side->message));
	for (size_t i = 0; i < s->n_patches; i++) {
		struct tag_lines *l = &side->message[i];

		tags_read(s->patch[i].message, strlen(s->patch[i].message), l);
		for (size_t k = 0; k < l->n; k++)
			entry_add(&side->in_message, s->patch[i].subject.number, &l->item[k].tag,
				  NULL);
	}
	for (size_t i = 0; i < t.given->n; i++) {
		const struct given *g = &t.given->item[i];

		if (given_counts(g))
			entry_add(&side->given, g->number, &g->tag, g->mail);
		if (given_counts(g) || g->state == GIVEN_REPEATED || g->state == GIVEN_MISMATCH)
			entry_add(&side->said, 0, &g->tag, g->mail);
	}
	entries_sort(&side->in_message);
	entries_sort(&side->given);
	entries_sort(&side->said);
}

static void side_done(struct side *side)
{
	for (size_t i = 0; i < side->series->n_patches; i++)
		tag_lines_done(&side->message[i]);
	free(side->message);
	free(side->in_message.item);
	free(side->given.item);
	free(side->said.item);
}

static void change_add(struct tag_changes *c, enum tag_change_kind kind, unsigned number,
		       const struct entry *e)
{
	arr_grow(c->item, c->n, c->cap);
	c->item[c->n] = (struct tag_change){.kind = kind, .number = number, .mail = e->mail};
	tag_copy(&c->item[c->n++].tag, e->tag);
}

/* A tag may have been given to any patch of any version, by whatever address: then it is not
 * invented. */
static void invented_find(const struct side *now, const struct side *old, const size_t *old_of,
			  struct tag_changes *ret)
{
	for (size_t i = 0; i < now->series->n_patches; i++) {
		const struct tag_lines *l = &now->message[i];
		unsigned number = now->series->patch[i].subject.number;

		for (size_t k = 0; k < l->n; k++) {
			const struct entry e = {.tag = &l->item[k].tag};
			unsigned before = old_of[i] == SIZE_MAX
						  ? number
						  : old->series->patch[old_of[i]].subject.number;

			if (tag_is_verdict(e.tag) &&
			    !entries_have(&old->in_message, before, e.tag) &&
			    !entries_have(&old->said, 0, e.tag) &&
			    !entries_have(&now->said, 0, e.tag))
				change_add(ret, TAG_INVENTED, number, &e);
		}
	}
}

/* The first entry of this number, or where it would be. */
static size_t entries_from(const struct entries *e, unsigned number)
{
	size_t lo = 0, hi = e->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (e->item[mid].number < number)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Of these, what is for patch `before`, and missing from patch `number` of the new version. */
static void missing_find(const struct side *now, const struct entries *from, unsigned before,
			 unsigned number, struct tag_changes *ret)
{
	for (size_t i = entries_from(from, before); i < from->n && from->item[i].number == before;
	     i++)
		if (tag_is_personal(from->item[i].tag) && !tag_is_nack(from->item[i].tag) &&
		    !entries_have(&now->in_message, number, from->item[i].tag))
			change_add(ret, TAG_DROPPED, number, &from->item[i]);
}

static void dropped_find(const struct side *now, const struct side *old, const size_t *old_of,
			 struct tag_changes *ret)
{
	for (size_t i = 0; i < now->series->n_patches; i++) {
		unsigned number = now->series->patch[i].subject.number, before;

		if (old_of[i] == SIZE_MAX)
			continue;
		before = old->series->patch[old_of[i]].subject.number;
		missing_find(now, &old->in_message, before, number, ret);
		missing_find(now, &old->given, before, number, ret);
		missing_find(now, &old->given, 0, number, ret);
	}
}

void tag_changes_find(struct tagged_series now, struct tagged_series old, const size_t *old_of,
		      struct tag_changes *ret_changes)
{
	struct tag_changes changes = {};
	struct side a, b;

	side_make(&a, now);
	side_make(&b, old);
	invented_find(&a, &b, old_of, &changes);
	dropped_find(&a, &b, old_of, &changes);
	side_done(&a);
	side_done(&b);
	*ret_changes = changes;
}

void tag_changes_done(struct tag_changes *c)
{
	for (size_t i = 0; i < c->n; i++)
		tag_done(&c->item[i].tag);
	free(c->item);
	*c = (struct tag_changes){};
}
