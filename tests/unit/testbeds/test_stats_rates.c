// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How often the judge calls a change: where there is none, and where there is one. Data of every
 * shape that boots were seen to have, drawn from a seed.
 *
 * As a test it takes few rounds, and compares with what the level promises. With FIRN_ROUNDS=10000
 * it prints the tables of testbeds/bench/MEASURING.md.
 */
#include "tests/unit/unit.h"

#include "base/random.h"
#include "base/str.h"
#include "testbeds/bench/stats.h"
#include <math.h>

#define N_MAX 24

static uint64_t random_state;
static unsigned rounds; /* 0: few, as a test */

static double unit_draw(void)
{
	return ((double)(splitmix64(&random_state) >> 11) + 0.5) / (1ULL << 53);
}

static double normal_draw(void)
{
	double r = sqrt(-2 * log(unit_draw()));

	return r * cos(2 * M_PI * unit_draw());
}

/* About 1000 with a spread of 1 % all of them; `at` is when the boot was made, 0 to 1. */
static double normal(double at)
{
	(void)at;
	return 1000 + 10 * normal_draw();
}

static double lognormal(double at)
{
	(void)at;
	return 985 + 10 * exp(normal_draw());
}

static double bimodal(double at)
{
	(void)at;
	return 1000 + 3 * normal_draw() + (unit_draw() < 0.4 ? 40 : 0);
}

/* Student's t with two degrees of freedom: no variance. */
static double heavy_tailed(double at)
{
	(void)at;
	return 1000 + 10 * normal_draw() / sqrt(-log(unit_draw()));
}

/* The host gets warmer: 4 % from the first boot to the last. */
static double drifting(double at)
{
	return 980 + 40 * at + 3 * normal_draw();
}

/* A clock tick of 10: most samples are equal to many others. */
static double ticks(double at)
{
	(void)at;
	return 10 * rint(100 + normal_draw());
}

static const struct shape {
	const char *name;
	double (*draw)(double at);
} shapes[] = {
	{"normal", normal},	{"lognormal", lognormal},
	{"bimodal", bimodal},	{"heavy-tailed", heavy_tailed},
	{"drifting", drifting}, {"ticks", ticks},
};

/* When boots are made, of 0 to 1. */
struct span {
	double from, to;
};

/* `n` boots of each kernel in random order, one after the other. */
static void block_draw(const struct shape *shape, size_t n, struct span when, double *base,
		       double *patched)
{
	size_t left[2] = {n, n};

	for (size_t i = 0; i < 2 * n; i++) {
		bool is_base = splitmix64_below(&random_state, left[0] + left[1]) < left[0];
		double part = (double)i / (double)(2 * n);
		double v = shape->draw(when.from + (when.to - when.from) * part);

		left[!is_base]--;
		if (is_base)
			base[left[0]] = v;
		else
			patched[left[1]] = v;
	}
}

static void boots_draw(const struct shape *shape, size_t n, double shift, double *base,
		       double *patched)
{
	block_draw(shape, n, (struct span){0, 1}, base, patched);
	for (size_t i = 0; i < n; i++)
		patched[i] *= 1 + shift;
}

static enum bench_word word_of(double *base, double *patched, size_t n)
{
	struct bench_metric m = {.lower_is_better = true,
				 .judged = true,
				 .base = {base, n},
				 .patched = {patched, n}};
	const struct stats_rule rule = {.resolution = -1, .no_interval = true};

	stats_judge_all(&m, &rule, 1);
	free(m.why);
	return m.word;
}

static bool is_called(enum bench_word w)
{
	return w == BENCH_SLOWER || w == BENCH_FASTER;
}

struct share {
	double called, undecided;
};

static struct share share_of(const struct shape *shape, size_t n, double shift, unsigned times)
{
	unsigned called = 0, undecided = 0;

	for (unsigned i = 0; i < times; i++) {
		double base[N_MAX], patched[N_MAX];
		enum bench_word w;

		boots_draw(shape, n, shift, base, patched);
		w = word_of(base, patched, n);
		called += is_called(w);
		undecided += w == BENCH_UNDECIDED;
	}
	return (struct share){(double)called / times, (double)undecided / times};
}

/* Rounds for a test that must be fast: counting out 20 and 20 takes long. */
static unsigned times_for(size_t n)
{
	return rounds ? rounds : n == 5 ? 400 : n == 10 ? 150 : 20;
}

/* Four standard errors over the level. */
static double most_alarms(double level, unsigned times)
{
	return level + 4 * sqrt(level * (1 - level) / times);
}

static const size_t sizes[] = {5, 10, 20};

static void false_alarms(void **state)
{
	(void)state;
	random_state = 1;
	for (size_t s = 0; s < array_size(shapes); s++) {
		if (rounds)
			printf("| %s |", shapes[s].name);
		for (size_t k = 0; k < array_size(sizes); k++) {
			unsigned times = times_for(sizes[k]);
			struct share got = share_of(&shapes[s], sizes[k], 0, times);

			if (rounds)
				printf(" %.2f %% (%.2f %%) |", got.called * 100,
				       got.undecided * 100);
			if (got.called > most_alarms(STATS_LEVEL, times))
				fail_msg("%s, %zu: %g", shapes[s].name, sizes[k], got.called);
		}
		if (rounds)
			printf("\n");
	}
}

