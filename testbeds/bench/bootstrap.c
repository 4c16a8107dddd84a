// SPDX-License-Identifier: GPL-2.0-or-later
#include "testbeds/bench/stats.h"

#include "base/random.h"
#include "base/str.h"
#include <math.h>

#define SEED 20200916 /* any: the same samples shall give the same interval */

/*
 * The median of a resample of a sorted side. Where sorted[] is drawn from by its place, the median
 * needs the places sorted, not the values: counting them is linear.
 */
static double resampled_median(const double *sorted, size_t n, unsigned *count, uint64_t *random)
{
	size_t seen = 0, i = 0;
	double lower;

	memset(count, 0, n * sizeof(*count));
	for (size_t k = 0; k < n; k++)
		count[splitmix64_below(random, n)]++;
	while (seen + count[i] < (n + 1) / 2)
		seen += count[i++];
	lower = sorted[i];
	while (seen + count[i] < n / 2 + 1)
		seen += count[i++];
	return lower + (sorted[i] - lower) / 2;
}

/* The changes of all resamples, sorted, into `ret`. False when one has no size. */
static bool resample(const double *x, size_t nx, const double *y, size_t ny, double *ret)
{
	auto_free double *from = stats_sorted(x, nx), *to = stats_sorted(y, ny);
	auto_free unsigned *count = xcalloc(nx > ny ? nx : ny, sizeof(*count));
	uint64_t random = SEED;

	for (size_t i = 0; i < STATS_RESAMPLES; i++) {
		double old = resampled_median(from, nx, count, &random);
		double new = resampled_median(to, ny, count, &random);

		ret[i] = (new - old) / fabs(old);
		if (!isfinite(ret[i]))
			return false;
	}
	qsort(ret, STATS_RESAMPLES, sizeof(*ret), stats_by_value);
	return true;
}

bool stats_bootstrap(const double *x, size_t nx, const double *y, size_t ny,
		     struct stats_interval *ret)
{
	auto_free double *change = xcalloc(STATS_RESAMPLES, sizeof(*change));
	size_t out = (size_t)lround(STATS_RESAMPLES * (1 - STATS_COVERAGE) / 2);

	if (nx < 2 || ny < 2 || !resample(x, nx, y, ny, change))
		return false;
	ret->low = change[out];
	ret->high = change[STATS_RESAMPLES - 1 - out];
	return true;
}
