// SPDX-License-Identifier: GPL-2.0-or-later
/* Which of several versions is meant. */
#include "series/mail_index.h"
#include "series/version.h"

static bool is_newer(const struct series *a, const struct series *b)
{
	int64_t x = series_posted(a), y = series_posted(b);
	int c = version_cmp(a, b);

	if (c)
		return c > 0;
	return x != y ? x > y : a > b;
}

struct pick {
	const struct series *newest, *best; /* best: the newest that is complete */
	size_t n;
};

static struct pick pick_make(const struct series_set *set, size_t chain)
{
	struct pick p = {};

	for (size_t i = 0; i < set->n_series; i++) {
		const struct series *s = &set->series[i];

		if (s->chain != chain)
			continue;
		p.n++;
		if (!p.newest || is_newer(s, p.newest))
			p.newest = s;
		if (series_is_complete(s) && (!p.best || is_newer(s, p.best)))
			p.best = s;
	}
	return p;
}

/* Another complete one of that version, which is not a predecessor; NULL. */
static const struct series *rival_find(const struct series_set *set, const struct series *best)
{
	auto_free bool *before = xcalloc(set->n_series, sizeof(*before));

	for (const struct series *s = best; s; s = s->older)
		before[s - set->series] = true;
	for (size_t i = 0; i < set->n_series; i++) {
		const struct series *s = &set->series[i];

		if (s->chain == best->chain && !before[i] && series_is_complete(s) &&
		    version_cmp(s, best) == 0)
			return s;
	}
	return NULL;
}

static char *pick_words(const struct pick *p)
{
	const struct series *s = p->best ? p->best : p->newest;
	auto_free char *name = version_name(s), *newest = version_name(p->newest);
	bool again = s->older && version_cmp(s, s->older) == 0 && !s->composed;
	const char *sent = again ? " as sent again" : "";

	if (p->n == 1)
		return xstrdup(name);
	if (s == p->newest)
		return xasprintf("%s%s, the newest of %zu versions", name, sent, p->n);
	return xasprintf("%s%s, the newest complete one of %zu versions: %s has %zu of %u patches",
			 name, sent, p->n, newest, p->newest->n_patches, p->newest->total);
}

const struct series *version_newest(const struct series_set *set, const struct series *of,
				    char **ret_why)
{
	struct pick p = pick_make(set, of->chain);
	const struct series *rival = p.best ? rival_find(set, p.best) : NULL;
	auto_free char *why = NULL;

	if (rival) {
		auto_free char *name = version_name(rival);

		why = xasprintf("two series are %s of one posting: <%s> and <%s>", name,
				p.best->message_id, rival->message_id);
	} else {
		why = pick_words(&p);
	}
	if (ret_why)
		*ret_why = take(why);
	if (rival)
		return NULL;
	return p.best ? p.best : p.newest;
}

const struct series *series_set_newest(const struct series_set *set, char **ret_why)
{
	if (set->n_chains == 1)
		return version_newest(set, &set->series[0], ret_why);
	if (ret_why)
		*ret_why = xasprintf("%zu postings", set->n_chains);
	return NULL;
}
