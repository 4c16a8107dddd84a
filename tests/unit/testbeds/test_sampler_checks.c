// SPDX-License-Identifier: GPL-2.0-or-later
/* Bad boots, failed tests, facts, complaints, and what the reason says of the numbers. */
#include "tests/unit/testbeds/sampler_play.h"

#include <math.h>

#define LANDS	KTAP_OK X(1000)
#define MISSES	KTAP_BAD X(1000)
#define MUST(t) "firn: text must/online " t "\n" DONE
#define MAY(t)	"firn: text may/online " t "\n" DONE
#define WARNS	"[    0.200000] WARNING: CPU: 0 PID: 1 at mm/x.c:12 fn+0x10/0x20\n" X(1000)
#define SAYS(side, ...)                                                                            \
	memcpy(play.side.says, (const char *[]){__VA_ARGS__}, sizeof((const char *[]){__VA_ARGS__}))

static void base_bad(void **state)
{
	(void)state;
	SAYS(base, PANICS);
	SAYS(patched, PANICS);
	play_default();
	assert_result(OUTCOME_ERROR, "a cell: the base kernel ends badly too: ");
	assert_non_null(strstr(result.reason, "Fatal exception"));
	assert_true(result.base_bad && result.patched_bad);
	assert_int_equal(play.base.boots, 2);
	assert_int_equal(play.patched.boots, 2);
	assert_true(has_evidence("Kernel panic"));
}

/* The series may be what mends it, so that is said; compared, it cannot be. */
static void base_bad_patched_good(void **state)
{
	(void)state;
	request.samples = 30;
	SAYS(base, PANICS);
	play_default();
	assert_result(OUTCOME_ERROR, "the base kernel ends badly, and the patched one does not: ");
	assert_true(result.base_bad && !result.patched_bad);
	assert_true(play.patched.boots >= 2 && play.patched.boots < 15);
}

static void patched_bad_twice(void **state)
{
	(void)state;
	SAYS(patched, PANICS);
	play_default();
	assert_result(OUTCOME_FAIL,
		      "a cell: the base kernel gets through, the patched one does not: ");
	assert_true(!result.base_bad && result.patched_bad);
	assert_int_equal(play.patched.boots, 2);
	assert_true(play.base.boots >= 2);
	assert_true(has_evidence("Kernel panic - not syncing: Fatal exception"));
}

/* One sample was asked for: the base must be good twice all the same. */
static void patched_bad_and_one_sample(void **state)
{
	(void)state;
	request.samples = 1;
	SAYS(patched, PANICS);
	play_default();
	assert_result(OUTCOME_FAIL, "the patched one does not");
	assert_int_equal(play.base.boots, 2);
	assert_int_equal(play.patched.boots, 2);
}

static void base_unsteady_patched_bad(void **state)
{
	(void)state;
	SAYS(base, PANICS, X(1000));
	SAYS(patched, PANICS);
	play_default();
	assert_result(OUTCOME_ERROR, "gets through at the second try, the patched one does not");
}

static void patched_bad_once(void **state)
{
	(void)state;
	SAYS(patched, PANICS, X(1000));
	play_default();
	assert_result(OUTCOME_WARN, "a cell: 1 of 4 boots of the patched kernel ended badly: ");
	assert_false(result.patched_bad);
	assert_int_equal(play.patched.boots, 4);
	assert_int_equal(result.metric[0].patched.n, 3);
	assert_true(has_evidence("Kernel panic"));
	play_reset();
	SAYS(base, PANICS, X(1000));
	play_default();
	assert_result(OUTCOME_PASS, "unchanged");
	assert_true(has_evidence("a cell, base: one boot ended badly and was tried again"));
}

/* An emulator that dies before the kernel's first line looks like this. */
static void silent_is_not_the_authors(void **state)
{
	(void)state;
	SAYS(patched, "");
	play_default();
	assert_result(OUTCOME_ERROR, "not one line from the patched kernel in 2 boots");
	assert_true(result.patched_bad);
}

static void test_fails(void **state)
{
	(void)state;
	SAYS(base, LANDS);
	SAYS(patched, MISSES);
	play_default();
	assert_result(OUTCOME_FAIL, "a cell: lands: on node 0; passes on the base kernel");
	assert_true(has_evidence("a cell: patched: not ok lands # on node 0"));
	assert_int_equal(play.patched.boots, 3);
}

