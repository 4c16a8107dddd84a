// SPDX-License-Identifier: GPL-2.0-or-later
/* Tables of a benchmark as it drew them, fits, and functions. */
#include "base/json.h"
#include "report/bench_rows.h"
#include "report/text_view.h"

/* What is over these is in the other views. */
#define ROWS_MAX      40
#define COLUMNS_MAX   24
#define TABLES_MAX    12
#define FITS_MAX      12
#define FUNCTIONS_MAX 12
#define CELL_COLUMNS  40
#define LINE_COLUMNS  160 /* the second of two: lines of a log */
#define NAME_COLUMNS  56

static void part_heading(struct text_view *v, const char *title)
{
	str_adds(&v->out, "\n  ");
	text_heading(v, title);
	str_adds(&v->out, ":\n");
}

static void table_row(struct text_table *t, const json_t *row)
{
	for (size_t c = 0; c < t->columns; c++) {
		auto_free char *cell = text_value(json_array_get(row, c));

		text_table_add_cut(t, cell, t->columns == 2 && c ? LINE_COLUMNS : CELL_COLUMNS);
	}
}

static void table_print(struct text_view *v, const json_t *obj)
{
	const json_t *head = json_object_get(obj, "head"), *rows = json_object_get(obj, "rows");
	size_t columns = json_array_size(head), n = json_array_size(rows);
	char align[COLUMNS_MAX];
	struct text_table t = {
		.align = align,
		.columns = columns < COLUMNS_MAX ? columns : COLUMNS_MAX,
		.indent = 4,
	};

	for (size_t c = 0; c < t.columns; c++)
		align[c] = table_column_is_number(obj, c) ? 'r' : 'l';
	table_row(&t, head);
	for (size_t i = 0; i < n && i < ROWS_MAX; i++)
		table_row(&t, json_array_get(rows, i));
	text_table_print(v, &t);
	text_table_done(&t);
	text_bench_more(v, n > ROWS_MAX ? n - ROWS_MAX : 0, "rows");
	text_bench_more(v, columns - t.columns, "columns");
}

void text_bench_tables(struct text_view *v, const struct bench_rows *b)
{
	const struct bench_part *tables = &b->part[BENCH_TABLES];

	for (size_t i = 0; i < tables->n && i < TABLES_MAX; i++) {
		auto_free char *title = text_member(tables->row[i], "title"),
			       *note = text_member(tables->row[i], "note");

		part_heading(v, title);
		table_print(v, tables->row[i]);
		if (!*note)
			continue;
		str_adds(&v->out, "    ");
		text_wrap(v, note, 4, 4);
	}
	text_bench_more(v, tables->n > TABLES_MAX ? tables->n - TABLES_MAX : 0, "tables");
}

static void fit_side(struct text_view *v, const json_t *fit, const char *side)
{
	auto_free char *words = text_member(json_object_get(fit, side), "words");

	str_addf(&v->out, "    %-9s", side);
	text_wrap(v, *words ? words : "no fit", 13, 13);
}

void text_bench_fits(struct text_view *v, const struct bench_rows *b)
{
	const struct bench_part *fits = &b->part[BENCH_FITS];

	for (size_t i = 0; i < fits->n && i < FITS_MAX; i++) {
		auto_free char *title = text_member(fits->row[i], "title");
		auto_free char *heading = xasprintf("Fit of %s", title);

		part_heading(v, heading);
		fit_side(v, fits->row[i], "base");
		fit_side(v, fits->row[i], "patched");
	}
	text_bench_more(v, fits->n > FITS_MAX ? fits->n - FITS_MAX : 0, "fits");
}

static void function_row(struct text_table *t, const json_t *row)
{
	double base = json_get_num(row, "base", 0), patched = json_get_num(row, "patched", 0);
	auto_free char *name = text_member(row, "name");
	char buf[NUMBER_MAX];

	text_table_add_cut(t, *name ? name : "(outside of vmlinux)", NAME_COLUMNS);
	text_table_add(t, number_text(base, 0, buf));
	text_table_add(t, number_text(patched, 0, buf));
	text_table_add(t, difference_text(patched - base, buf));
}

void text_bench_functions(struct text_view *v, const struct bench_rows *b)
{
	static const char *const heads[] = {"function", "base", "patched", "difference"};
	const struct bench_part *functions = &b->part[BENCH_FUNCTIONS];
	struct text_table t = {.align = "lrrr", .columns = array_size(heads), .indent = 4};

	if (!functions->n)
		return;
	auto_free char *profiled = text_member(b->bench, "profiled");
	auto_free char *heading =
		xasprintf("Instructions by function, in one %s", *profiled ? profiled : "boot");
	part_heading(v, heading);
	for (size_t i = 0; i < array_size(heads); i++)
		text_table_add(&t, heads[i]);
	for (size_t i = 0; i < functions->n && i < FUNCTIONS_MAX; i++)
		function_row(&t, functions->row[i]);
	text_table_print(v, &t);
	text_table_done(&t);
	text_bench_more(v, functions->n > FUNCTIONS_MAX ? functions->n - FUNCTIONS_MAX : 0,
			"functions");
}
