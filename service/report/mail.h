/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A report as an answer by mail: plain text of 76 columns, the verdict first, about 30 lines of
 * evidence, what was not tested, and one command that repeats it.
 *
 * Lines that strangers wrote (compilers, consoles, patches) begin with "| " or blanks: none of them
 * is a command to firn, a diff for Patchwork, or the "From " of an mbox.
 */
#ifndef FIRN_REPORT_MAIL_H
#define FIRN_REPORT_MAIL_H

#include "base/err.h"
#include <jansson.h>
#include <stdbool.h>

#define REPORT_MAIL_COLUMNS  76
#define REPORT_MAIL_EVIDENCE 30 /* lines of evidence at most, of all steps together */

struct report_mail_options {
	const char *url;     /* page of the report; NULL: there is none */
	const char *contact; /* whom to ask; NULL */
	bool commands;	     /* the list obeys "firn: rerun" and "firn: stop" */
};

/* The body, with LF. The report is a checked one (report_check()). The caller frees. */
char *report_mail_body(const json_t *report, const struct report_mail_options *opt);

/* The body of an answer to a command that is not obeyed: `words` say why, in one line. Of `opt`
 * the contact and `commands` count. The caller frees. */
char *report_mail_refusal(const char *words, const struct report_mail_options *opt);

/*
 * The mail that is answered: the patch that the failed step names, or that has all findings; else
 * the cover letter; else the first patch. Without <>, belongs to the report; NULL when that mail
 * has no id. `*ret_number` (may be NULL) is the patch, 0: the series as a whole.
 */
const char *report_mail_target(const json_t *report, unsigned *ret_number);

/* "Re: " and the subject of that mail as it came (decoded); NULL: made from the report. On one
 * line, valid UTF-8. Without "Re:" Patchwork would take the answer for a patch. The caller frees.
 */
char *report_mail_subject(const json_t *report, const char *original);

#endif
