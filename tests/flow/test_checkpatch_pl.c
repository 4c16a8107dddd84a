// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The real script on our fixtures: what it finds is read right, and the native checker finds the
 * same. FIRN_TEST_TREE names a git repository of Linux; what the script needs of its HEAD is
 * checked out aside.
 */
#include "../unit/checkers/mails.h"

#include "sandbox/sandbox.h"
#include <sys/stat.h>

#define SKIPPED 77

static git_repository *repo;
static struct check_env env;
static char *scratch;

/* scripts/checkpatch.pl asks whether these are there, before it takes a folder for a kernel tree.
 */
static const char *const folders[] = {"Documentation", "arch", "drivers", "fs",
				      "init",	       "ipc",  "kernel",  "lib"};
static char *const files[] = {"COPYING",  "CREDITS", "Kbuild",	  "MAINTAINERS",
			      "Makefile", "README",  "scripts/*", "include/linux/mtd/*"};

static void checkout(const char *tree)
{
	git_checkout_options opt;
	git_object *head;
	struct err err = ERR_INIT;

	git_libgit2_init();
	git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0); /* the tree may be root's */
	assert_int_equal(git_repository_open(&repo, tree), 0);
	assert_int_equal(git_revparse_single(&head, repo, "HEAD^{commit}"), 0);
	env.repo = repo;
	env.base = *git_object_id(head);
	env.source_dir = xasprintf("%s/tree", scratch);
	env.scratch_dir = xasprintf("%s/work", scratch);
	env.cache_dir = xasprintf("%s/cache", scratch);
	for (size_t i = 0; i < array_size(folders); i++) {
		auto_free char *dir = xasprintf("%s/%s", env.source_dir, folders[i]);

		assert_ok(fs_mkdirs(dir, &err), &err);
	}
	assert_int_equal(git_checkout_options_init(&opt, GIT_CHECKOUT_OPTIONS_VERSION), 0);
	opt.checkout_strategy = GIT_CHECKOUT_FORCE | GIT_CHECKOUT_DONT_UPDATE_INDEX;
	opt.target_directory = env.source_dir;
	opt.paths = (git_strarray){(char **)files, array_size(files)};
	assert_int_equal(git_checkout_tree(repo, head, &opt), 0);
	git_object_free(head);
}

/* The findings of types that the native checker has, sorted, one a line. */
static char *of_our_types(const struct check_result *r)
{
	static const char *const types[] = {"AVOID_EXTERNS", "FUNCTION_ARGUMENTS",
					    "TRAILING_WHITESPACE", "COMMIT_LOG_LONG_LINE"};
	char *line[64] = {NULL};
	struct str out;
	size_t n = 0;

	for (size_t i = 0; i < r->n && n < array_size(line); i++)
		for (size_t k = 0; k < array_size(types); k++)
			if (strcmp(r->finding[i].type, types[k]) == 0)
				line[n++] = xasprintf("%s %s %s:%u #%u\n",
						      finding_level_name(r->finding[i].level),
						      types[k], r->finding[i].path ?: "-",
						      r->finding[i].line, r->finding[i].patch_line);
	qsort(line, n, sizeof(*line), name_cmp);
	str_init(&out, 0);
	for (size_t i = 0; i < n; i++) {
		str_adds(&out, line[i]);
		free(line[i]);
	}
	return str_take(&out);
}

static void same_from_both(struct fixture *f)
{
	struct check_result script = {0}, native = {0};
	auto_free char *theirs = NULL, *ours = NULL;
	struct err err = ERR_INIT;

	assert_ok(checker_checkpatch_pl.run(&env, f->patch, &script, &err), &err);
	assert_ok(checker_checkpatch.run(&env, f->patch, &native, &err), &err);
	if (script.outcome == OUTCOME_ERROR)
		fail_msg("%s: %s", f->path, script.reason);
	theirs = of_our_types(&script);
	ours = of_our_types(&native);
	if (strcmp(theirs, ours) != 0)
		fail_msg("%s: the script found\n%sand we\n%s", f->path, theirs, ours);
	assert_int_equal(script.lines_checked, native.lines_checked);
	check_dedupe(&native, &script);
	assert_int_equal(native.n, 0);
	check_result_done(&script);
	check_result_done(&native);
}