static void one_sample_is_not_certain(void **state)
{
	(void)state;
	request.samples = 1;
	SAYS(base, LANDS);
	SAYS(patched, MISSES);
	play_default();
	assert_result(OUTCOME_FAIL, "lands");
	assert_int_equal(play.patched.boots, 2);
	assert_int_equal(play.base.boots, 2);
	play_reset();
	SAYS(base, LANDS);
	SAYS(patched, MISSES, LANDS);
	play_default();
	assert_result(OUTCOME_WARN, "lands fails in 1 of 2 boots of the patched kernel and in 0 "
				    "of 2 of the base: on node 0");
	play_reset();
	SAYS(base, LANDS);
	SAYS(patched, LANDS);
	play_default();
	assert_int_equal(play.patched.boots, 1);
}

static void test_fails_once(void **state)
{
	(void)state;
	SAYS(base, LANDS);
	SAYS(patched, LANDS, MISSES, LANDS);
	play_default();
	assert_result(OUTCOME_WARN, "a cell: lands fails in 1 of 3 boots of the patched kernel");
}

/* Twice in three is enough, twice in eight is not. */
static void test_fails_often_or_rarely(void **state)
{
	(void)state;
	SAYS(base, LANDS);
	SAYS(patched, MISSES, MISSES, LANDS);
	play_default();
	assert_result(OUTCOME_FAIL, "passes on the base kernel");
	play_reset();
	request.samples = 8;
	SAYS(base, LANDS);
	SAYS(patched, MISSES, MISSES, LANDS);
	play_default();
	assert_result(OUTCOME_WARN, "fails in 2 of 8 boots of the patched kernel");
}

/* The worst outcome's reasons, three at most. */
static void reasons_are_joined(void **state)
{
	(void)state;
	SAYS(base, KTAP_OK "firn: number a 1000\n" MUST("right"));
	SAYS(patched, KTAP_BAD "firn: number a 1100\n" MUST("0-2"));
	play_default();
	assert_result(OUTCOME_FAIL, "passes on the base kernel; must/online is \"0-2\"");
	assert_null(strstr(result.reason, "slower"));
	play_reset();
	SAYS(patched,
	     "firn: text must1 a\nfirn: text must2 a\nfirn: text must3 a\nfirn: text must4 "
	     "a\nfirn: text must5 a\n" DONE);
	SAYS(base, "firn: text must1 right\nfirn: text must2 right\nfirn: text must3 right\nfirn: "
		   "text must4 right\nfirn: text must5 right\n" DONE);
	play_default();
	assert_result(OUTCOME_FAIL, "; and 2 more (3 boots");
}

static void test_fails_on_base_too(void **state)
{
	(void)state;
	SAYS(base, MISSES);
	SAYS(patched, MISSES);
	play_default();
	assert_result(OUTCOME_ERROR,
		      "a cell: lands fails on the base kernel already: on node 0, so "
		      "this series cannot be judged");
	play_reset();
	SAYS(base, LANDS, MISSES, LANDS);
	SAYS(patched, MISSES);
	play_default();
	assert_result(OUTCOME_WARN, "in 3 of 3 boots of the patched kernel and in 1 of 3 of the "
				    "base");
	play_reset();
	SAYS(base, MISSES);
	SAYS(patched, LANDS);
	play_default();
	assert_result(OUTCOME_PASS, "fails in 3 of 3 boots of the base kernel and passes on the "
				    "patched one");
}

/* Skipped on the base, or not there: it cannot be told whether it would have passed. */
static void test_unknown_on_base(void **state)
{
	(void)state;
	SAYS(patched, MISSES);
	play_default();
	assert_result(OUTCOME_WARN, "in 3 of 3 boots of the patched kernel and in 0 of 0");
}

/* The same name again and again in one boot is one boot. */
static void one_boot_counts_once(void **state)
{
	(void)state;
	SAYS(base, LANDS);
	SAYS(patched, "KTAP version 1\n1..3\nok 1 lands\nnot ok 2 lands\nnot ok 3 lands\n" DONE,
	     LANDS);
	play_default();
	assert_result(OUTCOME_WARN, "lands fails in 1 of 3 boots of the patched kernel");
}

static const struct bench_fact *only_fact(void)
{
	assert_int_equal(result.n_facts, 1);
	return &result.fact[0];
}

