// SPDX-License-Identifier: GPL-2.0-or-later
/* Several numbers at once, intervals, and the samples that need words of their own. */
#include "tests/unit/unit.h"

#include "base/random.h"
#include "base/str.h"
#include "testbeds/bench/stats.h"
#include <math.h>

#define N(a) array_size(a)

static struct bench_metric metric_of(const double *base, size_t n_base, const double *patched,
				     size_t n_patched)
{
	return (struct bench_metric){
		.unit = "us",
		.lower_is_better = true,
		.judged = true,
		.base = {(double *)base, n_base},
		.patched = {(double *)patched, n_patched},
	};
}

static struct bench_metric judged(const double *base, size_t n_base, const double *patched,
				  size_t n_patched)
{
	struct bench_metric m = metric_of(base, n_base, patched, n_patched);

	stats_judge(&m, 0, 0);
	return m;
}
#define judge(base, patched) judged(base, N(base), patched, N(patched))

static void assert_judged(struct bench_metric m, enum bench_word word, const char *why)
{
	if (m.word != word || !strstr(m.why, why))
		fail_msg("%s: %s", bench_word_name(m.word), m.why);
	free(m.why);
}

static void assert_near(double got, double want)
{
	if (fabs(got - want) > 1e-9 * fmax(1, fabs(want)))
		fail_msg("%.12g, not %.12g", got, want);
}

/* Holm's step-down procedure: of 0.01, 0.04, 0.03 and 0.005 at 5 %, 0.005 (x 4) and 0.01 (x 3) are
 * rejected, 0.03 (x 2) is not, and so neither is 0.04, whatever its own factor. R's p.adjust(p,
 * "holm") says the same: 0.03, 0.06, 0.06, 0.02. */
static void holm(void **state)
{
	static const double p[] = {0.01, 0.04, 0.03, 0.005}, want[] = {0.03, 0.06, 0.06, 0.02};
	double adjusted[4] = {0}, one = 0;

	(void)state;
	stats_holm(p, 4, adjusted);
	for (size_t i = 0; i < 4; i++)
		assert_near(adjusted[i], want[i]);
	stats_holm(&p[1], 1, &one);
	assert_near(one, 0.04);
	stats_holm((const double[]){0.7, 0.6}, 2, adjusted);
	assert_near(adjusted[0], 1);
	assert_near(adjusted[1], 1);
	stats_holm(NULL, 0, NULL);
}

/* U = 4 of 49: p = 24/3432 = 0.007 alone. */
static const double seven[] = {100, 103, 101, 104, 102, 105, 106},
		    above[] = {104.5, 104.6, 106.2, 106.5, 107, 107.5, 108};

static void several_are_corrected_for(void **state)
{
	struct bench_metric m[3];
	const struct stats_rule rule[3] = {{0}};
	static const double far[] = {210, 208, 212, 209, 211, 213, 214};

	(void)state;
	assert_judged(judge(seven, above), BENCH_SLOWER, "p = 0.007:");
	m[0] = metric_of(seven, 7, above, 7);
	m[1] = metric_of(seven, 7, far, 7);
	m[2] = metric_of(seven, 7, above, 7);
	m[2].judged = false;
	stats_judge_all(m, rule, 3);
	/* 0.00058 x 2 = 0.0012, and then 0.007 x 1. What is only shown costs nothing. */
	assert_judged(m[0], BENCH_SLOWER, "p = 0.007, corrected for 2 numbers 0.007:");
	assert_judged(m[1], BENCH_SLOWER, "p = 0.00058, corrected for 2 numbers 0.0012:");
	assert_judged(m[2], BENCH_SLOWER, "p = 0.007:");
	m[0] = metric_of(seven, 7, above, 7);
	m[1] = metric_of(seven, 7, seven, 7);
	stats_judge_all(m, rule, 2);
	assert_judged(m[0], BENCH_UNCHANGED, "p = 0.007, corrected for 2 numbers 0.014:");
	assert_judged(m[1], BENCH_UNCHANGED, "p = 1, corrected for 2 numbers 1:");
}

/* Exact metrics, and those that could tell nothing even alone, are no part of the family. */
static void only_what_is_tested_counts(void **state)
{
	static const double same[] = {7, 7, 7}, three[] = {1, 2, 3};
	struct bench_metric m[3];
	const struct stats_rule rule[3] = {{0}};

	(void)state;
	m[0] = metric_of(seven, 7, above, 7);
	m[1] = metric_of(same, 3, same, 3);
	m[2] = metric_of(three, 3, three, 3);
	stats_judge_all(m, rule, 3);
	assert_judged(m[0], BENCH_SLOWER, "p = 0.007:");
	assert_judged(m[1], BENCH_UNCHANGED, "repeat exactly");
	assert_judged(m[2], BENCH_UNDECIDED, "3 and 3 samples");
}

