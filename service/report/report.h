/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Views of a report. The report itself is a JSON object, made once (trial/), documented and
 * versioned in SCHEMA.md; each view reads only that object.
 */
#ifndef FIRN_REPORT_REPORT_H
#define FIRN_REPORT_REPORT_H

#include "base/err.h"
#include "base/str.h"
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#define REPORT_SCHEMA	      "firn-report"
#define REPORT_SCHEMA_VERSION 1

/* For a terminal or a mail: plain text, at most 100 columns where the data allow, control
 * characters escaped. */
struct report_text_options {
	bool colour;
	bool brief; /* leave out what passed */
};
must_check int report_text(const json_t *report, const struct report_text_options *opt, FILE *out,
			   struct err *err);

/* One self-contained page: no script, no request to anywhere; numbers plotted as inline SVG with a
 * table beside them. */
must_check int report_html(const json_t *report, FILE *out, struct err *err);

/* The same into a file: whole or not at all. */
must_check int report_html_write(const json_t *report, const char *path, struct err *err);

/* The style sheet of that page (constant, NUL-terminated), for pages that should look like it, and
 * the page's own Content-Security-Policy, for whoever serves it; the caller frees the latter. */
const char *report_html_css(size_t *ret_n);
char *report_html_csp(void);

/* "since" of a report as a section of a page, under its own <h2>; nothing when it is none. */
void report_html_since(const json_t *since, struct str *out);

/*
 * Parts of the HTML view, for a page that has a frame of its own. `links` says where such a page
 * has more: paths of ours, each NULL where there is nothing.
 */
struct report_links {
	const char *trial;  /* "/trial/12": its steps, logs and benchmarks are below */
	const char *series; /* "/series/7": its patches are below */
};
/* The header, from <h1> on, and all sections. */
must_check int report_html_part(const json_t *report, const struct report_links *links,
				struct str *out, struct err *err);
/* The section of one benchmark. ERR_INPUT when the report has none of that name. */
must_check int report_html_bench(const json_t *report, const char *bench,
				 const struct report_links *links, struct str *out,
				 struct err *err);
/* The same as text for a mail. */
must_check int report_text_bench(const json_t *report, const char *bench, struct str *out,
				 struct err *err);
/* What the plots of one benchmark show: {"bench": NAME, "plots": {ID: {"kind": "samples"|"curve",
 * ...}}}, each under the ID that is the attribute data-plot of its figure in the parts above. Of a
 * checked report; NULL when it has no such benchmark. */
json_t *report_plots(const json_t *report, const char *bench);

/* False for the report of a benchmark on two kernels, which has a title but no patches. */
bool report_has_series(const json_t *report);

/* ERR_INPUT when the object is not a report that this version can show. */
must_check int report_check(const json_t *report, struct err *err);

#endif
