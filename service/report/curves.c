// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/curves.h"

static bool belongs(const struct curve *c, const struct metric *m)
{
	const json_t *group = c->first->group;

	return (group ? json_equal(group, m->group) : !m->group) &&
	       json_equal(json_object_get(c->first->obj, "unit"), json_object_get(m->obj, "unit"));
}

/* Keeps the points in ascending order of x. */
static void curve_add(struct curve *c, const struct metric *m)
{
	size_t i = c->n;

	c->full |= c->n == CURVE_POINTS_MAX;
	if (c->full)
		return;
	for (; i && c->m[i - 1]->x > m->x; i--)
		c->m[i] = c->m[i - 1];
	c->m[i] = m;
	c->n++;
}

static struct curve *curve_find(struct curve *list, size_t *n, const struct metric *m)
{
	for (size_t i = 0; i < *n; i++)
		if (belongs(&list[i], m))
			return &list[i];
	if (*n == CURVES_MAX)
		return NULL;
	list[*n] = (struct curve){.first = m};
	return &list[(*n)++];
}

size_t curves_read(const struct bench_rows *b, struct curve *list)
{
	size_t n = 0;

	for (size_t i = 0; i < b->n_metrics; i++) {
		const struct metric *m = &b->metric[i];
		struct curve *c;

		if (!m->has_x || !m->base.n || !m->patched.n)
			continue;
		c = curve_find(list, &n, m);
		if (c)
			curve_add(c, m);
	}
	return n;
}

bool curve_is_drawn(const struct curve *c)
{
	return c->n >= 2 && !c->full && c->m[0]->x < c->m[c->n - 1]->x;
}
