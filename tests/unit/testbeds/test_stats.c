// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include "testbeds/bench/stats.h"
#include <math.h>

#define N(a) array_size(a)

static struct bench_metric judged(const double *base, size_t n_base, const double *patched,
				  size_t n_patched, double resolution, double floor)
{
	struct bench_metric m = {
		.unit = "us",
		.lower_is_better = true,
		.base = {(double *)base, n_base},
		.patched = {(double *)patched, n_patched},
	};

	stats_judge(&m, resolution, floor);
	assert_non_null(m.why);
	return m;
}

#define judge(base, patched, resolution, floor)                                                    \
	judged(base, N(base), patched, N(patched), resolution, floor)

static void assert_judged(struct bench_metric m, enum bench_word word, bool exact, const char *why)
{
	if (m.word != word || m.exact != exact || !strstr(m.why, why))
		fail_msg("word %d, exact %d: %s", m.word, m.exact, m.why);
	free(m.why);
}

static void assert_near(double got, double want)
{
	if (fabs(got - want) > 1e-9 * fmax(1, fabs(want)))
		fail_msg("%.12g, not %.12g", got, want);
}

static void descriptive(void **state)
{
	static const double x[] = {2, 4, 4, 4, 5, 5, 7, 9},
			    big[] = {1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16};
	struct stats s = stats_of(x, N(x));

	(void)state;
	assert_int_equal(s.n, 8);
	assert_near(s.mean, 5);
	assert_near(s.median, 4.5);
	assert_near(s.min, 2);
	assert_near(s.max, 9);
	assert_near(s.stddev, sqrt(32.0 / 7));
	/* The sum of squares would have lost all its digits here. */
	assert_near(stats_of(big, N(big)).stddev, sqrt(30));
	s = stats_of(x, 1);
	assert_near(s.median, 2);
	assert_near(s.stddev, 0);
	s = stats_of(x, 0);
	assert_true(s.n == 0 && s.mean == 0 && s.median == 0 && s.min == 0 && s.max == 0);
}

/* x and y without ties of which u pairs have the larger x. */
static void samples_with_u(double *x, size_t nx, size_t ny, size_t u)
{
	for (size_t i = 0; i < nx; i++) {
		size_t above = u > ny ? ny : u;

		u -= above;
		/* Between y = above and y = above + 1, and no two the same. */
		x[i] = (double)above + 0.5 - (double)i * 1e-3;
	}
}

static double p_of_u(size_t nx, size_t ny, size_t u)
{
	double x[32], y[32], p;

	samples_with_u(x, nx, ny, u);
	for (size_t i = 0; i < ny; i++)
		y[i] = (double)i + 1;
	assert_near(stats_mann_whitney(x, nx, y, ny, &p), (double)u);
	return p;
}

/* Critical values of U, two-sided, 5 %: S. Siegel, Nonparametric Statistics (1956), table K; after
 * D. Auble, Bull. Inst. Educ. Res. Indiana Univ. 1 no. 2 (1953). -1: 5 % cannot be reached. */
static void published_table(void **state)
{
	static const struct {
		size_t n1, n2;
		int u;
	} rows[] = {
		{1, 19, -1},  {2, 7, -1},    {2, 8, 0},	  {3, 3, -1}, {3, 4, -1},  {3, 5, 0},
		{3, 6, 1},    {3, 10, 3},    {4, 4, 0},	  {4, 5, 1},  {4, 6, 2},   {4, 7, 3},
		{4, 8, 4},    {4, 9, 4},     {4, 10, 5},  {5, 5, 2},  {5, 6, 3},   {5, 7, 5},
		{5, 8, 6},    {5, 9, 7},     {5, 10, 8},  {6, 6, 5},  {6, 7, 6},   {6, 8, 8},
		{6, 9, 10},   {6, 10, 11},   {7, 7, 8},	  {7, 8, 10}, {7, 9, 12},  {7, 10, 14},
		{8, 8, 13},   {8, 9, 15},    {8, 10, 17}, {9, 9, 17}, {9, 10, 20}, {10, 10, 23},
		{15, 15, 64}, {20, 20, 127},
	};

	(void)state;
	for (size_t i = 0; i < N(rows); i++) {
		size_t n1 = rows[i].n1, n2 = rows[i].n2, next = (size_t)(rows[i].u + 1);

		if (rows[i].u >= 0) {
			assert_true(p_of_u(n1, n2, (size_t)rows[i].u) <= 0.05);
			assert_true(p_of_u(n2, n1, n1 * n2 - (size_t)rows[i].u) <= 0.05);
			assert_true(stats_smallest_p(n1, n2) <= 0.05);
		} else {
			assert_true(stats_smallest_p(n1, n2) > 0.05);
		}
		if (p_of_u(n1, n2, next) <= 0.05)
			fail_msg("U %zu of %zu and %zu: %g", next, n1, n2, p_of_u(n1, n2, next));
	}
}

