// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit/unit.h"

#include "trial/run.h"

static size_t first_bad, tries;

static int bad_from(struct trial *t, size_t n, struct err *err)
{
	(void)t;
	(void)err;
	tries++;
	return n >= first_bad;
}

static int no_answer(struct trial *t, size_t n, struct err *err)
{
	(void)t;
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
			assert_ok(attribute_patch(&t, bad_from, &n, &err), &err);
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
	assert_ok(attribute_patch(&t, no_answer, &n, &err), &err);
	assert_int_equal(n, 1);
}

static void hands_errors_on(void **state)
{
	struct trial t = {.applied = {.n_commits = 4}};
	struct err err = ERR_INIT;
	size_t n = 99;

	(void)state;
	assert_err(attribute_patch(&t, no_answer, &n, &err), &err, ERR_INFRA,
		   "no board for patch 2");
	assert_int_equal(n, 99);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_each_patch),
		cmocka_unit_test(one_patch_needs_no_try),
		cmocka_unit_test(hands_errors_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
