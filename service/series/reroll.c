// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Partial rerolls, as b4 has them: some patches of a series made anew, each in answer to the patch
 * that it replaces, or under a number like v5.1.
 */
#include "series/collate.h"
#include "series/mail_index.h"
#include "series/version.h"

#include <limits.h>

/* Patches that composed series may borrow in one set, so that many small rerolls of a large series
 * cost no more than this. */
#define BORROWED_MAX 100000

struct composer {
	struct series_set *set;
	struct mail_index ix;
	struct series **newest; /* of each series: what was composed on top of it last; NULL */
	size_t borrowed;
};

/* The older patch that this one replaces: the nearest that it answers and that has its number, or,
 * without a number, its subject. */
static const struct mail_place *replaced_find(const struct composer *c, const struct series *s,
					      const struct patch *p)
{
	const char *id;

	for (size_t i = 0; (id = mail_answers(p->mail, i)); i++) {
		const struct mail_place *at = mail_index_find(&c->ix, id);
		const struct subject *old;

		if (!at || at->patch == PLACE_COVER || version_cmp(at->series, s) >= 0 ||
		    !series_same_author(at->series, s))
			continue;
		old = &at->series->patch[at->patch].subject;
		if (p->subject.numbered
			    ? old->number == p->subject.number && old->total == p->subject.total
			    : at->series->total > 1 && !strcmp(old->text, p->subject.text))
			return at;
	}
	return NULL;
}

/* v5 for a v5.1 that answers any mail of it. */
static struct series *major_find(const struct composer *c, const struct series *s,
				 const struct patch *p)
{
	const char *id;

	for (size_t i = 0; s->minor && (id = mail_answers(p->mail, i)); i++) {
		const struct mail_place *at = mail_index_find(&c->ix, id);

		if (at && at->series->version == s->version && at->series->minor < s->minor &&
		    at->series->total == s->total && series_same_author(at->series, s))
			return at->series;
	}
	return NULL;
}

/* What a partial series is composed with; all its patches must say the same. `*ret_slot` is the
 * number that the only patch of an unnumbered one takes. */
static struct series *older_find(const struct composer *c, const struct series *s,
				 unsigned *ret_slot)
{
	struct series *older = NULL;

	for (size_t i = 0; i < s->n_patches; i++) {
		const struct patch *p = &s->patch[i];
		const struct mail_place *at = replaced_find(c, s, p);
		struct series *found = at ? at->series : major_find(c, s, p);

		if (!found || (older && older != found))
			return NULL;
		older = found;
		*ret_slot = at ? older->patch[at->patch].subject.number : p->subject.number;
	}
	return older;
}

static bool is_partial(const struct series *s)
{
	return s->n_missing || (s->total == 1 && !s->patch[0].subject.numbered);
}

/* "v1 with v2 of patches 3, 4" */
static char *words_make(const struct series *s, const struct series *older)
{
	auto_free char *mine = version_name(s), *theirs = version_name(older);
	struct str words;

	str_init(&words, 1024);
	str_addf(&words, "%s with %s of patch%s", older->composed ? older->composed : theirs, mine,
		 s->n_patches == 1 ? "" : "es");
	for (size_t i = 0; i < s->n_patches; i++)
		str_addf(&words, "%s %u", i ? "," : "", s->patch[i].subject.number);
	return str_take(&words);
}

static void text_inherit(char **mine, const char *theirs)
{
	if (!*mine && theirs)
		*mine = xstrdup(theirs);
}

static void head_inherit(struct series *s, const struct series *older)
{
	s->total = older->total;
	if (!s->cover) {
		s->cover = older->cover;
		free(s->title);
		s->title = xstrdup(older->title);
	}
	text_inherit(&s->base_commit, older->base_commit);
	text_inherit(&s->change_id, older->change_id);
}

/* Both are in order of their numbers. */
static void patches_merge(struct composer *c, struct series *s, const struct series *older)
{
	struct patch *all = xcalloc(s->n_patches + older->n_patches, sizeof(*all));
	size_t n = 0, mine = 0, theirs = 0;

	while (mine < s->n_patches || theirs < older->n_patches) {
		unsigned a = mine < s->n_patches ? s->patch[mine].subject.number : UINT_MAX;
		unsigned b =
			theirs < older->n_patches ? older->patch[theirs].subject.number : UINT_MAX;

		if (a <= b) {
			struct mail_place *at =
				mail_index_find(&c->ix, s->patch[mine].mail->message_id);

			if (at)
				at->patch = n;
			all[n++] = s->patch[mine++];
			theirs += a == b;
		} else {
			all[n] = older->patch[theirs++];
			all[n++].borrowed = true;
			c->borrowed++;
		}
	}
	free(s->patch);
	s->patch = all;
	s->n_patches = n;
}

static void compose(struct composer *c, struct series *s)
{
	struct series *first, *older;
	unsigned slot = 0;

	if (!is_partial(s) || c->borrowed > BORROWED_MAX)
		return;
	first = older = older_find(c, s, &slot);
	if (!older)
		return;
	if (c->newest[first - c->set->series])
		older = c->newest[first - c->set->series];
	if (!s->patch[0].subject.numbered) {
		s->patch[0].subject.number = slot;
		s->patch[0].subject.total = older->total;
	}
	s->composed = words_make(s, older);
	head_inherit(s, older);
	patches_merge(c, s, older);
	series_missing_find(s);
	c->newest[first - c->set->series] = s;
}

static int version_order(const void *pa, const void *pb)
{
	const struct series *a = *(struct series *const *)pa, *b = *(struct series *const *)pb;
	int c = version_cmp(a, b);

	return c ? c : (a > b) - (a < b);
}

void rerolls_compose(struct series_set *set)
{
	auto_free struct series **order = xcalloc(set->n_series, sizeof(struct series *));
	struct composer c = {.set = set};

	c.newest = xcalloc(set->n_series, sizeof(struct series *));
	mail_index_make(set, &c.ix);
	for (size_t i = 0; i < set->n_series; i++)
		order[i] = &set->series[i];
	qsort(order, set->n_series, sizeof(*order), version_order);
	for (size_t i = 0; i < set->n_series; i++)
		compose(&c, order[i]);
	mail_index_done(&c.ix);
	free(c.newest);
}
