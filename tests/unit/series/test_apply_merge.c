// SPDX-License-Identifier: GPL-2.0-or-later
/* Patches that the tree has moved away from: 3-way merge, patches that are in, and what history
 * says of conflicts. */
#include "apply_fixture.h"

/* A commit of one file on top of another; zero: a root. */
static git_oid commit_on(struct place_of_work *w, const git_oid *parent, const char *subject,
			 const struct file_spec *file)
{
	auto_git(commit) git_commit *on = NULL;
	auto_git(tree) git_tree *tree = NULL;
	git_oid tree_id = tree_make(w->repo, file, 1), id;
	const git_commit *parents[1];
	git_signature *who;

	assert_int_equal(git_tree_lookup(&tree, w->repo, &tree_id), 0);
	if (parent)
		assert_int_equal(git_commit_lookup(&on, w->repo, parent), 0);
	parents[0] = on;
	assert_int_equal(git_signature_new(&who, "Wilma", "wilma@example.org",
					   on ? git_commit_time(on) + 60 : 1700000000, 0),
			 0);
	assert_int_equal(git_commit_create(&id, w->repo, NULL, who, who, NULL, subject, tree,
					   on ? 1 : 0, parents),
			 0);
	git_signature_free(who);
	return id;
}

static git_oid blob_id(const char *text)
{
	git_oid id;

	assert_int_equal(git_odb_hash(&id, text, strlen(text), GIT_OBJECT_BLOB), 0);
	return id;
}

#define OLD  "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n"
#define NEW  "1\n2\n3\n4\n5\nVI\n7\n8\n9\n10\n11\n12\n"
#define NEAR "1\n2\n3\n4\n5\n6\n7\nVIII\n9\n10\n11\n12\n"
#define BOTH "1\n2\n3\n4\n5\nVI\n7\nVIII\n9\n10\n11\n12\n"
#define SAME "1\n2\n3\n4\n5\nsix\n7\n8\n9\n10\n11\n12\n"
#define HUNK "--- a/f\n+++ b/f\n@@ -3,7 +3,7 @@\n 3\n 4\n 5\n-6\n+VI\n 7\n 8\n 9\n"

static const struct file_spec old_file = F("f", OLD), new_file = F("f", NEW);

/* The change from OLD to NEW, with an abbreviated id on the index line. The caller frees. */
static char *diff_make(void)
{
	git_oid id = blob_id(OLD);
	char hex[13];

	return xasprintf("diff --git a/f b/f\nindex %s..1234567 100644\n" HUNK,
			 git_oid_tostr(hex, sizeof(hex), &id));
}

static void run_diff(struct place_of_work *w, const git_oid *base, const char *diff,
		     struct run *ret)
{
	run_on(w, base, &diff, 1, ret);
}

static bool evidence_has(const struct apply_result *r, const char *words)
{
	for (size_t i = 0; i < r->n_evidence; i++) {
		if (strstr(r->evidence[i], words))
			return true;
	}
	return false;
}

static void near_change_is_merged(void **state)
{
	struct place_of_work *w = *state;
	const struct file_spec near = F("f", NEAR), both = F("f", BOTH);
	git_oid old = commit_on(w, NULL, "old", &old_file),
		base = commit_on(w, &old, "near", &near);
	git_oid want = tree_make(w->repo, &both, 1), theirs = blob_id(NEW);
	auto_free char *diff = diff_make();
	git_odb *odb;
	struct run run;

	run_diff(w, &base, diff, &run);
	assert_ok(run.rc, &run.err);
	assert_true(git_oid_equal(&run.result.commit[0].tree, &want));
	assert_int_equal(run.result.commit[0].merged_files, 1);
	assert_false(run.result.commit[0].already_in);
	assert_int_equal(run.result.n_evidence, 0);
	/* What it was merged from is nobody's. */
	assert_int_equal(git_repository_odb(&odb, w->repo), 0);
	assert_false(git_odb_exists(odb, &theirs));
	git_odb_free(odb);
	apply_result_done(&run.result);
}

static void moved_file_is_found(void **state)
{
	struct place_of_work *w = *state;
	const struct file_spec moved = F("d/g", NEAR), both = F("d/g", BOTH);
	git_oid old = commit_on(w, NULL, "old", &old_file), base = commit_on(w, &old, "mv", &moved);
	git_oid want = tree_make(w->repo, &both, 1);
	auto_free char *diff = diff_make();
	struct run run;

	run_diff(w, &base, diff, &run);
	assert_ok(run.rc, &run.err);
	assert_true(git_oid_equal(&run.result.commit[0].tree, &want));
	apply_result_done(&run.result);
}

static void patch_that_is_in_is_skipped(void **state)
{
	struct place_of_work *w = *state;
	git_oid old = commit_on(w, NULL, "old", &old_file);
	git_oid in = commit_on(w, &old, "the patch", &new_file);
	const struct file_spec later = F("f", NEW "13\n");
	git_oid base = commit_on(w, &in, "later", &later), tip;
	auto_free char *diff = diff_make();
	struct run run;

	run_diff(w, &base, diff, &run);
	assert_ok(run.rc, &run.err);
	assert_true(run.result.commit[0].already_in);
	assert_true(git_oid_equal(&run.result.commit[0].in_as, &in));
	assert_true(git_oid_equal(&run.result.commit[0].commit, &base));
	assert_int_equal(git_reference_name_to_id(&tip, w->repo, REF), 0);
	assert_true(git_oid_equal(&tip, &base));
	apply_result_done(&run.result);
}

