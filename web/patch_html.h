/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside web/: a patch as markup, with what checkers found at its lines. */
#ifndef FIRN_WEB_PATCH_HTML_H
#define FIRN_WEB_PATCH_HTML_H

#include "web/patch_notes.h"

/* The files, each with a link to its place. */
void patch_html_files(struct str *out, const struct patch_lines *p);
/* What was found, each with a link to its line; those of no line with all that is known. */
void patch_html_notes(struct str *out, const struct patch_lines *p,
		      const struct patch_notes *notes);
/* The lines. Line N has the id "LN", file N "file-N", both from 1. */
void patch_html_lines(struct str *out, const struct patch_lines *p,
		      const struct patch_notes *notes);

#endif
