// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit/unit.h"

#include "base/clock.h"
#include "checkers/checkpatch/rule_need.h"
#include "checkers/checkpatch/view.h"
#include "checkers/checkpatch/word_set.h"

/* The view of a hunk of lines in lib/f.c. `text` must outlive it. */
static void view_of(struct view *v, char **ret_text, const char *lines)
{
	unsigned n_new = 0, n_old = 0;

	for (const char *l = lines; *l; l = strchrnul(l, '\n') + 1) {
		n_new += *l != '-';
		n_old += *l != '+';
	}
	*ret_text = xasprintf("--- a/lib/f.c\n+++ b/lib/f.c\n@@ -1,%u +1,%u @@\n%s", n_old, n_new,
			      lines);
	view_read(v, *ret_text, strlen(*ret_text));
}

static void comments_and_strings_are_blanked(void **state)
{
	static const char *const table[][2] = {
		{"+a /* b */ c\n", "a ####### c\n"},
		{"+a // b\n", "a ####\n"},
		{"+a // b \\\n+c\n", "a ######\nc\n"},
		{"+f(\"a\\\"/*b\");\n", "f(\"XXXXXX\");\n"},
		{"+c = '\"'; /* x\n+y */ d\n", "c = 'X'; ####\n#### d\n"},
		{"+ * in a comment\n+ */\n+int a;\n", "###############\n###\nint a;\n"},
		{"+int a;\n+b */ c\n", "######\n#### c\n"},
		{"+int a;\n+\"b */\"\n", "int a;\n\"XXXX\"\n"},
		/* A quote goes on, as checkpatch has it. */
		{"+don't\n+int a;\n+'b\n", "don'X\nXXXXXX\n'b\n"},
		{"+a \"\\\n", "a \"X\n"},
		{" a /*\n-*/\n+b\n", "a ##\n#\n"},
		{"+#include <linux/a.h>\n", "#include <XXXXXXXXX>\n"},
		{"+#error that's it\n+a\n", "#error XXXXXXXXX\nX\n"},
		{"+\t\"\t\"\n", "\t\"\t\"\n"},
	};

	(void)state;
	for (size_t i = 0; i < array_size(table); i++) {
		auto_free char *text = NULL;
		struct view v;

		view_of(&v, &text, table[i][0]);
		assert_int_equal(v.n_hunks, 1);
		v.text.buf[v.hunk[0].end] = '\0';
		for (char *c = v.text.buf + v.hunk[0].start; *c; c++)
			*c = *c == VIEW_COMMENT ? '#' : *c;
		assert_string_equal(v.text.buf + v.hunk[0].start, table[i][1]);
		view_done(&v);
	}
}

static void statements_end_where_they_should(void **state)
{
	static const struct {
		const char *lines;
		bool closed;
		unsigned next;
	} table[] = {
		{"+int a;\n+int b;\n", true, 1},
		{"+int f(int a,\n+      int b);\n+int c;\n", true, 2},
		{"+int f(int a,\n-      int c,\n+      int b);\n+int c;\n", true, 3},
		{"+int f(void)\n+{\n+}\n", false, 1},
		{"+for (a; b; c)\n+d;\n", false, 1},
		{"+#define A 1\n+int a;\n+int b;\n", false, 2},
		{"+#define A \\\n+1\n+int a;\n+int b;\n", false, 3},
		{"+#include <a>\n+int a;\n+int b;\n", true, 2},
		{"+int a\n+int b\n", false, 2},
		{"+f(a,\n+#ifdef A\n+(b,\n+#else\n+#endif\n+c);\n", true, 6},
	};

	(void)state;
	for (size_t i = 0; i < array_size(table); i++) {
		auto_free char *text = NULL;
		struct statement st;
		struct view v;

		view_of(&v, &text, table[i].lines);
		st = view_statement(&v, v.hunk[0].first);
		if (st.is_closed != table[i].closed ||
		    st.next_line != v.hunk[0].first + table[i].next)
			fail_msg("%s: closed %d, next %u", table[i].lines, st.is_closed,
				 st.next_line - v.hunk[0].first);
		view_done(&v);
	}
}

