// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit/unit.h"

#include "series/binary.h"
#include "series/diff.h"

static struct diff *parse(const char *text)
{
	struct err err = ERR_INIT;
	struct diff *d = NULL;

	assert_ok(diff_parse(text, strlen(text), &d, &err), &err);
	return d;
}

#define refuse(text, words)                                                                        \
	do {                                                                                       \
		struct err err_ = ERR_INIT;                                                        \
		struct diff *d_ = NULL;                                                            \
		assert_err(diff_parse((text), strlen(text), &d_, &err_), &err_, ERR_PATCH, words); \
		assert_null(d_);                                                                   \
	} while (0)

static void git_form_is_read(void **state)
{
	struct diff *d = parse(" mm/a.c | 2 +-\n\n"
			       "diff --git a/mm/a.c b/mm/a.c\n"
			       "index 1234567..89abcde 100755\n"
			       "--- a/mm/a.c\n"
			       "+++ b/mm/a.c\n"
			       "@@ -3,3 +3,4 @@ int f(void)\n"
			       " one\n"
			       "-two\n"
			       "+Two\n"
			       "+three\n"
			       "\n"
			       "-- \n2.39.5\n");
	const struct diff_file *f = &d->file[0];

	(void)state;
	assert_int_equal(d->n_files, 1);
	assert_int_equal(f->op, DIFF_MODIFY);
	assert_string_equal(f->old_path, "mm/a.c");
	assert_string_equal(f->old_id, "1234567");
	assert_string_equal(f->new_id, "89abcde");
	assert_int_equal(f->old_mode, 0100755);
	assert_int_equal(f->patch_line, 3);
	assert_int_equal(f->n_hunks, 1);
	assert_int_equal(f->hunk[0].old_start, 3);
	assert_int_equal(f->hunk[0].new_count, 4);
	assert_int_equal(f->hunk[0].patch_line, 7);
	assert_memory_equal(f->hunk[0].section, "int f(void)", f->hunk[0].section_len);
	assert_int_equal(f->hunk[0].n_lines, 5);
	assert_int_equal(f->hunk[0].line[4].kind, ' ');
	assert_int_equal(f->hunk[0].line[4].len, 0);
	assert_int_equal(f->hunk[0].line[4].patch_line, 12);
	diff_free(d);
}

static void git_headers_say_what_is_done(void **state)
{
	struct diff *d = parse(
		"diff --git a/new b/new\nnew file mode 100755\nindex 0000000..e69de29\n"
		"diff --git a/old b/old\ndeleted file mode 100644\nindex e69de29..0000000\n"
		"diff --git a/x y b/x y\nold mode 100644\nnew mode 100755\n"
		"diff --git a/from b/to\nsimilarity index 100%\nrename from from\nrename to to\n"
		"diff --git a/from b/to2\nsimilarity index 100%\ncopy from from\ncopy to to2\n");

	(void)state;
	assert_int_equal(d->n_files, 5);
	assert_int_equal(d->file[0].op, DIFF_CREATE);
	assert_null(d->file[0].old_path);
	assert_string_equal(d->file[0].new_path, "new");
	assert_int_equal(d->file[0].new_mode, 0100755);
	assert_int_equal(d->file[1].op, DIFF_DELETE);
	assert_string_equal(diff_file_path(&d->file[1]), "old");
	assert_int_equal(d->file[2].op, DIFF_MODIFY);
	assert_string_equal(d->file[2].old_path, "x y");
	assert_int_equal(d->file[3].op, DIFF_RENAME);
	assert_string_equal(d->file[3].old_path, "from");
	assert_int_equal(d->file[4].op, DIFF_COPY);
	assert_string_equal(d->file[4].new_path, "to2");
	diff_free(d);
}

static void names_are_unquoted(void **state)
{
	struct diff *d =
		parse("diff --git \"a/t\\ta\\\"b\\303\\274\" \"b/t\\ta\\\"b\\303\\274\"\n"
		      "old mode 100644\nnew mode 100755\n"
		      "diff --git a/plain \"b/p\\001\"\nrename from plain\nrename to \"p\\001\"\n"
		      "diff --git a/a b c b/a b c\nold mode 100644\nnew mode 100755\n");

	(void)state;
	assert_string_equal(d->file[0].new_path, "t\ta\"b\xc3\xbc");
	assert_string_equal(d->file[1].new_path, "p\001");
	assert_string_equal(d->file[2].new_path, "a b c");
	diff_free(d);
}

#define HUNK "@@ -1 +1 @@\n-a\n+b\n"
#define ADD  "@@ -0,0 +1 @@\n+b\n"
#define DEL  "@@ -1 +0,0 @@\n-b\n"

