/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Statistics for benchmarks: pure functions. */
#ifndef FIRN_TESTBEDS_STATS_H
#define FIRN_TESTBEDS_STATS_H

#include "testbeds/bench/bench.h"

struct stats {
	size_t n;
	double min, max, median, mean;
	double stddev; /* of the sample (n - 1); 0 for n < 2 */
};
/* All fields 0 for n = 0. */
struct stats stats_of(const double *x, size_t n);

/* Fills word, exact, change, smallest and why of `m` from its samples.
 *
 * Exact rule (count mode: each side's samples agree within `resolution`, in the metric's unit): a change is real when the medians
 * differ by more than `resolution` and by more than `floor` relative. Otherwise the rank rule: Mann-Whitney U
 * (exact distribution, two-sided, 5 %) and more than `floor`; with too few samples to reach 5 % it is undecided.
 * An empty side, or a base of 0, is undecided, and `why` says so. */
void stats_judge(struct bench_metric *m, double resolution, double floor);

#endif
