/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How `firn check` says what it found. */
#ifndef FIRN_COMMANDS_CHECK_PRINT_H
#define FIRN_COMMANDS_CHECK_PRINT_H

#include "checkers/checker.h"
#include <jansson.h>
#include <stdio.h>

struct check_print {
	FILE *out;
	const char *name;	/* of the file that was given */
	const char *subject;	/* of the patch: NULL when it is the file's only one */
	const unsigned *format; /* lines as `git format-patch` numbers them, one a finding; NULL */
	bool show_checks;	/* in the totals */
};

/* "PATH:LINE: LEVEL: TYPE: message" a finding, as compilers write it. PATH:LINE is the place in the
 * file that was given where there is none in the tree. */
void check_print_terse(const struct check_print *p, const struct check_result *r);
/* A block a finding, and the totals. */
void check_print_plain(const struct check_print *p, const struct check_result *r);
/* One object. */
json_t *check_print_json(const struct check_print *p, const struct check_result *r);

#endif