static void known_probabilities(void **state)
{
	(void)state;
	assert_near(p_of_u(4, 4, 0), 2.0 / 70);
	assert_near(p_of_u(5, 5, 2), 8.0 / 252);
	assert_near(p_of_u(5, 5, 3), 14.0 / 252);
	assert_near(p_of_u(3, 3, 0), 0.1);
	assert_near(p_of_u(4, 4, 8), 1);
	assert_near(stats_smallest_p(3, 3), 0.1);
	assert_near(stats_smallest_p(4, 4), 2.0 / 70);
	assert_near(stats_smallest_p(1, 1), 1);
	assert_near(stats_smallest_p(0, 5), 1);
}

static uint32_t random_next(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

/* In (0, 1). */
static double random_unit(uint32_t *seed)
{
	return (random_next(seed) + 0.5) / (1 << 24);
}

static double random_normal(uint32_t *seed)
{
	double r = sqrt(-2 * log(random_unit(seed)));

	return r * cos(2 * M_PI * random_unit(seed));
}

static double pairs_larger(const double *pool, size_t n, unsigned is_x)
{
	double u = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n; k++)
			if ((is_x >> i & 1) && !(is_x >> k & 1))
				u += pool[i] > pool[k] ? 1 : pool[i] == pool[k] ? 0.5 : 0;
	return u;
}

/* Every way to deal the pool into two sides, pair by pair. */
static double p_by_enumeration(const double *pool, size_t n, size_t nx)
{
	double mean = (double)(nx * (n - nx)) / 2, all = 0, as_far = 0;
	double distance = fabs(pairs_larger(pool, n, (1u << nx) - 1) - mean);

	for (unsigned is_x = 0; is_x < 1u << n; is_x++) {
		if ((size_t)__builtin_popcount(is_x) != nx)
			continue;
		all++;
		as_far += fabs(pairs_larger(pool, n, is_x) - mean) >= distance;
	}
	return as_far / all;
}

static void ties_are_counted_out(void **state)
{
	uint32_t seed = 11;

	(void)state;
	for (int round = 0; round < 60; round++) {
		double pool[9], p, u;
		size_t nx = 1 + random_next(&seed) % 5, n = nx + 1 + random_next(&seed) % 4;

		for (size_t i = 0; i < n; i++)
			pool[i] = random_next(&seed) % 5;
		u = stats_mann_whitney(pool, nx, pool + nx, n - nx, &p);
		assert_near(u, pairs_larger(pool, n, (1u << nx) - 1));
		assert_near(p, p_by_enumeration(pool, n, nx));
	}
}

/* Where counting ends and the approximation begins, both must say nearly the same. */
static void normal_approximation_fits(void **state)
{
	double x[33], y[33], exact, approximate;
	uint32_t seed = 3;

	(void)state;
	for (size_t i = 0; i < 33; i++) {
		x[i] = floor(random_normal(&seed) * 6);
		y[i] = floor(random_normal(&seed) * 6 + 3);
	}
	stats_mann_whitney(x, 32, y, 32, &exact);
	x[32] = x[0];
	y[32] = y[0];
	stats_mann_whitney(x, 33, y, 33, &approximate);
	assert_true(exact > 0 && approximate > 0);
	assert_true(fabs(log(exact / approximate)) < 0.7);
	memcpy(y, x, sizeof(x));
	stats_mann_whitney(x, 33, y, 33, &approximate);
	assert_near(approximate, 1);
}

