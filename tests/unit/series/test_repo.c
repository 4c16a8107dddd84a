// SPDX-License-Identifier: GPL-2.0-or-later
#include "apply_help.h"

#include <dirent.h>

struct place_of_work {
	char *dir, *cache, *tree;
};

static int setup(void **state)
{
	struct place_of_work *w = xcalloc(1, sizeof(*w));

	w->dir = scratch_new();
	w->cache = xasprintf("%s/cache", w->dir);
	w->tree = xasprintf("%s/my linux", w->dir);
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	struct place_of_work *w = *state;

	scratch_drop(w->dir);
	free(w->cache);
	free(w->tree);
	free(w);
	return 0;
}

static const struct file_spec files[] = {F("Makefile", "all:\n"), F("mm/a.c", "a\n")};

/* A repository with one commit on its head. */
static git_oid repo_make(const char *path, bool bare)
{
	auto_git(repository) git_repository *repo = NULL;

	assert_int_equal(git_repository_init(&repo, path, bare), 0);
	return commit_make(repo, "HEAD", "base", files, array_size(files));
}

static char *contents(const char *path)
{
	struct err err = ERR_INIT;
	struct str text;

	str_init(&text, 0);
	assert_ok(fs_read(path, 65536, ERR_INPUT, &text, &err), &err);
	return str_take(&text);
}

static bool can_read(git_repository *repo, const git_oid *id)
{
	auto_git(commit) git_commit *commit = NULL;

	return git_commit_lookup(&commit, repo, id) == 0;
}

static void objects_are_borrowed(void **state)
{
	struct place_of_work *w = *state;
	git_oid base = repo_make(w->tree, false);
	auto_git(repository) git_repository *ours = NULL, *user = NULL, *again = NULL,
					    *user2 = NULL;
	auto_free char *inside = xasprintf("%s/.git", w->tree);
	struct err err = ERR_INIT;

	assert_ok(repo_open(w->tree, w->cache, &ours, &user, &err), &err);
	assert_true(git_repository_is_bare(ours));
	assert_true(can_read(ours, &base));
	assert_non_null(strstr(git_repository_path(ours), "/cache/repos/my_linux-"));
	/* The same repository under another name is the same one in the cache. */
	assert_ok(repo_open(inside, w->cache, &again, &user2, &err), &err);
	assert_string_equal(git_repository_path(ours), git_repository_path(again));
}

static void commits_go_to_ours_only(void **state)
{
	static const char *const diff[] = {"--- a/mm/a.c\n+++ b/mm/a.c\n@@ -1 +1 @@\n-a\n+b\n"};
	struct place_of_work *w = *state;
	git_oid base = repo_make(w->tree, true);
	auto_git(repository) git_repository *ours = NULL, *user = NULL;
	struct apply_result result = {0};
	struct err err = ERR_INIT;
	struct series s;

	series_make(&s, diff, 1);
	assert_ok(repo_open(w->tree, w->cache, &ours, &user, &err), &err);
	assert_ok(apply_series(ours, &base, &s, "refs/firn/s", &result, &err), &err);
	assert_true(can_read(ours, &result.commit[0].commit));
	assert_false(can_read(user, &result.commit[0].commit));
	apply_result_done(&result);
	series_drop(&s);
}

/* One that lost its alternates, or whose tree has moved its objects, is put right. */
static void alternates_are_repaired(void **state)
{
	struct place_of_work *w = *state;
	git_oid base = repo_make(w->tree, true);
	git_repository *ours, *user;
	struct err err = ERR_INIT;

	assert_ok(repo_open(w->tree, w->cache, &ours, &user, &err), &err);
	auto_free char *file = xasprintf("%sobjects/info/alternates", git_repository_path(ours));
	git_repository_free(ours);
	git_repository_free(user);
	assert_int_equal(unlink(file), 0);
	assert_ok(repo_open(w->tree, w->cache, &ours, &user, &err), &err);
	assert_true(can_read(ours, &base));
	git_repository_free(ours);
	git_repository_free(user);
}

/* The tree borrows from another one by a relative path, as git clone --shared never does but people
 * do. */
static void chains_of_alternates_are_followed(void **state)
{
	struct place_of_work *w = *state;
	auto_free char *lender = xasprintf("%s/lender.git", w->dir);
	auto_free char *file = xasprintf("%s/objects/info/alternates", w->tree);
	git_oid base = repo_make(lender, true);
	auto_git(repository) git_repository *ours = NULL, *user = NULL, *tree = NULL;
	struct err err = ERR_INIT;

	assert_int_equal(git_repository_init(&tree, w->tree, 1), 0);
	assert_ok(fs_write_atomic(file, "# comment\n../../lender.git/objects\n/gone\n", 41, &err),
		  &err);
	assert_ok(repo_open(w->tree, w->cache, &ours, &user, &err), &err);
	assert_true(can_read(ours, &base));
	auto_free char *out = xasprintf("%sobjects/info/alternates", git_repository_path(ours));
	auto_free char *text = contents(out);
	assert_non_null(strstr(text, "/lender.git/objects\n"));
	assert_null(strstr(text, "/gone"));
}

static void linked_work_trees_share(void **state)
{
	struct place_of_work *w = *state;
	git_oid base = repo_make(w->tree, false);
	auto_free char *path = xasprintf("%s/linked", w->dir);
	auto_git(repository) git_repository *main = NULL, *ours = NULL, *user = NULL, *ours2 = NULL,
					    *user2 = NULL;
	git_worktree *linked;
	struct err err = ERR_INIT;

	assert_int_equal(git_repository_open(&main, w->tree), 0);
	assert_int_equal(git_worktree_add(&linked, main, "linked", path, NULL), 0);
	git_worktree_free(linked);
	assert_ok(repo_open(path, w->cache, &ours, &user, &err), &err);
	assert_true(can_read(ours, &base));
	assert_ok(repo_open(w->tree, w->cache, &ours2, &user2, &err), &err);
	assert_string_equal(git_repository_path(ours), git_repository_path(ours2));
}

static void what_is_no_repository_is_refused(void **state)
{
	struct place_of_work *w = *state;
	git_repository *ours = NULL, *user = NULL;
	struct err err = ERR_INIT;

	assert_err(repo_open(w->tree, w->cache, &ours, &user, &err), &err, ERR_CONFIG,
		   "cannot open");
	assert_ok(fs_mkdirs(w->tree, &err), &err);
	assert_err(repo_open(w->tree, w->cache, &ours, &user, &err), &err, ERR_CONFIG,
		   "is not a git repository (make one with");
	assert_null(ours);
	assert_null(user);
	assert_false(fs_exists(w->cache));
}

/* Nothing half-made stays behind when the cache cannot be written. */
static void cache_that_is_a_file_is_ours(void **state)
{
	struct place_of_work *w = *state;
	git_repository *ours = NULL, *user = NULL;
	struct err err = ERR_INIT;

	repo_make(w->tree, true);
	assert_ok(fs_write_atomic(w->cache, "", 0, &err), &err);
	assert_int_equal(repo_open(w->tree, w->cache, &ours, &user, &err), ERR_INFRA);
	assert_null(user);
}

#define unit(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		unit(objects_are_borrowed),	    unit(commits_go_to_ours_only),
		unit(alternates_are_repaired),	    unit(chains_of_alternates_are_followed),
		unit(linked_work_trees_share),	    unit(what_is_no_repository_is_refused),
		unit(cache_that_is_a_file_is_ours),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
