/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A row of metrics[] of a checked report, and its numbers as text: what the views of a report
 * share. */
#ifndef FIRN_REPORT_METRIC_H
#define FIRN_REPORT_METRIC_H

#include "base/str.h"
#include <jansson.h>

struct metric_side {
	size_t n;
	double median, min, max, mean, stddev;
	const json_t *samples;
};

struct metric {
	const json_t *obj; /* of the report, which it points into */
	struct metric_side base, patched;
	bool exact, judged, has_change, has_interval, has_smallest;
	double change, low, high, smallest; /* relative: 0.003 is +0.3 % */
	/* Its place on a curve. `group` names the curve; NULL in reports from before there were
	 * groups, where the number behind the slash of "hot-add/16" is the place. */
	bool has_x;
	double x;
	const char *x_title;
	const json_t *group;
	const char *word;
	int decimals; /* that its values are shown with */
};

void metric_read(const json_t *obj, struct metric *ret);

/* "worse", "better", "unchanged", "undecided". Not faster or slower: a metric may be a count. */
const char *metric_judgement(const struct metric *m);
/* "worse", "better" or "": for the eye. */
const char *metric_direction(const struct metric *m);
bool metric_is_unchanged(const struct metric *m);

/* The unit as people write it: "us" with a mu. Other units are as in the report, and need escaping.
 */
const char *metric_unit(const struct metric *m);
const char *unit_text(const char *unit);

/* That numbers are shown with whose largest is this: whole ones whole, others with five significant
 * digits. */
int number_decimals(double largest, bool whole);

#define NUMBER_MAX 400 /* a double has up to 309 digits, and a comma after every third */

/* "36,412", "0.25"; "-" when it is not finite. Returns buf. */
const char *number_text(double v, int decimals, char buf[static NUMBER_MAX]);
/* "+0.31 %", "-12.4 %", "0 %": at least two significant digits, so that a change never reads as
 * none. */
const char *change_text(double change, char buf[static NUMBER_MAX]);
/* A difference of whole numbers with its sign: "+793,792", "0". */
const char *difference_text(double v, char buf[static NUMBER_MAX]);
/* The same as change_text() without a sign. */
const char *percent_text(double share, char buf[static NUMBER_MAX]);
/* Where a metric stands on its curve: "16", "0.25". */
const char *metric_x_text(const struct metric *m, char buf[static NUMBER_MAX]);
/* Spread of a side: "0.4 %" (standard deviation of the median), "none", and "-" for fewer than two
 * samples. */
const char *spread_text(const struct metric_side *s, char buf[static NUMBER_MAX]);
const char *stddev_text(const struct metric *m, const struct metric_side *s,
			char buf[static NUMBER_MAX]);
/* "+1.24 % (0.80 to 1.71)": with the 95 % interval, where the samples have a spread. */
const char *metric_change_text(const struct metric *m, char buf[static NUMBER_MAX]);
const char *metric_smallest_text(const struct metric *m, char buf[static NUMBER_MAX]);

#endif
