// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The real thing: builds Linux. FIRN_TEST_TREE names a git repository of it (its HEAD is built, and
 * it is not written to), FIRN_TEST_CACHE a cache to keep between runs. The first run takes minutes,
 * if no `firn run` has built the base in that cache yet.
 */
#include "trees.h"

#include "base/clock.h"
#include "base/fs.h"
#include "kernel-builders/builder.h"
#include "series/repo.h"

#define SKIPPED 77

static git_repository *repo;
static git_oid base;
static const char *cache;
static char *scratch;
/* New in each run, so that what is to be built is not in the cache. */
static char *comment, *declaration;

/* The repository that `firn run` has for this tree: so the objects of its base are there, and what
 * is left to make are the modules. */
static git_repository *repo_shared(const char *tree)
{
	git_repository *user = NULL, *ours = NULL;
	git_object *head = NULL;
	struct err err = ERR_INIT;

	assert_ok(repo_open(tree, cache, &ours, &user, &err), &err);
	assert_int_equal(git_revparse_single(&head, user, "HEAD^{commit}"), 0);
	base = *git_object_id(head);
	git_object_free(head);
	git_repository_free(user);
	return ours;
}

static void progress(void *ctx, const char *what, unsigned n)
{
	static double told;

	(void)ctx;
	if (clock_mono() - told > 20) {
		told = clock_mono();
		print_message("  %u: %s\n", n, what);
	}
}

static void build(const char *name, const git_oid *commit, bool is_base, struct build_result *ret)
{
	const char *const modules[] = {FIXTURES "/kernel-builders/modules/probe", NULL};
	auto_free char *log = xasprintf("%s/%s.log", scratch, name);
	const struct build_request req = {
		.builder = builder_find("ppc64le-lean"),
		.repo = repo,
		.commit = *commit,
		.is_base = is_base,
		.slot = "test",
		.cache_dir = cache,
		.log_path = log,
		.modules = modules,
		.on_progress = progress,
	};
	double start = clock_mono();
	struct err err = ERR_INIT;

	*ret = (struct build_result){0};
	assert_ok(build_run(&req, ret, &err), &err);
	print_message("%s: %s, %s (%.1f s)\n", name, outcome_name(ret->outcome), ret->reason,
		      clock_mono() - start);
}

