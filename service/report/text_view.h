/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside report/: the parts of the text view. All write to view->out; strings go through
 * term_text(). */
#ifndef FIRN_REPORT_TEXT_VIEW_H
#define FIRN_REPORT_TEXT_VIEW_H

#include "report/escape.h"
#include "report/report.h"

#define TEXT_COLUMNS 100

struct text_view {
	const json_t *report;
	struct report_text_options opt;
	struct str out;
	int total;   /* patches that the series promises */
	bool series; /* there is one */
};

/* The member `key` of an object, escaped; "" when it is not a string. Cut at 4 KiB. The caller
 * frees. */
char *text_member(const json_t *obj, const char *key);
char *text_value(const json_t *string);
/* The same of other text. */
char *text_escaped(const char *s, size_t n);

/* Breaks at spaces so that lines end before TEXT_COLUMNS; further lines start at column `indent`.
 * `column` is where the first line stands now. Ends with a newline. */
void text_wrap(struct text_view *v, const char *escaped, size_t column, size_t indent);
/* The same for lines of another width. */
void text_fill(struct str *out, const char *escaped, size_t width, size_t column, size_t indent);

/* Where a line must end so that it fits: at the last space within `room` columns, else at the first
 * one after them: a word that is wider (a path, an address) stays whole, so that it can be copied.
 */
size_t text_line_end(const char *s, size_t n, size_t room);

/* Words with the colour of an outcome, a level or a direction when colour is asked for. */
void text_paint(struct text_view *v, const char *meaning, const char *text);
/* Bold when colour is asked for. */
void text_heading(struct text_view *v, const char *text);

/* A table of cells, its columns as wide as their widest cell. Where that is more than TEXT_COLUMNS
 * the first row is broken at its spaces, and what does not fit even so goes on below, with the
 * first column again. */
struct text_table {
	const char *align; /* 'l' or 'r' for each column */
	size_t columns;
	size_t indent;
	char **cell;
	size_t n, cap;
};
void text_table_add(struct text_table *t, const char *escaped);
/* A cell of at most that many columns: what is longer ends in "...". */
void text_table_add_cut(struct text_table *t, const char *escaped, size_t columns);
/* A line of its own between the rows, as wide as it is. */
void text_table_add_line(struct text_table *t, const char *escaped);
size_t text_table_width(const struct text_table *t);
void text_table_print(struct text_view *v, struct text_table *t);
void text_table_done(struct text_table *t);

void text_steps(struct text_view *v);
void text_builds(struct text_view *v);
void text_findings(struct text_view *v);
void text_benches(struct text_view *v);

/* Parts of text_benches(); each prints nothing where there is nothing. */
struct bench_rows;
void text_bench_metrics(struct text_view *v, const struct bench_rows *b);
void text_bench_facts(struct text_view *v, const struct bench_rows *b);
void text_bench_tables(struct text_view *v, const struct bench_rows *b);
void text_bench_fits(struct text_view *v, const struct bench_rows *b);
void text_bench_functions(struct text_view *v, const struct bench_rows *b);
/* "  34 more ...: in the HTML and JSON". Nothing when `n` is 0. */
void text_bench_more(struct text_view *v, size_t n, const char *what);

/* 'patch 2/3 "subject"' of the patch with this number; "patch 2" when the series has none. The
 * caller frees. */
char *text_patch(const struct text_view *v, long long number);

#endif
