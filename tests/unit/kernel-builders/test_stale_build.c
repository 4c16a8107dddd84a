// SPDX-License-Identifier: GPL-2.0-or-later
/* What a folder of objects, or the memory of what failed, may say that is not true any more. */
#include "fake_lab.h"

/* make looks at the time of what a symlink leads to, which is the same file as before. */
static void another_target_of_a_symlink_is_built(void **state)
{
	struct lab *lab = *state;
	auto_build_result struct build_result base, p1, p2;
	git_oid c1, c2;
	struct err err = ERR_INIT;

	lab->base =
		tree_commit(lab->repo, &lab->base,
			    files({"a.c", "int main_of;\n", 0}, {"b.c", "int main_of, more;\n", 0},
				  {"c.c", "int main_of, still, more;\n", 0},
				  {"main.c", "a.c", GIT_FILEMODE_LINK}));
	c1 = tree_commit(lab->repo, &lab->base, files({"main.c", "b.c", GIT_FILEMODE_LINK}));
	c2 = tree_commit(lab->repo, &c1, files({"main.c", "c.c", GIT_FILEMODE_LINK}));
	assert_ok(build(lab, &lab->base, &base, &err), &err);
	assert_ok(build(lab, &c1, &p1, &err), &err);
	assert_ok(build(lab, &c2, &p2, &err), &err);
	assert_other_vmlinux(&base, &p1);
	assert_other_vmlinux(&p1, &p2);
}

/* A source that the configuration, or a Makefile, leaves out from now on has no warnings. */
static void what_is_not_built_any_more_has_no_warnings(void **state)
{
	struct lab *lab = *state;
	auto_free char *with = xasprintf("$(O)/main.o: $(O)/extra.o\n"
					 "$(O)/extra.o: /src/extra.c\n"
					 "\t@echo '  CC      extra.o'\n"
					 "\t@gcc -Wall -c $< -o $@\n%s",
					 lab->makefile);
	auto_build_result struct build_result first, second, third;
	struct err err = ERR_INIT;

	lab->base =
		tree_commit(lab->repo, &lab->base,
			    files({"Makefile", with, 0}, {"extra.c", "static int unused;\n", 0}));
	assert_ok(build(lab, &lab->base, &first, &err), &err);
	assert_int_equal(first.n_diagnostics, 1);
	lab->base = tree_commit(lab->repo, &lab->base, files({"Makefile", lab->makefile, 0}));
	assert_ok(build(lab, &lab->base, &second, &err), &err);
	assert_int_equal(second.n_diagnostics, 0);
	lab->base = tree_commit(lab->repo, &lab->base, files({"Makefile", with, 0}));
	assert_ok(build(lab, &lab->base, &third, &err), &err);
	assert_int_equal(third.n_diagnostics, 1);
}

/* A library of the host that is not there is for the operator, who may install it at any time. */
static void a_base_that_the_machine_fails_is_tried_again(void **state)
{
	static const char *const rules[] = {
		"$(O)/main.o: host\nhost:\n\t@echo '  HOSTCC  scripts/sign'\n"
		"\t@echo 'scripts/sign.c:3:10: fatal error: openssl/none.h: No such file or "
		"directory'; exit 1",
		"$(O)/main.o: tool\ntool:\n\t@firn-none",
	};
	struct lab *lab = *state;
	const git_oid start = lab->base;

	for (size_t i = 0; i < array_size(rules); i++) {
		auto_free char *makefile = xasprintf("%s\n%s", lab->makefile, rules[i]);
		auto_build_result struct build_result first, again;
		struct err err = ERR_INIT;

		lab->base = tree_commit(lab->repo, &start, files({"Makefile", makefile, 0}));
		assert_ok(build(lab, &lab->base, &first, &err), &err);
		assert_int_equal(first.outcome, OUTCOME_FAIL);
		assert_ok(build(lab, &lab->base, &again, &err), &err);
		assert_int_equal(again.outcome, OUTCOME_FAIL);
		assert_false(again.cached);
	}
}

/* One object is not in the configuration, and what the other is made of can't be made: that is not
 * "1 object". */
static void an_object_that_was_not_tried_is_not_good(void **state)
{
	static const char *const touched[] = {"x/a.c", "x/b.c", NULL};
	static const struct builder row = {.name = "touched",
					   .arch = "none",
					   .cross_compile = "",
					   .config = HERE "fake/fake.config",
					   .touched = true,
					   .packages = "make gcc flex bison bc"};
	struct lab *lab = *state;
	auto_free char *makefile =
		xasprintf("x/a.o: $(O)/x/gen.h\n\t@echo '  CC      x/a.o'\n"
			  "$(O)/x/gen.h:\n\t@echo '  GEN     x/gen.h'; false\n%s",
			  lab->makefile);
	auto_build_result struct build_result r;
	struct err err = ERR_INIT;

	lab->builder = &row;
	lab->touched = touched;
	lab->base = tree_commit(lab->repo, &lab->base,
				files({"Makefile", makefile, 0}, {"x/a.c", "int a;\n", 0},
				      {"x/b.c", "int b;\n", 0}));
	assert_ok(build(lab, &lab->base, &r, &err), &err);
	assert_int_equal(r.outcome, OUTCOME_FAIL);
	assert_non_null(strstr(r.reason, "x/gen.h"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_here(another_target_of_a_symlink_is_built),
		test_here(what_is_not_built_any_more_has_no_warnings),
		test_here(a_base_that_the_machine_fails_is_tried_again),
		test_here(an_object_that_was_not_tried_is_not_good),
	};

	if (!fake_ready())
		return SKIPPED;
	return cmocka_run_group_tests_name("stale", tests, NULL, NULL);
}
