// SPDX-License-Identifier: GPL-2.0-or-later
/* One bench in several sizes: does the time grow with the size as it did, and does the change? */
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
#define LABEL_ROOM 26 /* a size's label is left out when the one before is nearer */

static double size_of(const struct metric *m)
{
	double size = 0;

	return metric_size(m, &size) ? size : 0;
}

static void svg_begin(struct str *out, const char *id, const char *title)
{
	str_addf(
		out,
		"<svg class=\"plot\" viewBox=\"0 0 %d %d\" role=\"img\" aria-labelledby=\"%s-t\">\n"
		"<title id=\"%s-t\">%s</title>\n",
		WIDTH, HEIGHT, id, id, title);
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
			 number_text(value, y->decimals, label), after);
}

static void svg_size(struct str *out, double x, double size)
{
	char label[NUMBER_MAX];

	str_addf(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", x,
		 BOTTOM + 18, number_text(size, size == floor(size) ? 0 : 2, label));
}

static void svg_sizes(struct str *out, const struct plot_axis *x, const struct metric *m, size_t n)
{
	double last = -LABEL_ROOM;

	str_addf(out, "<path class=\"axis\" d=\"M%d %dH%d\"/>\n", LEFT, BOTTOM, RIGHT);
	for (size_t i = 0; i < n; i++) {
		double at = axis_at(x, size_of(&m[i]));

		str_addf(out, "<path class=\"axis\" d=\"M%.1f %dv5\"/>", at, BOTTOM);
		if (at - last < LABEL_ROOM)
			continue;
		svg_size(out, at, size_of(&m[i]));
		last = at;
	}
	str_addf(out, "<text class=\"unit\" x=\"%d\" y=\"%d\" text-anchor=\"end\">size</text>\n",
		 RIGHT, BOTTOM + 34);
}

static void svg_line(struct str *out, const struct plot_axis *x, const struct plot_axis *y,
		     const struct metric *m, size_t n, bool patched)
{
	const char *class = patched ? "patched" : "base";

	str_addf(out, "<polyline class=\"line %s\" points=\"", class);
	for (size_t i = 0; i < n; i++)
		str_addf(out, "%s%.1f,%.1f", i ? " " : "", axis_at(x, size_of(&m[i])),
			 axis_at(y, patched ? m[i].patched.median : m[i].base.median));
	str_adds(out, "\"/>");
	for (size_t i = 0; i < n; i++) {
		double px = axis_at(x, size_of(&m[i]));
		double py = axis_at(y, patched ? m[i].patched.median : m[i].base.median);

		if (patched)
			str_addf(out, "<path class=\"patched\" d=\"M%.1f %.1fl5 5l-5 5l-5-5z\"/>",
				 px, py - 5);
		else
			str_addf(out, "<circle class=\"base\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/>",
				 px, py);
	}
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

static void medians(struct str *out, const struct metric *m, size_t n, const char *id)
{
	struct plot_axis x = {.hi = size_of(&m[n - 1]) * 1.05, .from = LEFT, .to = RIGHT};
	struct plot_axis y = {.from = BOTTOM, .to = TOP};
	auto_free char *plot_id = xasprintf("%s-m", id);
	auto_str struct str title;

	str_init(&title, 256);
	for (size_t i = 0; i < n; i++)
		y.hi = fmax(y.hi, fmax(m[i].base.median, m[i].patched.median) * 1.05);
	if (!axis_fit(&x, 4) || !axis_fit(&y, 3))
		return;
	str_adds(&title, "Median by size, in ");
	html_text(&title, metric_unit(&m[0]), strlen(metric_unit(&m[0])));
	svg_begin(out, plot_id, title.truncated ? "Median by size" : title.buf);
	svg_legend(out);
	svg_y_axis(out, &y, "");
	svg_sizes(out, &x, m, n);
	svg_line(out, &x, &y, m, n, false);
	svg_line(out, &x, &y, m, n, true);
	str_adds(out, "</svg>\n");
}

static void change_row(struct str *out, const struct plot_axis *y, const struct metric *m, double x)
{
	double zero = axis_at(y, 0), at = axis_at(y, m->change * 100);
	char label[NUMBER_MAX];

	str_addf(out, "<rect class=\"bar %s\" x=\"%.1f\" y=\"%.1f\" width=\"20\" height=\"%.1f\"/>",
		 metric_direction(m), x - 10, fmin(zero, at), fmax(fabs(zero - at), 1));
	str_addf(out,
		 "<text class=\"value\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n",
		 x, m->change < 0 ? at + 14 : at - 5, change_text(m->change, label));
	svg_size(out, x, size_of(m));
}

/* Sizes stand side by side here, not to scale: the question is at which of them something changed.
 */
static void changes(struct str *out, const struct metric *m, size_t n, const char *id)
{
	struct plot_axis y = {.from = BOTTOM - 4, .to = TOP + 4};
	auto_free char *plot_id = xasprintf("%s-c", id);

	for (size_t i = 0; i < n; i++) {
		y.lo = fmin(y.lo, m[i].change * 100);
		y.hi = fmax(y.hi, m[i].change * 100);
	}
	/* Room for the labels, and no zoom into a hundredth of a percent. */
	y.hi = fmax(y.hi * 1.25, 0.1);
	y.lo = y.lo < 0 ? fmin(y.lo * 1.25, -0.1) : 0;
	if (n > 8 || !axis_fit(&y, 3))
		return;
	svg_begin(out, plot_id, "Change by size");
	svg_y_axis(out, &y, " %");
	str_addf(out, "<path class=\"axis\" d=\"M%d %.1fH%d\"/>\n", LEFT, axis_at(&y, 0), RIGHT);
	for (size_t i = 0; i < n; i++)
		if (m[i].has_change)
			change_row(out, &y, &m[i],
				   LEFT + (RIGHT - LEFT) * ((double)i + 0.5) / (double)n);
	str_addf(out, "<text class=\"unit\" x=\"%d\" y=\"%d\" text-anchor=\"end\">size</text>\n",
		 RIGHT, BOTTOM + 34);
	str_adds(out, "</svg>\n");
}

void plot_growth(struct str *out, const struct metric *m, size_t n, const char *id)
{
	str_adds(out, "<figure class=\"growth\">\n");
	medians(out, m, n, id);
	changes(out, m, n, id);
	str_adds(out, "</figure>\n");
}
