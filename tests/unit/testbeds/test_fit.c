// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include "base/str.h"
#include "testbeds/bench/fit.h"
#include <math.h>

#define N(a) array_size(a)

/* To so many digits, as NIST counts them. */
static void assert_digits(double got, double want, double digits)
{
	if (fabs(got - want) > fabs(want) * pow(10, -digits))
		fail_msg("%.15g, not %.15g", got, want);
}

/* Statistical Reference Datasets of NIST, linear regression, and their certified values. */
static void norris(void **state)
{
	static const double y[] = {.1,	  338.8, 118.1, 888.0, 9.2,   228.1, 668.5, 998.5, 449.1,
				   778.9, 559.2, .3,	.1,    778.1, 668.8, 339.3, 448.9, 10.8,
				   557.7, 228.3, 998.0, 888.8, 119.6, .3,    .6,    557.6, 339.3,
				   888.0, 998.5, 778.9, 10.2,  117.6, 228.9, 668.4, 449.2, .2};
	static const double x[] = {.2,	  337.4, 118.2, 884.6, 10.1,  226.5, 666.3, 996.3, 448.6,
				   777.0, 558.2, .4,	.6,    775.5, 666.9, 338.0, 447.5, 11.6,
				   556.0, 228.1, 995.8, 887.6, 120.2, .3,    .3,    556.8, 339.1,
				   887.2, 999.0, 779.0, 11.1,  118.3, 229.2, 669.1, 448.9, .5};
	const struct fit_points p = {x, y, NULL, N(x)};
	double c[2];

	(void)state;
	assert_true(fit_polynomial(&p, 1, c));
	assert_digits(c[0], -0.262323073774029, 11);
	assert_digits(c[1], 1.00211681802045, 13);
}

static void pontius(void **state)
{
	static const double y[] = {.11019,  .21956,  .32949,  .43899,  .54803,	.65694,	 .76562,
				   .87487,  .98292,  1.09146, 1.20001, 1.30822, 1.41599, 1.52399,
				   1.63194, 1.73947, 1.84646, 1.95392, 2.06128, 2.16844, .11052,
				   .22018,  .32939,  .43886,  .54798,  .65739,	.76596,	 .87474,
				   .98300,  1.09150, 1.20004, 1.30818, 1.41613, 1.52408, 1.63159,
				   1.73965, 1.84696, 1.95445, 2.06177, 2.16829};
	double x[N(y)], c[3];
	const struct fit_points p = {x, y, NULL, N(y)};

	(void)state;
	for (size_t i = 0; i < N(y); i++)
		x[i] = 150000.0 * (double)(i % 20 + 1);
	assert_true(fit_polynomial(&p, 2, c));
	assert_digits(c[0], 0.673565789473684E-03, 10);
	assert_digits(c[1], 0.732059160401003E-06, 12);
	assert_digits(c[2], -0.316081871345029E-14, 10);
}

/* Wampler 1: y = 1 + x + ... + x^5 for x = 0 to 20; Wampler 2: y = sum of (x / 10)^k. */
static void wampler(void **state)
{
	double x[21], y1[21] = {0}, y2[21] = {0}, c[6];
	const struct fit_points one = {x, y1, NULL, 21}, two = {x, y2, NULL, 21};

	(void)state;
	for (size_t i = 0; i < 21; i++) {
		x[i] = (double)i;
		for (int k = 0; k <= 5; k++) {
			y1[i] += pow(x[i], k);
			y2[i] += pow(x[i] / 10, k);
		}
	}
	assert_true(fit_polynomial(&one, 5, c));
	for (int k = 0; k <= 5; k++)
		assert_digits(c[k], 1, 7);
	assert_true(fit_polynomial(&two, 5, c));
	for (int k = 0; k <= 5; k++)
		assert_digits(c[k], pow(10, -k), 9);
}

/* A weight of 2 counts as four points. */
static void weights(void **state)
{
	static const double x[] = {0, 1, 2}, y[] = {0, 2, 1}, w[] = {1, 2, 1};
	static const double x4[] = {0, 1, 1, 1, 1, 2}, y4[] = {0, 2, 2, 2, 2, 1};
	double c[2], c4[2];

	(void)state;
	assert_true(fit_polynomial(&(struct fit_points){x, y, w, 3}, 1, c));
	assert_true(fit_polynomial(&(struct fit_points){x4, y4, NULL, 6}, 1, c4));
	assert_digits(c[0], c4[0], 12);
	assert_digits(c[1], c4[1], 12);
}

static void cannot_fit(void **state)
{
	static const double x[] = {1, 2, 2, 1}, y[] = {1, 2, 3, 4}, bad[] = {1, NAN, 3, 4};
	struct bench_fit_side f = {.constant = -1};
	double c[3] = {7};

	(void)state;
	assert_false(fit_polynomial(&(struct fit_points){x, y, NULL, 4}, 2, c));
	assert_false(fit_polynomial(&(struct fit_points){y, bad, NULL, 4}, 1, c));
	assert_false(fit_polynomial(&(struct fit_points){y, x, NULL, 4}, FIT_DEGREE_MAX + 1, c));
	assert_true(c[0] == 7);
	assert_false(fit_growth(x, y, 4, &f));
	assert_false(fit_growth(y, bad, 4, &f));
	assert_false(fit_growth(y, x, 2, &f));
	assert_false(fit_growth(NULL, NULL, 0, &f));
	assert_true(f.constant == -1);
}

