// SPDX-License-Identifier: GPL-2.0-or-later
/* The pure parts of calibration: bounds, counting, planted series. */
#include "tests/unit/unit.h"

#include "testbeds/bench/calibrate.h"
#include <math.h>

static void assert_close(double got, double want, double within)
{
	if (!(fabs(got - want) <= within))
		fail_msg("%.12g, not %.12g", got, want);
}

/* P(X <= k) of n trials, added up. */
static double binomial_cdf(unsigned k, unsigned n, double p)
{
	double sum = 0;

	for (unsigned i = 0; i <= k; i++)
		sum += exp(lgamma(n + 1.0) - lgamma(i + 1.0) - lgamma(n - i + 1.0) + i * log(p) +
			   (n - i) * log1p(-p));
	return sum;
}

static void bounds_published(void **state)
{
	/* Two-sided 95 %, as the tables have it: k, n, from, to. */
	static const struct {
		unsigned k, n;
		double low, high;
	} row[] = {
		{0, 10, 0, 0.3085},	   {1, 10, 0.0025, 0.4450}, {5, 10, 0.1871, 0.8129},
		{10, 10, 0.6915, 1},	   {3, 20, 0.0321, 0.3789}, {15, 30, 0.3130, 0.6870},
		{10, 100, 0.0490, 0.1762}, {0, 100, 0, 0.0362},
	};

	(void)state;
	for (size_t i = 0; i < array_size(row); i++) {
		assert_close(calibrate_lower(row[i].k, row[i].n, 0.025), row[i].low, 5e-5);
		assert_close(calibrate_upper(row[i].k, row[i].n, 0.025), row[i].high, 5e-5);
	}
}

static void bounds_exact(void **state)
{
	static const unsigned n[] = {1, 2, 7, 60, 299, 1000, 5000};

	(void)state;
	for (size_t i = 0; i < array_size(n); i++) {
		for (unsigned k = 0; k < n[i]; k += 1 + n[i] / 9) {
			double high = calibrate_upper(k, n[i], 0.05),
			       low = calibrate_lower(n[i] - k, n[i], 0.05);

			assert_close(binomial_cdf(k, n[i], high), 0.05, 1e-9);
			assert_close(low, 1 - high, 1e-12); /* what succeeds does not fail */
		}
	}
	/* The rule of three, and none at all. */
	assert_close(calibrate_upper(0, 300, 0.05), 1 - pow(0.05, 1.0 / 300), 1e-12);
	assert_close(calibrate_upper(0, 0, 0.05), 1, 0);
	assert_close(calibrate_lower(0, 0, 0.05), 0, 0);
	assert_close(calibrate_upper(5, 5, 0.05), 1, 0);
	assert_close(calibrate_lower(1, 1, 0.05), 0.05, 1e-12);
	assert_int_equal(calibrate_runs_for(0.01, 0.05), 299);
	assert_int_equal(calibrate_runs_for(0.05, 0.05), 59);
	assert_true(calibrate_upper(0, 299, 0.05) <= 0.01 && calibrate_upper(0, 298, 0.05) > 0.01);
	/* A million trials converge too. */
	assert_close(calibrate_upper(500000, 1000000, 0.05), 0.5 + 1.644854 * 0.0005, 2e-6);
}

