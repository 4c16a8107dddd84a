/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Repositories and series made up for the tests of apply, repo and base_pick. */
#ifndef FIRN_TESTS_APPLY_HELP_H
#define FIRN_TESTS_APPLY_HELP_H

#include "unit/unit.h"

#include "base/fs.h"
#include "series/apply.h"
#include "series/repo.h"

struct file_spec {
	const char *path;
	const char *text;
	git_filemode_t mode;
};

/* A file, a program and a symbolic link. */
#define F(path, text)                                                                              \
	{                                                                                          \
		path, text, GIT_FILEMODE_BLOB                                                      \
	}
#define X(path, text)                                                                              \
	{                                                                                          \
		path, text, GIT_FILEMODE_BLOB_EXECUTABLE                                           \
	}
#define L(path, text)                                                                              \
	{                                                                                          \
		path, text, GIT_FILEMODE_LINK                                                      \
	}

static inline char *scratch_new(void)
{
	char *dir = xasprintf("%s/firn-apply-XXXXXX", getenv("TMPDIR") ?: "/tmp");

	repo_setup();
	/* Thousands of little files: not on a real disk. */
	git_libgit2_opts(GIT_OPT_ENABLE_FSYNC_GITDIR, 0);
	assert_non_null(mkdtemp(dir));
	return dir;
}

static inline void scratch_drop(char *dir)
{
	struct err err = ERR_INIT;

	assert_ok(fs_rmtree(dir, &err), &err);
	free(dir);
}

static inline git_oid tree_make(git_repository *repo, const struct file_spec *file, size_t n)
{
	git_index *index;
	git_oid tree;

	assert_int_equal(git_index_new(&index), 0);
	for (size_t i = 0; i < n; i++) {
		git_index_entry e = {.path = file[i].path, .mode = file[i].mode};

		assert_int_equal(git_blob_create_from_buffer(&e.id, repo, file[i].text,
							     strlen(file[i].text)),
				 0);
		assert_int_equal(git_index_add(index, &e), 0);
	}
	assert_int_equal(git_index_write_tree_to(&tree, index, repo), 0);
	git_index_free(index);
	return tree;
}

/* A commit of these files; `ref` (may be NULL) is pointed at it. */
static inline git_oid commit_make(git_repository *repo, const char *ref, const char *subject,
				  const struct file_spec *file, size_t n)
{
	git_oid tree_id = tree_make(repo, file, n), id;
	auto_git(tree) git_tree *tree = NULL;
	git_signature *who;

	assert_int_equal(git_tree_lookup(&tree, repo, &tree_id), 0);
	assert_int_equal(
		git_signature_new(&who, "Wilma Example", "wilma@example.org", 1700000000, 60), 0);
	assert_int_equal(git_commit_create(&id, repo, ref, who, who, NULL, subject, tree, 0, NULL),
			 0);
	git_signature_free(who);
	return id;
}

/* A series of one patch a diff. Free with series_drop(). */
static inline void series_make(struct series *s, const char *const *diff, size_t n)
{
	*s = (struct series){.version = 1, .total = (unsigned)n, .n_patches = n};
	s->patch = xcalloc(n, sizeof(*s->patch));
	for (size_t i = 0; i < n; i++) {
		struct err err = ERR_INIT;
		struct patch *p = &s->patch[i];

		p->subject = (struct subject){.number = (unsigned)i + 1,
					      .total = (unsigned)n,
					      .text = (char *)"mm: change it"};
		p->author = (struct ident){(char *)"Wilma Example", (char *)"wilma@example.org",
					   1700000001, -90};
		p->message = (char *)"mm: change it\n\nBecause.\n";
		p->diff_text = (char *)diff[i];
		p->diff_len = strlen(diff[i]);
		if (diff_parse(p->diff_text, p->diff_len, &p->diff, &err))
			p->diff_error = xstrdup(err.msg);
	}
}

static inline void series_drop(struct series *s)
{
	for (size_t i = 0; i < s->n_patches; i++) {
		diff_free(s->patch[i].diff);
		free(s->patch[i].diff_error);
	}
	free(s->patch);
}

#endif
