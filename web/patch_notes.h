/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside web/: what a report says of one patch, and at which of its lines. */
#ifndef FIRN_WEB_PATCH_NOTES_H
#define FIRN_WEB_PATCH_NOTES_H

#include "web/patch_diff.h"
#include <jansson.h>

/* Points into the report. */
struct patch_note {
	const json_t
		*finding;    /* of findings[], or of builds[]: an error, a warning, or the build */
	const json_t *words; /* a string */
	const char *level;   /* ERROR, WARNING, CHECK, NOTE */
	char *rows;	     /* names of the configurations that say it; NULL: a checker's */
	size_t index;	     /* in the order of the report */
	size_t line;	     /* index; PATCH_NOWHERE: at no line that is shown */
};
#define PATCH_NOWHERE SIZE_MAX

struct patch_notes {
	struct patch_note *note; /* by line, those of no line at the end */
	size_t n, cap;
	size_t placed;	    /* the first so many have a line */
	size_t checked;	    /* so many are the checkers' */
	size_t built;	    /* configurations that were built with this patch as the last */
	char *broken;	    /* names of those that it breaks; NULL: none */
	char *still_broken; /* that a patch before it broke */
	char *noisy;	    /* to which it brings warnings */
};
/* Those of patch `number`. A checker's are placed by patch_line, which counts in this very text if
 * `exact`; else, and all others, by path and line of the new file. `report` may be NULL, `ret` is
 * zeroed. */
void patch_notes_read(const json_t *report, long long number, const struct patch_lines *p,
		      bool exact, struct patch_notes *ret);
void patch_notes_done(struct patch_notes *notes);
#define auto_patch_notes __attribute__((cleanup(patch_notes_done)))

#endif
