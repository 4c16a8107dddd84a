// SPDX-License-Identifier: GPL-2.0-or-later
#include "series/mail_index.h"

/* The newest of References that are looked up. */
#define ANSWERS_MAX 64

static int place_order(const void *pa, const void *pb)
{
	const struct mail_place *a = pa, *b = pb;

	return strcmp(a->id, b->id);
}

static void place_add(struct mail_index *ix, struct series *s, const struct mail *m, size_t patch)
{
	if (m && m->message_id)
		ix->place[ix->n++] = (struct mail_place){m->message_id, m, s, patch};
}

void mail_index_make(struct series_set *set, struct mail_index *ret)
{
	struct mail_index ix = {};
	size_t n = 0;

	for (size_t i = 0; i < set->n_series; i++)
		n += 1 + set->series[i].n_patches;
	ix.place = xcalloc(n, sizeof(*ix.place));
	for (size_t i = 0; i < set->n_series; i++) {
		struct series *s = &set->series[i];

		place_add(&ix, s, s->composed ? NULL : s->cover, PLACE_COVER);
		for (size_t p = 0; p < s->n_patches; p++)
			place_add(&ix, s, s->patch[p].borrowed ? NULL : s->patch[p].mail, p);
	}
	qsort(ix.place, ix.n, sizeof(*ix.place), place_order);
	*ret = ix;
}

void mail_index_done(struct mail_index *ix)
{
	free(ix->place);
	*ix = (struct mail_index){};
}

static int id_cmp(const void *id, const void *place)
{
	return strcmp(id, ((const struct mail_place *)place)->id);
}

struct mail_place *mail_index_find(const struct mail_index *ix, const char *id)
{
	return id && ix->n ? bsearch(id, ix->place, ix->n, sizeof(*ix->place), id_cmp) : NULL;
}

const char *mail_answers(const struct mail *m, size_t i)
{
	if (m->in_reply_to && i-- == 0)
		return m->in_reply_to;
	return i < ANSWERS_MAX && i < m->n_references ? m->references[m->n_references - 1 - i]
						      : NULL;
}

bool series_same_author(const struct series *a, const struct series *b)
{
	const struct ident *x = &a->author, *y = &b->author;

	if (strcasecmp(x->email, y->email) != 0 || !*x->email)
		return false;
	/* One address for many: GitGitGadget, and lists that hide who wrote. */
	return !strstr(x->name, " via ") || strcmp(x->name, y->name) == 0;
}

int64_t series_posted(const struct series *s)
{
	int64_t date = INT64_MAX;

	if (s->cover && !s->composed)
		return s->cover->date;
	for (size_t i = 0; i < s->n_patches; i++)
		if (!s->patch[i].borrowed && s->patch[i].mail->date < date)
			date = s->patch[i].mail->date;
	return date;
}