static void plain_form_is_read(void **state)
{
	struct diff *d = parse(
		"Index: linux/mm/a.c\n=====\n"
		"--- linux.orig/mm/a.c\t2020-01-01 00:00:00.000000000 +0000\n"
		"+++ linux/mm/a.c\n" HUNK "--- a/b.c 2020-01-01 00:00:00 +0100\n"
		"+++ b/b.c 2020-01-01 00:00:01 +0100\n" HUNK "--- /dev/null\n+++ b/new.c\n" ADD
		"--- a/old.c\n+++ /dev/null\n" DEL "--- a/e.c\t1970-01-01 01:00:00.000 +0100\n"
		"+++ b/e.c\t2020-01-01 00:00:00 +0000\n" ADD "--- Makefile\n+++ Makefile\n" HUNK
		"--- a/m.c\n+++ b/m.c\n" ADD "--- a/o.c.orig\n+++ b/o.c\n" HUNK);
	static const struct {
		const char *path;
		enum diff_op op;
		bool may_create;
	} want[] = {{"mm/a.c", DIFF_MODIFY, false}, {"b.c", DIFF_MODIFY, false},
		    {"new.c", DIFF_CREATE, false},  {"old.c", DIFF_DELETE, false},
		    {"e.c", DIFF_CREATE, false},    {"Makefile", DIFF_MODIFY, false},
		    {"m.c", DIFF_MODIFY, true},	    {"o.c", DIFF_MODIFY, false}};

	(void)state;
	assert_int_equal(d->n_files, array_size(want));
	for (size_t i = 0; i < array_size(want); i++) {
		assert_string_equal(diff_file_path(&d->file[i]), want[i].path);
		assert_int_equal(d->file[i].op, want[i].op);
		assert_int_equal(d->file[i].may_create, want[i].may_create);
	}
	diff_free(d);
}

static void missing_newline_belongs_to_its_line(void **state)
{
	struct diff *d =
		parse("--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n x\n-y\n\\ No newline at end of file\n"
		      "+y\n\\ Kein Zeilenumbruch\n");
	const struct diff_line *l = d->file[0].hunk[0].line;

	(void)state;
	assert_false(l[0].no_newline);
	assert_true(l[1].no_newline);
	assert_true(l[2].no_newline);
	diff_free(d);
}

static void prose_is_no_diff(void **state)
{
	struct diff *d =
		parse("--- a heading ---\n+++ nothing\nthe line diff --git a/x b/x is here\n"
		      "diff --git a/same b/same\n\n--- a/x\n+++ b/x\n");

	(void)state;
	assert_int_equal(d->n_files, 0);
	diff_free(d);
	d = parse("");
	assert_int_equal(d->n_files, 0);
	diff_free(d);
}

static void broken_diffs_are_refused(void **state)
{
	(void)state;
	refuse("--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n x\n-y\n+z\n", "line 7: hunk ends early");
	refuse("--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n x\n-y\n+z\nwrapped\n",
	       "line 7: hunk ends early");
	refuse("--- a/a\n+++ b/a\n@@ -1,1 +1,2 @@\n-x\n-y\n+z\n", "line 5: more lines");
	refuse("--- a/a\n+++ b/a\n@@ -1 +1 @@\n x\n", "changes nothing");
	refuse("--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y", "cut off");
	refuse("--- a/a\n+++ b/a\n@@ -1 +99999999999 @@\n-x\n+y\n", "broken @@ line");
	refuse("hello\n@@ -1 +1 @@\n-x\n+y\n", "line 2: a hunk that belongs to no file");
	refuse("diff --git of words\n", "names no file");
	refuse("diff --git a/x b/x\nnew file mode 100644\ndeleted file mode 100644\n",
	       "contradicts itself");
	refuse("diff --git a/x b/x\nindex 123..456 100644\nnothing\n", "without a change");
	refuse("diff --git a/x b/x\nnew file mode 040000\n", "invalid file mode");
	refuse("diff --git a/x b/x\nnew file mode 100644\n--- a/x\n+++ b/x\n" ADD,
	       "/dev/null should stand here");
	refuse("diff --git a/x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x\n" HUNK,
	       "has old lines");
	refuse("diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null\n" HUNK,
	       "has new lines");
	refuse("diff --git a/x b/x\nrename from x\nrename to y\n--- a/z\n+++ b/y\n" HUNK,
	       "disagrees");
}

static void hostile_paths_are_refused(void **state)
{
	static const char *const path[] = {"../x",	  "a/../../x", "/etc/passwd",
					   ".git/config", "a/.GIT/x",  "./x",
					   "a/.git ",	  "git~1/x",   "a//../x",
					   "x/",	  "..",	       ".git::$INDEX_ALLOCATION/x"};

	(void)state;
	for (size_t i = 0; i < array_size(path); i++) {
		auto_free char *plain = xasprintf("--- a/%s\n+++ b/%s\n" HUNK, path[i], path[i]);
		auto_free char *git =
			xasprintf("diff --git a/f b/f\nrename from f\nrename to %s\n", path[i]);

		refuse(plain, "not one that a patch may change");
		refuse(git, "not one that a patch may change");
	}
	refuse("diff --git a/f b/f\nrename from f\nrename to \"a\\000b\"\n", "no file name");
	refuse("--- a/\n+++ b/\n" HUNK, "no file name");
	refuse("diff --git \"a/b\\374\" \"b/b\\374\"\nold mode 100644\nnew mode 100755\n",
	       "is not UTF-8");
	refuse("--- a/b\xfc\n+++ b/b\xfc\n@@ -1 +1 @@\n-x\n+y\n", "is not UTF-8");
}

