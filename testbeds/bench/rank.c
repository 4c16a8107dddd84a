// SPDX-License-Identifier: GPL-2.0-or-later
/* Mann-Whitney U: H. B. Mann, D. R. Whitney, Ann. Math. Stat. 18 (1947) 50. */
#include "testbeds/bench/stats.h"
#include <math.h>

/* Up to here the distribution is counted out: at most 64 * 64 * 4160 additions. */
#define EXACT_MAX 64

static double *sorted_pool(const double *x, size_t nx, const double *y, size_t ny)
{
	double *pool = xcalloc(nx + ny, sizeof(*pool));

	memcpy(pool, x, nx * sizeof(*pool));
	memcpy(pool + nx, y, ny * sizeof(*pool));
	qsort(pool, nx + ny, sizeof(*pool), stats_by_value);
	return pool;
}

/* End of the run of equal values that begins at i. */
static size_t run_end(const double *pool, size_t n, size_t i)
{
	size_t end = i + 1;

	while (end < n && pool[end] == pool[i])
		end++;
	return end;
}

/* The mid-rank of a sorted pool's run [i, end), counted from 1, times two: an integer. */
static unsigned double_rank(size_t i, size_t end)
{
	return (unsigned)(i + 1 + end);
}

/* Where the first value that is not below v stands in a sorted pool. */
static size_t lower_bound(const double *pool, size_t n, double v)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (pool[mid] < v)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* Twice the sum of x's ranks in the pool. */
static unsigned long rank_sum(const double *pool, size_t n, const double *x, size_t nx)
{
	unsigned long sum = 0;

	for (size_t k = 0; k < nx; k++) {
		size_t i = lower_bound(pool, n, x[k]);

		sum += double_rank(i, run_end(pool, n, i));
	}
	return sum;
}

/*
 * How many of the ways to choose nx of the pool's n double ranks have each sum: ways[s], s up to n
 * * (n + 1). Counted rank by rank, ties as they are, so that the distribution is exact with ties
 * too. Doubles hold the counts: C(64, 32) is 1.8e18, and the error of a few in 1e16 of it does not
 * matter. The caller frees.
 */
static double *ways_of(const unsigned *rank, size_t n, size_t nx, size_t max)
{
	double *ways = xcalloc((nx + 1) * (max + 1), sizeof(*ways));

	ways[0] = 1;
	for (size_t i = 0, reach = 0; i < n; i++) {
		reach += rank[i]; /* the largest sum that there is so far */
		for (size_t k = i + 1 < nx ? i + 1 : nx; k > 0; k--) {
			double *to = ways + k * (max + 1), *from = to - (max + 1);

			for (size_t s = rank[i]; s <= reach; s++)
				to[s] += from[s - rank[i]];
		}
	}
	return ways;
}

static double p_exact(const double *pool, size_t n, size_t nx, unsigned long sum)
{
	unsigned rank[EXACT_MAX];
	size_t max = n * (n + 1);
	double all = 0, as_far = 0;
	long mean = (long)(nx * (n + 1)), distance = labs((long)sum - mean);

	for (size_t i = 0, end; i < n; i = end) {
		end = run_end(pool, n, i);
		for (size_t k = i; k < end; k++)
			rank[k] = double_rank(i, end);
	}
	auto_free double *ways = ways_of(rank, n, nx, max);
	const double *of_nx = ways + nx * (max + 1);

	for (size_t s = 0; s <= max; s++) {
		all += of_nx[s];
		if (labs((long)s - mean) >= distance)
			as_far += of_nx[s];
	}
	return as_far / all;
}

/* sqrt of the variance of U under no difference; `pool` NULL: without ties. */
static double sigma_of(const double *pool, size_t nx, size_t ny)
{
	double n = (double)(nx + ny), ties = 0;

	for (size_t i = 0, end; pool && i < nx + ny; i = end) {
		end = run_end(pool, nx + ny, i);
		ties += pow((double)(end - i), 3) - (double)(end - i);
	}
	return sqrt((double)nx * (double)ny / 12 * (n + 1 - ties / (n * (n - 1))));
}

static double p_normal(const double *pool, size_t nx, size_t ny, double u)
{
	double sigma = sigma_of(pool, nx, ny);
	double distance = fabs(u - (double)nx * (double)ny / 2) - 0.5;

	if (sigma == 0 || distance <= 0)
		return 1;
	return erfc(distance / sigma / sqrt(2));
}

double stats_mann_whitney(const double *x, size_t nx, const double *y, size_t ny, double *ret_p)
{
	auto_free double *pool = sorted_pool(x, nx, y, ny);
	unsigned long sum = rank_sum(pool, nx + ny, x, nx);
	double u = (double)sum / 2 - (double)nx * (double)(nx + 1) / 2;

	*ret_p = nx + ny <= EXACT_MAX ? p_exact(pool, nx + ny, nx, sum) : p_normal(pool, nx, ny, u);
	return u;
}

double stats_smallest_p(size_t nx, size_t ny)
{
	double p = 2;

	for (size_t k = 1; k <= nx; k++)
		p *= (double)k / (double)(ny + k);
	return p < 1 ? p : 1;
}

/* The quantile of the normal distribution at 1 - level / 2, by bisection. */
static double normal_quantile(double level)
{
	double low = 0, high = 40;

	for (int i = 0; i < 100; i++) {
		double mid = (low + high) / 2;

		if (erfc(mid / sqrt(2)) > level)
			low = mid;
		else
			high = mid;
	}
	return low;
}

/* The largest U whose two-sided probability without ties is at most `level`; -1 when there is none.
 */
static long critical_u(size_t nx, size_t ny, double level)
{
	size_t n = nx + ny, max = n * (n + 1), least = nx * (nx + 1);
	unsigned rank[EXACT_MAX];
	double all = 0, below = 0;
	long c = -1;

	if (n > EXACT_MAX) {
		double mean = (double)nx * (double)ny / 2;

		return lround(floor(mean - 0.5 - normal_quantile(level) * sigma_of(NULL, nx, ny)));
	}
	for (size_t i = 0; i < n; i++)
		rank[i] = double_rank(i, i + 1);
	auto_free double *ways = ways_of(rank, n, nx, max);
	const double *of_nx = ways + nx * (max + 1);

	for (size_t s = least; s <= max; s += 2)
		all += of_nx[s];
	for (size_t s = least; s <= max; s += 2, c++) {
		below += of_nx[s];
		if (2 * below / all > level)
			break;
	}
	return c;
}

bool stats_shift(const struct bench_side *x, const struct bench_side *y, double level,
		 struct stats_shift *ret)
{
	long c = x->n && y->n ? critical_u(x->n, y->n, level) : -1;
	size_t n = x->n * y->n;

	if (c < 0)
		return false;
	auto_free double *d = xcalloc(n, sizeof(*d));

	for (size_t i = 0; i < n; i++)
		d[i] = y->sample[i % y->n] - x->sample[i / y->n];
	qsort(d, n, sizeof(*d), stats_by_value);
	ret->shift = (d[(n - 1) / 2] + d[n / 2]) / 2;
	ret->low = d[c];
	ret->high = d[n - 1 - (size_t)c];
	return true;
}
