/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside web/: a patch as markup, with what checkers found at its lines. */
#ifndef FIRN_WEB_PATCH_HTML_H
#define FIRN_WEB_PATCH_HTML_H

#include "web/patch_diff.h"
#include <jansson.h>

/* A finding of the report, and where it stands in the text. */
struct patch_note {
	const json_t *finding;
	size_t index; /* in the report */
	size_t line;  /* index; PATCH_NOWHERE: at no line that is shown */
};
#define PATCH_NOWHERE SIZE_MAX

struct patch_notes {
	struct patch_note *note; /* by line, those of no line at the end */
	size_t n, cap;
	size_t placed; /* the first so many have a line */
};
/* Those of patch `number`. By patch_line, which counts in this very text if `exact`; else, and
 * where there is none, by path and line of the new file. `ret` zeroed. */
void patch_notes_read(const json_t *findings, long long number, const struct patch_lines *p,
		      bool exact, struct patch_notes *ret);
void patch_notes_done(struct patch_notes *notes);
#define auto_patch_notes __attribute__((cleanup(patch_notes_done)))

/* The files, each with a link to its place. */
void patch_html_files(struct str *out, const struct patch_lines *p);
/* What was found, each with a link to its line; those of no line with all that is known. */
void patch_html_notes(struct str *out, const struct patch_lines *p,
		      const struct patch_notes *notes);
/* The lines. Line N has the id "LN", file N "file-N", both from 1. */
void patch_html_lines(struct str *out, const struct patch_lines *p,
		      const struct patch_notes *notes);

#endif