static void blocks_are_found(void **state)
{
	static const struct {
		const char *lines; /* the block begins at the first character */
		char kind;
		const char *cond, *body;
		unsigned n_lines, n_statements;
	} table[] = {
		{"+if (a)\n+\tb();\n+c();\n", 'i', "a", "b();", 1, 1},
		{"+if (a) {\n+\tb();\n+\tc();\n+}\n", 'i', "a", "{\n\tb();\n\tc();\n}", 2, 2},
		{"+if (a) {\n+\tb();\n+}\n+d;\n", 'i', "a", "{\n\tb();\n}", 1, 1},
		{"+else if (a)\n+\tb();\n+c();\n", 'I', "a", "b();", 1, 1},
		{"+else\n+\tb();\n+c();\n", 'e', NULL, "b();", 1, 1},
		{"+for (a; b; c)\n+\tif (d)\n+\t\te;\n+\telse\n+\t\tf;\n+g;\n", 'f', "a; b; c",
		 "if (d)\n\t\te;\n\telse\n\t\tf;", 4, 1},
		{"+list_for_each_entry(a, b, c)\n+\td(a,\n+\t  b);\n", 'f', "a, b, c",
		 "d(a,\n\t  b);", 2, 1},
		{"+while (a && (b))\n+\t;\n", 'w', "a && (b)", ";", 1, 1},
		{"+do {\n+\tx = (struct y){1;};\n+} while (0);\n", 'd', NULL,
		 "{\n\tx = (struct y){1;};\n}", 1, 1},
		{"+if (a)\n+\t/* why */\n-\told();\n+\tb();\n", 'i', "a", "b();", 1, 1},
		{"+if (a) {\n+}\n", 'i', "a", "{\n}", 0, 0},
		{"+foo (a)\n", '\0', NULL, NULL, 0, 0},
		{"+if a\n", '\0', NULL, NULL, 0, 0},
		{"+if (a\n", '\0', NULL, NULL, 0, 0},
	};

	(void)state;
	for (size_t i = 0; i < array_size(table); i++) {
		auto_free char *text = NULL, *cond = NULL, *body = NULL;
		struct block b;
		struct view v;

		view_of(&v, &text, table[i].lines);
		b = view_block(&v, v.hunk[0].start);
		assert_int_equal(b.kind, table[i].kind);
		if (b.kind) {
			body = xmemdup(v.text.buf + b.body, b.body_end - b.body);
			assert_string_equal(body, table[i].body);
			assert_int_equal(b.n_lines, table[i].n_lines);
			assert_int_equal(b.n_statements, table[i].n_statements);
			assert_int_equal(b.has_brace, *table[i].body == '{');
		}
		if (table[i].cond) {
			cond = xmemdup(v.text.buf + b.cond, b.cond_end - b.cond);
			assert_string_equal(cond, table[i].cond);
		}
		view_done(&v);
	}
}

static void brackets_match(void **state)
{
	static const struct {
		const char *lines;
		unsigned depth_at_end;
	} table[] = {
		{"+a(b[c{d}])\n", 0},
		{"+a(b[c\n", 2},
		{"+f() {\n+\ta(;\n+}\n", 0}, /* the brace closes what is open in it */
		{"+)))\n+{\n", 1},
		{"+#ifdef A\n+if (a) {\n+#else\n+if (b) {\n+#endif\n+}\n", 0},
		{"+#define A do { \\\n+\tb(\n+{\n", 1},
		{"+\"(\" '(' /* ( */ // (\n", 0},
	};

	(void)state;
	for (size_t i = 0; i < array_size(table); i++) {
		auto_free char *text = NULL;
		struct view v;

		view_of(&v, &text, table[i].lines);
		assert_int_equal(view_end_depth(&v, v.n - 1), table[i].depth_at_end);
		view_done(&v);
	}
}

static const char mail[] = "From: A <a@example.org>\n"		/* 1 */
			   "Subject: [PATCH] lib: a subject\n"	/* 2 */
			   "\tthat goes on\n"			/* 3 */
			   "\n"					/* 4 */
			   "Why.\n"				/* 5 */
			   "\n"					/* 6 */
			   "[   12.345678] Call Trace:\n"	/* 7 */
			   " foo+0x1/0x2\n"			/* 8 */
			   "\n"					/* 9 */
			   "Signed-off-by: A <a@example.org>\n" /* 10 */
			   "Cc: b@example.org\n"		/* 11 */
			   "---\n"				/* 12 */
			   "v2: better\n"			/* 13 */
			   "\n"					/* 14 */
			   "diff --git a/lib/f.c b/lib/f.c\n"	/* 15 */
			   "index 1234567..89abcde 100755\n"	/* 16 */
			   "--- a/lib/f.c\n"			/* 17 */
			   "+++ b/lib/f.c\n"			/* 18 */
			   "@@ -5,4 +5,4 @@ int f(void)\n"	/* 19 */
			   " a\n"				/* 20 */
			   "-b\n"				/* 21 */
			   "+c\n"				/* 22 */
			   "\n"					/* 23: an empty context line */
			   " d\n"				/* 24 */
			   "\\ No newline at end of file\n"	/* 25 */
			   "diff --git a/net/g.h b/net/g.h\n"	/* 26 */
			   "new file mode 100644\n"		/* 27 */
			   "--- /dev/null\n"			/* 28 */
			   "+++ b/net/g.h\n"			/* 29 */
			   "@@ -0,0 +1 @@\n"			/* 30 */
			   "+x\n"				/* 31 */
			   "-- \n"				/* 32 */
			   "2.39.2\n";				/* 33 */

