// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit/unit.h"

#include "trial/run.h"

static size_t first_bad, tries;

static int bad_from(struct trial *t, size_t n, void *ctx, struct err *err)
{
	(void)t;
	(void)ctx;
	(void)err;
	tries++;
	return n >= first_bad;
}

static int no_answer(struct trial *t, size_t n, void *ctx, struct err *err)
{
	(void)t;
	(void)ctx;
	return err_set(err, ERR_INFRA, "no board for patch %zu", n);
}

static void finds_each_patch(void **state)
{
	struct trial t = {0};
	struct err err = ERR_INIT;

	(void)state;
	for (size_t total = 1; total <= 40; total++) {
		t.applied.n_commits = total;
		for (first_bad = 1; first_bad <= total; first_bad++) {
			size_t n = 0;

			tries = 0;
			assert_ok(attribute_patch(&t, bad_from, NULL, &n, &err), &err);
			assert_int_equal(n, first_bad);
			assert_true(tries <= 6);
		}
	}
}

static void one_patch_needs_no_try(void **state)
{
	struct trial t = {.applied = {.n_commits = 1}};
	struct err err = ERR_INIT;
	size_t n = 0;

	(void)state;
	assert_ok(attribute_patch(&t, no_answer, NULL, &n, &err), &err);
	assert_int_equal(n, 1);
}

static void hands_errors_on(void **state)
{
	struct trial t = {.applied = {.n_commits = 4}};
	struct err err = ERR_INIT;
	size_t n = 99;

	(void)state;
	assert_err(attribute_patch(&t, no_answer, NULL, &n, &err), &err, ERR_INFRA,
		   "no board for patch 2");
	assert_int_equal(n, 99);
}

/* A series of three patches, numbered 1 to 3. */
static struct patch patches[3] = {
	{.subject = {.number = 1}}, {.subject = {.number = 2}}, {.subject = {.number = 3}}};
static struct series series = {.patch = patches, .n_patches = 3, .total = 3};

static void a_step_names_the_patch(void **state)
{
	struct trial t = {.series = &series, .applied = {.n_commits = 3}};
	struct step_result r = {0};
	struct err err = ERR_INIT;

	(void)state;
	first_bad = 2;
	step_result_set(&r, OUTCOME_WARN, "hot-add of 16 LMBs: slower");
	assert_ok(attribute_step(&t, bad_from, NULL, &r, &err), &err);
	assert_int_equal(r.patch, 2);
	assert_string_equal(r.reason, "patch 2/3: hot-add of 16 LMBs: slower");
	assert_int_equal(r.outcome, OUTCOME_WARN);
	step_result_done(&r);
}

static void a_step_keeps_its_outcome_when_nobody_knows_the_patch(void **state)
{
	struct trial t = {.series = &series, .applied = {.n_commits = 3}};
	struct step_result r = {0};
	struct err err = ERR_INIT;

	(void)state;
	step_result_set(&r, OUTCOME_FAIL, "does not boot");
	assert_ok(attribute_step(&t, no_answer, NULL, &r, &err), &err);
	assert_int_equal(r.patch, 0);
	assert_string_equal(r.reason, "does not boot (which patch: no board for patch 1)");
	assert_int_equal(r.outcome, OUTCOME_FAIL);
	step_result_done(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_each_patch),
		cmocka_unit_test(one_patch_needs_no_try),
		cmocka_unit_test(hands_errors_on),
		cmocka_unit_test(a_step_names_the_patch),
		cmocka_unit_test(a_step_keeps_its_outcome_when_nobody_knows_the_patch),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
