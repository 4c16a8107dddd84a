// SPDX-License-Identifier: GPL-2.0-or-later
#include "testbeds/bench/stats.h"
#include "base/str.h"
#include <math.h>

#define FAR_OFF_MADS  5
#define FAR_OFF_LEAST 5 /* samples */

int stats_by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double *stats_sorted(const double *x, size_t n)
{
	double *sorted = xcalloc(n, sizeof(*sorted));

	if (n)
		memcpy(sorted, x, n * sizeof(*sorted));
	qsort(sorted, n, sizeof(*sorted), stats_by_value);
	return sorted;
}

static double median_of(const double *x, size_t n)
{
	auto_free double *sorted = stats_sorted(x, n);

	return n % 2 ? sorted[n / 2] : sorted[n / 2 - 1] + (sorted[n / 2] - sorted[n / 2 - 1]) / 2;
}

struct stats stats_of(const double *x, size_t n)
{
	struct stats s = {.n = n};
	double squares = 0;

	if (!n)
		return s;
	s.min = s.max = x[0];
	for (size_t i = 0; i < n; i++) {
		s.min = fmin(s.min, x[i]);
		s.max = fmax(s.max, x[i]);
		s.mean += (x[i] - s.mean) / (double)(i + 1);
	}
	for (size_t i = 0; i < n; i++)
		squares += (x[i] - s.mean) * (x[i] - s.mean);
	s.stddev = n > 1 ? sqrt(squares / (double)(n - 1)) : 0;
	s.median = median_of(x, n);
	return s;
}

static double *distances_of(const double *x, size_t n, double median)
{
	double *d = xcalloc(n, sizeof(*d));

	for (size_t i = 0; i < n; i++)
		d[i] = fabs(x[i] - median);
	return d;
}

size_t stats_far_off(const double *x, size_t n, double resolution, double *ret_furthest)
{
	double median, mad, furthest = 0;
	size_t far = 0;

	if (n < FAR_OFF_LEAST)
		return 0;
	median = median_of(x, n);
	auto_free double *d = distances_of(x, n, median);

	mad = median_of(d, n);
	for (size_t i = 0; i < n; i++) {
		if (d[i] <= FAR_OFF_MADS * mad || d[i] <= resolution)
			continue;
		far++;
		if (d[i] > furthest) {
			furthest = d[i];
			*ret_furthest = x[i];
		}
	}
	/* Where most are equal, everything else would be far off: only one alone is. */
	return mad == 0 && far > 1 ? 0 : far;
}