static void lines_have_their_kinds(void **state)
{
	static const char kinds[] = "hhhmmmmmmmmbbbddddHc-+ccodddd"
				    "H+oo";
	static const struct {
		char c;
		enum line_kind kind;
	} names[] = {{'h', LINE_HEADER},  {'m', LINE_LOG},   {'b', LINE_BELOW},
		     {'d', LINE_DIFF},	  {'H', LINE_HUNK},  {'c', LINE_CONTEXT},
		     {'-', LINE_REMOVED}, {'+', LINE_ADDED}, {'o', LINE_OTHER}};
	struct view v;

	(void)state;
	view_read(&v, mail, sizeof(mail) - 1);
	assert_int_equal(v.n, sizeof(kinds) - 1);
	for (size_t i = 0; i < v.n; i++)
		for (size_t k = 0; k < array_size(names); k++)
			if (names[k].c == kinds[i] && v.line[i].kind != names[k].kind)
				fail_msg("line %zu is of kind %x, not %c", i + 1, v.line[i].kind,
					 kinds[i]);
	view_done(&v);
}

static void lines_know_their_place(void **state)
{
	struct view v;

	(void)state;
	view_read(&v, mail, sizeof(mail) - 1);
	assert_int_equal(v.subject, 1);
	assert_int_equal(v.separator, 11);
	assert_int_equal(v.first_diff, 14);
	assert_int_equal(v.lines_checked, 6);
	assert_true(v.line[7].in_dump && !v.line[4].in_dump && !v.line[9].in_dump);
	assert_true(v.line[8].in_log && !v.line[9].in_log && !v.line[10].in_log);
	assert_int_equal(v.line[21].number, 6);
	assert_int_equal(v.line[23].number, 8);
	assert_int_equal(v.n_files, 2);
	assert_string_equal(v.file[0].path, "lib/f.c");
	assert_string_equal(v.file[0].old_id, "1234567");
	assert_int_equal(v.file[0].mode, 0100755);
	assert_int_equal(v.file[0].kind, FILE_C);
	assert_false(v.file[0].is_new || v.file[0].checks);
	assert_true(v.file[1].is_new && v.file[1].checks && v.file[1].kind == FILE_H);
	assert_int_equal(view_prev(&v, 21), 19);
	assert_int_equal(view_next(&v, 21), 22);
	assert_int_equal(view_next_code(&v, 21), 23);
	assert_int_equal(view_prev(&v, 19), VIEW_NONE);
	for (uint32_t i = 0; i < v.n; i++)
		assert_int_equal(view_line_at(&v, v.line[i].start), i);
	view_done(&v);
}

/* What git format-patch prints of that mail: five lines to the body, no changelog, and its own
 * diffstat of two files and a created one. */
static void format_patch_has_other_numbers(void **state)
{
	struct view v;

	(void)state;
	view_read(&v, mail, sizeof(mail) - 1);
	assert_int_equal(view_format_line(&v, 4),
			 7); /* "Why." after From, From, Date, two of Subject */
	assert_int_equal(view_format_line(&v, 10), 13); /* Cc: */
	assert_int_equal(view_format_line(&v, 12), 0);
	assert_int_equal(view_format_line(&v, 14), 20); /* "---", 2, sum, create, "" are before */
	view_done(&v);
}

static void words_are_found(void **state)
{
	struct word_set *set = word_set_new();
	char word[16];

	(void)state;
	assert_false(word_set_has(set, "a", 1));
	for (int i = 0; i < 5000; i++) {
		snprintf(word, sizeof(word), "w%d", i);
		word_set_add(set, word, strlen(word), word + 1);
		word_set_add(set, word, strlen(word), "again");
	}
	assert_int_equal(word_set_count(set), 5000);
	assert_string_equal(word_set_find(set, "w4711x", 5), "4711");
	assert_null(word_set_find(set, "w5000", 5));
	assert_null(word_set_find(set, "", 0));
	word_set_free(set);
}