static void takes_results(void **state)
{
	static const struct calibrate_pair same = {.name = "same", .metrics = "*"},
					   slower = {.name = "slower-1",
						     .share = 0.01,
						     .metrics = "add/*"};
	struct bench_metric m[] = {
		{.name = "add/16", .judged = true, .word = BENCH_SLOWER, .change = 0.01},
		{.name = "remove/16", .judged = true, .word = BENCH_SLOWER, .change = NAN},
		{.name = "shown", .word = BENCH_SLOWER},
	};
	struct bench_result r = {.outcome = OUTCOME_WARN, .metric = m, .n_metrics = 3};
	struct calibrate_row row[2] = {{.share = 0}, {.share = 0.01}};
	struct calibrate_result all = {0};

	(void)state;
	calibrate_take(&row[0], &same, &r);
	calibrate_take(&row[1], &slower, &r);
	m[0].word = BENCH_UNDECIDED;
	m[1].word = BENCH_UNCHANGED;
	calibrate_take(&row[0], &same, &r);
	calibrate_take(&row[1], &slower, &r);
	m[0].word = BENCH_UNCHANGED;
	m[2].word = BENCH_FASTER; /* is not judged */
	calibrate_take(&row[0], &same, &r);
	r.outcome = OUTCOME_FAIL; /* a check that a kernel without a change does not fail */
	calibrate_take(&row[0], &same, &r);
	r.outcome = OUTCOME_ERROR;
	calibrate_take(&row[0], &same, &r);

	assert_int_equal(row[0].runs, 4);
	assert_int_equal(row[0].hits, 3);
	assert_int_equal(row[0].spoilt, 1);
	assert_int_equal(row[0].n_counts, 2);
	assert_int_equal(row[0].count[0].word[BENCH_SLOWER], 1);
	assert_int_equal(row[0].count[0].word[BENCH_UNDECIDED], 1);
	assert_int_equal(row[0].count[0].word[BENCH_UNCHANGED], 2);
	assert_int_equal(row[0].count[0].n_changes, 4);
	assert_int_equal(row[0].count[1].n_changes, 0);
	assert_false(row[0].count[0].planted);
	/* Undecided is not seen; a metric without the share is not counted. */
	assert_int_equal(row[1].runs, 2);
	assert_int_equal(row[1].hits, 1);
	assert_true(row[1].count[0].planted && !row[1].count[1].planted);
	for (size_t i = 0; i < 2; i++) {
		all.row = xreallocarray(all.row, ++all.n_rows, sizeof(*all.row));
		all.row[i] = row[i];
	}
	calibrate_result_done(&all);
}

static size_t parse(const char *list, const char *bench, struct calibrate_planted **ret)
{
	struct err err = ERR_INIT;
	size_t n = 0;

	assert_ok(calibrate_planted_parse(list, bench, ret, &n, &err), &err);
	return n;
}

static void planted_names(void **state)
{
	struct calibrate_planted *p = NULL;
	struct err err = ERR_INIT;
	size_t n = parse("none", "hot-add", &p);

	(void)state;
	assert_int_equal(n, 0);
	calibrate_planted_free(p, n);
	n = parse("all", "hot-add", &p);
	assert_int_equal(n, 6);
	assert_string_equal(p[2].name, "null-align");
	assert_close(p[2].share, 0, 0);
	assert_string_equal(p[3].name, "slower-0.5");
	assert_close(p[3].share, 0.005, 0);
	calibrate_planted_free(p, n);
	n = parse("slower-2.25,null-string,slower-2.25", "ipi", &p);
	assert_int_equal(n, 2);
	assert_close(p[0].share, 0.0225, 0);
	assert_string_equal(p[0].file, "slower-ipi.patch");
	calibrate_planted_free(p, n);
	n = parse("all", "unheard-of", &p); /* the null series need no bench */
	assert_int_equal(n, 3);
	calibrate_planted_free(p, n);
	assert_err(calibrate_planted_parse("slower-1", "unheard-of", &p, &n, &err), &err, ERR_USAGE,
		   "unheard-of");
	for (size_t i = 0; i < 6; i++) {
		static const char *const wrong[] = {"null",	  "slower-",   "slower-0",
						    "slower-101", "slower-1x", "slower-nan"};

		assert_err(calibrate_planted_parse(wrong[i], "ipi", &p, &n, &err), &err, ERR_USAGE,
			   wrong[i]);
	}
}

/* Every series is there, and its share goes in. */
static void planted_texts(void **state)
{
	static const char *const bench[] = {"hot-add", "ipi", "node-offline"};
	struct err err = ERR_INIT;

	(void)state;
	for (size_t b = 0; b < array_size(bench); b++) {
		struct calibrate_planted *p = NULL;
		size_t n = parse("null-string,null-function,null-align,slower-0.5", bench[b], &p);

		for (size_t i = 0; i < n; i++) {
			auto_str struct str text;

			str_init(&text, 0);
			assert_ok(calibrate_planted_text(&p[i], &text, &err), &err);
			assert_true(str_starts(text.buf, "Message-Id: <calibrate-"));
			if (p[i].share != 0)
				assert_non_null(strstr(text.buf, "\n+#define FIRN_PLANTED_SHARE 50 "
								 "/* of 10,000 */\n"));
			assert_true(str_ends(text.buf, "\n"));
		}
		calibrate_planted_free(p, n);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bounds_published), cmocka_unit_test(bounds_exact),
		cmocka_unit_test(takes_results),    cmocka_unit_test(planted_names),
		cmocka_unit_test(planted_texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
