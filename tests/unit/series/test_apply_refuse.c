// SPDX-License-Identifier: GPL-2.0-or-later
/* What does not apply, and what is said of it. */
#include "apply_fixture.h"

static void hunk_that_fails_says_where(void **state)
{
	static const char *const diff[] = {
		"--- a/mm-x/b.c\n+++ b/mm-x/b.c\n@@ -1 +1 @@\n-b\n+B\n",
		"--- a/mm/a.c\n+++ b/mm/a.c\n@@ -1,3 +1,3 @@\n 1\n-2\n+II\n 3\n@@ -5,4 +5,4 @@\n "
		"5\n 6\n-seven\n"
		"+VII\n 8\n",
	};
	struct run run;

	run_base(*state, diff, 2, &run);
	assert_int_equal(run.rc, ERR_PATCH);
	assert_string_equal(
		run.err.msg,
		"patch 2/2 \"mm: change it\": hunk 2 of mm/a.c does not apply at line 5");
	assert_int_equal(run.result.n_commits, 1);
	assert_int_equal(run.result.failed_patch, 1);
	assert_string_equal(run.result.failed_path, "mm/a.c");
	assert_int_equal(run.result.failed_hunk, 2);
	assert_int_equal(run.result.n_evidence, 11);
	assert_string_equal(run.result.evidence[10],
			    "3-way merge: the diff has no index line for mm/a.c");
	assert_string_equal(run.result.evidence[0],
			    "expected (@@ -5,4 +5,4 @@ on line 8 of the diff):");
	assert_string_equal(run.result.evidence[3], "  -seven");
	assert_string_equal(run.result.evidence[5], "found (mm/a.c, line 5):");
	assert_string_equal(run.result.evidence[8], "   7");
	apply_result_done(&run.result);
}

static void patch_that_is_in_already_is_noticed(void **state)
{
	refuse_one(state, "--- a/mm/a.c\n+++ b/mm/a.c\n@@ -1,4 +1,5 @@\n 1\n 2\n+3\n 4\n 5\n 6\n",
		   "hunk 1 of mm/a.c does not apply at line 1: its change is already there, at "
		   "line 1");
	refuse_one(state, "--- a/mm/a.c\n+++ b/mm/a.c\n@@ -1,4 +1,3 @@\n 1\n-x\n 2\n 3\n",
		   "what it removes is not there");
}

static void files_must_be_there_or_not(void **state)
{
	refuse_one(state, "--- a/mm/nope.c\n+++ b/mm/nope.c\n@@ -1 +1 @@\n-a\n+b\n",
		   "mm/nope.c does not exist in the tree");
	refuse_one(state, "--- a/mm\n+++ b/mm\n@@ -1 +1 @@\n-a\n+b\n",
		   "mm does not exist in the tree");
	refuse_one(state, "--- /dev/null\n+++ b/mm-x/b.c\n@@ -0,0 +1 @@\n+x\n",
		   "mm-x/b.c already exists in the tree");
	refuse_one(state,
		   "diff --git a/Makefile b/mm-x/b.c\nrename from Makefile\nrename to mm-x/b.c\n",
		   "mm-x/b.c already exists in the tree");
	refuse_one(state, "--- a/mm-x/b.c\n+++ /dev/null\n@@ -1 +0,0 @@\n-B\n", "does not apply");
	refuse_one(state, "diff --git a/mm-x/b.c b/mm-x/b.c\ndeleted file mode 100644\n",
		   "leaves 2 bytes");
	refuse_one(state, "diff --git a/mm b/mm\nnew file mode 100644\n",
		   "mm would be both a file and a folder");
	refuse_one(state, "diff --git a/Makefile/x b/Makefile/x\nnew file mode 100644\n",
		   "Makefile would be both a file and a folder");
	refuse_one(state, "diff --git a/lib/link/x b/lib/link/x\nnew file mode 100644\n",
		   "lib/link would be both a file and a folder");
	refuse_one(state,
		   "diff --git a/Makefile b/M\nrename from Makefile\nrename to M\n\n"
		   "--- a/Makefile\n+++ b/Makefile\n@@ -1,2 +1,2 @@\n-all:\n+none:\n \ttrue\n",
		   "Makefile was deleted or renamed earlier in the same patch");
	refuse_one(state, "diff --git a/lib/link b/lib/link\nold mode 100644\nnew mode 100755\n",
		   "lib/link has mode 120000 in the tree, but 100644 in the patch");
	refuse_one(state, "diff --git a/mm-x/b.c b/mm-x/b.c\nold mode 100644\nnew mode 120000\n",
		   "another kind of file");
	refuse_one(state, "diff --git a/sub b/sub\nnew file mode 160000\n", "submodule");
}

static void mails_without_a_diff_are_refused(void **state)
{
	struct place_of_work *w = *state;
	git_oid base = commit_make(w->repo, NULL, "base", base_files, array_size(base_files));
	struct series none = {0};
	struct run run = {.err = ERR_INIT};

	refuse_one(state, "only words\n", "the mail has no diff");
	refuse_one(state, "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n-x\n",
		   "the diff is broken: line 5: hunk ends early");
	assert_err(apply_series(w->repo, &base, &none, REF, &run.result, &run.err), &run.err,
		   ERR_PATCH, "no patches");
	apply_result_done(&run.result);
}

static void unknown_base_is_not_the_authors(void **state)
{
	static const char *const diff[] = {"--- a/f\n+++ b/f\n@@ -1 +1 @@\n-x\n+y\n"};
	git_oid base = {{1, 2, 3}};
	struct run run;

	run_on(*state, &base, diff, 1, &run);
	assert_int_equal(run.rc, ERR_INFRA);
	apply_result_done(&run.result);
}

static void what_the_mail_did_to_it_is_said(void **state)
{
	static const char *const diff[] = {
		"--- a/mm/nothing.c\n+++ b/mm/nothing.c\n@@ -1 +1 @@\n-x\n+y\n"};
	struct place_of_work *w = *state;
	git_oid base = commit_make(w->repo, NULL, "base", base_files, array_size(base_files));
	struct series s;
	struct run run = {.err = ERR_INIT};

	series_make(&s, diff, 1);
	s.patch[0].damage = (char *)"the mail was sent as format=flowed";
	assert_err(apply_series(w->repo, &base, &s, REF, &run.result, &run.err), &run.err,
		   ERR_PATCH, "mm/nothing.c");
	assert_string_equal(run.result.evidence[run.result.n_evidence - 1], s.patch[0].damage);
	apply_result_done(&run.result);

	run = (struct run){.err = ERR_INIT};
	s.patch[0].author = (struct ident){(char *)"", (char *)"", 0, 0};
	assert_err(apply_series(w->repo, &base, &s, REF, &run.result, &run.err), &run.err,
		   ERR_PATCH, "From: names nobody");
	apply_result_done(&run.result);
	series_drop(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		unit(hunk_that_fails_says_where),      unit(patch_that_is_in_already_is_noticed),
		unit(files_must_be_there_or_not),      unit(mails_without_a_diff_are_refused),
		unit(unknown_base_is_not_the_authors), unit(what_the_mail_did_to_it_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