static void exact_rule(void **state)
{
	static const double base[] = {36412, 36412, 36412}, slow[] = {36525, 36525, 36525};
	static const double wobble[] = {36412, 36413, 36412}, one_up[] = {36413, 36413, 36413};
	struct bench_metric m = judge(base, slow, 1, 0.001);

	(void)state;
	assert_near(m.change, 113.0 / 36412);
	assert_near(m.smallest, 0.001);
	assert_judged(m, BENCH_SLOWER, true, "both kernels repeat exactly: 36412 → 36525 us");
	assert_judged(judge(slow, base, 1, 0.001), BENCH_FASTER, true, "36525 → 36412 us");
	assert_judged(judge(wobble, slow, 1, 0.001), BENCH_SLOWER, true, "repeat within 1 us");
	assert_judged(judge(base, base, 1, 0.001), BENCH_UNCHANGED, true, "36412 → 36412 us");
	/* One tick of the clock is no change, though it repeats. */
	assert_judged(judge(base, one_up, 1, 0), BENCH_UNCHANGED, true, "exactly");
	assert_judged(judge(base, one_up, 0, 0), BENCH_SLOWER, true, "exactly");
	assert_judged(judge(base, slow, 1, 0.01), BENCH_UNCHANGED, true,
		      "which is not over the limit of 1 %");
	m = judge(base, base, 100, 0.001);
	assert_near(m.smallest, 100.0 / 36412);
	assert_judged(m, BENCH_UNCHANGED, true, "");
}

static void exact_rule_needs_repeats(void **state)
{
	static const double one[] = {100}, other[] = {200}, two[] = {100, 100}, off[] = {100, 102};

	(void)state;
	assert_judged(judge(one, other, 1, 0), BENCH_UNDECIDED, false, "one sample of each kernel");
	assert_judged(judge(two, other, 1, 0), BENCH_UNDECIDED, false, "2 and 1 samples");
	assert_judged(judge(two, off, 1, 0), BENCH_UNDECIDED, false,
		      "takes 5 of each to reach 1 %");
	/* A testbed that does not count. */
	assert_judged(judge(two, two, -1, 0), BENCH_UNDECIDED, false, "2 and 2 samples");
}

static void rank_rule(void **state)
{
	static const double base[] = {100, 103, 101, 104, 102}, slow[] = {110, 108, 112, 109, 111};
	static const double four[] = {100, 103, 101, 104}, more[] = {110, 108, 112, 109};
	static const double near[] = {100.5, 103.5, 101.5, 104.5, 102.5};
	struct bench_metric m = judge(base, slow, 1, 0.001);

	(void)state;
	assert_near(m.change, 8.0 / 102);
	/* The shift is 8, and the interval of the 25 differences at 1 %, where U = 0 is the only
	 * one that far out, is all of them: 4 to 12. */
	assert_near(m.smallest, 4.0 / 102);
	assert_judged(m, BENCH_SLOWER, false, "rank test: U = 0 of 25, p = 0.0079: 102 → 110 us");
	assert_judged(judge(slow, base, 1, 0.001), BENCH_FASTER, false, "110 → 102 us");
	assert_judged(judge(four, more, 1, 0.001), BENCH_UNDECIDED, false, "4 and 4 samples");
	assert_judged(judge(base, near, 1, 0.001), BENCH_UNCHANGED, false,
		      "102 → 102.500 us, which chance explains; under 3.9 % nothing");
	assert_judged(judge(base, slow, 1, 0.2), BENCH_UNCHANGED, false, "limit of 20 %");
	m = judge(base, slow, 1, 0.001);
	free(m.why);
	m.lower_is_better = false;
	stats_judge(&m, 1, 0.001);
	assert_judged(m, BENCH_FASTER, false, "110 us");
}

/* Three of each that do not repeat: nothing could have been seen, and no smallest change is
 * claimed. */
static void too_few(void **state)
{
	static const double base[] = {100, 103, 106}, slow[] = {200, 203, 206};
	struct bench_metric m = judge(base, slow, 1, 0);

	(void)state;
	assert_true(isnan(m.smallest));
	assert_near(m.change, 100.0 / 103);
	assert_judged(m, BENCH_UNDECIDED, false, "3 and 3 samples that do not repeat");
}