/* The tree of `from` with a piece of text of a file replaced. */
static git_oid commit_edit(const git_oid *from, const char *path, const char *old, const char *new)
{
	auto_git(commit) git_commit *commit = NULL;
	auto_git(tree) git_tree *tree = NULL;
	git_tree_entry *entry = NULL;
	auto_git(blob) git_blob *blob = NULL;
	auto_free char *text = NULL, *changed = NULL;
	const char *at;

	assert_int_equal(git_commit_lookup(&commit, repo, from), 0);
	assert_int_equal(git_commit_tree(&tree, commit), 0);
	assert_int_equal(git_tree_entry_bypath(&entry, tree, path), 0);
	assert_int_equal(git_blob_lookup(&blob, repo, git_tree_entry_id(entry)), 0);
	git_tree_entry_free(entry);
	text = xmemdup(git_blob_rawcontent(blob), (size_t)git_blob_rawsize(blob));
	at = strstr(text, old);
	assert_non_null(at);
	changed = xasprintf("%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
	return tree_commit(repo, from, (const struct tree_file[]){{path, changed, 0}, {0}});
}

static void assert_file(const struct build_result *r, const char *name)
{
	auto_free char *path = xasprintf("%s/%s", r->artifact_dir, name);

	if (!fs_exists(path))
		fail_msg("no %s", path);
}

static bool same_file(const struct build_result *a, const struct build_result *b, const char *name)
{
	auto_free char *pa = xasprintf("%s/%s", a->artifact_dir, name);
	auto_free char *pb = xasprintf("%s/%s", b->artifact_dir, name);
	auto_str struct str x, y;
	struct err err = ERR_INIT;

	str_init(&x, 0);
	str_init(&y, 0);
	assert_ok(fs_read(pa, (size_t)1 << 30, ERR_INFRA, &x, &err), &err);
	assert_ok(fs_read(pb, (size_t)1 << 30, ERR_INFRA, &y, &err), &err);
	return x.len == y.len && memcmp(x.buf, y.buf, x.len) == 0;
}

#define auto_build_result __attribute__((cleanup(build_result_done)))

static void the_base_builds_and_is_kept(void **state)
{
	auto_build_result struct build_result first, again;

	(void)state;
	build("base", &base, true, &first);
	assert_int_equal(first.outcome, OUTCOME_PASS);
	assert_file(&first, "vmlinux");
	assert_file(&first, "System.map");
	assert_file(&first, "config");
	assert_file(&first, "probe.ko");
	build("base-again", &base, true, &again);
	assert_true(again.cached);
	assert_string_equal(again.key, first.key);
	assert_true(again.seconds < 1);
}

#define FILE_EDITED "arch/powerpc/mm/numa.c"
#define LINE_EDITED "int numa_cpu_lookup_table[NR_CPUS];\n"

static void a_comment_gives_the_same_image(void **state)
{
	auto_build_result struct build_result r0, r;
	git_oid commit = commit_edit(&base, FILE_EDITED, "#include", comment);

	(void)state;
	build("base", &base, true, &r0);
	build("comment", &commit, false, &r);
	assert_int_equal(r.outcome, OUTCOME_PASS);
	assert_true(same_file(&r0, &r, "vmlinux"));
	assert_string_not_equal(r0.key, r.key);
}

/* Two patches, and the second takes back the first: the objects of the slot must not be taken for
 * it. */
static void a_patch_and_its_revert(void **state)
{
	auto_build_result struct build_result r0, r1, r2;
	git_oid patched = commit_edit(&base, FILE_EDITED, LINE_EDITED, declaration);
	git_oid reverted = commit_edit(&patched, "mm/memory.c", "#include", comment);

	(void)state;
	reverted = commit_edit(&reverted, FILE_EDITED, declaration, LINE_EDITED);
	build("base", &base, true, &r0);
	build("patch", &patched, false, &r1);
	build("revert", &reverted, false, &r2);
	assert_int_equal(r1.outcome, OUTCOME_PASS);
	assert_int_equal(r2.outcome, OUTCOME_PASS);
	assert_false(same_file(&r0, &r1, "vmlinux"));
	assert_true(same_file(&r0, &r2, "vmlinux"));
}

static void a_patch_that_does_not_compile_fails(void **state)
{
	auto_build_result struct build_result r;
	git_oid commit =
		commit_edit(&base, FILE_EDITED, LINE_EDITED, LINE_EDITED "int firn_test = ;\n");

	(void)state;
	build("broken", &commit, false, &r);
	assert_int_equal(r.outcome, OUTCOME_FAIL);
	assert_true(r.n_diagnostics >= 1);
	assert_true(r.diagnostic[0].is_error);
	assert_string_equal(r.diagnostic[0].path, FILE_EDITED);
	assert_true(r.diagnostic[0].line > 1);
	assert_non_null(strstr(r.diagnostic[0].text, "expected expression"));
	assert_true(str_starts(r.reason, FILE_EDITED ":"));
}

static void an_undefined_symbol_fails(void **state)
{
	auto_build_result struct build_result r;
	git_oid commit = commit_edit(&base, FILE_EDITED, LINE_EDITED,
				     LINE_EDITED "int firn_absent(void);\n"
						 "int firn_test(void);\n"
						 "int firn_test(void) { return firn_absent(); }\n");

	(void)state;
	build("unlinked", &commit, false, &r);
	assert_int_equal(r.outcome, OUTCOME_FAIL);
	assert_string_equal(r.reason, FILE_EDITED ": error: undefined reference to `firn_absent'");
}

static void a_broken_kconfig_fails(void **state)
{
	auto_build_result struct build_result r;
	git_oid commit = commit_edit(&base, "mm/Kconfig", "config ", "confog FIRN\n\nconfig ");

	(void)state;
	build("kconfig", &commit, false, &r);
	assert_int_equal(r.outcome, OUTCOME_FAIL);
	assert_string_equal(r.diagnostic[0].path, "mm/Kconfig");
}

static void a_new_warning_is_seen(void **state)
{
	auto_build_result struct build_result r;
	git_oid commit = commit_edit(&base, FILE_EDITED, LINE_EDITED,
				     LINE_EDITED "static int firn_unused(void) { return 0; }\n");

	(void)state;
	build("warning", &commit, false, &r);
	assert_int_equal(r.outcome, OUTCOME_PASS);
	assert_int_equal(r.n_diagnostics, 1);
	assert_false(r.diagnostic[0].is_error);
	assert_non_null(strstr(r.diagnostic[0].text, "firn_unused"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_base_builds_and_is_kept),
		cmocka_unit_test(a_comment_gives_the_same_image),
		cmocka_unit_test(a_patch_and_its_revert),
		cmocka_unit_test(a_patch_that_does_not_compile_fails),
		cmocka_unit_test(an_undefined_symbol_fails),
		cmocka_unit_test(a_broken_kconfig_fails),
		cmocka_unit_test(a_new_warning_is_seen),
	};
	const char *tree = getenv("FIRN_TEST_TREE");
	struct err err = ERR_INIT;
	int failed;

	cache = getenv("FIRN_TEST_CACHE");
	if (!tree || !cache) {
		print_message("SKIP: FIRN_TEST_TREE (a git repository of Linux) and "
			      "FIRN_TEST_CACHE are not set\n");
		return SKIPPED;
	}
	scratch = xasprintf("%s/firn-test-XXXXXX", getenv("TMPDIR") ?: "/tmp");
	if (!mkdtemp(scratch))
		return 1;
	comment = xasprintf("/* firn test %lld */ #include", (long long)clock_wall());
	declaration =
		xasprintf(LINE_EDITED "int firn_test_symbol = %lld;\n", (long long)clock_wall());
	repo = repo_shared(tree);
	failed = cmocka_run_group_tests_name("real build", tests, NULL, NULL);
	if (build_drop_slot(cache, "test", &err) < 0)
		print_message("%s\n", err.msg);
	git_repository_free(repo);
	if (!failed && fs_rmtree(scratch, &err) < 0)
		print_message("%s\n", err.msg);
	free(scratch);
	free(comment);
	free(declaration);
	return failed;
}
