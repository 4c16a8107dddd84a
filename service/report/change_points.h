/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a history of numbers changes its level: CHANGE_POINTS.md says how it is found, how often it
 * is wrong and what it can see. A pure function of the numbers. */
#ifndef FIRN_REPORT_CHANGE_POINTS_H
#define FIRN_REPORT_CHANGE_POINTS_H

#include <stddef.h>

#define CHANGE_POINTS_MAX 20
#define CHANGE_VALUES_MAX 400
/* Fewer values at one side of a change are no level yet. */
#define CHANGE_LEVEL_MIN 3
/* A history without a change shows one in so many cases at most. */
#define CHANGE_POINTS_LEVEL 0.01

struct change_point {
	size_t at;	      /* the first value of the new level */
	double before, after; /* medians of the levels at its two sides */
	double p;	      /* of the test at this place, by permutations */
};

/* The changes of x[0..n) in time's order, at most CHANGE_POINTS_MAX: their number. Levels that
 * differ by no more than `floor` (relative to the older one) are one. n is at most
 * CHANGE_VALUES_MAX; a value that is not finite makes it 0. */
size_t change_points_find(const double *x, size_t n, double floor,
			  struct change_point ret[static CHANGE_POINTS_MAX]);

#endif
