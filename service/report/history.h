/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The history of a number: its plot with the changes marked (change_points.h). */
#ifndef FIRN_REPORT_HISTORY_H
#define FIRN_REPORT_HISTORY_H

#include "base/str.h"
#include "report/change_points.h"
#include <jansson.h>
#include <stdint.h>

/* Levels that differ by less are one: where code lies moves numbers by as much. */
#define HISTORY_FLOOR 0.001

struct history_point {
	int64_t when; /* seconds since 1970 UTC */
	double median;
	const char *commit; /* "": not known */
	int64_t trial;	    /* the newest that measured it */
	unsigned n;	    /* trials */
};

struct history {
	const char *title, *unit;	   /* from anybody */
	const struct history_point *point; /* in time's order, at most CHANGE_VALUES_MAX */
	size_t n;
	int decimals;
	struct change_point change[CHANGE_POINTS_MAX];
	size_t n_changes;
};

/* Sets decimals and changes from the points. */
void history_judge(struct history *h);
/* A figure's inside: dots, the level between changes, a numbered mark at each change; in words when
 * it cannot be drawn. `id` as in plot.h. */
void plot_history(struct str *out, const struct history *h, const char *id);
/* The same for a script: {"kind": "history", "when": [...], "median": [...], "changes": [...]}. */
json_t *history_json(const struct history *h);

#endif
