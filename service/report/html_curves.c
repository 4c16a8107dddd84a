// SPDX-License-Identifier: GPL-2.0-or-later
/* Which metrics form curves, and their plots side by side. */
#include "report/html_view.h"

#include "base/json.h"
#include "report/bench_rows.h"
#include "report/escape.h"
#include "report/plot.h"
#include <math.h>

#define CURVES_MAX 24
#define POINTS_MAX 64

struct curve {
	const struct metric *first; /* whose group and unit are those of all */
	const struct metric *m[POINTS_MAX];
	size_t n;
	bool full;
};

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

	c->full |= c->n == POINTS_MAX;
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

static size_t curves_read(const struct bench_rows *b, struct curve *list)
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

static void curve_figure(struct html_view *v, const struct bench_rows *b, const struct curve *c,
			 const char *id)
{
	const struct plot_curve plot = {.id = id, .m = c->m, .n = c->n};

	str_adds(&v->out, "<figure>\n");
	if (c->first->group) {
		auto_free char *title = bench_group_title(b, c->first);

		str_adds(&v->out, "<h4>");
		html_text(&v->out, title, strlen(title));
		str_adds(&v->out, "</h4>");
	}
	str_adds(&v->out, "\n<div class=\"growth\">\n");
	plot_medians(&v->out, &plot);
	plot_changes(&v->out, &plot);
	str_adds(&v->out, "</div>\n</figure>\n");
}

static bool is_curve(const struct curve *c)
{
	return c->n >= 2 && !c->full && c->m[0]->x < c->m[c->n - 1]->x;
}

static bool has_spread(const struct curve *c)
{
	for (size_t i = 0; i < c->n; i++)
		if (!c->m[i]->exact)
			return true;
	return false;
}

void html_bench_curves(struct html_view *v, const struct bench_rows *b, size_t number)
{
	auto_free struct curve *list = xcalloc(CURVES_MAX, sizeof(*list));
	size_t n = curves_read(b, list), drawn = 0;
	bool spread = false;

	for (size_t i = 0; i < n; i++) {
		auto_free char *id = xasprintf("curve-%zu-%zu", number, i);

		if (!is_curve(&list[i]))
			continue;
		curve_figure(v, b, &list[i], id);
		spread |= has_spread(&list[i]);
		drawn++;
	}
	if (spread)
		str_adds(&v->out,
			 "<p class=\"note\">Whiskers: from the smallest to the largest boot; "
			 "brackets: 95 % interval of the change.</p>\n");
	if (drawn > 1)
		str_adds(&v->out, "<p class=\"note\">Each plot has its own axes.</p>\n");
}