/* Five of each reach 0.0079 at best: not enough for ten numbers, whatever the samples. */
static void too_few_for_so_many(void **state)
{
	static const double five[] = {100, 103, 101, 104, 102};
	struct bench_metric m[10];
	const struct stats_rule rule[10] = {{0}};

	(void)state;
	for (size_t i = 0; i < 10; i++)
		m[i] = metric_of(five, 5, five, 5);
	stats_judge_all(m, rule, 10);
	for (size_t i = 0; i < 10; i++) {
		assert_true(isnan(m[i].smallest));
		assert_judged(m[i], BENCH_UNDECIDED,
			      "takes 7 of each to reach 1 % for each of several numbers");
	}
}

static void from_zero(void **state)
{
	static const double zero[] = {0, 0, 0}, four[] = {4, 4, 4}, z5[] = {0, 0, 0, 0, 1},
			    n5[] = {5, 6, 7, 8, 9}, z5b[] = {0, 1, 0, 0, 0};
	struct bench_metric m = judge(zero, zero);

	(void)state;
	assert_true(m.exact && m.change == 0 && m.low == 0 && m.high == 0 && isnan(m.smallest));
	assert_judged(m, BENCH_UNCHANGED, "both kernels repeat exactly: 0 → 0 us");
	m = judge(zero, four);
	assert_true(m.exact && isnan(m.change) && isnan(m.low) && isnan(m.high));
	assert_judged(m, BENCH_SLOWER, "0 → 4 us, and a change from 0 has no size");
	m = metric_of(zero, 3, four, 3);
	m.lower_is_better = false;
	stats_judge(&m, 0, 0);
	assert_judged(m, BENCH_FASTER, "0 → 4 us");
	m = metric_of(zero, 3, four, 3);
	stats_judge(&m, 4, 0);
	assert_judged(m, BENCH_UNCHANGED, "0 → 4 us");
	m = judge(four, zero);
	assert_near(m.change, -1);
	assert_judged(m, BENCH_FASTER, "4 → 0 us");
	m = judge(z5, n5);
	assert_true(!m.exact && isnan(m.change) && isnan(m.low) && isnan(m.smallest));
	assert_judged(m, BENCH_SLOWER, "rank test: U = 0 of 25");
	m = judge(z5, z5b);
	assert_true(m.change == 0);
	assert_judged(m, BENCH_UNCHANGED, "which chance explains");
}

static void one_sample(void **state)
{
	static const double one[] = {100}, three[] = {100, 100, 100};
	struct bench_metric m = judge(one, one);

	(void)state;
	assert_true(m.change == 0 && isnan(m.low) && isnan(m.smallest) && !m.exact);
	assert_judged(m, BENCH_UNDECIDED,
		      "one sample of each kernel: whether they repeat is not "
		      "known, and the rank test takes 5 of each");
	assert_judged(judge(three, one), BENCH_UNDECIDED, "3 and 1 samples");
}

static void far_off(void **state)
{
	static const double x[] = {100, 101, 99, 102, 98, 9000}, near[] = {100, 101, 99, 102, 98},
			    rest[] = {5, 5, 5, 5, 8}, two[] = {5, 5, 5, 5, 8, 9},
			    x5[] = {100, 101, 102, 103, 1e6};
	double furthest = -1;

	(void)state;
	assert_int_equal(stats_far_off(near, 5, 0, &furthest), 0);
	assert_true(furthest == -1);
	assert_int_equal(stats_far_off(x, 6, 0, &furthest), 1);
	assert_near(furthest, 9000);
	assert_int_equal(stats_far_off(x, 4, 0, &furthest), 0);
	assert_int_equal(stats_far_off(rest, 5, 0, &furthest), 1);
	assert_int_equal(stats_far_off(rest, 5, 3, &furthest), 0);
	assert_int_equal(stats_far_off(two, 6, 0, &furthest), 0);
	/* It is said, and the sample stays in. */
	struct bench_metric m = judge(near, x5);

	assert_near(m.change, 0.02);
	assert_judged(m, BENCH_UNCHANGED,
		      "; 1 sample of the patched kernel is far off, at 1000000 "
		      "us");
}

static void one_side_repeats(void **state)
{
	static const double same[] = {100, 100, 100, 100, 100}, other[] = {101, 103, 102, 104, 105};
	struct bench_metric m = judge(same, other);

	(void)state;
	assert_near(m.change, 0.03);
	assert_false(m.exact);
	assert_judged(m, BENCH_SLOWER, "; only the base repeats exactly");
	assert_judged(judge(other, same), BENCH_FASTER,
		      "; only the patched kernel repeats exactly");
}

