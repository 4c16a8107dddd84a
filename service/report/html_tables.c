// SPDX-License-Identifier: GPL-2.0-or-later
/* Facts, tables, fits and functions of a benchmark. */
#include "report/html_view.h"

#include "base/json.h"
#include "report/bench_rows.h"
#include "report/escape.h"
#include <math.h>

/* What is over these is in the JSON. */
#define FACTS_MAX     500
#define TABLES_MAX    50
#define ROWS_MAX      500
#define COLUMNS_MAX   64
#define FITS_MAX      50
#define FUNCTIONS_MAX 200

void html_more(struct html_view *v, size_t n, const char *what)
{
	if (n)
		str_addf(&v->out, "<p class=\"note\">%zu more %s: in the JSON.</p>\n", n, what);
}

static size_t over(size_t n, size_t max)
{
	return n > max ? n - max : 0;
}

static void table_begin(struct html_view *v, const char *class)
{
	str_addf(&v->out, "<div class=\"wide\"><table class=\"numbers %s\">\n", class);
}

static void table_end(struct html_view *v)
{
	str_adds(&v->out, "</tbody></table></div>\n");
}

static void fact_value(struct html_view *v, const json_t *value)
{
	if (json_is_null(value))
		str_adds(&v->out, "<td class=\"muted\">did not say</td>");
	else if (!json_string_length(value))
		str_adds(&v->out, "<td class=\"muted\">empty</td>");
	else
		html_element(v, "td class=\"value\"", value);
}

/* The colour is that of the word, and the word is there too. */
static const char *fact_meaning(const json_t *fact)
{
	static const struct {
		const char *word, *meaning;
	} meanings[] = {{"wrong", "fail"},
			{"mended", "better"},
			{"both-wrong", "warn"},
			{"changed", "changed"}};
	const char *word = json_get_str(fact, "word", "");

	for (size_t i = 0; i < array_size(meanings); i++)
		if (strcmp(meanings[i].word, word) == 0)
			return meanings[i].meaning;
	return fact_is_remarkable(fact) ? "changed" : "same";
}

static void fact_row(struct html_view *v, const json_t *fact)
{
	auto_str struct str words;

	str_init(&words, 4096);
	fact_words(fact, &words);
	str_adds(&v->out, "<tr>");
	html_element(v, "th scope=\"row\"", json_object_get(fact, "title"));
	fact_value(v, json_object_get(fact, "base"));
	fact_value(v, json_object_get(fact, "patched"));
	str_addf(&v->out, "<td><span class=\"badge %s\">", fact_meaning(fact));
	html_text(&v->out, words.buf, words.len);
	str_adds(&v->out, "</span></td></tr>\n");
}

/* A row of its own for each group's name. */
static void fact_group(struct html_view *v, const json_t *fact, const json_t *before)
{
	const json_t *group = json_object_get(fact, "group");

	if (!json_string_length(group) || json_equal(group, json_object_get(before, "group")))
		return;
	str_adds(&v->out, "</tbody>\n<tbody><tr class=\"group\">");
	html_element(v, "th scope=\"rowgroup\" colspan=\"4\"", group);
	str_adds(&v->out, "</tr>\n");
}

static void facts_table(struct html_view *v, const struct bench_part *facts, bool remarkable)
{
	const json_t *before = NULL;
	size_t shown = 0;

	table_begin(v, "said");
	str_adds(&v->out, "<thead><tr><th scope=\"col\">Fact</th><th scope=\"col\">base</th>"
			  "<th scope=\"col\">patched</th><th scope=\"col\"><span class=\"unseen\">"
			  "Word</span></th></tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < facts->n && shown < FACTS_MAX; i++) {
		if (fact_is_remarkable(facts->row[i]) != remarkable)
			continue;
		fact_group(v, facts->row[i], before);
		fact_row(v, facts->row[i]);
		before = facts->row[i];
		shown++;
	}
	table_end(v);
}

void html_bench_facts(struct html_view *v, const struct bench_rows *b)
{
	const struct bench_part *facts = &b->part[BENCH_FACTS];
	size_t remarkable = 0;

	for (size_t i = 0; i < facts->n; i++)
		remarkable += fact_is_remarkable(facts->row[i]);
	if (remarkable) {
		str_adds(&v->out, "<h4>Facts that differ or are not as expected</h4>\n");
		facts_table(v, facts, true);
		html_more(v, over(remarkable, FACTS_MAX), "facts that differ");
	}
	if (facts->n == remarkable)
		return;
	str_addf(&v->out, "<details><summary>Facts that are the same on both: %zu</summary>\n",
		 facts->n - remarkable);
	facts_table(v, facts, false);
	html_more(v, over(facts->n - remarkable, FACTS_MAX), "facts");
	str_adds(&v->out, "</details>\n");
}

struct columns {
	size_t n;
	bool number[COLUMNS_MAX];
};

static void table_cells(struct html_view *v, const json_t *row, const struct columns *c, bool head)
{
	str_adds(&v->out, "<tr>");
	for (size_t i = 0; i < c->n; i++) {
		const json_t *cell = json_array_get(row, i);
		const char *kind = head				    ? "th scope=\"col\""
				   : i || !json_string_length(cell) ? "td"
								    : "th scope=\"row\"";
		auto_free char *open = xasprintf("%s%s", kind, c->number[i] ? " class=\"n\"" : "");

		html_element(v, open, cell);
	}
	str_adds(&v->out, "</tr>\n");
}

