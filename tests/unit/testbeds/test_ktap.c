// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include "testbeds/ktap.h"

/* The rows as "PASS name # note\n". */
static char *read_all(const char *text)
{
	struct boot_result r = {0};
	struct ktap k = {0};
	struct str s;

	for (const char *p = text, *eol; *p; p = *eol ? eol + 1 : eol) {
		eol = strchrnul(p, '\n');
		ktap_line(&k, p, (size_t)(eol - p));
	}
	ktap_finish(&k, &r.test, &r.n_tests);
	str_init(&s, 0);
	for (size_t i = 0; i < r.n_tests; i++)
		str_addf(&s, "%s %s # %s\n", outcome_name(r.test[i].outcome), r.test[i].name,
			 r.test[i].note);
	boot_result_done(&r);
	return str_take(&s);
}

static void assert_rows(const char *text, const char *want)
{
	auto_free char *got = read_all(text);

	assert_string_equal(got, want);
}

#define V "KTAP version 1\n"

static void results(void **state)
{
	(void)state;
	assert_rows(V "1..4\nok 1 a\nnot ok 2 - b\nok 3 c d # 12 MiB\nnot ok 4\n",
		    "pass a # \nfail b # \npass c d # 12 MiB\nfail test 4 # \n");
	assert_rows("TAP version 13\n1..1\nok 1 a\n", "pass a # \n");
	assert_rows(V "ok 1 a\nok 2 b\n1..2\n", "pass a # \npass b # \n");
}

static void directives(void **state)
{
	(void)state;
	assert_rows(V "1..7\nok 1 a # SKIP no node 1\nnot ok 2 b # skip\nnot ok 3 c # TODO later\n"
		      "ok 4 d # TODO later\nnot ok 5 e # XFAIL known\nnot ok 6 f # TIMEOUT 45 s\n"
		      "ok 7 g # SKIPPING\n",
		    "skip a # no node 1\nskip b # \nskip c # TODO later\npass d # TODO later\n"
		    "skip e # XFAIL known\nfail f # TIMEOUT 45 s\npass g # SKIPPING\n");
	assert_rows(V "1..0 # SKIP no NUMA\n", "skip all #  no NUMA\n");
}

static void diagnostics_explain_a_failure(void **state)
{
	(void)state;
	assert_rows(V "1..3\n# wanted 5, got 3\nnot ok 1 a\n# fine\nok 2 b\nnot ok 3 c\n",
		    "fail a # wanted 5, got 3\npass b # \nfail c # \n");
}

static void nested(void **state)
{
	(void)state;
	assert_rows(V "1..3\n  " V "  1..2\n  ok 1 x\n  not ok 2 y\nnot ok 1 suite\n"
		      "  " V "  1..1\n    " V "    1..1\n    ok 1 leaf\n  ok 1 mid\nok 2 deep\n"
		      "  # Subtest: odd\n  1..1\n  ok 1 fine\nnot ok 3 odd\n",
		    "pass suite/x # \nfail suite/y # \npass deep/mid/leaf # \npass odd/fine # \n"
		    "fail odd # \n");
}

static void missing(void **state)
{
	(void)state;
	assert_rows(V "1..5\nok 1 a\nok 2 b\nok 3 c\n",
		    "pass a # \npass b # \npass c # \nfail tests 4 to 5 # missing: 5 planned, 3 "
		    "came\n");
	assert_rows(V "1..999999999\n",
		    "fail tests 1 to 999999999 # missing: 999999999 planned, 0 came\n");
	assert_rows(V, "fail results # begun, but no test came\n");
	assert_rows(V "1..1\n  " V "  1..2\n  ok 1 x\nok 1 suite\n",
		    "pass suite/x # \nfail suite/test 2 # missing: 2 planned, 1 came\n");
	assert_rows(V "1..1\n  " V "  1..2\n  ok 1 x\n",
		    "pass x # \nfail test 2 # missing: 2 planned, 1 came\n"
		    "fail test 1 # missing: 1 planned, 0 came\n");
	assert_rows(V "1..1\nok 1 a\nok 2 b\n",
		    "pass a # \npass b # \nfail plan # 1 planned, 2 came\n");
}

static void wrong_numbers_are_said(void **state)
{
	(void)state;
	assert_rows(V "1..3\nok 1 a\nok 3 c\nnot ok 3 d # why\n",
		    "pass a # \npass c # number 3 where 2 was due\n"
		    "fail d # why; number 3 where 4 was due\n");
}

static void bail_out(void **state)
{
	(void)state;
	assert_rows(V "1..3\nok 1 a\nBail out! no memory\nok 2 b\n",
		    "pass a # \nfail Bail out! # no memory\n");
	/* Another run of tests counts again. */
	assert_rows(V "1..2\nBail out!\n" V "1..1\nok 1 b\n", "fail Bail out! # \npass b # \n");
}

static void other_words_are_not_results(void **state)
{
	(void)state;
	assert_rows("ok 1 before the version\n1..2\n", "");
	assert_rows(
		V
		"1..1\nokay\nok\nok then\nok 12345678901 a\nnot okay 1\n1..\n1..x\nok 1 a\nhello\n",
		"pass a # \n");
}

static void two_runs(void **state)
{
	(void)state;
	assert_rows(V "1..2\nok 1 a\n" V "1..1\nok 1 b\n",
		    "pass a # \nfail test 2 # missing: 2 planned, 1 came\npass b # \n");
}

static void hostile(void **state)
{
	struct boot_result r = {0};
	struct ktap k = {0};
	char line[128];
	static char huge[5000];

	(void)state;
	ktap_line(&k, "KTAP version 1", 14);
	for (int depth = 0; depth < 64; depth++) {
		int n = snprintf(line, sizeof(line), "%*sok 1 deep", depth, "");

		ktap_line(&k, line, (size_t)n);
	}
	memset(huge, 'n', sizeof(huge));
	memcpy(huge, "ok 1 ", 5);
	for (int i = 0; i < KTAP_TESTS_MAX + 10; i++)
		ktap_line(&k, huge, sizeof(huge));
	ktap_finish(&k, &r.test, &r.n_tests);
	assert_int_equal(r.n_tests, KTAP_TESTS_MAX + 1);
	for (size_t i = 0; i < r.n_tests; i++)
		assert_true(strlen(r.test[i].name) <= 2 * KTAP_TEXT_MAX + 1);
	assert_string_equal(r.test[KTAP_TESTS_MAX].name, "more results");
	assert_int_equal(r.test[KTAP_TESTS_MAX].outcome, OUTCOME_FAIL);
	boot_result_done(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(results),
		cmocka_unit_test(directives),
		cmocka_unit_test(diagnostics_explain_a_failure),
		cmocka_unit_test(nested),
		cmocka_unit_test(missing),
		cmocka_unit_test(wrong_numbers_are_said),
		cmocka_unit_test(bail_out),
		cmocka_unit_test(other_words_are_not_results),
		cmocka_unit_test(two_runs),
		cmocka_unit_test(hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
