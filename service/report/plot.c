// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/plot.h"

#include "base/json.h"
#include "report/escape.h"
#include <math.h>

/* In units of the viewBox, which is about as wide as a phone: text of 12 units stays readable
 * there. */
#define WIDTH	  400
#define HEIGHT	  158
#define LEFT	  64
#define RIGHT	  386
#define BASE_Y	  38
#define PATCHED_Y 86
#define AXIS_Y	  120
#define DOT	  4
#define STACK	  7 /* between dots of the same value */
#define STACKED	  5 /* so many fit above each other */
#define DOTS_MAX  200

/* The interval of the change is drawn where it says more than the samples do. */
static bool has_bracket(const struct metric *m)
{
	return m->has_interval && !m->exact && m->base.median > 0;
}

void plot_samples_range(const struct metric *m, struct plot_axis *a)
{
	double lo = fmin(m->base.min, m->patched.min), hi = fmax(m->base.max, m->patched.max);
	double unseen = fabs(m->base.median) * m->smallest, span = hi - lo, pad;

	/* Never zoomed in so far that less than what could be seen at all fills the plot. */
	pad = fmax(span * 0.12, unseen * 3);
	if (pad == 0)
		pad = hi != 0 ? fabs(hi) * 0.001 : 1;
	if (has_bracket(m)) {
		lo = fmin(lo, m->base.median * (1 + m->low));
		hi = fmax(hi, m->base.median * (1 + m->high));
	}
	*a = (struct plot_axis){.lo = lo - pad, .hi = hi + pad, .from = LEFT, .to = RIGHT};
	if (lo >= 0 && span > 0.3 * hi)
		a->lo = 0;
}

static void describe_side(struct str *out, const char *name, const struct metric *m,
			  const struct metric_side *s)
{
	char median[NUMBER_MAX], min[NUMBER_MAX], max[NUMBER_MAX];

	str_addf(out, "%s: n = %zu, median %s, from %s to %s. ", name, s->n,
		 number_text(s->median, m->decimals, median), number_text(s->min, m->decimals, min),
		 number_text(s->max, m->decimals, max));
}

static void svg_begin(struct str *out, const struct metric *m, const char *id)
{
	const json_t *title = json_object_get(m->obj, "title");

	str_addf(out,
		 "<svg class=\"plot\" viewBox=\"0 0 %d %d\" role=\"img\" aria-labelledby=\"%s-t "
		 "%s-d\">\n"
		 "<title id=\"%s-t\">Samples: ",
		 WIDTH, HEIGHT, id, id, id);
	html_text(out, json_string_value(title), json_string_length(title));
	str_addf(out, "</title>\n<desc id=\"%s-d\">", id);
	describe_side(out, "Base", m, &m->base);
	describe_side(out, "Patched", m, &m->patched);
	str_adds(out, "</desc>\n");
}

/* Where a median cannot be told from the base's. */
static void svg_band(struct str *out, const struct plot_axis *a, const struct metric *m)
{
	double unseen = fabs(m->base.median) * m->smallest;
	double from = fmax(axis_at(a, m->base.median - unseen), LEFT);
	double to = fmin(axis_at(a, m->base.median + unseen), RIGHT);

	if (m->has_smallest && to > from)
		str_addf(
			out,
			"<rect class=\"band\" x=\"%.1f\" y=\"10\" width=\"%.1f\" height=\"%d\"/>\n",
			from, to - from, AXIS_Y - 10);
}

static void svg_axis(struct str *out, const struct plot_axis *a, const char *unit)
{
	char label[NUMBER_MAX];
	double value;

	str_addf(out, "<path class=\"axis\" d=\"M%d %dH%d\"/>\n", LEFT, AXIS_Y, RIGHT);
	for (unsigned i = 0; axis_tick(a, i, &value); i++)
		str_addf(out,
			 "<path class=\"axis\" d=\"M%.1f %dv5\"/>"
			 "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
			 axis_at(a, value), AXIS_Y, axis_at(a, value), AXIS_Y + 18,
			 number_text(value, a->decimals, label));
	str_addf(out, "<text class=\"unit\" x=\"%d\" y=\"%d\" text-anchor=\"end\">", RIGHT,
		 AXIS_Y + 34);
	html_text(out, unit, strlen(unit));
	str_adds(out, "</text>\n");
}

static void svg_dot(struct str *out, const char *name, double x, double y)
{
	if (strcmp(name, "base") == 0)
		str_addf(out, "<circle class=\"base\" cx=\"%.1f\" cy=\"%.1f\" r=\"%d\"/>", x, y,
			 DOT);
	else
		str_addf(out, "<path class=\"patched\" d=\"M%.1f %.1fl5 5l-5 5l-5-5z\"/>", x,
			 y - 5);
}

