// SPDX-License-Identifier: GPL-2.0-or-later
/* A section for each benchmark: what was found first, how it was found after that. */
#include "report/html_view.h"

#include "base/json.h"
#include "report/bench_rows.h"
#include "report/escape.h"

static void bench_heading(struct html_view *v, const struct bench_rows *b, size_t number)
{
	const char *outcome = json_get_str(b->bench, "outcome", NULL);

	const struct html_target page = {html_trial(v), "/bench/", b->name};

	str_addf(&v->out, "<section class=\"bench\" id=\"bench-%zu\"", number);
	if (html_trial(v)) {
		str_adds(&v->out, " data-plots=\"");
		html_sub_path(v, html_trial(v), "/bench/", b->name);
		str_adds(&v->out, ".json\"");
	}
	str_adds(&v->out, ">\n<h3>");
	html_linked(v, &page, NULL, b->name);
	if (outcome) {
		str_addc(&v->out, ' ');
		html_badge(v, outcome, outcome);
	}
	str_adds(&v->out, "</h3>\n");
	if (b->bench)
		html_element(v, "p class=\"reason\"", json_object_get(b->bench, "reason"));
	str_addc(&v->out, '\n');
}

static void bench_run(struct html_view *v, const struct bench_rows *b)
{
	const json_t *stopped = json_object_get(b->bench, "stopped");
	auto_str struct str words;

	str_init(&words, 4096);
	if (!b->bench)
		return;
	bench_run_words(b, &words);
	str_adds(&v->out, "<p class=\"meta\">");
	html_text(&v->out, words.buf, words.len);
	if (json_is_string(stopped)) {
		str_adds(&v->out, "; stopped: ");
		html_value(v, stopped);
	}
	str_adds(&v->out, "</p>\n");
}

static void caveat(struct html_view *v, const struct bench_rows *b)
{
	const json_t *text = bench_caveat(b);

	if (!text)
		return;
	str_adds(&v->out, "<p class=\"note\"><strong>Caveat:</strong> ");
	html_value(v, text);
	str_adds(&v->out, "</p>\n");
}

void html_bench(struct html_view *v, const struct bench_rows *b, size_t number)
{
	bench_heading(v, b, number);
	bench_run(v, b);
	caveat(v, b);
	html_bench_facts(v, b);
	html_bench_tables(v, b);
	html_bench_curves(v, b, number);
	html_bench_fits(v, b);
	html_bench_functions(v, b);
	html_bench_metrics(v, b, number);
	str_adds(&v->out, "</section>\n");
}

static bool any_section(const struct bench_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		if (bench_has_section(&list->bench[i]))
			return true;
	return false;
}

void html_benches(struct html_view *v)
{
	auto_bench_list struct bench_list list = {0};

	bench_list_read(v->report, &list);
	if (!any_section(&list))
		return;
	str_adds(&v->out,
		 "<section id=\"numbers\">\n<h2>Benchmarks</h2>\n"
		 "<p class=\"note\">Change is (patched &#8722; base) / base of the medians.</p>\n");
	for (size_t i = 0; i < list.n; i++)
		if (bench_has_section(&list.bench[i]))
			html_bench(v, &list.bench[i], i);
	html_more(v, list.left_out, "rows of other benchmarks");
	str_adds(&v->out, "</section>\n");
}