static void below_zero_and_huge(void **state)
{
	static const double minus[] = {-100, -100}, less[] = {-110, -110}, huge[] = {1e308, 1e308},
			    other[] = {-1e308, -1e308}, tiny[] = {5e-324, 5e-324};
	struct bench_metric m = judge(minus, less);

	(void)state;
	assert_near(m.change, -0.1);
	assert_judged(m, BENCH_FASTER, "-100 → -110 us");
	assert_judged(judge(less, minus), BENCH_SLOWER, "");
	m = judge(huge, other);
	assert_false(isinf(m.change));
	assert_judged(m, BENCH_FASTER, "");
	m = judge(tiny, huge);
	assert_false(isinf(m.change));
	assert_judged(m, BENCH_SLOWER, "");
}

/* One different value in both: the bootstrap of a constant is that constant. */
static void interval_of_constants(void **state)
{
	static const double a[] = {100, 100, 100}, b[] = {110, 110, 110}, zero[] = {0, 0, 1};
	struct stats_interval i = {-1, -1};

	(void)state;
	assert_true(stats_bootstrap(a, 3, b, 3, &i));
	assert_near(i.low, 0.1);
	assert_near(i.high, 0.1);
	assert_false(stats_bootstrap(a, 1, b, 3, &i));
	assert_false(stats_bootstrap(zero, 3, b, 3, &i));
	assert_near(i.low, 0.1);
}

/* A resample of n different values has a median at or below the k-th when at least (n + 1) / 2 of
 * its n draws are: a binomial sum, so that the percentiles of one side are known exactly. With
 * five, that is 0.058 for the smallest, so 2.5 % falls on it, and 97.5 % on the largest. With
 * eleven it is 0.007 for the second and 0.051 for the third: third to ninth. */
static void interval_of_one_side(void **state)
{
	static const double base[] = {100, 100, 100}, x5[] = {101, 105, 103, 102, 104},
			    x11[] = {109, 101, 108, 102, 107, 103, 106, 104, 105, 110, 111};
	struct stats_interval i, again;

	(void)state;
	assert_true(stats_bootstrap(base, 3, x5, 5, &i));
	assert_near(i.low, 0.01);
	assert_near(i.high, 0.05);
	assert_true(stats_bootstrap(base, 3, x11, 11, &i));
	assert_near(i.low, 0.03);
	assert_near(i.high, 0.09);
	assert_true(stats_bootstrap(base, 3, x11, 11, &again));
	assert_true(i.low == again.low && i.high == again.high);
}

/* Medians of an even number lie half way. */
static void interval_of_even_sides(void **state)
{
	static const double base[] = {200, 200}, x[] = {200, 220};
	struct stats_interval i;

	(void)state;
	assert_true(stats_bootstrap(base, 2, x, 2, &i));
	assert_near(i.low, 0);
	assert_near(i.high, 0.1);
}

/* Hodges and Lehmann's shift with its interval, as R's wilcox.test(y, x, conf.int = TRUE) has it:
 * M. Hollander, D. A. Wolfe, Nonparametric Statistical Methods (1973), p. 69, permeability of the
 * human chorioamnion. U = 35 of x over y, p = 0.2544; estimate 0.305, interval -0.15 to 0.76. */
static void hollander_and_wolfe(void **state)
{
	static double x[] = {0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46},
		      y[] = {1.15, 0.88, 0.90, 0.74, 1.21};
	const struct bench_side first = {x, 10}, second = {y, 5};
	struct stats_shift s;
	double p, u = stats_mann_whitney(x, 10, y, 5, &p);

	(void)state;
	assert_near(u, 35);
	assert_true(fabs(p - 0.2544) < 0.00005);
	assert_true(stats_shift(&second, &first, 0.05, &s));
	assert_near(s.shift, 0.305);
	assert_near(s.low, -0.15);
	assert_near(s.high, 0.76);
	assert_true(stats_shift(&second, &first, 0.01, &s) && s.low < -0.15 && s.high > 0.76);
	assert_false(stats_shift(&second, &first, 0.0001, &s));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(holm),
		cmocka_unit_test(several_are_corrected_for),
		cmocka_unit_test(only_what_is_tested_counts),
		cmocka_unit_test(too_few_for_so_many),
		cmocka_unit_test(from_zero),
		cmocka_unit_test(one_sample),
		cmocka_unit_test(far_off),
		cmocka_unit_test(one_side_repeats),
		cmocka_unit_test(below_zero_and_huge),
		cmocka_unit_test(interval_of_constants),
		cmocka_unit_test(interval_of_one_side),
		cmocka_unit_test(interval_of_even_sides),
		cmocka_unit_test(hollander_and_wolfe),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
