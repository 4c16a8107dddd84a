// SPDX-License-Identifier: GPL-2.0-or-later
#include "checkers/checkpatch/stretch.h"

/* Enough for any call that is looked at; keeps a file that is one statement from taking long. */
#define STRETCH_MAX 4000

struct stretch stretch_of(const struct rule_subject *s)
{
	return (struct stretch){s->text, s->plain, s->len < STRETCH_MAX ? s->len : STRETCH_MAX};
}

bool stretch_is_first_line(const struct stretch *t, const struct pattern_match *m)
{
	return !memchr(t->text, '\n', (size_t)(m->group[0].s - t->text));
}

bool stretch_find(struct pattern **p, const char *expression, const struct stretch *t,
		  struct pattern_match *ret)
{
	*p = *p ? *p : pattern_new(expression);
	return pattern_find(*p, t->text, t->len, ret);
}

bool subject_find(struct pattern **p, const char *expression, const struct rule_subject *s,
		  struct pattern_match *ret)
{
	*p = *p ? *p : pattern_new(expression);
	return pattern_find(*p, s->text, s->len, ret);
}

bool pattern_same(const struct pattern_match *m, unsigned a, unsigned b)
{
	return m->group[a].s && m->group[b].s && m->group[a].len == m->group[b].len &&
	       memcmp(m->group[a].s, m->group[b].s, m->group[a].len) == 0;
}

bool pattern_is(const struct pattern_match *m, unsigned group, const char *word)
{
	return m->group[group].s && m->group[group].len == strlen(word) &&
	       memcmp(m->group[group].s, word, m->group[group].len) == 0;
}

void pattern_report(struct rule_run *run, const struct rule *rule, const struct rule_subject *s,
		    const struct pattern_match *m, unsigned group)
{
	size_t len = m->group[group].len;
	/* A finding's text is cut anyway. */
	auto_free char *text = xasprintf("'%.*s'", (int)(len > 200 ? 200 : len), m->group[group].s);

	rule_report(run, rule, s, text);
}
