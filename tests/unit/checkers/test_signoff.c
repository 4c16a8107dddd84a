// SPDX-License-Identifier: GPL-2.0-or-later
#include "mails.h"

static void one(struct fixture *f)
{
	fixture_check(f, &checker_signoff);
}

static void mails_say_what_is_found(void **state)
{
	(void)state;
	fixtures_each(FIXTURES "/checkers/signoff", one);
}

static void another_address_shows_both(void **state)
{
	auto_fixture struct fixture *f =
		fixture_read(FIXTURES "/checkers/signoff/other-address.eml");
	const struct check_env env = {0};
	struct check_result r = {0};
	struct err err = ERR_INIT;
	auto_free char *text = NULL;
	size_t n;

	(void)state;
	assert_ok(checker_signoff.run(&env, f->patch, &r, &err), &err);
	assert_non_null(strstr(r.reason, "<ada@example.org>"));
	assert_non_null(strstr(r.reason, "<ada@work.example.org>"));
	/* The place is that of the sign-off in the patch as checkers read it. */
	text = check_patch_text(f->patch, &n);
	const char *line = text;
	for (unsigned i = 1; i < r.finding[0].patch_line; i++)
		line = strchr(line, '\n') + 1;
	assert_true(str_starts(line, "Signed-off-by: Ada Firn <ada@work."));
	check_result_done(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mails_say_what_is_found),
		cmocka_unit_test(another_address_shows_both),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
