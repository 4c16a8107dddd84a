// SPDX-License-Identifier: GPL-2.0-or-later
#include "series/version.h"

#include "series/mail_index.h"

/* How a predecessor was found. */
enum { BY_CHANGE_ID, BY_THREAD, BY_SUBJECT, BY_N };
static const char *const by_words[BY_N] = {
	"same change-id",
	"answers it",
	"same author and subject",
};

struct link {
	struct series *series;
	int64_t date; /* when its first own mail was sent */
	const struct link *found[BY_N];
	const struct link *refused; /* in the thread, the last that it may not follow */
	const char *key;	    /* what links_key() sorts by; NULL: not by that */
};

static bool is_rfc(const struct series *s)
{
	return s->n_patches && strcasestr(s->patch[0].subject.prefixes, "RFC");
}

int version_cmp(const struct series *a, const struct series *b)
{
	int c = is_rfc(b) - is_rfc(a);

	if (!c)
		c = (a->version > b->version) - (a->version < b->version);
	return c ? c : (a->minor > b->minor) - (a->minor < b->minor);
}

char *version_name(const struct series *s)
{
	const char *rfc = is_rfc(s) ? "RFC " : "";

	if (s->minor)
		return xasprintf("%sv%u.%u", rfc, s->version, s->minor);
	return xasprintf("%sv%u", rfc, s->version);
}

/* A total order: links only lead down in it, so that they never go round. */
static int link_cmp(const struct link *a, const struct link *b)
{
	int c = version_cmp(a->series, b->series);

	if (!c)
		c = (a->date > b->date) - (a->date < b->date);
	return c ? c : (a->series > b->series) - (a->series < b->series);
}

static int link_order(const void *pa, const void *pb)
{
	return link_cmp(pa, pb);
}

static int key_order(const void *pa, const void *pb)
{
	const struct link *a = *(struct link *const *)pa, *b = *(struct link *const *)pb;
	int c = strcmp(a->key, b->key);

	if (!c)
		c = strcasecmp(a->series->author.email, b->series->author.email);
	return c ? c : link_cmp(a, b);
}

/* The same patches by name. */
static bool same_patches(const struct series *a, const struct series *b)
{
	if (a->total != b->total || a->n_patches != b->n_patches)
		return false;
	for (size_t i = 0; i < a->n_patches; i++)
		if (strcmp(a->patch[i].subject.text, b->patch[i].subject.text) != 0)
			return false;
	return true;
}

/* What has the same version is the same posting again only when it says so, or looks so. */
static bool may_follow(const struct series *s, const struct series *older, int by)
{
	bool same_title = strcmp(s->title, older->title) == 0;

	return version_cmp(s, older) != 0 || by == BY_CHANGE_ID || s->resend || s->composed ||
	       same_patches(s, older) || (same_title && (s->n_missing || older->n_missing));
}

/* Neighbours with the same key follow each other. */
static void link_by_key(struct link *link, size_t n, int by)
{
	auto_free struct link **sorted = xcalloc(n, sizeof(struct link *));
	size_t n_keys = 0;

	for (size_t i = 0; i < n; i++)
		if (link[i].key)
			sorted[n_keys++] = &link[i];
	qsort(sorted, n_keys, sizeof(*sorted), key_order);
	for (size_t i = 1; i < n_keys; i++) {
		struct link *a = sorted[i - 1], *b = sorted[i];

		if (strcmp(a->key, b->key) == 0 && series_same_author(a->series, b->series) &&
		    may_follow(b->series, a->series, by))
			b->found[by] = a;
	}
}

static const char *subject_key(const struct series *s)
{
	bool named = s->cover || (s->n_patches && s->patch[0].subject.number == 1);

	return named && *s->title ? s->title : NULL;
}

struct by_series {
	const struct link **link; /* by place in the set */
	const struct series *first;
};

/* A single patch in answer to one of many is no new version of all. */
static bool is_aside(const struct series *s, const struct series *older)
{
	return !s->composed && s->total == 1 && !s->cover && older->total > 1;
}

static void link_by_mail(struct link *l, const struct mail_index *ix, const struct by_series *by,
			 const struct mail *m)
{
	const char *id;

	for (size_t i = 0; (id = mail_answers(m, i)); i++) {
		const struct mail_place *at = mail_index_find(ix, id);
		const struct link *older = at ? by->link[at->series - by->first] : NULL;

		if (!older || older == l->refused || link_cmp(older, l) >= 0 ||
		    (l->found[BY_THREAD] && link_cmp(l->found[BY_THREAD], older) >= 0))
			continue;
		if (series_same_author(older->series, l->series) &&
		    may_follow(l->series, older->series, BY_THREAD) &&
		    !is_aside(l->series, older->series))
			l->found[BY_THREAD] = older;
		else
			l->refused = older;
	}
}

