// SPDX-License-Identifier: GPL-2.0-or-later
/* One number in several sizes: does it grow with the size as it did, and does the change? */
#include "report/plot.h"

#include "base/json.h"
#include "report/escape.h"
#include <math.h>

#define WIDTH	   400
#define HEIGHT	   196
#define LEFT	   64
#define RIGHT	   372
#define TOP	   30
#define BOTTOM	   158
#define LABEL_ROOM 30 /* a size's label is left out when the one before is nearer */
#define BESIDE	   3  /* base and patched stand so far from each other where they have whiskers */
#define WORD_MAX   16 /* columns of a unit or an axis title */
#define BARS_MAX   12
#define LABELS_MAX 8

static const struct metric_side *side_of(const struct metric *m, bool patched)
{
	return patched ? &m->patched : &m->base;
}

static void svg_word(struct str *out, const char *word)
{
	html_text(out, word, term_fit(word, strlen(word), WORD_MAX));
}

static void svg_begin(struct str *out, const struct plot_curve *c, const char *suffix,
		      const char *title)
{
	str_addf(out,
		 "<svg class=\"plot\" viewBox=\"0 0 %d %d\" role=\"img\" "
		 "aria-labelledby=\"%s-%s\">\n<title id=\"%s-%s\">%s</title>\n",
		 WIDTH, HEIGHT, c->id, suffix, c->id, suffix, title);
	str_addf(out, "<text class=\"head\" x=\"0\" y=\"14\">%s</text>\n", title);
}

static void svg_y_axis(struct str *out, const struct plot_axis *y, const char *after)
{
	char label[NUMBER_MAX];
	double value;

	for (unsigned i = 0; axis_tick(y, i, &value); i++)
		str_addf(out,
			 "<path class=\"grid\" d=\"M%d %.1fH%d\"/>"
			 "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s%s</text>\n",
			 LEFT, axis_at(y, value), RIGHT, LEFT - 6, axis_at(y, value) + 4,
			 axis_label(y, value, label), after);
}

static void svg_x_title(struct str *out, const struct plot_curve *c, const char *after)
{
	str_addf(out, "<text class=\"unit\" x=\"%d\" y=\"%d\" text-anchor=\"end\">", RIGHT,
		 BOTTOM + 34);
	svg_word(out, c->m[0]->x_title);
	str_addf(out, "%s</text>\n", after);
}

static void svg_size(struct str *out, double x, const struct metric *m)
{
	char label[NUMBER_MAX];

	str_addf(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", x,
		 BOTTOM + 18, metric_x_text(m, label));
}

static void svg_x_axis(struct str *out, const struct plot_axis *x, const struct plot_curve *c)
{
	double last = -LABEL_ROOM;

	str_addf(out, "<path class=\"axis\" d=\"M%d %dH%d\"/>\n", LEFT, BOTTOM, RIGHT);
	for (size_t i = 0; i < c->n; i++) {
		double at = axis_at(x, c->m[i]->x);

		str_addf(out, "<path class=\"axis\" d=\"M%.1f %dv5\"/>", at, BOTTOM);
		if (at - last < LABEL_ROOM)
			continue;
		svg_size(out, at, c->m[i]);
		last = at;
	}
	svg_x_title(out, c, x->log ? ", log" : "");
}

struct line {
	const struct plot_axis *x, *y;
	const struct plot_curve *curve;
	double beside;
	bool patched;
};

static void svg_mark(struct str *out, double x, double y, bool patched)
{
	if (patched)
		str_addf(out, "<path class=\"patched\" d=\"M%.1f %.1fl5 5l-5 5l-5-5z\"/>", x,
			 y - 5);
	else
		str_addf(out, "<circle class=\"base\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/>", x, y);
}

static void svg_point(struct str *out, const struct line *l, const struct metric *m)
{
	const struct metric_side *s = side_of(m, l->patched);
	double x = axis_at(l->x, m->x) + l->beside;

	if (s->max > s->min)
		str_addf(out, "<path class=\"whisker %s\" d=\"M%.1f %.1fV%.1f\"/>",
			 l->patched ? "patched" : "base", x, axis_at(l->y, s->min),
			 axis_at(l->y, s->max));
	svg_mark(out, x, axis_at(l->y, s->median), l->patched);
}

static void svg_line(struct str *out, const struct line *l)
{
	const struct plot_curve *c = l->curve;

	str_addf(out, "<polyline class=\"line %s\" points=\"", l->patched ? "patched" : "base");
	for (size_t i = 0; i < c->n; i++)
		str_addf(out, "%s%.1f,%.1f", i ? " " : "", axis_at(l->x, c->m[i]->x) + l->beside,
			 axis_at(l->y, side_of(c->m[i], l->patched)->median));
	str_adds(out, "\"/>");
	for (size_t i = 0; i < c->n; i++)
		svg_point(out, l, c->m[i]);
	str_addc(out, '\n');
}

static void svg_legend(struct str *out)
{
	str_addf(out,
		 "<circle class=\"base\" cx=\"%d\" cy=\"10\" r=\"4\"/><text x=\"%d\" "
		 "y=\"14\">base</text>"
		 "<path class=\"patched\" d=\"M%d 5l5 5l-5 5l-5-5z\"/><text x=\"%d\" "
		 "y=\"14\">patched</text>\n",
		 RIGHT - 116, RIGHT - 108, RIGHT - 62, RIGHT - 52);
}