static void table(struct html_view *v, const json_t *obj)
{
	const json_t *head = json_object_get(obj, "head"), *rows = json_object_get(obj, "rows");
	const json_t *note = json_object_get(obj, "note");
	size_t columns = json_array_size(head), n = json_array_size(rows);
	struct columns c = {.n = columns < COLUMNS_MAX ? columns : COLUMNS_MAX};

	for (size_t i = 0; i < c.n; i++)
		c.number[i] = table_column_is_number(obj, i);
	html_element(v, "h4", json_object_get(obj, "title"));
	table_begin(v, "drawn");
	str_adds(&v->out, "<thead>");
	table_cells(v, head, &c, true);
	str_adds(&v->out, "</thead>\n<tbody>\n");
	for (size_t i = 0; i < n && i < ROWS_MAX; i++)
		table_cells(v, json_array_get(rows, i), &c, false);
	table_end(v);
	html_more(v, over(n, ROWS_MAX), "rows");
	html_more(v, over(columns, COLUMNS_MAX), "columns");
	if (json_is_string(note))
		html_element(v, "p class=\"note\"", note);
}

void html_bench_tables(struct html_view *v, const struct bench_rows *b)
{
	const struct bench_part *tables = &b->part[BENCH_TABLES];

	for (size_t i = 0; i < tables->n && i < TABLES_MAX; i++)
		table(v, tables->row[i]);
	html_more(v, over(tables->n, TABLES_MAX), "tables");
}

static void fit_side(struct html_view *v, const json_t *fit, const char *side)
{
	const json_t *words = json_object_get(json_object_get(fit, side), "words");

	str_addf(&v->out, "<dt>%s</dt>", side);
	if (json_string_length(words))
		html_element(v, "dd", words);
	else
		str_adds(&v->out, "<dd>no fit</dd>");
	str_addc(&v->out, '\n');
}

void html_bench_fits(struct html_view *v, const struct bench_rows *b)
{
	const struct bench_part *fits = &b->part[BENCH_FITS];

	for (size_t i = 0; i < fits->n && i < FITS_MAX; i++) {
		str_adds(&v->out, "<h4>Fit of ");
		html_member(v, fits->row[i], "title");
		str_adds(&v->out, "</h4>\n<dl class=\"facts\">");
		fit_side(v, fits->row[i], "base");
		fit_side(v, fits->row[i], "patched");
		str_adds(&v->out, "</dl>\n");
	}
	html_more(v, over(fits->n, FITS_MAX), "fits");
}

static double difference(const json_t *row)
{
	return json_get_num(row, "patched", 0) - json_get_num(row, "base", 0);
}

/* From the middle to the right where the patched kernel executes more. */
static void difference_bar(struct html_view *v, double d, double largest)
{
	double length = largest > 0 ? fabs(d) / largest * 50 : 0;

	if (!isfinite(length))
		length = 0;
	str_addf(&v->out,
		 "<td class=\"bars\"><svg class=\"plot\" viewBox=\"0 0 100 10\" "
		 "preserveAspectRatio=\"none\" aria-hidden=\"true\"><path class=\"axis\" d=\"M50 "
		 "0v10\"/><rect class=\"bar %s\" x=\"%.2f\" y=\"1\" width=\"%.2f\" "
		 "height=\"8\"/></svg></td>",
		 d > 0 ? "worse" : "better", d > 0 ? 50 : 50 - length, length);
}

static void function_row(struct html_view *v, const json_t *row, double largest)
{
	char base[NUMBER_MAX], patched[NUMBER_MAX], by[NUMBER_MAX];
	const json_t *name = json_object_get(row, "name");

	str_adds(&v->out, "<tr><th scope=\"row\">");
	if (json_string_length(name))
		html_element(v, "code", name);
	else
		str_adds(&v->out, "outside of vmlinux");
	str_addf(&v->out,
		 "</th><td class=\"n\">%s</td><td class=\"n\">%s</td><td class=\"n\">%s</td>",
		 number_text(json_get_num(row, "base", 0), 0, base),
		 number_text(json_get_num(row, "patched", 0), 0, patched),
		 difference_text(difference(row), by));
	difference_bar(v, difference(row), largest);
	str_adds(&v->out, "</tr>\n");
}

void html_bench_functions(struct html_view *v, const struct bench_rows *b)
{
	const struct bench_part *functions = &b->part[BENCH_FUNCTIONS];
	double largest = 0;

	if (!functions->n)
		return;
	for (size_t i = 0; i < functions->n; i++)
		largest = fmax(largest, fabs(difference(functions->row[i])));
	str_adds(&v->out, "<h4>Instructions by function, in one ");
	if (json_string_length(json_object_get(b->bench, "profiled")))
		html_member(v, b->bench, "profiled");
	else
		str_adds(&v->out, "boot");
	str_adds(&v->out, "</h4>\n");
	table_begin(v, "functions");
	str_adds(
		&v->out,
		"<thead><tr><th scope=\"col\">Function</th><th scope=\"col\" class=\"n\">base</th>"
		"<th scope=\"col\" class=\"n\">patched</th><th scope=\"col\" "
		"class=\"n\">difference</th>"
		"<th scope=\"col\"><span class=\"unseen\">Bar</span></th></tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < functions->n && i < FUNCTIONS_MAX; i++)
		function_row(v, functions->row[i], largest);
	table_end(v);
	html_more(v, over(functions->n, FUNCTIONS_MAX), "functions");
}
