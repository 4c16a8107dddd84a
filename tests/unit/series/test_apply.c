// SPDX-License-Identifier: GPL-2.0-or-later
#include "apply_fixture.h"

static void series_makes_one_commit_a_patch(void **state)
{
	static const char *const diff[] = {
		"--- a/mm/a.c\n+++ b/mm/a.c\n@@ -1,4 +1,5 @@\n+0\n 1\n 2\n 3\n 4\n",
		"--- a/mm/a.c\n+++ b/mm/a.c\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+V\n 6\n 7\n 8\n",
	};
	static const struct file_spec want[] = {
		MAKEFILE, EMPTY, LINK, F("mm/a.c", "0\n1\n2\n3\n4\nV\n6\n7\n8\n9\n"), RUN_SH, B_C};

	expect(state, diff, 2, want, array_size(want));
}

static void counts_hunks_and_offsets(void **state)
{
	static const char *const diff[] = {
		"--- a/mm/a.c\n+++ b/mm/a.c\n@@ -1,3 +1,3 @@\n 1\n-2\n+II\n 3\n"
		"@@ -5,3 +5,3 @@\n 6\n-7\n+VII\n 8\n"};
	struct run run;

	run_base(*state, diff, 1, &run);
	assert_ok(run.rc, &run.err);
	assert_int_equal(run.result.commit[0].hunks, 2);
	assert_int_equal(run.result.commit[0].offset_hunks, 1);
	apply_result_done(&run.result);
}

static void commit_is_what_git_am_makes(void **state)
{
	static const char want[] =
		"parent %s\nauthor Wilma Example <wilma@example.org> 1700000001 -0130\n"
		"committer firn <firn@localhost> 1700000001 -0130\n\n"
		"mm: change it\n\nBecause.\n";
	static const char *const diff[] = {"--- a/mm-x/b.c\n+++ b/mm-x/b.c\n@@ -1 +1 @@\n-b\n+c\n"};
	struct place_of_work *w = *state;
	git_oid base = commit_make(w->repo, NULL, "base", base_files, array_size(base_files));
	char hex[GIT_OID_HEXSZ + 1];
	auto_free char *text = xasprintf(want, git_oid_tostr(hex, sizeof(hex), &base));
	struct run run, again;
	git_odb_object *raw;
	git_odb *odb;

	run_on(w, &base, diff, 1, &run);
	assert_ok(run.rc, &run.err);
	assert_int_equal(git_repository_odb(&odb, w->repo), 0);
	assert_int_equal(git_odb_read(&raw, odb, &run.result.commit[0].commit), 0);
	assert_string_equal((const char *)git_odb_object_data(raw) + 46, text);
	git_odb_object_free(raw);
	git_odb_free(odb);
	/* The same series on the same base gives the same commits. */
	run_on(w, &base, diff, 1, &again);
	assert_ok(again.rc, &again.err);
	assert_true(git_oid_equal(&run.result.commit[0].commit, &again.result.commit[0].commit));
	apply_result_done(&run.result);
	apply_result_done(&again.result);
}

static void files_are_created_and_deleted(void **state)
{
	expect_one(
		state,
		"diff --git a/new/deep/er.c b/new/deep/er.c\nnew file mode 100755\n--- /dev/null\n"
		"+++ b/new/deep/er.c\n@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n"
		"diff --git a/new/empty b/new/empty\nnew file mode 100644\n"
		"diff --git a/lib/empty b/lib/empty\ndeleted file mode 100644\n"
		"diff --git a/mm-x/b.c b/mm-x/b.c\ndeleted file mode 100644\n"
		"--- a/mm-x/b.c\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n",
		MAKEFILE, LINK, A_C, RUN_SH, X("new/deep/er.c", "x"), F("new/empty", ""));
}

static void everything_may_be_deleted(void **state)
{
	static const struct file_spec one[] = {F("f", "x\n")};
	static const char *const diff[] = {"--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"};
	struct place_of_work *w = *state;
	git_oid base = commit_make(w->repo, NULL, "base", one, 1),
		nothing = tree_make(w->repo, one, 0);
	struct run run;

	run_on(w, &base, diff, 1, &run);
	assert_ok(run.rc, &run.err);
	assert_true(git_oid_equal(&run.result.commit[0].tree, &nothing));
	apply_result_done(&run.result);
}

