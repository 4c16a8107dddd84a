/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Statistics for benchmarks: pure functions. */
#ifndef FIRN_TESTBEDS_STATS_H
#define FIRN_TESTBEDS_STATS_H

#include "testbeds/bench/bench.h"

/* What is called a change comes by chance in one of a hundred runs at most: a word that is wrong
 * every twentieth time is soon not read any more. */
#define STATS_LEVEL 0.01
/* Intervals hold the true value so often. */
#define STATS_COVERAGE 0.95

struct stats {
	size_t n;
	double min, max, median, mean;
	double stddev; /* of the sample (n - 1); 0 for n < 2 */
};
/* All fields 0 for n = 0. NaN in, NaN out: none of the fields but n means anything then. */
struct stats stats_of(const double *x, size_t n);

/* For qsort(3). */
int stats_by_value(const void *a, const void *b);
/* A sorted copy, which the caller frees. */
double *stats_sorted(const double *x, size_t n);

/* What a change must exceed to be one. */
struct stats_rule {
	double resolution; /* in the metric's unit: exact samples that differ by no more are equal;
			      negative: the exact rule is off (a testbed that does not count) */
	double floor;	   /* relative: changes up to this do not matter */
	bool no_interval;  /* low and high are not asked for: they take most of the time */
};

/*
 * Fills word, exact, change, low, high, smallest and why of each metric from its samples.
 *
 * Exact rule, where the samples of each side (two at least) agree within `resolution`: a change is
 * real when the medians differ by more than `resolution` and by more than `floor`. `smallest` is
 * the larger of both. The interval is the change itself.
 *
 * Otherwise the rank rule: a change is real when the two-sided Mann-Whitney U test says so at
 * STATS_LEVEL
 * and the medians differ by more than `floor`. The probabilities of the `judged` metrics among them
 * are corrected for their number (Holm), those of the others are not. The interval is that of the
 * bootstrap. `smallest` is the shift that, with the spread of these very samples and at the level
 * that is left for one of so many metrics, the test would have just seen (half the interval of the
 * Hodges-Lehmann estimate, the longer side), so a true change of that size is seen about every
 * second time.
 *
 * Undecided are: samples that are too few to reach STATS_LEVEL after the correction; samples in two
 * groups, the medians in different ones, where the ranks do not differ; an empty side; a sample
 * that is not a number.
 *
 * From a base of 0 a change has no size: `change`, `low`, `high` and `smallest` are NAN, and the
 * word is that of the direction. `smallest` is NAN too where no change at all could have been seen.
 *
 * `why` says which rule it was, and what is unusual: samples far off, one side that repeats.
 */
void stats_judge_all(struct bench_metric *m, const struct stats_rule *rule, size_t n);
/* Whether the exact rule applies: two samples of each side at least, all within `resolution` of
 * each other. */
bool stats_is_exact(const struct bench_side *base, const struct bench_side *patched,
		    double resolution);
/* One alone. */
void stats_judge(struct bench_metric *m, double resolution, double floor);

/* Adjusts n probabilities for their number (S. Holm, Scand. J. Stat. 6 (1979) 65): each is at most
 * its level when Holm's procedure rejects at that level. */
void stats_holm(const double *p, size_t n, double *ret_adjusted);

struct stats_interval {
	double low, high;
};
#define STATS_RESAMPLES 2000
/* The 95 % percentile interval (B. Efron, Ann. Stat. 7 (1979) 1) of (median y - median x) / |median
 * x|, from STATS_RESAMPLES resamples that depend on the samples alone. False when a side has fewer
 * than two samples, or resampling finds a median of 0 under the line. */
bool stats_bootstrap(const double *x, size_t nx, const double *y, size_t ny,
		     struct stats_interval *ret);

/* How many samples are further than 5 median absolute deviations from the median (F. R. Hampel, J.
 * Am. Stat. Assoc. 69 (1974) 383), and the furthest of them. Needs five samples; half of them equal
 * make every other one far off by more than `resolution`. */
size_t stats_far_off(const double *x, size_t n, double resolution, double *ret_furthest);

/* Mann-Whitney U of two samples without NaN, both n > 0: pairs of which x is the larger, ties count
 * a half. `*ret_p`: the two-sided probability, exact with ties too up to 64 samples together,
 * beyond that by the normal approximation with corrections for ties and continuity. */
double stats_mann_whitney(const double *x, size_t nx, const double *y, size_t ny, double *ret_p);

/* The smallest two-sided probability that nx and ny samples can reach: 2 / C(nx + ny, nx). */
double stats_smallest_p(size_t nx, size_t ny);

struct stats_shift {
	double shift;	  /* Hodges-Lehmann: the median of all differences y - x */
	double low, high; /* the shifts between these are not rejected at `level` */
};
/* (J. L. Hodges, E. L. Lehmann, Ann. Math. Stat. 34 (1963) 598.) False when there are too few
 * samples for an interval. Takes nx * ny doubles of memory. */
bool stats_shift(const struct bench_side *x, const struct bench_side *y, double level,
		 struct stats_shift *ret);

#endif