static void nothing_to_judge(void **state)
{
	static const double some[] = {1, 2, 3}, bad[] = {1, NAN, 3}, inf[] = {1, INFINITY, 2};
	struct bench_metric m = judged(NULL, 0, NULL, 0, 1, 0);

	(void)state;
	assert_true(isnan(m.change) && isnan(m.smallest));
	assert_judged(m, BENCH_UNDECIDED, false, "no sample of either kernel");
	assert_judged(judged(some, 3, NULL, 0, 1, 0), BENCH_UNDECIDED, false,
		      "no sample of the patched kernel");
	assert_judged(judged(NULL, 0, some, 3, 1, 0), BENCH_UNDECIDED, false,
		      "no sample of the base");
	assert_judged(judge(some, bad, 1, 0), BENCH_UNDECIDED, false, "not a number");
	assert_judged(judge(inf, some, 1, 0), BENCH_UNDECIDED, false, "not a number");
}

static void one_outlier_changes_nothing(void **state)
{
	static const double base[] = {100, 101, 102, 103, 104},
			    wild[] = {100.5, 101.5, 102.5, 103.5, 9000};

	(void)state;
	assert_judged(judge(base, wild, 1, 0.001), BENCH_UNCHANGED, false, "102 → 102.500");
}

/* Two humps, and the median fell into the other one: not a change, and not "unchanged" either. */
static void two_humps(void **state)
{
	static const double base[] = {100, 101, 102, 203, 202, 100.5, 101.5};
	static const double other[] = {200, 201, 100.2, 202.5, 101.2, 203.5, 102.2};
	static const double same[] = {100.2, 101.1, 102.3, 203.1, 202.2, 100.6, 101.6};
	static const double over[] = {300, 301, 302, 403, 402, 300.5, 301.5};
	/* Of these five alone it could be said. */
	static const double five[] = {100, 101, 100.5, 104, 104.5},
			    rest[] = {101.2, 102.5, 103.2, 103.8, 102.1};

	(void)state;
	assert_judged(judge(base, other, 1, 0.001), BENCH_UNDECIDED, false, "fall into two groups");
	assert_judged(judge(base, same, 1, 0.001), BENCH_UNCHANGED, false, "chance explains");
	assert_judged(judge(rest, five, 1, 0.001), BENCH_UNCHANGED, false, "chance explains");
	assert_judged(judge(base, over, 1, 0.001), BENCH_SLOWER, false, "101.500 → 301.500");
}

static void draw(double *x, size_t n, double centre, double sigma, uint32_t *seed)
{
	for (size_t i = 0; i < n; i++)
		x[i] = centre + sigma * random_normal(seed);
}

/* A shift a little over `smallest` of the centred samples is called, up and down. */
static void smallest_is_what_is_just_seen(void **state)
{
	uint32_t seed = 5;

	(void)state;
	for (int round = 0; round < 50; round++) {
		double x[7], y[7], up[7], down[7], p_up, p_down;
		struct stats_shift s;

		draw(x, 7, 1000, 10, &seed);
		draw(y, 7, 1010, 10, &seed);
		struct bench_metric m = judged(x, 7, y, 7, 1, 0);

		assert_true(stats_shift(&m.base, &m.patched, STATS_LEVEL, &s));
		assert_true(s.low <= s.shift && s.shift <= s.high);
		for (size_t i = 0; i < 7; i++) {
			double by = m.smallest * stats_of(x, 7).median * 1.000001;

			up[i] = y[i] - s.shift + by;
			down[i] = y[i] - s.shift - by;
		}
		stats_mann_whitney(x, 7, up, 7, &p_up);
		stats_mann_whitney(x, 7, down, 7, &p_down);
		assert_true(p_up <= STATS_LEVEL && p_down <= STATS_LEVEL);
		free(m.why);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(descriptive),
		cmocka_unit_test(published_table),
		cmocka_unit_test(known_probabilities),
		cmocka_unit_test(ties_are_counted_out),
		cmocka_unit_test(normal_approximation_fits),
		cmocka_unit_test(exact_rule),
		cmocka_unit_test(exact_rule_needs_repeats),
		cmocka_unit_test(rank_rule),
		cmocka_unit_test(too_few),
		cmocka_unit_test(nothing_to_judge),
		cmocka_unit_test(one_outlier_changes_nothing),
		cmocka_unit_test(two_humps),
		cmocka_unit_test(smallest_is_what_is_just_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