static void long_names_are_refused(void **state)
{
	auto_free char *name = xcalloc(1, 20001);

	(void)state;
	memset(name, 'x', 20000);
	auto_free char *text = xasprintf("--- a/%s\n+++ b/%s\n" HUNK, name, name);
	refuse(text, "more than 4095 bytes");
}

/* Halves of a header are found in one pass: thousands of spaces are no work. */
static void headers_of_spaces_are_cheap(void **state)
{
	auto_str struct str text;

	(void)state;
	str_init(&text, 0);
	for (int line = 0; line < 1000; line++)
		str_addf(&text, "diff --git a/%3000s b/%3000s\n", "x", "x");
	diff_free(parse(text.buf));
}

static void binary_patches_are_inflated(void **state)
{
	struct diff *d = parse(
		"diff --git a/n b/n\nnew file mode 100644\n"
		"index 0000000000000000000000000000000000000000.."
		"8352675d67aed6625ece79af41c27fdb4ee2e867\n"
		"GIT binary patch\nliteral 3\nKcmZQzWC8#H2LJ>B\n\nliteral 0\nHcmV?d00001\n\n");
	const struct diff_file *f = &d->file[0];

	(void)state;
	assert_true(f->is_binary && f->forward.present && f->reverse.present);
	assert_int_equal(f->forward.len, 3);
	assert_memory_equal(f->forward.data, "\0\1\2", 3);
	assert_int_equal(f->reverse.len, 0);
	diff_free(d);
	d = parse("diff --git a/n b/n\nindex 12..34 100644\nBinary files a/n and b/n differ\n");
	assert_true(d->file[0].is_binary);
	assert_false(d->file[0].forward.present);
	diff_free(d);
}

#define BINARY "diff --git a/n b/n\nindex 12..34 100644\nGIT binary patch\n"

static void broken_binary_patches_are_refused(void **state)
{
	(void)state;
	refuse(BINARY "nonsense\n", "neither");
	refuse(BINARY "literal 3\nKcmZQzWC8#H2LJ>\n\n", "corrupt binary patch");
	refuse(BINARY "literal 3\nKcmZQzWC8#H2LJ>\"\n\n", "corrupt binary patch");
	refuse(BINARY "literal 3\nK~~~~~WC8#H2LJ>B\n\n", "corrupt binary patch");
	refuse(BINARY "literal 2\nKcmZQzWC8#H2LJ>B\n\n", "does not inflate to 2 bytes");
	refuse(BINARY "literal 4\nKcmZQzWC8#H2LJ>B\n\n", "does not inflate to 4 bytes");
	refuse(BINARY "literal 99999999999\n\n", "MiB in one mail");
	refuse(BINARY "literal x\n\n", "neither");
	refuse(BINARY "literal 3\nKcmZQzWC8#H2LJ>B\n", "cut off");
}

static bool delta(const char *bytes, size_t n, const char *old, struct str *ret)
{
	struct diff_binary half = {.present = true, .delta = true, .data = (char *)bytes, .len = n};

	return binary_apply(&half, (struct bytes){old, strlen(old)}, ret);
}

static void deltas_copy_and_insert(void **state)
{
	auto_str struct str out;

	(void)state;
	str_init(&out, 0);
	/* old 4, new 5: insert "xy", copy 3 bytes from offset 1 */
	assert_true(delta("\4\5\2xy\x91\1\3", 8, "abcd", &out));
	assert_string_equal(out.buf, "xybcd");
	assert_false(delta("\5\5\2xy\x91\1\3", 8, "abcd", &out)); /* made against other contents */
	assert_false(delta("\4\6\2xy\x91\1\3", 8, "abcd", &out)); /* comes out short */
	assert_false(delta("\4\5\2xy\x91\2\3", 8, "abcd", &out)); /* copies past the end */
	assert_false(delta("\4\5\7xy", 5, "abcd", &out));	  /* insert is cut off */
	assert_false(delta("\4\5\0", 3, "abcd", &out));		  /* reserved */
	assert_false(delta("\4\5\x91\1", 4, "abcd", &out));
	assert_false(delta("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 10, "abcd", &out));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(git_form_is_read),
		cmocka_unit_test(git_headers_say_what_is_done),
		cmocka_unit_test(names_are_unquoted),
		cmocka_unit_test(plain_form_is_read),
		cmocka_unit_test(missing_newline_belongs_to_its_line),
		cmocka_unit_test(prose_is_no_diff),
		cmocka_unit_test(broken_diffs_are_refused),
		cmocka_unit_test(hostile_paths_are_refused),
		cmocka_unit_test(long_names_are_refused),
		cmocka_unit_test(headers_of_spaces_are_cheap),
		cmocka_unit_test(binary_patches_are_inflated),
		cmocka_unit_test(broken_binary_patches_are_refused),
		cmocka_unit_test(deltas_copy_and_insert),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