static void native_agrees_with_the_script(void **state)
{
	(void)state;
	fixtures_each(FIXTURES "/checkers/checkpatch", same_from_both);
}

static void extern_prototype_is_found_by_both(void **state)
{
	auto_fixture struct fixture *f = fixture_read(FIXTURES "/series/extern-prototype.patch");
	static const char want[] =
		"CHECK AVOID_EXTERNS arch/powerpc/include/asm/topology.h:68 #21\n"
		"WARNING FUNCTION_ARGUMENTS arch/powerpc/include/asm/topology.h:68 #21\n";
	const struct checker *const both[] = {&checker_checkpatch_pl, &checker_checkpatch};

	(void)state;
	for (size_t i = 0; i < array_size(both); i++) {
		struct check_result r = {0};
		struct err err = ERR_INIT;
		auto_free char *text = NULL;

		assert_ok(both[i]->run(&env, f->patch, &r, &err), &err);
		text = of_our_types(&r);
		assert_string_equal(text, want);
		check_result_done(&r);
	}
}

/* Whether a patch that adds this word gets CAMELCASE. */
static bool is_camelcase(const char *word)
{
	auto_free char *text = xasprintf(
		"From: A <a@example.org>\nSubject: [PATCH] x: y\nDate: Mon, 30 Nov 2026 10:00:00 "
		"+0000\n\n"
		"x\n\nSigned-off-by: A <a@example.org>\n---\ndiff --git a/lib/firn.c b/lib/firn.c\n"
		"--- a/lib/firn.c\n+++ b/lib/firn.c\n@@ -1 +1,2 @@\n int a;\n+int b = %s;\n",
		word);
	auto_fixture struct fixture *f = fixture_text(text);
	struct check_result r = {0};
	struct err err = ERR_INIT;
	bool found = false;

	assert_ok(checker_checkpatch_pl.run(&env, f->patch, &r, &err), &err);
	for (size_t i = 0; i < r.n; i++)
		found = found || strcmp(r.finding[i].type, "CAMELCASE") == 0;
	check_result_done(&r);
	return found;
}

/* Names that the tree's headers have are known, whether they were read now or kept. */
static void names_of_headers_are_kept(void **state)
{
	auto_free char *kept = xasprintf("%s/camelcase", env.cache_dir);

	(void)state;
	assert_false(fs_exists(kept));
	for (int again = 0; again < 2; again++) {
		assert_true(is_camelcase("FirnIsNoNameOfLinux"));
		assert_false(is_camelcase("MaxBufWriteSize"));
		assert_true(fs_exists(kept));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(native_agrees_with_the_script),
		cmocka_unit_test(extern_prototype_is_found_by_both),
		cmocka_unit_test(names_of_headers_are_kept),
	};
	const char *tree = getenv("FIRN_TEST_TREE");
	struct err err = ERR_INIT;
	int failed;

	if (!tree) {
		printf("skipped: FIRN_TEST_TREE names no git repository of Linux\n");
		return SKIPPED;
	}
	scratch = xasprintf("%s/firn-test-XXXXXX", getenv("TMPDIR") ?: "/tmp");
	assert_non_null(mkdtemp(scratch));
	assert_int_equal(chmod(scratch, 0755), 0);
	checkout(tree);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	git_repository_free(repo);
	git_libgit2_shutdown();
	free((char *)env.source_dir);
	free((char *)env.scratch_dir);
	free((char *)env.cache_dir);
	assert_ok(fs_rmtree(scratch, &err), &err);
	free(scratch);
	return failed;
}
