/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports of tests/fixtures/report/ and what the views make of them. The caller frees. */
#ifndef FIRN_TESTS_REPORT_VIEWS_H
#define FIRN_TESTS_REPORT_VIEWS_H

#include "report/report.h"

json_t *fixture(const char *name);
char *text_of(const json_t *report, const struct report_text_options *opt);
char *html_of(const json_t *report);
void assert_holds(const char *text, const char *what);
/* Replaces one member on the way, or takes it out (NULL); "a.0.b" goes through arrays too, of up
 * to ten elements. */
void replace(json_t *report, const char *path, json_t *value);

#endif
