// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit/unit.h"

#include "trial/run.h"

/* What each step said: '-' not run, else the first letter of its outcome. */
static enum outcome judge(const char *outcomes, char **ret_words)
{
	struct trial t = {0};
	enum outcome o;

	for (size_t i = 0; outcomes[i]; i++) {
		static const char letters[] = "spwef";
		const char *at = strchr(letters, outcomes[i]);

		t.ran[i] = at != NULL;
		step_result_set(&t.result[i], at ? (enum outcome)(at - letters) : OUTCOME_SKIP,
				"because of %zu", i);
	}
	o = judge_trial(&t, ret_words);
	for (size_t i = 0; i < STEPS_MAX; i++)
		step_result_done(&t.result[i]);
	return o;
}

static void the_worst_step_decides(void **state)
{
	auto_free char *pass = NULL, *warn = NULL, *fail = NULL, *error = NULL;

	(void)state;
	assert_int_equal(judge("pppppppp", &pass), OUTCOME_PASS);
	assert_string_equal(pass, "apply, check, build, boot, bench-hot-add are good");
	assert_int_equal(judge("ppppwppw", &warn), OUTCOME_WARN);
	assert_string_equal(warn, "check: because of 4; bench-hot-add: because of 7");
	assert_int_equal(judge("ppppwf--", &fail), OUTCOME_FAIL);
	assert_string_equal(fail, "build: because of 5");
	assert_int_equal(judge("pppppe--", &error), OUTCOME_ERROR);
	assert_string_equal(error, "could not find out: build: because of 5");
}

static void a_fail_outweighs_an_error(void **state)
{
	auto_free char *words = NULL;

	(void)state;
	assert_int_equal(judge("ppppfe--", &words), OUTCOME_FAIL);
}

static void steps_left_out_say_nothing(void **state)
{
	auto_free char *words = NULL, *none = NULL;

	(void)state;
	assert_int_equal(judge("pppp----", &words), OUTCOME_PASS);
	assert_string_equal(words, "apply is good");
	assert_int_equal(judge("ppp-----", &none), OUTCOME_PASS);
	assert_string_equal(none, "nothing was tested");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_worst_step_decides),
		cmocka_unit_test(a_fail_outweighs_an_error),
		cmocka_unit_test(steps_left_out_say_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