static void link_by_thread(struct link *link, size_t n, struct series_set *set)
{
	struct by_series by = {.first = set->series};
	struct mail_index ix;

	by.link = xcalloc(n, sizeof(struct link *));
	mail_index_make(set, &ix);
	for (size_t i = 0; i < n; i++)
		by.link[link[i].series - set->series] = &link[i];
	for (size_t i = 0; i < n; i++) {
		const struct series *s = link[i].series;

		if (s->cover && !s->composed)
			link_by_mail(&link[i], &ix, &by, s->cover);
		for (size_t p = 0; p < s->n_patches; p++)
			if (!s->patch[p].borrowed)
				link_by_mail(&link[i], &ix, &by, s->patch[p].mail);
	}
	mail_index_done(&ix);
	free(by.link);
}

/* The nearest version counts, and everything that says so is named. */
static void link_settle(struct link *l)
{
	const struct link *best = NULL;
	struct str why;

	for (int by = 0; by < BY_N; by++)
		if (l->found[by] && (!best || link_cmp(best, l->found[by]) < 0))
			best = l->found[by];
	if (!best)
		return;
	str_init(&why, 256);
	for (int by = 0; by < BY_N; by++)
		if (l->found[by] == best)
			str_addf(&why, "%s%s", why.len ? ", " : "", by_words[by]);
	l->series->older = best->series;
	l->series->older_why = str_take(&why);
}

static int fate_order(const void *pa, const void *pb)
{
	const struct mail_fate *a = *(struct mail_fate *const *)pa;
	const struct mail_fate *b = *(struct mail_fate *const *)pb;

	return (a->mail > b->mail) - (a->mail < b->mail);
}

static int mail_fate_cmp(const void *mail, const void *fate)
{
	const struct mail *m = (*(struct mail_fate *const *)fate)->mail;

	return ((const struct mail *)mail > m) - ((const struct mail *)mail < m);
}

static void fate_extend(struct mail_fate **fate, size_t n, const struct mail *m, const char *words)
{
	struct mail_fate **hit = m ? bsearch(m, fate, n, sizeof(*fate), mail_fate_cmp) : NULL;
	char *old;

	if (!hit)
		return;
	old = (*hit)->why;
	(*hit)->why = xasprintf("%s, %s", old, words);
	free(old);
}

/* Tells the mails of a series that another one took its place. */
static void again_tell(const struct series_set *set, struct mail_fate **fate,
		       const struct series *s)
{
	const struct series *old = s->older;
	auto_free char *words =
		xasprintf("which was sent again%s as series %td",
			  series_is_complete(s) ? "" : " incompletely", s - set->series + 1);

	fate_extend(fate, set->n_fates, old->composed ? NULL : old->cover, words);
	for (size_t i = 0; i < old->n_patches; i++)
		if (!old->patch[i].borrowed)
			fate_extend(fate, set->n_fates, old->patch[i].mail, words);
}

static void fates_tell(struct series_set *set)
{
	auto_free struct mail_fate **fate = xcalloc(set->n_fates, sizeof(struct mail_fate *));
	auto_free bool *told = xcalloc(set->n_series, sizeof(*told)); /* once is enough */

	for (size_t i = 0; i < set->n_fates; i++)
		fate[i] = &set->fate[i];
	qsort(fate, set->n_fates, sizeof(*fate), fate_order);
	for (size_t i = 0; i < set->n_series; i++) {
		const struct series *s = &set->series[i];

		if (!s->older || s->composed || version_cmp(s, s->older) != 0 ||
		    told[s->older - set->series])
			continue;
		told[s->older - set->series] = true;
		again_tell(set, fate, s);
	}
}

static void keys_set(struct link *link, size_t n, int by)
{
	for (size_t i = 0; i < n; i++)
		link[i].key = by == BY_CHANGE_ID ? link[i].series->change_id
						 : subject_key(link[i].series);
}

void versions_link(struct series_set *set)
{
	size_t n = set->n_series;
	auto_free struct link *link = xcalloc(n, sizeof(*link));

	for (size_t i = 0; i < n; i++)
		link[i] = (struct link){.series = &set->series[i],
					.date = series_posted(&set->series[i])};
	qsort(link, n, sizeof(*link), link_order);
	keys_set(link, n, BY_CHANGE_ID);
	link_by_key(link, n, BY_CHANGE_ID);
	keys_set(link, n, BY_SUBJECT);
	link_by_key(link, n, BY_SUBJECT);
	link_by_thread(link, n, set);
	for (size_t i = 0; i < n; i++)
		link_settle(&link[i]);
	for (size_t i = 0; i < n; i++) {
		struct series *s = link[i].series;

		s->chain = s->older ? s->older->chain : set->n_chains++;
	}
	fates_tell(set);
}
