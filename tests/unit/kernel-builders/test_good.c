// SPDX-License-Identifier: GPL-2.0-or-later
/* Which commit before another was built as a base. */
#include "trees.h"

#include "base/fs.h"
#include "kernel-builders/good.h"

static char dir[] = "/tmp/firn-test-XXXXXX";
static git_repository *repo;

static int repo_make(void **state)
{
	auto_free char *path = NULL;

	(void)state;
	assert_non_null(mkdtemp(dir));
	path = xasprintf("%s/r.git", dir);
	repo = tree_repo(path);
	return 0;
}

static int repo_remove(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	git_repository_free(repo);
	assert_ok(fs_rmtree(dir, &err), &err);
	return 0;
}

static void good(const git_oid *commit)
{
	auto_free char *objects = xasprintf("%s/objects/r", dir);
	const struct build_request req = {.builder = builder_find("ppc64le-lean"),
					  .repo = repo,
					  .commit = *commit,
					  .cache_dir = dir};
	struct err err = ERR_INIT;

	assert_ok(fs_mkdirs(objects, &err), &err);
	build_good_add(&req);
}

static bool found(const git_oid *before, git_oid *ret)
{
	return build_last_good(repo, dir, "ppc64le-lean", before, ret);
}

static void the_newest_that_was_built_is_found(void **state)
{
	git_oid c[6], side, got;

	(void)state;
	for (size_t i = 0; i < array_size(c); i++)
		c[i] = tree_commit(repo, i ? &c[i - 1] : NULL,
				   (const struct tree_file[]){{"x", i % 2 ? "1" : "0", 0}, {0}});
	side = tree_commit(repo, &c[2], (const struct tree_file[]){{"x", "side", 0}, {0}});
	assert_false(found(&c[5], &got));
	good(&c[3]);
	good(&c[1]);
	good(&side);
	assert_true(found(&c[5], &got));
	assert_true(git_oid_equal(&got, &c[3]));
	/* not itself, and nothing of another branch */
	assert_true(found(&c[3], &got));
	assert_true(git_oid_equal(&got, &c[1]));
	assert_false(found(&c[1], &got));
	assert_true(found(&side, &got));
	assert_true(git_oid_equal(&got, &c[1]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_newest_that_was_built_is_found, repo_make,
						repo_remove),
	};

	return cmocka_run_group_tests_name("last good", tests, NULL, NULL);
}
