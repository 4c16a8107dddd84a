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
	int total; /* patches that the series promises */
};

/* The member `key` of an object, escaped; "" when it is not a string. Cut at 4 KiB. The caller
 * frees. */
char *text_member(const json_t *obj, const char *key);
char *text_value(const json_t *string);

/* Breaks at spaces so that lines end before TEXT_COLUMNS; further lines start at column `indent`.
 * `column` is where the first line stands now. Ends with a newline. */
void text_wrap(struct text_view *v, const char *escaped, size_t column, size_t indent);

/* Words with the colour of an outcome, a level or a direction when colour is asked for. */
void text_paint(struct text_view *v, const char *meaning, const char *text);
/* Bold when colour is asked for. */
void text_heading(struct text_view *v, const char *text);

/* A table of cells, its columns as wide as their widest cell. */
struct text_table {
	const char *align; /* 'l' or 'r' for each column */
	size_t columns;
	char **cell;
	size_t n, cap;
};
void text_table_add(struct text_table *t, const char *escaped);
void text_table_print(struct text_view *v, const struct text_table *t);
void text_table_done(struct text_table *t);

void text_steps(struct text_view *v);
void text_findings(struct text_view *v);
void text_metrics(struct text_view *v);

/* 'patch 2/3 "subject"' of the patch with this number; "patch 2" when the series has none. The
 * caller frees. */
char *text_patch(const struct text_view *v, long long number);

#endif