static void detection(void **state)
{
	static const double shift[] = {0.005, 0.01, 0.02, 0.05};

	(void)state;
	random_state = 2;
	for (size_t s = 0; rounds && s < array_size(shapes); s++)
		for (size_t k = 0; k < array_size(sizes); k++) {
			printf("| %s, %zu |", shapes[s].name, sizes[k]);
			for (size_t i = 0; i < array_size(shift); i++)
				printf(" %.1f %% |",
				       share_of(&shapes[s], sizes[k], shift[i], rounds).called *
					       100);
			printf("\n");
		}
	/* Five times the spread, and then some. */
	assert_true(share_of(&shapes[0], 5, 0.05, times_for(5)).called > 0.99);
	assert_true(share_of(&shapes[0], 10, 0.03, times_for(10)).called > 0.97);
}

/* Ten numbers of one run: the chance that any is called stays under the level. */
static bool any_of_family(size_t n)
{
	enum { FAMILY = 10 };
	double base[FAMILY][N_MAX], patched[FAMILY][N_MAX];
	struct bench_metric m[FAMILY] = {0};
	struct stats_rule rule[FAMILY];
	bool any = false;

	for (size_t i = 0; i < FAMILY; i++) {
		boots_draw(&shapes[i % array_size(shapes)], n, 0, base[i], patched[i]);
		m[i].judged = true;
		m[i].base = (struct bench_side){base[i], n};
		m[i].patched = (struct bench_side){patched[i], n};
		rule[i] = (struct stats_rule){.resolution = -1, .no_interval = true};
	}
	stats_judge_all(m, rule, FAMILY);
	for (size_t i = 0; i < FAMILY; i++) {
		any |= is_called(m[i].word);
		free(m[i].why);
	}
	return any;
}

static void family(void **state)
{
	unsigned times = rounds ? rounds : 40, any = 0;

	(void)state;
	random_state = 3;
	for (unsigned i = 0; i < times; i++)
		any += any_of_family(10);
	if (rounds)
		printf("any of ten numbers, 10 boots: %.2f %%\n", 100.0 * any / times);
	assert_true((double)any / times <= most_alarms(STATS_LEVEL, times));
}

static bool is_narrow(const double *base, const double *patched, size_t n, double target)
{
	double old = stats_of(base, n).median;
	double change = (stats_of(patched, n).median - old) / fabs(old);
	struct stats_interval i;

	return stats_smallest_p(n, n) <= STATS_LEVEL && stats_bootstrap(base, n, patched, n, &i) &&
	       change - i.low <= target && i.high - change <= target;
}

/* As the sampler does: three of each, then two more until the interval is narrow enough, nineteen
 * at most. The host goes on drifting meanwhile. */
static bool grown_is_called(const struct shape *shape, double shift, size_t *ret_n)
{
	double base[N_MAX], patched[N_MAX];
	size_t n = 0, add = 3;

	do {
		struct span when = {(double)n / 19, (double)(n + add) / 19};

		block_draw(shape, add, when, base + n, patched + n);
		for (size_t i = n; i < n + add; i++)
			patched[i] *= 1 + shift;
		n += add;
		add = 2;
	} while (n < 19 && !is_narrow(base, patched, n, 0.01));
	*ret_n = n;
	return is_called(word_of(base, patched, n));
}

static void samples_that_are_added(void **state)
{
	unsigned times = rounds ? rounds / 4 : 6;

	(void)state;
	random_state = 4;
	for (size_t s = 0; s < array_size(shapes); s++) {
		unsigned alarms = 0, found = 0;
		size_t n, sum = 0;

		for (unsigned i = 0; i < times; i++) {
			alarms += grown_is_called(&shapes[s], 0, &n);
			sum += n;
			found += rounds && grown_is_called(&shapes[s], 0.02, &n);
		}
		if (rounds)
			printf("| %s | %.1f | %.2f %% | %.1f %% |\n", shapes[s].name,
			       (double)sum / times, 100.0 * alarms / times, 100.0 * found / times);
		assert_true((double)alarms / times <= most_alarms(STATS_LEVEL, times));
	}
}

/* How often the interval holds the change that is there. */
static void interval_holds(void **state)
{
	unsigned times = rounds / 4;

	(void)state;
	random_state = 5;
	for (size_t s = 0; s < array_size(shapes) && times; s++) {
		printf("| %s |", shapes[s].name);
		for (size_t k = 0; k < array_size(sizes); k++) {
			unsigned holds = 0;

			for (unsigned i = 0; i < times; i++) {
				double base[N_MAX], patched[N_MAX];
				struct stats_interval got;

				boots_draw(&shapes[s], sizes[k], 0.02, base, patched);
				holds += stats_bootstrap(base, sizes[k], patched, sizes[k], &got) &&
					 got.low <= 0.02 && got.high >= 0.02;
			}
			printf(" %.1f %% |", 100.0 * holds / times);
		}
		printf("\n");
	}
}

int main(void)
{
	const char *asked = getenv("FIRN_ROUNDS");
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(false_alarms),	  cmocka_unit_test(detection),
		cmocka_unit_test(family),	  cmocka_unit_test(samples_that_are_added),
		cmocka_unit_test(interval_holds),
	};

	rounds = asked ? (unsigned)strtoul(asked, NULL, 10) : 0;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