/* Dots that would hide each other are stacked around the row's middle: 0, +1, -1, +2, -2. */
static void svg_dots(struct str *out, const struct plot_axis *a, const char *name,
		     const struct metric_side *s, double y)
{
	unsigned char stacked[(RIGHT - LEFT) / STACK + 1] = {0};
	const json_t *sample;
	size_t i;

	json_array_foreach (s->samples, i, sample) {
		double x = axis_at(a, json_number_value(sample));

		if (i == DOTS_MAX)
			break;
		if (!(x >= LEFT && x <= RIGHT)) /* min and max do not agree with the samples */
			continue;
		unsigned char *n = &stacked[(size_t)((x - LEFT) / STACK)];
		int level = (*n + 1) / 2 * (*n % 2 ? 1 : -1);

		svg_dot(out, name, x, y + level * STACK);
		*n = (unsigned char)((*n + 1) % STACKED);
	}
	str_addc(out, '\n');
}

static void svg_row(struct str *out, const struct plot_axis *a, const struct metric *m,
		    bool patched)
{
	const struct metric_side *s = patched ? &m->patched : &m->base;
	const char *name = patched ? "patched" : "base";
	int y = patched ? PATCHED_Y : BASE_Y;
	double x = axis_at(a, s->median);
	char label[NUMBER_MAX];

	str_addf(out, "<text class=\"row\" x=\"0\" y=\"%d\">%s</text>\n", y + 4, name);
	str_addf(out, "<path class=\"grid\" d=\"M%d %dH%d\"/>\n", LEFT, y, RIGHT);
	svg_dots(out, a, name, s, y);
	str_addf(out, "<path class=\"median %s\" d=\"M%.1f %dv34\"/>", name, x, y - 17);
	str_addf(out, "<text class=\"value\" x=\"%.1f\" y=\"%d\" text-anchor=\"%s\">%s</text>\n", x,
		 y - 20,
		 x > RIGHT - 40	 ? "end"
		 : x < LEFT + 40 ? "start"
				 : "middle",
		 number_text(s->median, m->decimals, label));
}

/* Where the patched median would be at either end of the interval. */
static void svg_bracket(struct str *out, const struct plot_axis *a, const struct metric *m)
{
	double from = fmax(axis_at(a, m->base.median * (1 + m->low)), LEFT);
	double to = fmin(axis_at(a, m->base.median * (1 + m->high)), RIGHT);

	if (has_bracket(m) && to >= from)
		str_addf(out, "<path class=\"bracket\" d=\"M%.1f %dv8m0-4H%.1fm0-4v8\"/>\n", from,
			 PATCHED_Y + 18, to);
}

/* A zoomed axis makes any change look big: its width is said in words. */
static void caption(struct str *out, const struct plot_axis *a, const struct metric *m)
{
	double median = fabs(m->base.median);
	char share[NUMBER_MAX];

	str_adds(out, "<figcaption>Each mark is one boot, the bar is the median.");
	if (has_bracket(m))
		str_adds(out, " Bracket: the patched median, 95 % interval.");
	if (m->has_smallest)
		str_adds(out, " Grey: too close to the base to be told from it.");
	if (a->lo == 0)
		str_adds(out, " The axis starts at 0.");
	else if (median > 0)
		str_addf(out,
			 " <strong>Zoomed in:</strong> the axis does not start at 0; its whole "
			 "width is "
			 "%s of the base.",
			 percent_text((a->hi - a->lo) / median, share));
	str_adds(out, "</figcaption>\n");
}

void plot_samples(struct str *out, const struct metric *m, const char *id)
{
	struct plot_axis a;

	plot_samples_range(m, &a);
	if (!m->base.n || !m->patched.n || !axis_fit(&a, 3)) {
		str_adds(out,
			 "<p class=\"note\">No plot: base and patched do not both have numbers "
			 "that fit on one axis.</p>\n");
		return;
	}
	str_addf(out, "<figure>\n<div data-plot=\"%s\">\n", id);
	svg_begin(out, m, id);
	svg_band(out, &a, m);
	svg_axis(out, &a, metric_unit(m));
	svg_row(out, &a, m, false);
	svg_row(out, &a, m, true);
	svg_bracket(out, &a, m);
	str_adds(out, "</svg>\n</div>\n");
	caption(out, &a, m);
	str_adds(out, "</figure>\n");
}
