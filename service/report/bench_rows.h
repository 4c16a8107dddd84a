/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside report/: what a checked report says of each benchmark, gathered from metrics[], facts[]
 * and the others. All point into the report. */
#ifndef FIRN_REPORT_BENCH_ROWS_H
#define FIRN_REPORT_BENCH_ROWS_H

#include "report/metric.h"

/* A report with more benchmarks than this is not one of ours: the others are only counted. */
#define BENCHES_MAX 64

enum bench_part_kind { BENCH_FACTS, BENCH_FITS, BENCH_TABLES, BENCH_FUNCTIONS, BENCH_PARTS };

struct bench_part {
	const json_t **row;
	size_t n, cap;
};

struct bench_rows {
	const json_t *name;
	const json_t *bench; /* of benches[]; NULL in reports from before there was one */
	struct metric *metric;
	size_t n_metrics, metrics_cap;
	struct bench_part part[BENCH_PARTS];
};

struct bench_list {
	struct bench_rows *bench; /* those of benches[] first, in its order */
	size_t n, cap;
	size_t left_out; /* rows of those over BENCHES_MAX */
};

void bench_list_read(const json_t *report, struct bench_list *ret);
void bench_list_done(struct bench_list *list);
/* Fills `ret_list`, which holds the result: the benchmark of that name and its number in the list.
 * NULL: the report has none. */
const struct bench_rows *bench_list_find(const json_t *report, const char *name,
					 struct bench_list *ret_list, size_t *ret_number);

static inline void bench_list_cleanup(struct bench_list *list)
{
	bench_list_done(list);
}
#define auto_bench_list __attribute__((cleanup(bench_list_cleanup)))

/* There is something to show beside its row in steps[]. */
bool bench_has_section(const struct bench_rows *b);
/* What its numbers can and cannot show; NULL when nothing was said. */
const json_t *bench_caveat(const struct bench_rows *b);

/* The title of the curve that the metric is on: that of its fit, else what the titles of its
 * metrics have in common, else the name of the group. As in the report, to be escaped; the caller
 * frees. */
char *bench_group_title(const struct bench_rows *b, const struct metric *m);
/* There is another point on its curve. */
bool bench_is_point(const struct bench_rows *b, const struct metric *m);

/* Base and patched differ, a boot differs from another, or neither is as expected. */
bool fact_is_remarkable(const json_t *fact);
/* The word for people: "changed", "wrong: expected 1-2", "mended". Appended as it is in the report,
 * to be escaped. */
void fact_words(const json_t *fact, struct str *out);

/* A cell that is read as a number or a range of them, and stands to the right. */
bool cell_is_number(const char *s);
/* Every cell of the column is one, or empty. */
bool table_column_is_number(const json_t *table, size_t column);

/* "count mode (guest time by instructions) on qemu-pseries, 40 boots in 6 min 03 s, order seed 1".
 * Not escaped. */
void bench_run_words(const struct bench_rows *b, struct str *out);

#endif
