// SPDX-License-Identifier: GPL-2.0-or-later
/* The numbers: a plot and a table for each, and one table of all where they are many. */
#include "report/html_view.h"

#include "base/json.h"
#include "report/bench_rows.h"
#include "report/escape.h"
#include "report/plot.h"

#define OPEN_MAX     6 /* more than these are folded in */
#define ARTICLES_MAX 100
#define ROWS_MAX     500

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
	if (!m->judged)
		str_adds(&v->out, " <span class=\"muted\">shown only, not judged</span>");
	str_adds(&v->out, "</dd>\n<dt>How found</dt><dd>");
	html_member(v, m->obj, "why");
	str_adds(&v->out, "</dd>\n<dt>Seen from</dt><dd>");
	if (m->has_smallest)
		str_addf(&v->out, "%s: the smallest change that this run could show",
			 metric_smallest_text(m, smallest));
	else
		str_adds(&v->out, "no change has a size here");
	str_adds(&v->out, "</dd></dl>\n");
}

static void metric_article(struct html_view *v, const struct metric *m, const char *id)
{
	str_addf(&v->out, "<article id=\"%s\">\n", id);
	html_element(v, "h4", json_object_get(m->obj, "title"));
	str_adds(&v->out, "\n<div class=\"pair\">\n");
	plot_samples(&v->out, m, id);
	str_adds(&v->out, "<div>\n<div class=\"wide\">");
	metric_table(v, m);
	str_adds(&v->out, "</div>\n");
	metric_words(v, m);
	str_adds(&v->out, "</div>\n</div>\n</article>\n");
}

static void metric_articles(struct html_view *v, const struct bench_rows *b, size_t number)
{
	for (size_t i = 0; i < b->n_metrics && i < ARTICLES_MAX; i++) {
		auto_free char *id = xasprintf("metric-%zu-%zu", number, i);

		metric_article(v, &b->metric[i], id);
	}
}

static void overview_row(struct html_view *v, const struct metric *m)
{
	char base[NUMBER_MAX], patched[NUMBER_MAX], change[NUMBER_MAX], smallest[NUMBER_MAX];
	int d = m->decimals;

	str_adds(&v->out, "<tr>");
	html_element(v, "th scope=\"row\"", json_object_get(m->obj, "title"));
	str_adds(&v->out, "<td>");
	html_text(&v->out, metric_unit(m), strlen(metric_unit(m)));
	str_addf(&v->out,
		 "</td><td class=\"n\">%s</td><td class=\"n\">%s</td><td class=\"n\">%s</td><td>",
		 m->base.n ? number_text(m->base.median, d, base) : "-",
		 m->patched.n ? number_text(m->patched.median, d, patched) : "-",
		 metric_change_text(m, change));
	if (m->judged)
		html_badge(v, *metric_direction(m) ? metric_direction(m) : m->word,
			   metric_judgement(m));
	else
		str_adds(&v->out, "<span class=\"muted\">not judged</span>");
	str_addf(&v->out, "</td><td class=\"n\">%zu, %zu</td><td class=\"n\">%s</td></tr>\n",
		 m->base.n, m->patched.n, metric_smallest_text(m, smallest));
}

static void overview(struct html_view *v, const struct bench_rows *b)
{
	str_adds(&v->out,
		 "<h4>All numbers</h4>\n<div class=\"wide\"><table class=\"numbers overview\">\n"
		 "<thead><tr><th scope=\"col\">Median of</th><th scope=\"col\">unit</th>"
		 "<th scope=\"col\" class=\"n\">base</th><th scope=\"col\" class=\"n\">patched</th>"
		 "<th scope=\"col\" class=\"n\">change</th>"
		 "<th scope=\"col\"><span class=\"unseen\">Word</span></th>"
		 "<th scope=\"col\" class=\"n\">n</th>"
		 "<th scope=\"col\" class=\"n\">seen from</th></tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < b->n_metrics && i < ROWS_MAX; i++)
		overview_row(v, &b->metric[i]);
	str_adds(&v->out, "</tbody></table></div>\n");
	html_more(v, b->n_metrics > ROWS_MAX ? b->n_metrics - ROWS_MAX : 0, "numbers");
}

void html_bench_metrics(struct html_view *v, const struct bench_rows *b, size_t number)
{
	size_t n = b->n_metrics, plotted = n < ARTICLES_MAX ? n : ARTICLES_MAX;

	if (n <= OPEN_MAX) {
		metric_articles(v, b, number);
		return;
	}
	overview(v, b);
	str_addf(&v->out, "<details><summary>Samples of %s%zu, one by one</summary>\n",
		 plotted < n ? "the first " : "all ", plotted);
	metric_articles(v, b, number);
	str_adds(&v->out, "</details>\n");
}
