// SPDX-License-Identifier: GPL-2.0-or-later
/* The plots of curves side by side. */
#include "report/html_view.h"

#include "base/json.h"
#include "report/curves.h"
#include "report/escape.h"
#include "report/plot.h"

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
	str_addf(&v->out, "\n<div class=\"growth\" data-plot=\"%s\">\n", id);
	plot_medians(&v->out, &plot);
	plot_changes(&v->out, &plot);
	str_adds(&v->out, "</div>\n</figure>\n");
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

		if (!curve_is_drawn(&list[i]))
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