static void linear_growth(void **state)
{
	static const double x[] = {16, 64, 256, 1024};
	double y[4];
	struct bench_fit_side f = {0};

	(void)state;
	for (size_t i = 0; i < 4; i++)
		y[i] = 1120 + 560 * x[i];
	assert_true(fit_growth(x, y, 4, &f));
	assert_digits(f.constant, 1120, 9);
	assert_digits(f.linear, 560, 9);
	assert_true(f.share < 1e-9 && f.quadratic < 1e-9);
	auto_free char *words = fit_words(&f, 1024, "LMBs", "us");

	assert_string_equal(words, "linear in the number of LMBs: 1,120 us and 560 us for each");
	/* Three points cannot tell a curve. */
	y[2] += 10000;
	assert_true(fit_growth(x, y, 3, &f));
	assert_true(f.quadratic == 0 && f.share == 0);
}

static void quadratic_growth(void **state)
{
	static const double x[] = {16, 64, 256, 1024, 2048};
	double y[5];
	struct bench_fit_side f = {0};

	(void)state;
	for (size_t i = 0; i < 5; i++)
		y[i] = 18000 + 1000 * x[i] + 3 * x[i] * x[i];
	assert_true(fit_growth(x, y, 5, &f));
	assert_digits(f.constant, 18000, 8);
	assert_digits(f.linear, 1000, 8);
	assert_digits(f.quadratic, 3, 8);
	assert_digits(f.share, 3.0 * 2048 * 2048 / y[4], 8);
	auto_free char *words = fit_words(&f, 2048, "LMBs", "us");

	assert_string_equal(words,
			    "per LMB the time grows linearly, so the whole is quadratic: at "
			    "2,048 LMBs 86 % of it (18,000 us, 1,000 us for each LMB and 3 us "
			    "for each pair of them)");
	f.share = 0.05;
	auto_free char *nearly = fit_words(&f, 2048, "CPUs", "1/s");

	assert_non_null(strstr(nearly, "nearly linear in the number of CPUs"));
	assert_non_null(strstr(nearly, "5.0 % at 2,048 CPUs"));
}

/* What bends down is not called quadratic, and a fall is a negative slope. */
static void no_negative_square(void **state)
{
	static const double x[] = {1, 2, 4, 8}, y[] = {100, 180, 300, 400},
			    down[] = {400, 380, 340, 260};
	struct bench_fit_side f = {0};

	(void)state;
	assert_true(fit_growth(x, y, 4, &f));
	assert_true(f.quadratic == 0 && f.share == 0 && f.linear > 0);
	assert_true(fit_growth(x, down, 4, &f));
	assert_digits(f.constant, 420, 9);
	assert_digits(f.linear, -20, 9);
}

/* A tenth of the smallest size's time weighs as much as a tenth of the largest's. */
static void small_sizes_count(void **state)
{
	static const double x[] = {1, 10, 100, 1000}, y[] = {2, 11, 101, 1101};
	struct bench_fit_side f = {0};

	(void)state;
	assert_true(fit_growth(x, y, 4, &f));
	assert_true(fabs(f.constant + f.linear + f.quadratic - 2) < 0.05);
}

static void zeros(void **state)
{
	static const double x[] = {1, 2, 3, 4}, y[] = {0, 0, 0, 0}, some[] = {0, 1, 2, 3};
	struct bench_fit_side f = {0};

	(void)state;
	assert_true(fit_growth(x, y, 4, &f));
	assert_true(f.constant == 0 && f.linear == 0 && f.quadratic == 0 && f.share == 0);
	assert_true(fit_growth(x, some, 4, &f));
	assert_digits(f.linear, 1, 9);
}

static void metric_add(struct bench_result *r, double x, double base, double patched)
{
	struct bench_metric *m;

	r->metric = xreallocarray(r->metric, r->n_metrics + 1, sizeof(*r->metric));
	m = &r->metric[r->n_metrics++];
	*m = (struct bench_metric){
		.group = xstrdup(x < 0 ? "other" : "hot-add"),
		.x = x,
		.x_title = xstrdup("LMBs"),
		.unit = xstrdup("us"),
		.base = {xcalloc(1, sizeof(double)), 1},
		.patched = {xcalloc(1, sizeof(double)), 1},
	};
	m->base.sample[0] = base;
	m->patched.sample[0] = patched;
}

static void of_a_group(void **state)
{
	struct bench_result r = {0};

	(void)state;
	metric_add(&r, -1, 1, 1);
	for (double x = 16; x <= 1024; x *= 4)
		metric_add(&r, x, 100 + x, 100 + x + x * x);
	assert_false(fit_add(&r, "nothing"));
	assert_false(fit_add(&r, "other"));
	assert_true(fit_add(&r, "hot-add"));
	assert_int_equal(r.n_fits, 1);
	assert_string_equal(r.fit[0].group, "hot-add");
	assert_string_equal(r.fit[0].title, "hot-add over LMBs");
	assert_non_null(strstr(r.fit[0].base.words, "linear in the number of LMBs"));
	assert_non_null(strstr(r.fit[0].patched.words, "the whole is quadratic"));
	assert_digits(r.fit[0].patched.quadratic, 1, 8);
	bench_result_done(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(norris),
		cmocka_unit_test(pontius),
		cmocka_unit_test(wampler),
		cmocka_unit_test(weights),
		cmocka_unit_test(cannot_fit),
		cmocka_unit_test(linear_growth),
		cmocka_unit_test(quadratic_growth),
		cmocka_unit_test(no_negative_square),
		cmocka_unit_test(small_sizes_count),
		cmocka_unit_test(zeros),
		cmocka_unit_test(of_a_group),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
