// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Changes of level in histories: planted ones are found at their place, and histories without one
 * show one no more often than the level promises. With FIRN_ROUNDS=4000 it prints the tables of
 * service/report/CHANGE_POINTS.md.
 */
#include "tests/unit/unit.h"

#include "base/random.h"
#include "base/str.h"
#include "report/change_points.h"
#include <math.h>

#define FLOOR 0.001

static uint64_t random_state;
static unsigned rounds; /* 0: few, as a test */

static double unit_draw(void)
{
	return ((double)(splitmix64(&random_state) >> 11) + 0.5) / (1ULL << 53);
}

static double normal_draw(void)
{
	return sqrt(-2 * log(unit_draw())) * cos(2 * M_PI * unit_draw());
}

/* About 1000 with a spread of 1 % all of them. */
static double normal(double before)
{
	(void)before;
	return 1000 + 10 * normal_draw();
}

/* Student's t with two degrees of freedom: no variance. */
static double heavy_tailed(double before)
{
	(void)before;
	return 1000 + 10 * normal_draw() / sqrt(-log(unit_draw()));
}

static double bimodal(double before)
{
	(void)before;
	return 1000 + 3 * normal_draw() + (unit_draw() < 0.4 ? 40 : 0);
}

/* A clock tick of 10: most values are equal to many others. */
static double ticks(double before)
{
	(void)before;
	return 10 * rint(100 + normal_draw());
}

/* A half of each value's distance from 1000 is that of the one before. */
static double dependent(double before)
{
	return 1000 + 0.5 * (before - 1000) + 8.7 * normal_draw();
}

/* A level of its own: each value is a step away from the one before. */
static double wandering(double before)
{
	return before + 3 * normal_draw();
}

static const struct shape {
	const char *name;
	double (*draw)(double before);
	bool promised; /* the level holds: values do not depend on each other */
} shapes[] = {
	{"normal", normal, true},	 {"heavy-tailed", heavy_tailed, true},
	{"bimodal", bimodal, true},	 {"ticks", ticks, true},
	{"dependent", dependent, false}, {"wandering", wandering, false},
};

static void draw(const struct shape *s, double *x, size_t n)
{
	double before = 1000;

	for (size_t i = 0; i < n; i++)
		before = x[i] = s->draw(before);
}

static double false_alarms(const struct shape *s, size_t n, unsigned times)
{
	struct change_point found[CHANGE_POINTS_MAX];
	double x[CHANGE_VALUES_MAX];
	unsigned alarms = 0;

	for (unsigned i = 0; i < times; i++) {
		draw(s, x, n);
		alarms += change_points_find(x, n, FLOOR, found) > 0;
	}
	return (double)alarms / times;
}

static void histories_without_a_change_show_none(void **state)
{
	static const size_t lengths[] = {6, 10, 30, 100, 400};
	unsigned times = rounds ? rounds : 100;

	(void)state;
	for (size_t s = 0; s < array_size(shapes); s++) {
		if (rounds)
			printf("| %s |", shapes[s].name);
		for (size_t i = 0; i < array_size(lengths) && (rounds || lengths[i] <= 100); i++) {
			double rate = false_alarms(&shapes[s], lengths[i], times);

			if (rounds)
				printf(" %.2f %% |", rate * 100);
			/* 6 and more of 100 at 1 % come in one of 2,000 runs; the draws are the
			 * same in every run. */
			if (shapes[s].promised)
				assert_true(rate < (rounds ? 0.02 : 6.0 / 100));
		}
		if (rounds)
			printf("\n");
	}
}

/* How often a step of `size` standard deviations is found no further than 2 from its place. */
static double power(size_t before, size_t after, double size, unsigned times)
{
	struct change_point found[CHANGE_POINTS_MAX];
	double x[CHANGE_VALUES_MAX];
	unsigned seen = 0;

	for (unsigned i = 0; i < times; i++) {
		size_t n;
		bool near = false;

		draw(&shapes[0], x, before + after);
		for (size_t k = before; k < before + after; k++)
			x[k] += 10 * size;
		n = change_points_find(x, before + after, FLOOR, found);
		for (size_t k = 0; k < n; k++)
			near |= found[k].at + 2 >= before && found[k].at <= before + 2;
		seen += near;
	}
	return (double)seen / times;
}

