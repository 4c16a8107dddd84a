/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside report/: the parts of the mail view. */
#ifndef FIRN_REPORT_MAIL_VIEW_H
#define FIRN_REPORT_MAIL_VIEW_H

#include "report/mail.h"
#include "report/text_view.h"

/* Longer lines of strangers are cut: a compiler's message fits, a line of junk does not. */
#define MAIL_QUOTED_COLUMNS 200

struct mail_view {
	const json_t *report;
	struct str out;
	int total;   /* patches that the series promises */
	size_t left; /* lines of evidence that may still be shown */
};

/* Appends `escaped`, broken at spaces before REPORT_MAIL_COLUMNS; further lines start at `indent`.
 * `column` is where the first one stands. Ends with a newline. */
void mail_wrap(struct mail_view *v, const char *escaped, size_t column, size_t indent);
/* One line of a stranger's, "| " before it. Counts as evidence. */
void mail_quote(struct mail_view *v, const json_t *line);
/* 'patch 2/3 "subject"'; the caller frees. */
char *mail_patch(const struct mail_view *v, long long number);
/* "... 12 more WHAT". Nothing when `n` is 0. */
void mail_more(struct mail_view *v, size_t n, const char *what);

/* Evidence; each prints nothing where there is nothing, or no room any more. */
void mail_steps_evidence(struct mail_view *v);
void mail_findings(struct mail_view *v);
void mail_numbers(struct mail_view *v);

#endif
