/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside report/: which metrics of a benchmark form curves. */
#ifndef FIRN_REPORT_CURVES_H
#define FIRN_REPORT_CURVES_H

#include "report/bench_rows.h"

#define CURVES_MAX	 24
#define CURVE_POINTS_MAX 64

struct curve {
	const struct metric *first;		  /* whose group and unit are those of all */
	const struct metric *m[CURVE_POINTS_MAX]; /* ascending x */
	size_t n;
	bool full; /* there were more points */
};

/* Groups the metrics that have a place and numbers: `list` has room for CURVES_MAX. Returns how
 * many. */
size_t curves_read(const struct bench_rows *b, struct curve *list);
/* Two points at least, all of them, at different places. */
bool curve_is_drawn(const struct curve *c);

#endif
