// SPDX-License-Identifier: GPL-2.0-or-later
#include "mails.h"

#include "base/clock.h"
#include "checkers/checkpatch/declaration.h"

#define FOLDER FIXTURES "/checkers/checkpatch"

static void one(struct fixture *f)
{
	fixture_check(f, &checker_checkpatch);
}

static void mails_say_what_is_found(void **state)
{
	(void)state;
	fixtures_each(FOLDER, one);
}

static void places_are_lines_of_file_and_patch(void **state)
{
	auto_fixture struct fixture *f = fixture_read(FOLDER "/extern-header.eml");
	const struct check_env env = {0};
	struct check_result r = {0};
	struct err err = ERR_INIT;
	auto_free char *text = NULL;
	size_t n;

	(void)state;
	assert_ok(checker_checkpatch.run(&env, f->patch, &r, &err), &err);
	text = check_patch_text(f->patch, &n);
	for (size_t i = 0; i < r.n; i++) {
		const char *line = text;

		for (unsigned l = 1; l < r.finding[i].patch_line; l++)
			line = strchr(line, '\n') + 1;
		assert_memory_equal(line, r.finding[i].excerpt, strlen(r.finding[i].excerpt));
	}
	assert_string_equal(r.finding[1].excerpt, "+extern int firn_melt(struct firn *);");
	assert_string_equal(r.finding[1].message, "a parameter has no name: struct firn *");
	assert_int_equal(r.lines_checked, 12);
	check_result_done(&r);
}

/* "2: int *" for the second parameter and so on; "-" when it is no prototype. */
static char *nameless(const char *s)
{
	struct declaration d;
	struct parameters list;
	struct str out;
	unsigned n = 0;

	str_init(&out, 0);
	if (!declaration_parse(s, strlen(s), &d)) {
		str_adds(&out, "-");
		return str_take(&out);
	}
	parameters_init(&list, s + d.args, d.args_end - d.args);
	for (struct parameter p; parameters_next(&list, &p);) {
		auto_free char *text = parameter_text(&p);

		n++;
		if (p.is_nameless)
			str_addf(&out, "%s%u: %s", out.len ? ", " : "", n, text);
	}
	return str_take(&out);
}

static void parameters_without_a_name(void **state)
{
	static const char *const table[][2] = {
		{"int f(void);", ""},
		{"int f();", ""},
		{"int f(int a, char *b);", ""},
		{"int f(int, char *b, long);", "1: int, 3: long"},
		{"int f(const struct s *);", "1: const struct s *"},
		{"int f(struct s);", "1: struct s"},
		{"int f(enum e);", ""},
		{"int f(enum e *);", "1: enum e *"},
		{"int f(unsigned long long);", "1: unsigned long long"},
		{"int f(int [4], int a[4]);", "1: int [4]"},
		{"int f(int (*cb)(int), ...);", ""},
		{"int f(char __user *, char __user *b);", "1: char __user *"},
		{"int f(some_fn, some_fn fn);", "1: some_fn"},
		{"extern struct s *f(\n\tstruct t *,\n\tint b);", "1: struct t *"},
		{"int (*f)(int);", "1: int"},
		{"return f(a);", "-"},
		{"f(a, b);", "-"},
		{"else f(a);", "-"},
		{"static int f(int);", "-"},
		{"int a = f(b);", "-"},
		{"(((", "-"},
		{"int", "-"},
		{"struct", "-"},
		{"int f(", ""},
		{"", "-"},
	};

	(void)state;
	for (size_t i = 0; i < array_size(table); i++) {
		auto_free char *have = nameless(table[i][0]);

		if (strcmp(have, table[i][1]) != 0)
			fail_msg("%s gives \"%s\", not \"%s\"", table[i][0], have, table[i][1]);
	}
}

/* A mail whose diff is `n` times the same line. */
static struct fixture *fixture_of_lines(const char *line, unsigned n)
{
	auto_str struct str s;

	str_init(&s, 0);
	str_addf(&s,
		 "From: A <a@example.org>\nSubject: [PATCH] x\nDate: Mon, 30 Nov 2026 10:00:00 "
		 "+0000\n\nx\n\nSigned-off-by: A <a@example.org>\n---\ndiff --git a/f.h b/f.h\n--- "
		 "a/f.h\n"
		 "+++ b/f.h\n@@ -0,0 +1,%u @@\n",
		 n);
	for (unsigned i = 0; i < n; i++)
		str_addf(&s, "+%s\n", line);
	return fixture_text(s.buf);
}

static void hostile_patches_end_soon(void **state)
{
	static const char *const lines[] = {
		"(",
		"(;",
		"a(\"",
		"extern int f(int",
		"#if (",
		"/*",
		"a,a,a,a,a,a,a,a,a",
		"\t \t \t \t \tx \t \t",
		"#define a(x) \\",
		"#define a do { x; \\",
		"if (a) {",
		"\tx = a ? b : (c",
		"static struct a b = {",
	};
	double start = clock_mono();

	(void)state;
	for (size_t i = 0; i < array_size(lines); i++) {
		auto_fixture struct fixture *f = fixture_of_lines(lines[i], 3000);
		const struct check_env env = {0};
		struct check_result r = {0};
		struct err err = ERR_INIT;

		assert_ok(checker_checkpatch.run(&env, f->patch, &r, &err), &err);
		assert_true(r.n <= CHECK_FINDINGS_MAX + 1);
		check_result_done(&r);
	}
	assert_true(clock_mono() - start < 15);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mails_say_what_is_found),
		cmocka_unit_test(places_are_lines_of_file_and_patch),
		cmocka_unit_test(parameters_without_a_name),
		cmocka_unit_test(hostile_patches_end_soon),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