static void modes_and_links_change(void **state)
{
	expect_one(state,
		   "diff --git a/mm/run.sh b/mm/run.sh\nold mode 100755\nnew mode 100644\n"
		   "diff --git a/lib/link b/lib/link\nindex 1..2 120000\n--- a/lib/link\n+++ "
		   "b/lib/link\n"
		   "@@ -1 +1 @@\n-../Makefile\n\\ No newline at end of file\n+../mm\n"
		   "\\ No newline at end of file\n",
		   MAKEFILE, EMPTY, L("lib/link", "../mm"), A_C, F("mm/run.sh", "#!/bin/sh\n"),
		   B_C);
}

/* The index line says 100644; the file stays executable. */
static void mode_of_the_file_is_kept(void **state)
{
	expect_one(state,
		   "diff --git a/mm/run.sh b/mm/run.sh\nindex 1..2 100644\n--- a/mm/run.sh\n+++ "
		   "b/mm/run.sh\n"
		   "@@ -1 +1,2 @@\n #!/bin/sh\n+true\n",
		   MAKEFILE, EMPTY, LINK, A_C, X("mm/run.sh", "#!/bin/sh\ntrue\n"), B_C);
}

static void files_are_renamed_and_copied(void **state)
{
	expect_one(state,
		   "diff --git a/mm-x/b.c b/lib/c.c\nsimilarity index 50%\nrename from mm-x/b.c\n"
		   "rename to lib/c.c\n--- a/mm-x/b.c\n+++ b/lib/c.c\n@@ -1 +1,2 @@\n b\n+c\n"
		   "diff --git a/mm/run.sh b/run2\nsimilarity index 100%\ncopy from "
		   "mm/run.sh\ncopy to run2\n",
		   MAKEFILE, F("lib/c.c", "b\nc\n"), EMPTY, LINK, A_C, RUN_SH,
		   X("run2", "#!/bin/sh\n"));
}

static void names_are_swapped(void **state)
{
	expect_one(state,
		   "diff --git a/Makefile b/mm-x/b.c\nrename from Makefile\nrename to mm-x/b.c\n"
		   "diff --git a/mm-x/b.c b/Makefile\nrename from mm-x/b.c\nrename to Makefile\n",
		   F("Makefile", "b\n"), EMPTY, LINK, A_C, RUN_SH, F("mm-x/b.c", "all:\n\ttrue\n"));
}

/* A copy is made of the file as it was before the patch, wherever its own diff stands. */
static void copies_are_of_the_old_file(void **state)
{
	expect_one(state,
		   "--- a/mm-x/b.c\n+++ b/mm-x/b.c\n@@ -1 +1 @@\n-b\n+B\n"
		   "diff --git a/mm-x/b.c b/mm-x/c.c\ncopy from mm-x/b.c\ncopy to mm-x/c.c\n",
		   MAKEFILE, EMPTY, LINK, A_C, RUN_SH, F("mm-x/b.c", "B\n"), F("mm-x/c.c", "b\n"));
}

static void file_is_changed_twice_in_a_patch(void **state)
{
	expect_one(state,
		   "--- a/mm-x/b.c\n+++ b/mm-x/b.c\n@@ -1 +1 @@\n-b\n+B\n"
		   "--- a/mm-x/b.c\n+++ b/mm-x/b.c\n@@ -1 +1,2 @@\n B\n+C\n",
		   MAKEFILE, EMPTY, LINK, A_C, RUN_SH, F("mm-x/b.c", "B\nC\n"));
}

static void mode_follows_a_change_in_the_same_patch(void **state)
{
	expect_one(state,
		   "--- a/mm-x/b.c\n+++ b/mm-x/b.c\n@@ -1 +1 @@\n-b\n+B\n"
		   "diff --git a/mm-x/b.c b/mm-x/b.c\nold mode 100644\nnew mode 100755\n",
		   MAKEFILE, EMPTY, LINK, A_C, RUN_SH, X("mm-x/b.c", "B\n"));
}