static void needs_are_words_that_are_there(void **state)
{
	static const struct {
		const char *need, *text;
		bool met;
	} table[] = {
		{"printk", "a printk(b)", true},
		{"printk", "a prin tk(b)", false},
		{"a|bc", "bc", true},
		{"a|bc", "a", true},
		{"a|bc", "cb", false},
		{NULL, "", true},
		{"if", "fi if", true},
	};

	(void)state;
	for (size_t i = 0; i < array_size(table); i++) {
		struct pairs p = pairs_of(table[i].text, strlen(table[i].text));
		struct need need;

		need_init(&need, table[i].need);
		assert_int_equal(need_met(&need, &p, table[i].text, strlen(table[i].text)),
				 table[i].met);
		need_done(&need);
	}
}

/* Reads it, and asks about every line and bracket. */
static void ask_everything(const char *text, size_t n)
{
	struct view v;

	view_read(&v, text, n);
	for (uint32_t i = 0; i < v.n; i++) {
		(void)view_line_at(&v, v.line[i].start);
		if (v.line[i].hunk == VIEW_NONE)
			continue;
		(void)view_indent(&v, i);
		(void)view_block(&v, v.line[i].start);
		if (v.line[i].kind & LINE_NEW)
			(void)view_statement(&v, i);
	}
	for (uint32_t i = 0; i < v.n_brackets; i++)
		(void)view_bracket_around(&v, v.bracket[i].at);
	view_done(&v);
}

static void hostile_text_ends_soon(void **state)
{
	static const char *const lines[] = {"+(",
					    "+)",
					    "+if (a) {",
					    "+if (a)",
					    "+}",
					    "+\"",
					    "+/*",
					    "+#if A",
					    "+#else",
					    "-x */",
					    " ",
					    "diff --git a/a.c b/b.c",
					    "@@ -1,9 +1,9 @@",
					    "+do",
					    "+for (;;"};
	double start = clock_mono();

	(void)state;
	for (size_t i = 0; i < array_size(lines); i++) {
		auto_str struct str s;

		str_init(&s, 0);
		str_adds(&s, "--- a/f.c\n+++ b/f.c\n@@ -1,99999 +1,99999 @@\n");
		for (unsigned k = 0; k < 6000; k++)
			str_addf(&s, "%s\n", lines[i]);
		ask_everything(s.buf, s.len);
	}
	assert_true(clock_mono() - start < 5);
}

static void one_long_line(void **state)
{
	static const char parts[] = "(\"/*";
	double start = clock_mono();

	(void)state;
	for (const char *c = parts; *c; c++) {
		size_t head;
		auto_str struct str s;

		str_init(&s, 0);
		str_adds(&s, "--- a/f.c\n+++ b/f.c\n@@ -1,9 +1,9 @@\n+");
		head = s.len;
		for (unsigned k = 0; k < 300000; k++)
			str_addc(&s, k % 7 ? *c : 'a');
		ask_everything(s.buf, s.len);
		ask_everything(s.buf + head, s.len - head);
	}
	assert_true(clock_mono() - start < 5);
}

static void cut_and_broken_text(void **state)
{
	static const char *const texts[] = {
		"",
		"\n",
		"@@",
		"@@ -1 +1 @@",
		"@@ -1 +1 @@\n",
		"@@ -99999999999,1 +1,99999999999 @@\n+a",
		"--- \n+++ \n",
		"--- a\n+++ b",
		"diff --git ",
		"diff --git \n@@ -1 +1 @@\n+a\n",
		"---",
		"Subject:",
		"+++ /dev/null\n@@ -0,0 +0,0 @@\n",
		"--- \"\n+++ \"\n@@ -1 +1 @@\n",
	};

	(void)state;
	for (size_t i = 0; i < array_size(texts); i++)
		ask_everything(texts[i], strlen(texts[i]));
	for (size_t n = 0; n < sizeof(mail); n++)
		ask_everything(mail, n);
	ask_everything("@@ -1 +1 @@\n+a\0b\n", 18);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(comments_and_strings_are_blanked),
		cmocka_unit_test(statements_end_where_they_should),
		cmocka_unit_test(blocks_are_found),
		cmocka_unit_test(brackets_match),
		cmocka_unit_test(lines_have_their_kinds),
		cmocka_unit_test(lines_know_their_place),
		cmocka_unit_test(format_patch_has_other_numbers),
		cmocka_unit_test(words_are_found),
		cmocka_unit_test(needs_are_words_that_are_there),
		cmocka_unit_test(hostile_text_ends_soon),
		cmocka_unit_test(one_long_line),
		cmocka_unit_test(cut_and_broken_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
