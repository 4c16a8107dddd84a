// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit/unit.h"

#include "base/fs.h"
#include "checkers/checkpatch_pl.h"

#define STABLE "Cc: stable@vger.kernel.org\n"
/* More than a handful: see HISTORY_MIN. */
#define COMMITS 500

static char *dir;
static git_repository *repo;
static git_oid tip, side, tree;
static char named[13], elsewhere[13]; /* a commit of the history, and one beside it */

static git_oid commit(const git_oid *parent, const char *subject)
{
	git_commit *p = NULL;
	git_signature *who;
	const git_commit *parents[1];
	git_tree *t;
	git_oid id;

	assert_int_equal(git_signature_new(&who, "Ada Firn", "ada@example.org", 1000000000, 0), 0);
	assert_int_equal(git_tree_lookup(&t, repo, &tree), 0);
	if (parent)
		assert_int_equal(git_commit_lookup(&p, repo, parent), 0);
	parents[0] = p;
	assert_int_equal(
		git_commit_create(&id, repo, NULL, who, who, NULL, subject, t, p ? 1 : 0, parents),
		0);
	git_commit_free(p);
	git_tree_free(t);
	git_signature_free(who);
	return id;
}

/* A history of our own. */
static int setup(void **state)
{
	git_treebuilder *builder;

	(void)state;
	git_libgit2_init();
	git_libgit2_opts(GIT_OPT_ENABLE_STRICT_OBJECT_CREATION, 0);
	dir = xasprintf("%s/firn-test-XXXXXX", getenv("TMPDIR") ?: "/tmp");
	assert_non_null(mkdtemp(dir));
	assert_int_equal(git_repository_init(&repo, dir, 1), 0);
	assert_int_equal(git_treebuilder_new(&builder, repo, NULL), 0);
	assert_int_equal(git_treebuilder_write(&tree, builder), 0);
	git_treebuilder_free(builder);
	tip = commit(NULL, "Import");
	side = commit(&tip, "lib: a commit that was never merged");
	for (int i = 1; i < COMMITS; i++) {
		tip = commit(&tip, i == 5 ? "lib: add \"ice\" (for skates)" : "lib: something");
		if (i == 5)
			git_oid_tostr(named, sizeof(named), &tip);
	}
	git_oid_tostr(elsewhere, sizeof(elsewhere), &side);
	return 0;
}

static int teardown(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	git_repository_free(repo);
	assert_ok(fs_rmtree(dir, &err), &err);
	free(dir);
	git_libgit2_shutdown();
	return 0;
}

static struct check_env env_at(const git_oid *base)
{
	return (struct check_env){.repo = repo, .base = *base};
}

/* What a message with these trailers gives: "OUTCOME: TYPE TYPE", a finding after the other. */
static void check(const struct check_env *env, const char *trailers, const char *want,
		  const char *want_text)
{
	auto_free char *message = xasprintf("lib: fix ice\n\nText.\n\n%s", trailers);
	const struct patch patch = {.message = message};
	struct check_result r = {0};
	struct err err = ERR_INIT;
	auto_str struct str have, all;

	str_init(&have, 0);
	str_init(&all, 0);
	assert_ok(checker_needs_stable.run(env, &patch, &r, &err), &err);
	str_addf(&have, "%s:", outcome_name(r.outcome));
	str_addf(&all, "%s\n", r.reason);
	for (size_t i = 0; i < r.n; i++) {
		str_addf(&have, " %s", r.finding[i].type);
		str_addf(&all, "%s\n", r.finding[i].message);
	}
	if (strcmp(have.buf, want) != 0 || !strstr(all.buf, want_text))
		fail_msg("%s: \"%s\", not \"%s\" with \"%s\"\n%s", trailers, have.buf, want,
			 want_text, all.buf);
	check_result_done(&r);
}

static void no_tag_passes(void **state)
{
	const struct check_env env = env_at(&tip);

	(void)state;
	check(&env, "Signed-off-by: A <a@example.org>\n", "pass:", "Patch has no Fixes tags");
	check(&env, STABLE, "pass:", "Patch has no Fixes tags");
}

static void right_tag_wants_stable(void **state)
{
	const struct check_env env = env_at(&tip);
	auto_free char *tag = xasprintf("Fixes: %s (\"lib: add \"ice\" (for skates)\")\n", named);
	auto_free char *both = xasprintf("%s" STABLE, tag);
	auto_free char *old = xasprintf("%sCC: <stable@kernel.org> # 6.1\n", tag);

	(void)state;
	check(&env, tag, "warn: NEEDS_STABLE", "Fixes tag but no Cc: stable");
	check(&env, both, "pass:", "Fixes tag and Cc: stable");
	check(&env, old, "pass:", "Fixes tag and Cc: stable");
}

