/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside report/: the parts of the HTML view. The page is also well-formed XML, so that tests can
 * check the nesting. */
#ifndef FIRN_REPORT_HTML_VIEW_H
#define FIRN_REPORT_HTML_VIEW_H

#include "base/str.h"
#include "report/report.h"
#include <jansson.h>

struct html_view {
	const json_t *report;
	const struct report_links *links; /* NULL: a page of its own, which links to itself only */
	struct str out;
	int total;   /* patches that the series promises */
	bool series; /* there is one */
};

/* Escaped text of a string, and of the member `key` of an object; nothing when it is not a string.
 * Cut at 8 KiB. */
void html_value(struct html_view *v, const json_t *string);
void html_member(struct html_view *v, const json_t *obj, const char *key);
/* <tag>...</tag>; `open` may hold attributes: "td class=\"n\"". */
void html_element(struct html_view *v, const char *open, const json_t *string);

/* An RFC 3339 time as "2026-11-30 14:02 UTC"; other text as it is. */
void html_time(struct html_view *v, const json_t *string);

/* The word of an outcome, a level or a direction in its colour. `meaning` is one of our own words.
 */
void html_badge(struct html_view *v, const char *meaning, const char *text);

/* 'patch 2/3 "subject"', linked to the row of the patch. */
void html_patch(struct html_view *v, long long number);
const json_t *html_patch_find(const struct html_view *v, long long number);

/* A path below a page of ours: "/trial/12", "/log/", a word of the report, encoded. False, and
 * nothing is written, where `before` is NULL or the word is empty or none. */
bool html_sub_path(struct html_view *v, const char *before, const char *middle, const json_t *word);
/* The text of a word, as a link to that path where there is one; `open` as in html_element(), and
 * NULL without an element. */
struct html_target {
	const char *before, *middle;
	const json_t *word;
};
void html_linked(struct html_view *v, const struct html_target *to, const char *open,
		 const json_t *text);
/* Where such pages begin: NULL when there are none. */
const char *html_trial(const struct html_view *v);
const char *html_series_path(const struct html_view *v);

/* The section of a benchmark; `number` is its own in the report, for ids. */
struct bench_rows;
void html_bench(struct html_view *v, const struct bench_rows *b, size_t number);

void html_steps(struct html_view *v);
void html_builds(struct html_view *v);
void html_findings(struct html_view *v);
void html_benches(struct html_view *v);
void html_facts(struct html_view *v);
void html_patches(struct html_view *v);
/* Nothing when there was no version before. */
void html_since(struct html_view *v, const json_t *since);

/* Parts of html_benches(); each writes nothing where there is nothing. `number` is the bench's in
 * the page, for ids. */
struct bench_rows;
void html_bench_facts(struct html_view *v, const struct bench_rows *b);
void html_bench_tables(struct html_view *v, const struct bench_rows *b);
void html_bench_curves(struct html_view *v, const struct bench_rows *b, size_t number);
void html_bench_fits(struct html_view *v, const struct bench_rows *b);
void html_bench_functions(struct html_view *v, const struct bench_rows *b);
void html_bench_metrics(struct html_view *v, const struct bench_rows *b, size_t number);
/* "34 more rows: in the JSON." Nothing when `n` is 0. */
void html_more(struct html_view *v, size_t n, const char *what);

#endif