static void fact_wrong(void **state)
{
	(void)state;
	SAYS(base, MUST("right"));
	SAYS(patched, MUST("0-2"));
	play_default();
	assert_result(OUTCOME_FAIL,
		      "must/online is \"0-2\" and must be \"right\", as on the base kernel");
	assert_string_equal(only_fact()->base, "right");
	assert_string_equal(only_fact()->patched, "0-2");
	assert_string_equal(only_fact()->expected, "right");
	assert_true(only_fact()->steady);
	assert_true(has_evidence("a cell: must/online: patched: 0-2"));
}

static void fact_wrong_on_both_or_mended(void **state)
{
	(void)state;
	SAYS(base, MUST("0-2"));
	SAYS(patched, MUST("0-2"));
	play_default();
	assert_result(OUTCOME_PASS, "unchanged: 1 fact");
	play_reset();
	SAYS(base, MUST("0-2"));
	SAYS(patched, MUST("right"));
	play_default();
	assert_result(OUTCOME_PASS, "");
	assert_string_equal(only_fact()->patched, "right");
}

static void fact_unsteady(void **state)
{
	(void)state;
	SAYS(base, MUST("right"));
	SAYS(patched, MUST("right"), MUST("0-2"), MUST("right"));
	play_default();
	assert_result(OUTCOME_WARN,
		      "must/online must be \"right\" and is not in 1 of 3 boots of the "
		      "patched kernel, 0 of 3 of the base");
	assert_false(only_fact()->steady);
	assert_string_equal(only_fact()->patched, "right");
	assert_true(has_evidence("must/online: patched: 0-2"));
}

static void fact_not_said(void **state)
{
	(void)state;
	SAYS(base, MUST("right"));
	SAYS(patched, DONE);
	play_default();
	assert_result(OUTCOME_WARN, "must/online: the patched kernel does not say");
	assert_null(only_fact()->patched);
}

static void fact_changed(void **state)
{
	(void)state;
	SAYS(base, MAY("1-2"));
	SAYS(patched, MAY("0-2"));
	play_default();
	assert_result(OUTCOME_PASS, "may/online changed from \"1-2\" to \"0-2\"");
	assert_null(only_fact()->expected);
	play_reset();
	request.samples = 1;
	SAYS(base, MUST("right"));
	SAYS(patched, MUST("0-2"));
	play_default();
	assert_result(OUTCOME_FAIL, "must be");
	assert_int_equal(play.base.boots, 2);
}

static void new_complaint(void **state)
{
	(void)state;
	SAYS(patched, WARNS);
	play_default();
	assert_result(OUTCOME_FAIL, "a cell: new complaint of the patched kernel in 3 of 3 boots: "
				    "WARNING: CPU: 0 PID: 1 at mm/x.c:12");
	assert_true(has_evidence("mm/x.c:12"));
	play_reset();
	SAYS(patched, WARNS, X(1000));
	play_default();
	assert_result(OUTCOME_WARN, "new complaint of the patched kernel in 1 of 3 boots");
	play_reset();
	SAYS(base, X(1000), WARNS, X(1000));
	SAYS(patched, WARNS);
	play_default();
	assert_result(OUTCOME_PASS, "unchanged");
	play_reset();
	request.samples = 1;
	SAYS(patched, WARNS);
	play_default();
	assert_result(OUTCOME_FAIL, "in 2 of 2 boots");
}

static void numbers_are_named(void **state)
{
	(void)state;
	SAYS(base, "firn: number a 1000\nfirn: number b 1000\nfirn: number c 0\n" X(1000));
	SAYS(patched, "firn: number a 1100\nfirn: number b 900\nfirn: number c 7\n" X(1000));
	play_default();
	assert_result(OUTCOME_WARN, "a: slower, +10.00 %; b: faster, -10.00 %; c: slower: both "
				    "kernels repeat exactly: 0 → 7 us, and a change from 0 has no "
				    "size (3 boots");
	assert_non_null(bench_result_metric(&result, "b"));
	assert_null(bench_result_metric(&result, "d"));
	play_reset();
	SAYS(patched, X(900));
	play_default();
	assert_result(OUTCOME_PASS, "x: faster, -10.00 %");
}

#define SIX(a, b, c, d, e, f)                                                                      \
	"firn: number a " #a "\nfirn: number b " #b "\nfirn: number c " #c "\nfirn: number d " #d  \
	"\nfirn: number e " #e "\nfirn: number f " #f "\n" DONE

