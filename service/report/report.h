/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Views of a report. The report itself is a JSON object, made once (trial/), documented and
 * versioned in SCHEMA.md; each view reads only that object.
 */
#ifndef FIRN_REPORT_REPORT_H
#define FIRN_REPORT_REPORT_H

#include "base/err.h"
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

/* False for the report of a benchmark on two kernels, which has a title but no patches. */
bool report_has_series(const json_t *report);

/* ERR_INPUT when the object is not a report that this version can show. */
must_check int report_check(const json_t *report, struct err *err);

#endif