static void patch_that_is_in_is_named_when_it_cannot_be_merged(void **state)
{
	struct place_of_work *w = *state;
	git_oid old = commit_on(w, NULL, "old", &old_file);
	git_oid in = commit_on(w, &old, "the patch", &new_file);
	struct run run;

	run_diff(w, &in, HUNK, &run);
	assert_int_equal(run.rc, ERR_PATCH);
	assert_non_null(strstr(run.err.msg, "it is already in, as "));
	assert_non_null(strstr(run.err.msg, "(\"the patch\", 2023-11-14)"));
	assert_true(git_oid_equal(&run.result.in_as, &in));
	apply_result_done(&run.result);
}

static void conflict_names_the_commit_between(void **state)
{
	struct place_of_work *w = *state;
	const struct file_spec same = F("f", SAME), later = F("f", SAME "13\n");
	git_oid old = commit_on(w, NULL, "old", &old_file);
	git_oid between = commit_on(w, &old, "six in words", &same);
	git_oid base = commit_on(w, &between, "later", &later);
	auto_free char *diff = diff_make();
	struct run run;

	run_diff(w, &base, diff, &run);
	assert_int_equal(run.rc, ERR_PATCH);
	assert_true(git_oid_equal(&run.result.moved_by, &between));
	assert_true(evidence_has(&run.result, "3-way merge: f has changed in the same lines"));
	assert_true(
		evidence_has(&run.result, "(\"six in words\", 2023-11-14): rebase on or after"));
	apply_result_done(&run.result);
}

static void lost_file_names_the_commit_that_removed_it(void **state)
{
	struct place_of_work *w = *state;
	const struct file_spec other = F("g", "nothing alike\n");
	git_oid old = commit_on(w, NULL, "old", &old_file);
	git_oid base = commit_on(w, &old, "f goes", &other);
	struct run run;

	run_diff(w, &base, HUNK, &run);
	assert_int_equal(run.rc, ERR_PATCH);
	assert_true(git_oid_equal(&run.result.moved_by, &base));
	apply_result_done(&run.result);
}

static void unknown_blob_is_said(void **state)
{
	struct place_of_work *w = *state;
	const struct file_spec same = F("f", SAME);
	git_oid base = commit_on(w, NULL, "same", &same);
	struct run run;

	run_diff(w, &base, "diff --git a/f b/f\nindex 1111111..2222222 100644\n" HUNK, &run);
	assert_int_equal(run.rc, ERR_PATCH);
	assert_true(evidence_has(&run.result, "the repository has no blob 1111111"));
	apply_result_done(&run.result);
}

static void trial_writes_nothing(void **state)
{
	struct place_of_work *w = *state;
	git_oid base = commit_on(w, NULL, "old", &old_file);
	const char *diff = HUNK;
	struct apply_result result = {0};
	struct err err = ERR_INIT;
	git_commit *commit;
	struct series s;

	series_make(&s, &diff, 1);
	assert_ok(apply_series(w->repo, &base, &s, NULL, &result, &err), &err);
	assert_int_equal(git_commit_lookup(&commit, w->repo, &result.commit[0].commit),
			 GIT_ENOTFOUND);
	apply_result_done(&result);
	series_drop(&s);
}

/* A hunk for each line: time and memory stay in proportion. */
static void hundred_thousand_hunks(void **state)
{
	struct place_of_work *w = *state;
	auto_str struct str text, diff;
	struct file_spec file = F("f", "");
	struct run run;

	str_init(&text, 0);
	str_init(&diff, 0);
	str_adds(&diff, "--- a/f\n+++ b/f\n");
	for (unsigned i = 1; i <= 100000; i++) {
		str_addf(&text, "a\nb%u\nc\n", i);
		str_addf(&diff, "@@ -%u,3 +%u,3 @@\n a\n-b%u\n+B\n c\n", 3 * i - 2, 3 * i - 2, i);
	}
	file.text = text.buf;
	git_oid base = commit_on(w, NULL, "large", &file);
	run_diff(w, &base, diff.buf, &run);
	assert_ok(run.rc, &run.err);
	assert_int_equal(run.result.commit[0].hunks, 100000);
	assert_int_equal(run.result.commit[0].offset_hunks, 0);
	apply_result_done(&run.result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		unit(near_change_is_merged),
		unit(moved_file_is_found),
		unit(patch_that_is_in_is_skipped),
		unit(patch_that_is_in_is_named_when_it_cannot_be_merged),
		unit(conflict_names_the_commit_between),
		unit(lost_file_names_the_commit_that_removed_it),
		unit(unknown_blob_is_said),
		unit(trial_writes_nothing),
		unit(hundred_thousand_hunks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
