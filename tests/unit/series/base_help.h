/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Histories made up for the tests of the base index and of guessing. */
#ifndef FIRN_TESTS_BASE_HELP_H
#define FIRN_TESTS_BASE_HELP_H

#include "apply_help.h"

#include "series/base_pick.h"

#define DAY	((int64_t)24 * 3600)
#define EPOCH	((int64_t)1700000000)
#define ON(day) (EPOCH + (day)*DAY)

/* The index is synced to disk each time, which takes longer than all else here. */
static inline void scratch_in_memory(void)
{
	if (access("/dev/shm", W_OK) == 0)
		setenv("TMPDIR", "/dev/shm", 0);
}

/* A commit on a day after EPOCH, of these files alone; `ref` (may be NULL) is moved to it. */
struct commit_spec {
	const char *ref;
	int day;
	const struct file_spec *file;
	size_t n_files;
	const git_oid *parent[2]; /* NULL: none */
};

static inline git_oid commit_on(git_repository *repo, const struct commit_spec *spec)
{
	git_oid tree_id = tree_make(repo, spec->file, spec->n_files), id;
	git_commit *parent[2] = {0};
	auto_git(tree) git_tree *tree = NULL;
	git_signature *who;
	git_reference *ref = NULL;
	size_t n = 0;

	while (n < 2 && spec->parent[n]) {
		assert_int_equal(git_commit_lookup(&parent[n], repo, spec->parent[n]), 0);
		n++;
	}
	assert_int_equal(git_tree_lookup(&tree, repo, &tree_id), 0);
	assert_int_equal(git_signature_new(&who, "Wilma", "w@example.org", ON(spec->day), 0), 0);
	assert_int_equal(git_commit_create(&id, repo, NULL, who, who, NULL, "mm: a commit", tree, n,
					   (const git_commit **)parent),
			 0);
	if (spec->ref) {
		assert_int_equal(git_reference_create(&ref, repo, spec->ref, &id, 1, NULL), 0);
		git_reference_free(ref);
	}
	git_signature_free(who);
	git_commit_free(parent[0]);
	git_commit_free(parent[1]);
	return id;
}

static inline const char *blob_hex(const char *text, char out[GIT_OID_HEXSZ + 1])
{
	git_oid id;

	assert_int_equal(git_odb_hash(&id, text, strlen(text), GIT_OBJECT_BLOB), 0);
	return git_oid_tostr(out, GIT_OID_HEXSZ + 1, &id);
}

/* The diff of a file that was `text` before, its id cut to `digits`. */
static inline char *diff_of(const char *path, const char *text, int digits)
{
	char hex[GIT_OID_HEXSZ + 1];

	return xasprintf("diff --git a/%s b/%s\nindex %.*s..1234567 100644\n--- a/%s\n+++ b/%s\n"
			 "@@ -1 +1 @@\n-a\n+b\n",
			 path, path, digits, blob_hex(text, hex), path, path);
}

#endif
