// SPDX-License-Identifier: GPL-2.0-or-later
#include "mails.h"

#include "base/proc.h"
#include <signal.h>

static size_t index_of(const struct checker *c)
{
	size_t i = 0;

	while (checkers[i] != c)
		i++;
	return i;
}

static void results_done(struct check_result *r)
{
	for (size_t i = 0; i < checkers_count(); i++)
		check_result_done(&r[i]);
}

static void names_are_slugs(void **state)
{
	(void)state;
	for (size_t i = 0; checkers[i]; i++) {
		assert_int_equal(strspn(checkers[i]->name, "abcdefghijklmnopqrstuvwxyz0123456789-"),
				 strlen(checkers[i]->name));
		assert_true(*checkers[i]->summary);
	}
}

static void every_checker_has_a_result(void **state)
{
	auto_fixture struct fixture *f =
		fixture_read(FIXTURES "/checkers/checkpatch/extern-header.eml");
	const struct check_env env = {.series = f->set.series};
	struct check_result r[8];
	struct check_counts c = {0};
	struct err err = ERR_INIT;

	(void)state;
	assert_ok(check_patch_all(&env, f->patch, r, &err), &err);
	for (size_t i = 0; checkers[i]; i++)
		assert_non_null(r[i].reason);
	assert_int_equal(r[index_of(&checker_checkpatch_pl)].outcome, OUTCOME_SKIP);
	/* Without the script, the totals are the native checker's. */
	check_counts_patch(&c, r);
	assert_int_equal(c.errors, 0);
	assert_int_equal(c.warnings, 6);
	assert_int_equal(c.checks, 4);
	assert_int_equal(c.lines, 12);
	results_done(r);
}

static void failing_checker_is_one_row(void **state)
{
	auto_fixture struct fixture *f =
		fixture_read(FIXTURES "/checkers/checkpatch/extern-header.eml");
	/* A script that is there, and no folder to run it in. */
	const struct check_env env = {
		.series = f->set.series,
		.source_dir = FIXTURES "/checkers/checkpatch-pl/tree",
		.scratch_dir = "/dev/null/no",
	};
	struct check_result r[8];
	struct err err = ERR_INIT;

	(void)state;
	assert_ok(check_patch_all(&env, f->patch, r, &err), &err);
	assert_int_equal(r[index_of(&checker_checkpatch_pl)].outcome, OUTCOME_ERROR);
	assert_non_null(strstr(r[index_of(&checker_checkpatch_pl)].reason, "/dev/null/no"));
	assert_int_equal(r[index_of(&checker_signoff)].outcome, OUTCOME_PASS);
	assert_int_equal(r[index_of(&checker_checkpatch)].outcome, OUTCOME_WARN);
	results_done(r);
}

static void same_findings_count_once(void **state)
{
	struct check_result r[8] = {0};
	struct check_result *script = &r[index_of(&checker_checkpatch_pl)];
	struct check_result *native = &r[index_of(&checker_checkpatch)];
	struct check_counts c = {0};

	(void)state;
	check_result_add(script, FINDING_CHECK, "AVOID_EXTERNS", "a.h", 7, 21, "theirs");
	check_result_add(script, FINDING_WARNING, "LONG", NULL, 0, 5, "theirs");
	check_result_totals(script);
	script->lines_checked = 40;
	check_result_add(native, FINDING_CHECK, "AVOID_EXTERNS", "a.h", 7, 21, "ours");
	check_result_add(native, FINDING_CHECK, "AVOID_EXTERNS", "a.h", 8, 22,
			 "ours, another line");
	check_result_add(native, FINDING_WARNING, "AVOID_EXTERNS", "a.h", 7, 21,
			 "ours, another level");
	check_result_add(native, FINDING_CHECK, "AVOID_EXTERNS", "b.h", 7, 21,
			 "ours, another file");
	check_result_add(native, FINDING_WARNING, "LONG", NULL, 0, 5, "ours");
	check_result_add(native, FINDING_WARNING, "LONG", NULL, 0, 6,
			 "ours, another line of the log");
	native->lines_checked = 40;
	check_dedupe(native, script);
	assert_int_equal(native->n, 4);
	for (size_t i = 0; i < native->n; i++)
		assert_true(str_starts(native->finding[i].message, "ours, another"));
	check_counts_patch(&c, r);
	assert_int_equal(c.errors + c.warnings + c.checks, 2);
	assert_int_equal(c.lines, 40);
	results_done(r);
}

static void findings_have_a_limit(void **state)
{
	struct check_result r = {0};

	(void)state;
	for (unsigned i = 0; i < CHECK_FINDINGS_MAX + 10; i++) {
		check_result_add(&r, FINDING_ERROR, "T", NULL, 0, i, "%0900u", i);
		check_result_excerpt(&r, "x", 1);
	}
	assert_int_equal(r.n, CHECK_FINDINGS_MAX + 1);
	assert_string_equal(r.finding[CHECK_FINDINGS_MAX].type, "TOO_MANY");
	assert_int_equal(r.finding[CHECK_FINDINGS_MAX].level, FINDING_NOTE);
	assert_true(strlen(r.finding[0].message) < 600);
	assert_true(str_ends(r.finding[0].message, "..."));
	check_result_done(&r);
}

static void text_has_lines_where_they_are_said_to_be(void **state)
{
	auto_fixture struct fixture *f =
		fixture_text("From: =?utf-8?q?Ad=0Aa?= <ada@example.org>\n"
			     "Date: Mon, 30 Nov 2026 10:00:00 +0100\n"
			     "Subject: [PATCH v2 1/1] lib: ice\n\nText.\n\n"
			     "Signed-off-by: A <ada@example.org>\n---\nv2: colder\n\n"
			     "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n");
	size_t n;
	auto_free char *text = check_patch_text(f->patch, &n);
	unsigned line = 1;

	(void)state;
	for (const char *s = text; *s; s = strchrnul(s, '\n') + 1, line++) {
		if (line == CHECK_MESSAGE_LINE)
			assert_true(str_starts(s, "Subject: [PATCH] lib: ice\n"));
		if (line == check_diff_line(f->patch))
			assert_true(str_starts(s, "diff --git a/a b/a\n"));
	}
	assert_non_null(strstr(text, "\nDate: Mon, 30 Nov 2026 10:00:00 +0100\n"));
	assert_non_null(strstr(text, "\n---\nv2: colder\n"));
	assert_int_equal(n, strlen(text));
}

/* The last one: there is no way back. */
static void cancel_ends_it(void **state)
{
	auto_fixture struct fixture *f = fixture_read(FIXTURES "/checkers/signoff/author.eml");
	const struct check_env env = {.series = f->set.series};
	struct check_result r[8];
	struct err err = ERR_INIT;

	(void)state;
	cancel_init();
	raise(SIGTERM);
	assert_int_equal(check_patch_all(&env, f->patch, r, &err), ERR_CANCELLED);
	results_done(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_slugs),
		cmocka_unit_test(every_checker_has_a_result),
		cmocka_unit_test(failing_checker_is_one_row),
		cmocka_unit_test(same_findings_count_once),
		cmocka_unit_test(findings_have_a_limit),
		cmocka_unit_test(text_has_lines_where_they_are_said_to_be),
		cmocka_unit_test(cancel_ends_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
