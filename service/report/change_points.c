// SPDX-License-Identifier: GPL-2.0-or-later
/* Binary segmentation with a permutation test: CHANGE_POINTS.md. */
#include "report/change_points.h"

#include "base/random.h"
#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define PERMUTATIONS 499
/* Values further from the median than this many robust standard deviations count as being there:
 * one that is far off would hide all changes. */
#define FAR_OFF	      8
#define MAD_TO_STDDEV 1.4826
/* So many permutations may be as extreme as the data: (4 + 1) / (499 + 1) is the level. */
#define EXTREME_MAX 4

struct split {
	size_t at; /* first of the second part */
	double strength;
};

static int by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static double median(const double *x, size_t n)
{
	double sorted[CHANGE_VALUES_MAX];

	memcpy(sorted, x, n * sizeof(*x));
	qsort(sorted, n, sizeof(*sorted), by_value);
	return sorted[(n - 1) / 2] / 2 + sorted[n / 2] / 2; /* the sum could be over DBL_MAX */
}

static size_t lower_bound(const double *sorted, size_t n, double v)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (sorted[mid] < v)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* Mid-ranks, doubled and less their mean: whole numbers that add up to 0. */
static void centred_ranks(const double *x, size_t n, double *ret)
{
	double sorted[CHANGE_VALUES_MAX];

	memcpy(sorted, x, n * sizeof(*x));
	qsort(sorted, n, sizeof(*sorted), by_value);
	for (size_t i = 0; i < n; i++) {
		size_t below = lower_bound(sorted, n, x[i]);
		size_t upto = lower_bound(sorted, n, nextafter(x[i], INFINITY));

		ret[i] = (double)(below + 1 + upto) - (double)(n + 1);
	}
}

/* Median absolute deviation: F. R. Hampel, J. Am. Stat. Assoc. 69 (1974) 383. */
static double deviation(const double *x, size_t n, double middle)
{
	double off[CHANGE_VALUES_MAX];

	for (size_t i = 0; i < n; i++)
		off[i] = fabs(x[i] - middle);
	return median(off, n);
}

/* What the split is looked for in, with a mean of 0. Ranks where a half and more of the values are
 * the same: there a distance has no measure. */
static void scores(const double *x, size_t n, double *ret)
{
	double middle = median(x, n);
	double unit = deviation(x, n, middle) * MAD_TO_STDDEV, mean = 0;

	if (!(unit > 0) || !isfinite(unit)) {
		centred_ranks(x, n, ret);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		ret[i] = fmax(-FAR_OFF, fmin(FAR_OFF, (x[i] - middle) / unit));
		mean += ret[i] / (double)n;
	}
	for (size_t i = 0; i < n; i++)
		ret[i] -= mean;
}

/* The split whose parts' means are furthest from each other, in units of what chance gives. (That
 * is the largest t of all splits; the part of its variance that is the same for all splits and
 * permutations is left out.) */
static struct split best_split(const double *score, size_t n)
{
	struct split best = {0};
	double sum = 0;

	for (size_t k = 1; k + CHANGE_LEVEL_MIN <= n; k++) {
		double strength;

		sum += score[k - 1];
		strength = fabs(sum) / sqrt((double)k * (double)(n - k));
		if (k >= CHANGE_LEVEL_MIN && strength > best.strength)
			best = (struct split){.at = k, .strength = strength};
	}
	return best;
}

/* From the numbers alone, so that the same history always has the same changes. */
static uint64_t seed_of(const double *x, size_t n)
{
	uint64_t seed = n;

	for (size_t i = 0; i < n; i++) {
		uint64_t bits;

		memcpy(&bits, &x[i], sizeof(bits));
		seed = (seed ^ bits) * 0x100000001b3;
		seed ^= seed >> 32;
	}
	return seed;
}

static void shuffle(double *x, size_t n, uint64_t *random)
{
	for (size_t i = n; i > 1; i--) {
		size_t k = (size_t)splitmix64_below(random, i);
		double kept = x[k];

		x[k] = x[i - 1];
		x[i - 1] = kept;
	}
}

/* Is the best split of these values stronger than that of the same values in any order? */
static bool test(const double *x, size_t n, struct split *ret_split, double *ret_p)
{
	double score[CHANGE_VALUES_MAX];
	uint64_t random = seed_of(x, n);
	unsigned extreme = 0;
	struct split best;

	if (n < 2 * CHANGE_LEVEL_MIN)
		return false;
	scores(x, n, score);
	best = best_split(score, n);
	if (!(best.strength > 0))
		return false;
	for (unsigned i = 0; i < PERMUTATIONS && extreme <= EXTREME_MAX; i++) {
		shuffle(score, n, &random);
		extreme += best_split(score, n).strength >= best.strength * (1 - 1e-9);
	}
	*ret_split = best;
	*ret_p = (extreme + 1.0) / (PERMUTATIONS + 1.0);
	return extreme <= EXTREME_MAX;
}

struct found {
	size_t at[CHANGE_POINTS_MAX];
	size_t n;
};

/* The parts of what was split are looked at in turn, the older one first: `at` is ascending. */
static void segment(const double *x, size_t from, size_t to, struct found *f)
{
	struct split s;
	double p;

	if (f->n == CHANGE_POINTS_MAX || !test(x + from, to - from, &s, &p))
		return;
	segment(x, from, from + s.at, f);
	if (f->n == CHANGE_POINTS_MAX)
		return;
	f->at[f->n++] = from + s.at;
	segment(x, from + s.at, to, f);
}

static bool differs(double before, double after, double floor)
{
	return fabs(after - before) > fabs(before) * floor;
}

/* The first splits were made before the others were known, and may stand a little beside: each is
 * looked for again between its neighbours. */
static size_t refine(const double *x, size_t n, const struct found *f, double floor,
		     struct change_point *ret)
{
	size_t kept = 0;

	for (size_t i = 0; i < f->n; i++) {
		size_t from = kept ? ret[kept - 1].at : 0, to = i + 1 < f->n ? f->at[i + 1] : n;
		struct split s;
		double p;

		if (!test(x + from, to - from, &s, &p) ||
		    !differs(median(x + from, s.at), median(x + from + s.at, to - from - s.at),
			     floor))
			continue;
		ret[kept++] = (struct change_point){.at = from + s.at, .p = p};
	}
	return kept;
}

size_t change_points_find(const double *x, size_t n, double floor,
			  struct change_point ret[static CHANGE_POINTS_MAX])
{
	struct found f = {0};
	size_t kept;

	assert(n <= CHANGE_VALUES_MAX);
	for (size_t i = 0; i < n; i++)
		if (!isfinite(x[i]))
			return 0;
	segment(x, 0, n, &f);
	kept = refine(x, n, &f, floor, ret);
	for (size_t i = 0; i < kept; i++) {
		size_t from = i ? ret[i - 1].at : 0, to = i + 1 < kept ? ret[i + 1].at : n;

		ret[i].before = median(x + from, ret[i].at - from);
		ret[i].after = median(x + ret[i].at, to - ret[i].at);
	}
	return kept;
}
