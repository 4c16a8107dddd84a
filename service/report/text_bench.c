// SPDX-License-Identifier: GPL-2.0-or-later
/* The benchmarks, one after the other: what a maintainer would paste into a mail. */
#include "base/json.h"
#include "report/bench_rows.h"
#include "report/text_view.h"

void text_bench_more(struct text_view *v, size_t n, const char *what)
{
	char buf[NUMBER_MAX];

	if (n)
		str_addf(&v->out, "  %s more %s: in the HTML and JSON\n",
			 number_text((double)n, 0, buf), what);
}

/* Brief: what passed and says nothing new is left out. */
static bool is_shown(const struct text_view *v, const struct bench_rows *b)
{
	if (!bench_has_section(b))
		return false;
	if (!v->opt.brief || strcmp(json_get_str(b->bench, "outcome", "pass"), "pass") != 0)
		return true;
	for (size_t i = 0; i < b->n_metrics; i++)
		if (b->metric[i].judged && !metric_is_unchanged(&b->metric[i]))
			return true;
	for (size_t i = 0; i < b->part[BENCH_FACTS].n; i++)
		if (fact_is_remarkable(b->part[BENCH_FACTS].row[i]))
			return true;
	return false;
}

static void bench_heading(struct text_view *v, const struct bench_rows *b)
{
	const char *outcome = json_get_str(b->bench, "outcome", NULL);
	auto_free char *name = text_value(b->name), *reason = text_member(b->bench, "reason");
	auto_free char *title = xasprintf("Benchmark %s%s", name, outcome ? ": " : "");

	text_heading(v, title);
	if (!outcome) {
		str_addc(&v->out, '\n');
		return;
	}
	text_paint(v, outcome, outcome);
	str_adds(&v->out, ": ");
	text_wrap(v, reason, term_width(title, strlen(title)) + strlen(outcome) + 2, 2);
}

static void bench_run(struct text_view *v, const struct bench_rows *b)
{
	const char *stopped = json_get_str(b->bench, "stopped", NULL);
	auto_str struct str words;

	str_init(&words, 4096);
	if (!b->bench)
		return;
	bench_run_words(b, &words);
	if (stopped)
		str_addf(&words, "; stopped: %s", stopped);
	auto_free char *text = text_escaped(words.buf, words.len);

	str_adds(&v->out, "  ");
	text_wrap(v, text, 2, 2);
}

/* Said once, however many rows it is about. */
static void caveat(struct text_view *v, const struct bench_rows *b)
{
	static const char label[] = "  Caveat: ";
	auto_free char *text = text_value(bench_caveat(b));

	if (!*text)
		return;
	str_addc(&v->out, '\n');
	str_adds(&v->out, label);
	text_wrap(v, text, strlen(label), strlen(label));
}

static void bench_section(struct text_view *v, const struct bench_rows *b)
{
	bench_heading(v, b);
	bench_run(v, b);
	text_bench_facts(v, b);
	text_bench_tables(v, b);
	text_bench_metrics(v, b);
	text_bench_fits(v, b);
	text_bench_functions(v, b);
	caveat(v, b);
	str_addc(&v->out, '\n');
}

int report_text_bench(const json_t *report, const char *bench, struct str *out, struct err *err)
{
	auto_bench_list struct bench_list list = {0};
	struct text_view v = {.report = report};
	int rc = report_check(report, err);
	const struct bench_rows *b;
	size_t number;

	if (rc < 0)
		return rc;
	b = bench_list_find(report, bench, &list, &number);
	if (!b)
		return err_set(err, ERR_INPUT, "the report has no benchmark \"%s\"", bench);
	str_init(&v.out, 0);
	bench_section(&v, b);
	str_add(out, v.out.buf, v.out.len);
	str_done(&v.out);
	return 0;
}

void text_benches(struct text_view *v)
{
	auto_bench_list struct bench_list list = {0};

	bench_list_read(v->report, &list);
	for (size_t i = 0; i < list.n; i++)
		if (is_shown(v, &list.bench[i]))
			bench_section(v, &list.bench[i]);
	if (list.left_out) {
		text_bench_more(v, list.left_out, "rows of more benchmarks");
		str_addc(&v->out, '\n');
	}
}
