/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commits made on the spot, for tests of the builders. */
#ifndef FIRN_TESTS_TREES_H
#define FIRN_TESTS_TREES_H

#include "unit/unit.h"

#include "base/cleanup.h"
#include "base/str.h"
#include <git2.h>

struct tree_file {
	const char *path;
	const char *text; /* NULL: removed */
	unsigned mode;	  /* 0: an ordinary file */
};

/* A bare repository in `dir`, which must not be there. */
static inline git_repository *tree_repo(const char *dir)
{
	git_repository *repo = NULL;

	git_libgit2_init();
	assert_int_equal(git_repository_init(&repo, dir, true), 0);
	return repo;
}

static inline git_oid tree_blob(git_repository *repo, const char *text)
{
	git_oid id;

	assert_int_equal(git_blob_create_from_buffer(&id, repo, text, strlen(text)), 0);
	return id;
}

static inline git_oid tree_commit_of(git_repository *repo, const git_oid *tree_id,
				     const git_commit *parent)
{
	auto_git(tree) git_tree *tree = NULL;
	git_signature *who = NULL;
	git_oid id;

	assert_int_equal(git_tree_lookup(&tree, repo, tree_id), 0);
	assert_int_equal(git_signature_new(&who, "A Tester", "tester@example.org", 1577836800, 0),
			 0);
	assert_int_equal(git_commit_create(&id, repo, NULL, who, who, NULL, "test\n", tree,
					   parent ? 1 : 0, parent ? &parent : NULL),
			 0);
	git_signature_free(who);
	return id;
}

/* A commit on top of `base` (NULL: of an empty tree, without a parent) with these files changed.
 * The list ends with a NULL path. */
static inline git_oid tree_commit(git_repository *repo, const git_oid *base,
				  const struct tree_file *file)
{
	git_tree_update update[16];
	auto_git(commit) git_commit *commit = NULL;
	auto_git(tree) git_tree *tree = NULL;
	git_oid empty, id;
	git_treebuilder *none = NULL;
	size_t n = 0;

	if (base) {
		assert_int_equal(git_commit_lookup(&commit, repo, base), 0);
		assert_int_equal(git_commit_tree(&tree, commit), 0);
	} else {
		assert_int_equal(git_treebuilder_new(&none, repo, NULL), 0);
		assert_int_equal(git_treebuilder_write(&empty, none), 0);
		git_treebuilder_free(none);
		assert_int_equal(git_tree_lookup(&tree, repo, &empty), 0);
	}
	for (; file->path; file++) {
		assert_true(n < array_size(update));
		update[n] = (git_tree_update){
			.action = file->text ? GIT_TREE_UPDATE_UPSERT : GIT_TREE_UPDATE_REMOVE,
			.filemode = file->mode ? file->mode : GIT_FILEMODE_BLOB,
			.path = file->path};
		if (file->text)
			update[n].id = tree_blob(repo, file->text);
		n++;
	}
	assert_int_equal(git_tree_create_updated(&id, repo, tree, n, update), 0);
	return tree_commit_of(repo, &id, commit);
}

#endif