static void file_becomes_a_folder_and_back(void **state)
{
	static const char *const diff[] = {
		"--- a/mm-x/b.c\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n"
		"diff --git a/mm-x/b.c/in b/mm-x/b.c/in\nnew file mode 100644\n",
		"diff --git a/mm-x/b.c/in b/mm-x/b.c/in\ndeleted file mode 100644\n"
		"diff --git a/mm-x/b.c b/mm-x/b.c\nnew file mode 120000\n--- /dev/null\n+++ "
		"b/mm-x/b.c\n"
		"@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n",
	};
	static const struct file_spec half[] = {MAKEFILE, EMPTY,  LINK,
						A_C,	  RUN_SH, F("mm-x/b.c/in", "")};
	static const struct file_spec whole[] = {MAKEFILE, EMPTY,  LINK,
						 A_C,	   RUN_SH, L("mm-x/b.c", "x")};

	expect(state, diff, 1, half, array_size(half));
	expect(state, diff, 2, whole, array_size(whole));
}

static void file_becomes_a_link(void **state)
{
	expect_one(state,
		   "diff --git a/mm-x/b.c b/mm-x/b.c\ndeleted file mode 100644\n--- a/mm-x/b.c\n"
		   "+++ /dev/null\n@@ -1 +0,0 @@\n-b\n"
		   "diff --git a/mm-x/b.c b/mm-x/b.c\nnew file mode 120000\n--- /dev/null\n+++ "
		   "b/mm-x/b.c\n"
		   "@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n",
		   MAKEFILE, EMPTY, LINK, A_C, RUN_SH, L("mm-x/b.c", "x"));
}

/* Names that git sorts in another way than strcmp(): "mm-x" < "mm.h" < "mm/" < "mm0". */
static void trees_are_in_gits_order(void **state)
{
	expect_one(state,
		   "diff --git a/mm.h b/mm.h\nnew file mode 100644\n"
		   "diff --git a/mm0 b/mm0\nnew file mode 100644\n"
		   "diff --git a/lib/empty b/lib/empty/x\nrename from lib/empty\nrename to "
		   "lib/empty/x\n"
		   "diff --git a/lib/empty-x b/lib/empty-x\nnew file mode 100644\n"
		   "diff --git a/lib/empty.x b/lib/empty.x\nnew file mode 100644\n"
		   "diff --git a/lib/empty0 b/lib/empty0\nnew file mode 100644\n",
		   MAKEFILE, F("lib/empty-x", ""), F("lib/empty.x", ""), F("lib/empty/x", ""),
		   F("lib/empty0", ""), LINK, A_C, RUN_SH, F("mm.h", ""), F("mm0", ""), B_C);
}

static void binary_files_are_patched(void **state)
{
	struct place_of_work *w = *state;
	auto_str struct str diff;
	unsigned char old[300];
	struct err err = ERR_INIT;
	git_treebuilder *builder;
	git_oid blob, tree_id, base;
	auto_git(tree) git_tree *tree = NULL;
	git_signature *who;
	char hex[GIT_OID_HEXSZ + 1];
	struct run run;

	/* tests/fixtures/apply/binary.diff was made by git from this. */
	for (int i = 0; i < 300; i++)
		old[i] = (unsigned char)((i * i * 7 + 13 * i) >> 3);
	assert_int_equal(git_blob_create_from_buffer(&blob, w->repo, old, sizeof(old)), 0);
	assert_int_equal(git_treebuilder_new(&builder, w->repo, NULL), 0);
	assert_int_equal(git_treebuilder_insert(NULL, builder, "b.bin", &blob, GIT_FILEMODE_BLOB),
			 0);
	assert_int_equal(git_treebuilder_write(&tree_id, builder), 0);
	git_treebuilder_free(builder);
	assert_int_equal(git_tree_lookup(&tree, w->repo, &tree_id), 0);
	assert_int_equal(
		git_signature_new(&who, "Wilma Example", "wilma@example.org", 1700000000, 0), 0);
	assert_int_equal(
		git_commit_create(&base, w->repo, NULL, who, who, NULL, "base", tree, 0, NULL), 0);
	git_signature_free(who);

	str_init(&diff, 0);
	assert_ok(fs_read(FIXTURES "/apply/binary.diff", 65536, ERR_INPUT, &diff, &err), &err);
	run_on(w, &base, (const char *[]){diff.buf}, 1, &run);
	assert_ok(run.rc, &run.err);
	assert_string_equal(git_oid_tostr(hex, sizeof(hex), &run.result.commit[0].tree),
			    "209dfc423a6abb46c66dc4bcb6b9a8c46931b856");
	apply_result_done(&run.result);
}

