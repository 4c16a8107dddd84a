// SPDX-License-Identifier: GPL-2.0-or-later
#include "series/collate.h"

#include <ctype.h>

/* Hex digits; git-format-patch(1) writes all, people fewer. */
#define BASE_COMMIT_MIN 7
#define BASE_COMMIT_MAX 40

static void series_done(struct series *s)
{
	for (size_t i = 0; i < s->n_patches; i++)
		if (!s->patch[i].borrowed)
			patch_done(&s->patch[i]);
	ident_done(&s->author);
	free(s->patch);
	free(s->title);
	free(s->message_id);
	free(s->missing);
	free(s->base_commit);
	free(s->change_id);
	free(s->composed);
	free(s->note);
	free(s->older_why);
}

void series_set_done(struct series_set *set)
{
	for (size_t i = 0; i < set->n_series; i++)
		series_done(&set->series[i]);
	for (size_t i = 0; i < set->n_fates; i++)
		free(set->fate[i].why);
	free(set->series);
	free(set->fate);
	*set = (struct series_set){};
}

/* The value of "name: value" at the beginning of a line, which must be all of `n_min` or more of
 * these characters; NULL. git-format-patch(1) and b4 put them in different places. */
static char *trailer_find(const struct mail *m, const char *name, const char *chars, size_t n_min)
{
	const char *p = m->text;

	while ((p = strstr(p, name))) {
		const char *value = p + strlen(name);
		size_t n = strspn(value, chars);

		if (n >= n_min && (p == m->text || p[-1] == '\n') &&
		    (!value[n] || isspace((unsigned char)value[n])))
			return xmemdup(value, n);
		p = value;
	}
	return NULL;
}

#define LOWER	   "abcdefghijklmnopqrstuvwxyz"
#define DIGITS	   "0123456789"
#define CHANGE_IDS LOWER "ABCDEFGHIJKLMNOPQRSTUVWXYZ" DIGITS "-_."

void series_trailers_read(struct series *s, const struct mail *m)
{
	char *base = s->base_commit
			     ? NULL
			     : trailer_find(m, "base-commit: ", DIGITS "abcdef", BASE_COMMIT_MIN);

	if (base && strlen(base) <= BASE_COMMIT_MAX)
		s->base_commit = take(base);
	free(base);
	if (!s->change_id)
		s->change_id = trailer_find(m, "change-id: ", CHANGE_IDS, 1);
}

void series_missing_find(struct series *s)
{
	size_t p = 0;

	free(s->missing);
	s->n_missing = 0;
	s->missing = xcalloc(s->total < SERIES_MISSING_MAX ? s->total : SERIES_MISSING_MAX,
			     sizeof(*s->missing));
	for (unsigned number = 1; number <= s->total && s->n_missing < SERIES_MISSING_MAX;
	     number++) {
		while (p < s->n_patches && s->patch[p].subject.number < number)
			p++;
		if (p == s->n_patches || s->patch[p].subject.number != number)
			s->missing[s->n_missing++] = number;
	}
}

bool series_is_complete(const struct series *s)
{
	return s->n_patches && !s->n_missing;
}