/* Both axes: from 0 where the values allow, logarithmic where they span too much for that. */
static void axis_span(struct plot_axis *a, double lo, double hi)
{
	a->log = lo > 0 && hi > lo * PLOT_LINEAR_SPAN;
	a->lo = a->log ? lo / 1.25 : fmin(0, lo * 1.05);
	a->hi = a->log ? hi * 1.25 : hi * 1.05;
}

static bool has_spread(const struct plot_curve *c)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->m[i]->base.max > c->m[i]->base.min ||
		    c->m[i]->patched.max > c->m[i]->patched.min)
			return true;
	return false;
}

static bool fit_medians(const struct plot_curve *c, struct plot_axis *x, struct plot_axis *y)
{
	double lo = HUGE_VAL, hi = -HUGE_VAL;

	for (size_t i = 0; i < c->n; i++) {
		const struct metric_side *b = &c->m[i]->base, *p = &c->m[i]->patched;

		lo = fmin(lo, fmin(fmin(b->min, b->median), fmin(p->min, p->median)));
		hi = fmax(hi, fmax(fmax(b->max, b->median), fmax(p->max, p->median)));
	}
	axis_span(x, c->m[0]->x, c->m[c->n - 1]->x);
	axis_span(y, lo, hi);
	return axis_fit(x, 4) && axis_fit(y, 3);
}

void plot_medians(struct str *out, const struct plot_curve *c)
{
	struct plot_axis x = {.from = LEFT, .to = RIGHT}, y = {.from = BOTTOM, .to = TOP};
	double beside = has_spread(c) ? BESIDE : 0;
	auto_str struct str title;

	str_init(&title, 1024);
	if (!fit_medians(c, &x, &y)) {
		str_adds(out, "<p class=\"note\">No plot: these numbers do not fit on one "
			      "axis.</p>\n");
		return;
	}
	str_adds(&title, "Median in ");
	svg_word(&title, metric_unit(c->m[0]));
	str_adds(&title, y.log ? ", log" : "");
	svg_begin(out, c, "m", title.buf);
	svg_legend(out);
	svg_y_axis(out, &y, "");
	svg_x_axis(out, &x, c);
	svg_line(out, &(struct line){&x, &y, c, -beside, false});
	svg_line(out, &(struct line){&x, &y, c, beside, true});
	str_adds(out, "</svg>\n");
}

static bool bar_has_interval(const struct metric *m)
{
	return m->has_interval && !m->exact;
}

static void change_bar(struct str *out, const struct plot_axis *y, const struct metric *m, double x,
		       double width)
{
	double zero = axis_at(y, 0), at = axis_at(y, m->change * 100);

	str_addf(out,
		 "<rect class=\"bar %s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>",
		 metric_direction(m), x - width / 2, fmin(zero, at), width,
		 fmax(fabs(zero - at), 1));
	if (bar_has_interval(m))
		str_addf(out, "<path class=\"bracket\" d=\"M%.1f %.1fh8m-4 0V%.1fm-4 0h8\"/>",
			 x - 4, axis_at(y, m->low * 100), axis_at(y, m->high * 100));
}

/* Beyond the bar's end and the interval's. */
static void change_label(struct str *out, const struct plot_axis *y, const struct metric *m,
			 double x)
{
	bool down = m->change < 0;
	double end = m->change;
	char label[NUMBER_MAX];

	if (bar_has_interval(m))
		end = down ? fmin(end, m->low) : fmax(end, m->high);
	str_addf(out,
		 "<text class=\"value\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n",
		 x, axis_at(y, end * 100) + (down ? 14 : -5), change_text(m->change, label));
}

/* Room for the labels, and no zoom into a hundredth of a percent. */
static bool fit_changes(const struct plot_curve *c, struct plot_axis *y)
{
	for (size_t i = 0; i < c->n; i++) {
		const struct metric *m = c->m[i];
		bool interval = bar_has_interval(m);

		y->lo = fmin(y->lo, fmin(m->change, interval ? m->low : m->change) * 100);
		y->hi = fmax(y->hi, fmax(m->change, interval ? m->high : m->change) * 100);
	}
	y->hi = fmax(y->hi * 1.3, 0.1);
	y->lo = y->lo < 0 ? fmin(y->lo * 1.3, -0.1) : 0;
	return axis_fit(y, 3);
}

/* Sizes stand side by side here, not to scale: the question is at which of them something changed.
 */
void plot_changes(struct str *out, const struct plot_curve *c)
{
	struct plot_axis y = {.from = BOTTOM - 4, .to = TOP + 4};
	double room = (double)(RIGHT - LEFT) / (double)c->n;

	if (c->n > BARS_MAX || !fit_changes(c, &y))
		return;
	svg_begin(out, c, "c", "Change");
	svg_y_axis(out, &y, " %");
	str_addf(out, "<path class=\"axis\" d=\"M%d %.1fH%d\"/>\n", LEFT, axis_at(&y, 0), RIGHT);
	for (size_t i = 0; i < c->n; i++) {
		double x = LEFT + room * ((double)i + 0.5);

		svg_size(out, x, c->m[i]);
		if (!c->m[i]->has_change)
			continue;
		change_bar(out, &y, c->m[i], x, fmin(20, room * 0.6));
		if (c->n <= LABELS_MAX)
			change_label(out, &y, c->m[i], x);
	}
	svg_x_title(out, c, "");
	str_adds(out, "</svg>\n");
}