#define ID_B	"61780798228d17af2d34fce4cfbdf35556832472" /* of "b\n" */
#define ID_NONE "1111111111111111111111111111111111111111"

static void binary_without_its_base_is_refused(void **state)
{
	refuse_one(state,
		   "diff --git a/mm-x/b.c b/mm-x/b.c\nindex 6178079..1111111 100644\nGIT binary "
		   "patch\n"
		   "literal 3\nKcmZQzWC8#H2LJ>B\n\n",
		   "no full ids");
	refuse_one(state,
		   "diff --git a/mm-x/b.c b/mm-x/b.c\nindex " ID_NONE ".." ID_B
		   " 100644\nGIT binary patch\n"
		   "literal 3\nKcmZQzWC8#H2LJ>B\n\n",
		   "is not the blob 111111111111");
	refuse_one(state,
		   "diff --git a/mm-x/b.c b/mm-x/b.c\nindex " ID_B ".." ID_NONE
		   " 100644\nGIT binary patch\n"
		   "literal 3\nKcmZQzWC8#H2LJ>B\n\n",
		   "does not give blob");
	refuse_one(state,
		   "diff --git a/mm-x/b.c b/mm-x/b.c\nindex " ID_B ".." ID_NONE " 100644\n"
		   "Binary files a/mm-x/b.c and b/mm-x/b.c differ\n",
		   "the mail does not have its contents");
}

/* Carriage returns and bytes that are no UTF-8 are contents like any other. */
static void contents_are_bytes(void **state)
{
	static const char *const diff[] = {
		"--- /dev/null\n+++ b/crlf\n@@ -0,0 +1,3 @@\n+one\r\n+two\r\n+\xff\xfe\n",
		"--- a/crlf\n+++ b/crlf\n@@ -1,3 +1,3 @@\n one\r\n-two\r\n+2\r\n \xff\xfe\n",
	};
	static const struct file_spec want[] = {
		MAKEFILE, F("crlf", "one\r\n2\r\n\xff\xfe\n"), EMPTY, LINK, A_C, RUN_SH, B_C};

	expect(state, diff, 2, want, array_size(want));
}

/* Thousands of new files in one folder, in falling order: neither the parser nor the trees may be
 * quadratic. */
static void many_files_are_cheap(void **state)
{
	struct place_of_work *w = *state;
	auto_str struct str diff;
	struct run run;

	str_init(&diff, 0);
	for (int i = 20000; i > 0; i--)
		str_addf(&diff, "diff --git a/d/%06d b/d/%06d\nnew file mode 100644\n", i, i);
	run_base(w, (const char *[]){diff.buf}, 1, &run);
	assert_ok(run.rc, &run.err);
	apply_result_done(&run.result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		unit(series_makes_one_commit_a_patch),
		unit(counts_hunks_and_offsets),
		unit(commit_is_what_git_am_makes),
		unit(files_are_created_and_deleted),
		unit(everything_may_be_deleted),
		unit(modes_and_links_change),
		unit(mode_of_the_file_is_kept),
		unit(files_are_renamed_and_copied),
		unit(names_are_swapped),
		unit(copies_are_of_the_old_file),
		unit(file_is_changed_twice_in_a_patch),
		unit(mode_follows_a_change_in_the_same_patch),
		unit(file_becomes_a_folder_and_back),
		unit(file_becomes_a_link),
		unit(trees_are_in_gits_order),
		unit(binary_files_are_patched),
		unit(binary_without_its_base_is_refused),
		unit(contents_are_bytes),
		unit(many_files_are_cheap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