static void many_numbers_are_counted(void **state)
{
	(void)state;
	SAYS(base, SIX(100, 100, 100, 100, 100, 100));
	SAYS(patched, SIX(110, 120, 130, 100, 50, 140));
	play_default();
	assert_result(OUTCOME_WARN, "5 of 6 numbers changed: 4 slower, 1 faster; most: f: slower, "
				    "+40.00 %");
}

static void absurd_numbers(void **state)
{
	(void)state;
	SAYS(base, "firn: number x nan\nfirn: number y 1e300\nfirn: number z -5\n" DONE);
	SAYS(patched, "firn: number x inf\nfirn: number y 5\nfirn: number z -4\n" DONE);
	play_default();
	assert_true(has_evidence("a cell, base: 6 numbers were not finite or absurdly large"));
	assert_true(has_evidence("a cell, patched: 3 numbers"));
	assert_int_equal(result.n_metrics, 2);
	assert_int_equal(bench_result_metric(&result, "y")->base.n, 0);
	assert_non_null(strstr(bench_result_metric(&result, "y")->why, "no sample of the base"));
	assert_int_equal(bench_result_metric(&result, "z")->word, BENCH_UNCHANGED);
}

static void hostile_console(void **state)
{
	auto_str struct str text;

	(void)state;
	str_init(&text, 0);
	for (unsigned i = 0; i < 100000; i++)
		str_addf(&text, "firn: number n%u %u\n", i, i);
	for (unsigned i = 0; i < 2000; i++)
		str_addf(&text, "firn: text must%u right\n", i);
	str_adds(&text, DONE);
	request.samples = 2;
	SAYS(patched, text.buf);
	play_default();
	assert_int_equal(result.n_metrics, 1000);
	assert_int_equal(result.n_facts, 500);
	assert_true(has_evidence("198002 samples over 1000 numbers, 3000 texts over 500 facts were "
				 "left out"));
}

static void lines_of_the_guest(void **state)
{
	static char text[] =
		"firn: ipi 1\r\nfirn: ip\n firn: ipi 2\nfirn: ipi 3[    1.000000] kernel\n"
		"firn: ipi 4";
	const struct boot_result boot = {.console = {.buf = text, .len = sizeof(text) - 1}};
	const char *pos = text, *line;
	size_t n;

	(void)state;
	assert_true(sample_line(&boot, &pos, "firn: ipi ", &line, &n));
	assert_true(n == 1 && *line == '1');
	/* 3 is left out: the kernel wrote into it, and what it was cannot be told. */
	assert_true(sample_line(&boot, &pos, "firn: ipi ", &line, &n));
	assert_true(n == 1 && *line == '4');
	assert_false(sample_line(&boot, &pos, "firn: ipi ", &line, &n));
	pos = NULL;
	assert_false(sample_line(&boot, &pos, "firn: ipi ", &line, &n));
}

static void tables(void **state)
{
	static const char *const heads[] = {"CPUs", "rate"};
	struct bench_table *t = bench_result_add_table(&result, "a table", heads, 2);

	(void)state;
	bench_table_add(t, "%d-%d", 0, 7);
	bench_table_add(t, "%.1f", 2.5);
	bench_table_add(t, "8");
	assert_int_equal(t->rows, 2);
	assert_string_equal(t->head[1], "rate");
	assert_string_equal(t->cell[0], "0-7");
	assert_string_equal(t->cell[1], "2.5");
	assert_string_equal(t->cell[2], "8");
	assert_string_equal(t->cell[3], "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		PLAY(base_bad),
		PLAY(base_bad_patched_good),
		PLAY(patched_bad_twice),
		PLAY(patched_bad_and_one_sample),
		PLAY(base_unsteady_patched_bad),
		PLAY(patched_bad_once),
		PLAY(silent_is_not_the_authors),
		PLAY(test_fails),
		PLAY(one_sample_is_not_certain),
		PLAY(test_fails_once),
		PLAY(test_fails_often_or_rarely),
		PLAY(reasons_are_joined),
		PLAY(test_fails_on_base_too),
		PLAY(test_unknown_on_base),
		PLAY(one_boot_counts_once),
		PLAY(fact_wrong),
		PLAY(fact_wrong_on_both_or_mended),
		PLAY(fact_unsteady),
		PLAY(fact_not_said),
		PLAY(fact_changed),
		PLAY(new_complaint),
		PLAY(numbers_are_named),
		PLAY(many_numbers_are_counted),
		PLAY(absurd_numbers),
		PLAY(hostile_console),
		PLAY(lines_of_the_guest),
		PLAY(tables),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