static void wrong_form_shows_the_right_one(void **state)
{
	const struct check_env env = env_at(&tip);
	auto_free char *right = xasprintf("Fixes: %s (\"lib: add \"ice\" (for skates)\")", named);
	auto_free char *abbreviated = xasprintf("Fixes: %.8s (\"lib: add ice\")\n" STABLE, named);
	auto_free char *bare = xasprintf("Fixes: %s\n" STABLE, named);
	auto_free char *word = xasprintf("Fixes: commit %s (\"x\")\n" STABLE, named);

	(void)state;
	check(&env, abbreviated, "warn: BAD_FIXES_TAG", right);
	check(&env, bare, "warn: BAD_FIXES_TAG", right);
	check(&env, word, "warn: BAD_FIXES_TAG", "subject of that commit");
	check(&env, "Fixes: https://example.org/bug/1\n" STABLE, "warn: BAD_FIXES_TAG",
	      "Fixes: 1234");
	check(&env, "Fixes:\n" STABLE, "warn: BAD_FIXES_TAG", "Fixes: 1234");
}

static void another_subject_is_shown(void **state)
{
	const struct check_env env = env_at(&tip);
	auto_free char *tag = xasprintf("Fixes: %s (\"lib: add snow\")\n" STABLE, named);

	(void)state;
	check(&env, tag, "warn: BAD_FIXES_TAG", "(\"lib: add \"ice\" (for skates)\")");
}

static void unknown_commit_counts_where_there_is_history(void **state)
{
	const struct check_env full = env_at(&tip), tarball = env_at(&side), nowhere = {0};
	static const char tag[] = "Fixes: 0123456789ab (\"lib: add rain\")\n" STABLE;

	(void)state;
	check(&full, tag, "warn: UNKNOWN_COMMIT_ID", "not in the tree");
	check(&tarball, tag, "pass: UNKNOWN_COMMIT_ID", "has no history (2 commits)");
	check(&nowhere, tag, "pass: UNKNOWN_COMMIT_ID", "no repository");
}

static void commit_beside_the_base_is_told(void **state)
{
	const struct check_env env = env_at(&tip);
	auto_free char *tag = xasprintf(
		"Fixes: %s (\"lib: a commit that was never merged\")\n" STABLE, elsewhere);

	(void)state;
	check(&env, tag, "warn: FIXES_NOT_IN_BASE", "not in the base");
}

/* The script runs without git and calls every id unknown: the history says which are. */
static void unknown_commits_of_the_script_are_settled(void **state)
{
	struct check_env with = env_at(&tip), without;
	struct check_result r = {0};
	struct err err = ERR_INIT;
	git_oid root;

	(void)state;
	check_result_add(&r, FINDING_WARNING, "UNKNOWN_COMMIT_ID", NULL, 0, 5,
			 "Unknown commit id '%s', maybe rebased or not pulled?", named);
	check_result_add(&r, FINDING_WARNING, "UNKNOWN_COMMIT_ID", NULL, 0, 6,
			 "Unknown commit id 'feedfacecafe', maybe rebased or not pulled?");
	check_result_add(&r, FINDING_ERROR, "OTHER", NULL, 0, 7, "commit %s", named);
	assert_ok(script_commits_settle(&r, &with, &err), &err);
	assert_int_equal(r.n, 2);
	assert_int_equal(r.finding[0].patch_line, 6);
	assert_int_equal(r.finding[0].level, FINDING_WARNING);
	assert_string_equal(r.finding[1].type, "OTHER");

	/* A root commit has no history behind it. */
	root = commit(NULL, "Import of a tarball");
	without = env_at(&root);
	assert_ok(script_commits_settle(&r, &without, &err), &err);
	assert_int_equal(r.n, 2);
	assert_int_equal(r.finding[0].level, FINDING_NOTE);
	assert_non_null(strstr(r.finding[0].message, "feedfacecafe cannot be verified"));
	check_result_done(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_tag_passes),
		cmocka_unit_test(right_tag_wants_stable),
		cmocka_unit_test(wrong_form_shows_the_right_one),
		cmocka_unit_test(another_subject_is_shown),
		cmocka_unit_test(unknown_commit_counts_where_there_is_history),
		cmocka_unit_test(commit_beside_the_base_is_told),
		cmocka_unit_test(unknown_commits_of_the_script_are_settled),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