static void steps_are_found(void **state)
{
	static const struct {
		size_t before, after;
	} sides[] = {{5, 5}, {10, 3}, {10, 5}, {10, 10}, {30, 3}, {30, 5}, {30, 10}, {30, 30}};
	static const double sizes[] = {1, 2, 3, 5};

	(void)state;
	for (size_t i = 0; i < array_size(sides) && rounds; i++) {
		printf("| %zu, %zu |", sides[i].before, sides[i].after);
		for (size_t k = 0; k < array_size(sizes); k++)
			printf(" %.1f %% |",
			       power(sides[i].before, sides[i].after, sizes[k], rounds) * 100);
		printf("\n");
	}
	assert_true(power(30, 5, 5, 25) > 0.9);
	assert_true(power(30, 30, 3, 25) > 0.9);
}

static void fill(double *x, size_t n, double value)
{
	for (size_t i = 0; i < n; i++)
		x[i] = value;
}

static void a_kernel_that_repeats_shows_its_step(void **state)
{
	struct change_point found[CHANGE_POINTS_MAX];
	double x[30];

	(void)state;
	fill(x, 24, 36412);
	fill(x + 24, 6, 36525);
	assert_int_equal(change_points_find(x, 30, FLOOR, found), 1);
	assert_int_equal(found[0].at, 24);
	assert_true(found[0].before == 36412 && found[0].after == 36525);
	assert_true(found[0].p > 0 && found[0].p <= CHANGE_POINTS_LEVEL);
	/* Smaller than what matters. */
	assert_int_equal(change_points_find(x, 30, 0.01, found), 0);
	fill(x, 30, 36412);
	assert_int_equal(change_points_find(x, 30, FLOOR, found), 0);
}

static void several_steps_stand_in_order(void **state)
{
	struct change_point found[CHANGE_POINTS_MAX];
	double x[80];

	(void)state;
	fill(x, 20, 100);
	fill(x + 20, 20, 110);
	fill(x + 40, 20, 100);
	fill(x + 60, 20, 90);
	assert_int_equal(change_points_find(x, 80, FLOOR, found), 3);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(found[i].at, 20 * (i + 1));
	assert_true(found[1].before == 110 && found[1].after == 100);
}

static void one_outlier_is_no_level(void **state)
{
	struct change_point found[CHANGE_POINTS_MAX];
	double x[40];

	(void)state;
	draw(&shapes[0], x, 40);
	x[20] = 1e9;
	assert_int_equal(change_points_find(x, 40, FLOOR, found), 0);
}

static void absurd_histories_do_no_harm(void **state)
{
	struct change_point found[CHANGE_POINTS_MAX], again[CHANGE_POINTS_MAX];
	double x[CHANGE_VALUES_MAX];
	size_t n;

	(void)state;
	fill(x, 10, 1);
	assert_int_equal(change_points_find(x, 0, FLOOR, found), 0);
	assert_int_equal(change_points_find(x, 5, FLOOR, found), 0);
	x[3] = NAN;
	assert_int_equal(change_points_find(x, 10, FLOOR, found), 0);
	x[3] = INFINITY;
	assert_int_equal(change_points_find(x, 10, FLOOR, found), 0);
	for (size_t i = 0; i < CHANGE_VALUES_MAX; i++)
		x[i] = ((double)(i / 10) - 20) / 20 * 1.7e308;
	n = change_points_find(x, CHANGE_VALUES_MAX, FLOOR, found);
	assert_in_range(n, 1, CHANGE_POINTS_MAX);
	for (size_t i = 1; i < n; i++)
		assert_true(found[i].at > found[i - 1].at);
	assert_int_equal(change_points_find(x, CHANGE_VALUES_MAX, FLOOR, again), n);
	for (size_t i = 0; i < n; i++)
		assert_true(found[i].at == again[i].at && found[i].p == again[i].p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(histories_without_a_change_show_none),
		cmocka_unit_test(steps_are_found),
		cmocka_unit_test(a_kernel_that_repeats_shows_its_step),
		cmocka_unit_test(several_steps_stand_in_order),
		cmocka_unit_test(one_outlier_is_no_level),
		cmocka_unit_test(absurd_histories_do_no_harm),
	};
	const char *env = getenv("FIRN_ROUNDS");

	rounds = env ? (unsigned)strtoul(env, NULL, 10) : 0;
	random_state = 20261130;
	return cmocka_run_group_tests_name("change-points", tests, NULL, NULL);
}
