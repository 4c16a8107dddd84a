// SPDX-License-Identifier: GPL-2.0-or-later
/* The numbers behind the plots of one benchmark, for a script that draws them: members as the ids
 * of the plots in the HTML view. */
#include "base/json.h"
#include "report/curves.h"
#include "report/plot.h"
#include "report/report.h"
#include <math.h>

/* As many as the HTML view draws. */
#define METRICS_MAX 100
#define SAMPLES_MAX 200

static void set(json_t *obj, const char *key, json_t *value)
{
	json_object_set_new(obj, key, value);
}

static json_t *number(double v)
{
	return isfinite(v) ? json_real(v) : json_null();
}

static json_t *range(bool known, double low, double high)
{
	json_t *pair = json_array();

	if (!known || !isfinite(low) || !isfinite(high)) {
		json_decref(pair);
		return json_null();
	}
	json_array_append_new(pair, json_real(low));
	json_array_append_new(pair, json_real(high));
	return pair;
}

static json_t *samples(const struct metric_side *s)
{
	json_t *list = json_array(), *sample;
	size_t i;

	json_array_foreach (s->samples, i, sample) {
		if (i == SAMPLES_MAX)
			break;
		json_array_append_new(list, number(json_number_value(sample)));
	}
	return list;
}

static void add_words(json_t *obj, const char *kind, const struct metric *m)
{
	set(obj, "kind", json_string(kind));
	set(obj, "unit", json_text(metric_unit(m)));
	set(obj, "decimals", json_integer(m->decimals));
	set(obj, "better", json_text(json_get_str(m->obj, "better", "")));
}

static json_t *samples_plot(const struct metric *m)
{
	double middle = m->base.median, unseen = fabs(middle) * m->smallest;
	json_t *obj = json_object(), *medians = json_array();
	struct plot_axis axis;

	plot_samples_range(m, &axis);
	add_words(obj, "samples", m);
	set(obj, "title", json_text(json_get_str(m->obj, "title", "")));
	set(obj, "base", samples(&m->base));
	set(obj, "patched", samples(&m->patched));
	json_array_append_new(medians, number(middle));
	json_array_append_new(medians, number(m->patched.median));
	set(obj, "medians", medians);
	set(obj, "axis", range(true, axis.lo, axis.hi));
	set(obj, "band", range(m->has_smallest, middle - unseen, middle + unseen));
	set(obj, "interval",
	    range(m->has_interval && !m->exact, middle * (1 + m->low), middle * (1 + m->high)));
	return obj;
}

static json_t *curve_side(const struct curve *c, bool patched)
{
	json_t *obj = json_object(), *median = json_array(), *min = json_array(),
	       *max = json_array();

	for (size_t i = 0; i < c->n; i++) {
		const struct metric_side *s = patched ? &c->m[i]->patched : &c->m[i]->base;

		json_array_append_new(median, number(s->median));
		json_array_append_new(min, number(s->min));
		json_array_append_new(max, number(s->max));
	}
	set(obj, "median", median);
	set(obj, "min", min);
	set(obj, "max", max);
	return obj;
}

static void add_changes(json_t *obj, const struct curve *c)
{
	json_t *x = json_array(), *change = json_array(), *intervals = json_array(),
	       *words = json_array();

	for (size_t i = 0; i < c->n; i++) {
		const struct metric *m = c->m[i];

		json_array_append_new(x, number(m->x));
		json_array_append_new(change, m->has_change ? number(m->change) : json_null());
		json_array_append_new(words, json_text(metric_direction(m)));
		json_array_append_new(intervals, range(m->has_interval, m->low, m->high));
	}
	set(obj, "x", x);
	set(obj, "change", change);
	set(obj, "intervals", intervals);
	set(obj, "words", words);
}

static bool spans(double low, double high)
{
	return low > 0 && high > low * PLOT_LINEAR_SPAN;
}

static bool medians_span(const struct curve *c)
{
	double low = INFINITY, high = -INFINITY;

	for (size_t i = 0; i < c->n; i++) {
		low = fmin(low, fmin(c->m[i]->base.median, c->m[i]->patched.median));
		high = fmax(high, fmax(c->m[i]->base.median, c->m[i]->patched.median));
	}
	return spans(low, high);
}

static json_t *curve_plot(const struct bench_rows *b, const struct curve *c)
{
	auto_free char *title = bench_group_title(b, c->first);
	json_t *obj = json_object();

	add_words(obj, "curve", c->first);
	set(obj, "title", json_text(title));
	set(obj, "x_title", json_text(c->first->x_title));
	set(obj, "log_x", json_boolean(spans(c->m[0]->x, c->m[c->n - 1]->x)));
	set(obj, "log_y", json_boolean(medians_span(c)));
	set(obj, "base", curve_side(c, false));
	set(obj, "patched", curve_side(c, true));
	add_changes(obj, c);
	return obj;
}

static void add_curves(json_t *plots, const struct bench_rows *b, size_t number)
{
	auto_free struct curve *list = xcalloc(CURVES_MAX, sizeof(*list));
	size_t n = curves_read(b, list);

	for (size_t i = 0; i < n; i++) {
		auto_free char *id = xasprintf("curve-%zu-%zu", number, i);

		if (curve_is_drawn(&list[i]))
			set(plots, id, curve_plot(b, &list[i]));
	}
}

json_t *report_plots(const json_t *report, const char *bench)
{
	auto_bench_list struct bench_list list = {0};
	size_t n;
	const struct bench_rows *b = bench_list_find(report, bench, &list, &n);
	json_t *plots;

	if (!b)
		return NULL;
	plots = json_object();
	for (size_t i = 0; i < b->n_metrics && i < METRICS_MAX; i++) {
		auto_free char *id = xasprintf("metric-%zu-%zu", n, i);

		if (b->metric[i].base.n && b->metric[i].patched.n)
			set(plots, id, samples_plot(&b->metric[i]));
	}
	add_curves(plots, b, n);
	return json_pack("{s:s, s:o}", "bench", bench, "plots", plots);
}
