// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/history.h"

#include "base/clock.h"
#include "base/json.h"
#include "report/escape.h"
#include "report/plot.h"
#include <math.h>

#define WIDTH	   640
#define HEIGHT	   196
#define LEFT	   70
#define RIGHT	   628
#define TOP	   26
#define BOTTOM	   158
#define UNIT_MAX   16 /* columns */
#define DATES_MAX  5
#define DAY_LENGTH 10 /* "2026-11-30" */

void history_judge(struct history *h)
{
	double x[CHANGE_VALUES_MAX], largest = 0;
	bool whole = true;

	for (size_t i = 0; i < h->n; i++) {
		x[i] = h->point[i].median;
		largest = fmax(largest, fabs(x[i]));
		whole = whole && x[i] == floor(x[i]);
	}
	h->decimals = number_decimals(largest, whole);
	h->n_changes = change_points_find(x, h->n, HISTORY_FLOOR, h->change);
}

/* Where level number i begins: those of the changes, and the first point. */
static size_t level_from(const struct history *h, size_t i)
{
	return i ? h->change[i - 1].at : 0;
}

static size_t level_to(const struct history *h, size_t i)
{
	return i < h->n_changes ? h->change[i].at : h->n;
}

static bool fit(const struct history *h, struct plot_axis *x, struct plot_axis *y)
{
	double lo = HUGE_VAL, hi = -HUGE_VAL, pad;

	for (size_t i = 0; i < h->n; i++) {
		lo = fmin(lo, h->point[i].median);
		hi = fmax(hi, h->point[i].median);
	}
	/* Never so near that what does not matter fills the plot. */
	pad = fmax((hi - lo) * 0.1, fabs(hi) * HISTORY_FLOOR * 2);
	*x = (struct plot_axis){.from = LEFT + 4, .to = RIGHT - 4};
	*y = (struct plot_axis){.lo = lo - pad, .hi = hi + pad, .from = BOTTOM, .to = TOP};
	if (h->n < 2 || h->point[h->n - 1].when <= h->point[0].when)
		return false;
	x->lo = (double)h->point[0].when;
	x->hi = (double)h->point[h->n - 1].when;
	return axis_fit(y, 4);
}

static void svg_begin(struct str *out, const struct history *h, const char *id)
{
	str_addf(out,
		 "<svg class=\"plot history\" viewBox=\"0 0 %d %d\" role=\"img\" "
		 "aria-labelledby=\"%s-t\">\n<title id=\"%s-t\">History: ",
		 WIDTH, HEIGHT, id, id);
	html_text(out, h->title, strlen(h->title));
	str_addf(out, ", %zu commits, %zu change%s</title>\n", h->n, h->n_changes,
		 h->n_changes == 1 ? "" : "s");
	str_adds(out, "<text class=\"unit\" x=\"0\" y=\"12\">");
	html_text(out, h->unit, term_fit(h->unit, strlen(h->unit), UNIT_MAX));
	str_adds(out, "</text>\n");
}

static void svg_y(struct str *out, const struct plot_axis *y)
{
	char label[NUMBER_MAX];
	double value;

	for (unsigned i = 0; axis_tick(y, i, &value); i++)
		str_addf(out,
			 "<path class=\"grid\" d=\"M%d %.1fH%d\"/><text x=\"%d\" y=\"%.1f\" "
			 "text-anchor=\"end\">%s</text>\n",
			 LEFT, axis_at(y, value), RIGHT, LEFT - 6, axis_at(y, value) + 4,
			 axis_label(y, value, label));
}

static void svg_x(struct str *out, const struct plot_axis *x)
{
	str_addf(out, "<path class=\"axis\" d=\"M%d %dH%d\"/>\n", LEFT, BOTTOM, RIGHT);
	for (unsigned i = 0; i < DATES_MAX; i++) {
		double when = x->lo + (x->hi - x->lo) * i / (DATES_MAX - 1);
		char iso[CLOCK_ISO_MAX];

		str_addf(out,
			 "<path class=\"axis\" d=\"M%.1f %dv5\"/><text x=\"%.1f\" y=\"%d\" "
			 "text-anchor=\"%s\">%.*s</text>\n",
			 axis_at(x, when), BOTTOM, axis_at(x, when), BOTTOM + 19,
			 i == 0		      ? "start"
			 : i == DATES_MAX - 1 ? "end"
					      : "middle",
			 DAY_LENGTH, clock_iso((int64_t)when, iso));
	}
}

static double at_point(const struct history *h, const struct plot_axis *x, size_t i)
{
	return axis_at(x, (double)h->point[i].when);
}

static void svg_levels(struct str *out, const struct history *h, const struct plot_axis *x,
		       const struct plot_axis *y)
{
	for (size_t i = 0; h->n_changes && i <= h->n_changes; i++) {
		double level = i ? h->change[i - 1].after : h->change[0].before;

		str_addf(out, "<path class=\"level\" d=\"M%.1f %.1fH%.1f\"/>\n",
			 at_point(h, x, level_from(h, i)), axis_at(y, level),
			 at_point(h, x, level_to(h, i) - 1));
	}
	for (size_t i = 0; i < h->n_changes; i++) {
		double at =
			(at_point(h, x, h->change[i].at) + at_point(h, x, h->change[i].at - 1)) / 2;

		str_addf(out,
			 "<path class=\"mark\" d=\"M%.1f %dV%d\"/><text class=\"mark-number\" "
			 "x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%zu</text>\n",
			 at, TOP, BOTTOM, at, TOP - 4, i + 1);
	}
}

void plot_history(struct str *out, const struct history *h, const char *id)
{
	struct plot_axis x, y;

	if (!fit(h, &x, &y)) {
		str_adds(out, "<p class=\"note\">No plot: it takes two commits of different "
			      "times.</p>\n");
		return;
	}
	svg_begin(out, h, id);
	svg_y(out, &y);
	svg_x(out, &x);
	svg_levels(out, h, &x, &y);
	for (size_t i = 0; i < h->n; i++)
		if (isfinite(h->point[i].median))
			str_addf(out, "<circle class=\"base\" cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\"/>",
				 at_point(h, &x, i), axis_at(&y, h->point[i].median));
	str_adds(out, "\n</svg>\n");
}

static json_t *changes_json(const struct history *h)
{
	json_t *list = json_array();

	for (size_t i = 0; i < h->n_changes; i++) {
		const struct change_point *c = &h->change[i];

		json_array_append_new(list,
				      json_pack("{s:I, s:f, s:f, s:f}", "at", (json_int_t)c->at,
						"before", c->before, "after", c->after, "p", c->p));
	}
	return list;
}

json_t *history_json(const struct history *h)
{
	json_t *obj = json_object(), *when = json_array(), *median = json_array(),
	       *commit = json_array();

	for (size_t i = 0; i < h->n; i++) {
		const struct history_point *p = &h->point[i];

		json_array_append_new(when, json_integer(p->when));
		json_array_append_new(median,
				      isfinite(p->median) ? json_real(p->median) : json_null());
		json_array_append_new(commit, json_text(p->commit));
	}
	json_object_set_new(obj, "kind", json_string("history"));
	json_object_set_new(obj, "title", json_text(h->title));
	json_object_set_new(obj, "unit", json_text(h->unit));
	json_object_set_new(obj, "decimals", json_integer(h->decimals));
	json_object_set_new(obj, "when", when);
	json_object_set_new(obj, "median", median);
	json_object_set_new(obj, "commit", commit);
	json_object_set_new(obj, "changes", changes_json(h));
	return obj;
}
