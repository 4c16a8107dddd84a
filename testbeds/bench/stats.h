/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Statistics for benchmarks: pure functions. */
#ifndef FIRN_TESTBEDS_STATS_H
#define FIRN_TESTBEDS_STATS_H

#include "testbeds/bench/bench.h"

/* A difference as large comes by chance in one of twenty runs at most. */
#define STATS_LEVEL 0.05

struct stats {
	size_t n;
	double min, max, median, mean;
	double stddev; /* of the sample (n - 1); 0 for n < 2 */
};
/* All fields 0 for n = 0. NaN in, NaN out: none of the fields but n means anything then. */
struct stats stats_of(const double *x, size_t n);

/*
 * Fills word, exact, change, smallest and why of `m` from its samples.
 *
 * Exact rule, where the samples of each side (two at least) agree within `resolution`, in the
 * metric's unit: a change is real when the medians differ by more than `resolution` and by more
 * than `floor` relative. `smallest` is the larger of both. A negative `resolution` (a testbed that
 * does not count) turns this rule off.
 *
 * Otherwise the rank rule: a change is real when the two-sided Mann-Whitney U test says so at 5 %
 * and the medians differ by more than `floor`. `smallest` is the shift that, with the spread of
 * these very samples, the test would have just seen (half the 95 % interval of the Hodges-Lehmann
 * estimate, the longer side), so a true change of that size is seen about every second time. It is
 * undecided where the samples are too few to reach 5 %, and where they fall into two groups, the
 * medians into different ones, and the ranks do not differ: more samples are needed.
 *
 * An empty side, a sample that is not a number and a base of 0 are undecided; `change` is then NAN,
 * and so is `smallest` wherever no change at all could have been seen.
 */
void stats_judge(struct bench_metric *m, double resolution, double floor);

/* Mann-Whitney U of two samples without NaN, both n > 0: pairs of which x is the larger, ties count
 * a half. `*ret_p`: the two-sided probability, exact with ties too up to 64 samples together,
 * beyond that by the normal approximation with corrections for ties and continuity. */
double stats_mann_whitney(const double *x, size_t nx, const double *y, size_t ny, double *ret_p);

/* The smallest two-sided probability that nx and ny samples can reach: 2 / C(nx + ny, nx). */
double stats_smallest_p(size_t nx, size_t ny);

struct stats_shift {
	double shift;	  /* Hodges-Lehmann: the median of all differences y - x */
	double low, high; /* the shifts between these are not rejected at STATS_LEVEL */
};
/* False when there are too few samples for an interval. Takes nx * ny doubles of memory. */
bool stats_shift(const double *x, size_t nx, const double *y, size_t ny, struct stats_shift *ret);

#endif
