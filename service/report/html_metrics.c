// SPDX-License-Identifier: GPL-2.0-or-later
/* The numbers: a plot and a table for each, and for a bench in several sizes how it grows. */
#include "report/html_view.h"

#include "base/json.h"
#include "report/escape.h"
#include "report/plot.h"

/* A bench measures a handful of sizes; what is over this many gets no growth plot, only rows of its
 * own. */
#define SIZES_MAX 32

static void side_row(struct html_view *v, const struct metric *m, bool patched)
{
	const struct metric_side *s = patched ? &m->patched : &m->base;
	char median[NUMBER_MAX], min[NUMBER_MAX], max[NUMBER_MAX], stddev[NUMBER_MAX];
	int d = m->decimals;

	str_addf(&v->out, "<tr><th scope=\"row\">%s</th><td class=\"n\">%zu</td>",
		 patched ? "patched" : "base", s->n);
	if (!s->n)
		str_adds(&v->out, "<td colspan=\"4\">no samples</td></tr>\n");
	else
		str_addf(&v->out,
			 "<td class=\"n\">%s</td><td class=\"n\">%s</td><td class=\"n\">%s</td>"
			 "<td class=\"n\">%s</td></tr>\n",
			 number_text(s->median, d, median), number_text(s->min, d, min),
			 number_text(s->max, d, max), stddev_text(m, s, stddev));
}

static void metric_table(struct html_view *v, const struct metric *m)
{
	str_adds(&v->out, "<table class=\"numbers\">\n<caption>in ");
	html_text(&v->out, metric_unit(m), strlen(metric_unit(m)));
	str_addf(&v->out, ", %s is better</caption>\n", json_get_str(m->obj, "better", ""));
	str_adds(&v->out, "<thead><tr><th scope=\"col\"><span class=\"unseen\">Kernel</span></th>");
	static const char *const heads[] = {"n", "median", "min", "max", "stddev"};
	for (size_t i = 0; i < array_size(heads); i++)
		str_addf(&v->out, "<th scope=\"col\" class=\"n\">%s</th>", heads[i]);
	str_adds(&v->out, "</tr></thead>\n<tbody>\n");
	side_row(v, m, false);
	side_row(v, m, true);
	str_adds(&v->out, "</tbody></table>\n");
}

static void metric_words(struct html_view *v, const struct metric *m)
{
	char change[NUMBER_MAX], smallest[NUMBER_MAX];

	str_addf(&v->out, "<dl class=\"facts\"><dt>Change</dt><dd><strong>%s</strong> ",
		 metric_change_text(m, change));
	html_badge(v, *metric_direction(m) ? metric_direction(m) : m->word, metric_judgement(m));
	str_adds(&v->out, "</dd>\n<dt>How found</dt><dd>");
	html_member(v, m->obj, "why");
	str_addf(&v->out,
		 "</dd>\n<dt>Seen from</dt><dd>%s: the smallest change that this run could "
		 "show</dd></dl>\n",
		 metric_smallest_text(m, smallest));
}

static void metric_article(struct html_view *v, const json_t *obj, size_t i)
{
	auto_free char *id = xasprintf("metric-%zu", i);
	struct metric m;

	metric_read(obj, &m);
	str_addf(&v->out, "<article id=\"%s\">\n", id);
	html_element(v, "h4", json_object_get(obj, "title"));
	str_adds(&v->out, "\n<div class=\"pair\">\n");
	plot_samples(&v->out, &m, id);
	str_adds(&v->out, "<div>\n<div class=\"wide\">");
	metric_table(v, &m);
	str_adds(&v->out, "</div>\n");
	metric_words(v, &m);
	str_adds(&v->out, "</div>\n</div>\n</article>\n");
}

/* Keeps m[] in ascending order of size. */
static void insert_by_size(struct metric *m, size_t n, const struct metric *add)
{
	double size = 0, other = 0;

	(void)metric_size(add, &size);
	for (; n && metric_size(&m[n - 1], &other) && other > size; n--)
		m[n] = m[n - 1];
	m[n] = *add;
}

static void bench_growth(struct html_view *v, const json_t *metrics, size_t from, size_t to)
{
	struct metric m[SIZES_MAX], one;
	auto_free char *id = xasprintf("growth-%zu", from);
	size_t n = 0;
	double size;

	for (size_t i = from; i < to; i++) {
		metric_read(json_array_get(metrics, i), &one);
		if (!metric_size(&one, &size) || !one.base.n || !one.patched.n)
			continue;
		if (n == SIZES_MAX)
			return;
		insert_by_size(m, n++, &one);
	}
	if (n >= 2)
		plot_growth(&v->out, m, n, id);
}

/* Rows of the same bench stand together. Returns where the next bench begins. */
static size_t bench_section(struct html_view *v, const json_t *metrics, size_t from)
{
	const json_t *first = json_array_get(metrics, from);
	const json_t *bench = json_object_get(first, "bench");
	size_t to = from;

	while (to < json_array_size(metrics) &&
	       json_equal(bench, json_object_get(json_array_get(metrics, to), "bench")))
		to++;
	html_element(v, "h3", bench);
	str_addc(&v->out, '\n');
	bench_growth(v, metrics, from, to);
	for (size_t i = from; i < to; i++)
		metric_article(v, json_array_get(metrics, i), i);
	str_adds(&v->out, "<p class=\"note\"><strong>Caveat:</strong> ");
	html_member(v, first, "caveat");
	str_adds(&v->out, "</p>\n");
	return to;
}

void html_metrics(struct html_view *v)
{
	const json_t *metrics = json_object_get(v->report, "metrics");

	if (!json_array_size(metrics))
		return;
	str_adds(&v->out,
		 "<section id=\"numbers\">\n<h2>Numbers</h2>\n"
		 "<p class=\"note\">Change is (patched &#8722; base) / base of the medians.</p>\n");
	for (size_t i = 0; i < json_array_size(metrics);)
		i = bench_section(v, metrics, i);
	str_adds(&v->out, "</section>\n");
}
