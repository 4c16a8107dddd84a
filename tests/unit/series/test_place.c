// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit/unit.h"

#include "series/place.h"

struct at {
	enum place_end end;
	struct place place;
};

/* Where the first hunk goes, with so much work allowed. */
static struct at find_within(uint64_t budget, const char *file, const char *hunks)
{
	auto_free char *text = xasprintf("--- a/f\n+++ b/f\n%s", hunks);
	struct err err = ERR_INIT;
	struct diff *d = NULL;
	struct image img;
	struct at at = {0};

	assert_ok(diff_parse(text, strlen(text), &d, &err), &err);
	image_init(&img, (struct bytes){file, strlen(file)}, 0, &budget);
	at.end = place_find(&img, &d->file[0].hunk[0], false, &at.place);
	image_done(&img);
	diff_free(d);
	return at;
}

static struct at find(const char *file, const char *hunks)
{
	return find_within(PLACE_BUDGET, file, hunks);
}

/* The file after all hunks; NULL when one is nowhere. */
static char *patch(const char *file, const char *hunks)
{
	auto_free char *text = xasprintf("--- a/f\n+++ b/f\n%s", hunks);
	struct err err = ERR_INIT;
	uint64_t budget = PLACE_BUDGET;
	struct diff *d = NULL;
	struct image img;
	struct place place;
	bool ok = true;
	struct str out;

	str_init(&out, 0);
	assert_ok(diff_parse(text, strlen(text), &d, &err), &err);
	image_init(&img, (struct bytes){file, strlen(file)}, 100, &budget);
	for (size_t i = 0; ok && i < d->file[0].n_hunks; i++) {
		ok = place_find(&img, &d->file[0].hunk[i], false, &place) == PLACE_FOUND;
		if (ok)
			place_apply(&img, &d->file[0].hunk[i], place.line);
	}
	image_text(&img, &out);
	image_done(&img);
	diff_free(d);
	if (ok)
		return str_take(&out);
	str_done(&out);
	return NULL;
}

#define assert_patched(file, hunks, want)                                                          \
	do {                                                                                       \
		auto_free char *got_ = patch(file, hunks);                                         \
		assert_non_null(got_);                                                             \
		assert_string_equal(got_, want);                                                   \
	} while (0)

static void stated_line_wins(void **state)
{
	struct at at = find("a\nx\nb\na\nx\nb\na\nx\nb\n", "@@ -4,3 +4,3 @@\n a\n-x\n+y\n b\n");

	(void)state;
	assert_int_equal(at.end, PLACE_FOUND);
	assert_int_equal(at.place.line, 3);
	assert_false(at.place.moved);
}

/* Both neighbours are one line off: forward is looked at first, as git does. */
static void nearest_wins_and_forward_first(void **state)
{
	struct at at = find("0\nx\n2\n3\nx\n5\n", "@@ -3,2 +3,2 @@\n-x\n+y\n q\n");

	(void)state;
	assert_int_equal(at.end, PLACE_NOWHERE);
	at = find("a\nx\nb\na\nx\nb\nz\n", "@@ -3,3 +3,3 @@\n a\n-x\n+y\n b\n");
	assert_int_equal(at.end, PLACE_FOUND);
	assert_int_equal(at.place.line, 3); /* line 0 is two off, line 3 one */
	assert_true(at.place.moved);
	at = find("1\nx\nb\n4\nx\nb\nz\n", "@@ -4,2 +4,2 @@\n-x\n+y\n b\n");
	assert_int_equal(at.place.line, 4);
	at = find("x\nb\n2\n3\n4\nx\nb\nz\n", "@@ -3,2 +3,2 @@\n-x\n+y\n b\n");
	assert_int_equal(at.place.line, 0); /* backward 2, forward 3 */
}

static void offset_may_be_large(void **state)
{
	auto_str struct str file;
	struct at at;

	(void)state;
	str_init(&file, 0);
	for (int i = 0; i < 5000; i++)
		str_addf(&file, "line %d\n", i);
	at = find(file.buf, "@@ -10,3 +10,3 @@\n line 4000\n-line 4001\n+y\n line 4002\n");
	assert_int_equal(at.end, PLACE_FOUND);
	assert_int_equal(at.place.line, 4000);
}

/* With old_start 0 or 1 there was nothing above; without trailing context, nothing below. */
static void ends_of_the_file_are_anchors(void **state)
{
	(void)state;
	assert_int_equal(find("0\na\nb\nc\n", "@@ -1,3 +1,3 @@\n-a\n+y\n b\n c\n").end,
			 PLACE_NOWHERE);
	assert_int_equal(find("a\nb\nc\n", "@@ -1,3 +1,3 @@\n-a\n+y\n b\n c\n").end, PLACE_FOUND);
	assert_int_equal(find("0\na\nb\n1\n", "@@ -2,2 +2,2 @@\n a\n-b\n+y\n").end, PLACE_NOWHERE);
	assert_int_equal(find("0\n1\n2\na\nb\n", "@@ -2,2 +2,2 @@\n a\n-b\n+y\n").end, PLACE_FOUND);
}

/* diff -U0 loses its place too easily: only at the end of the file. */
static void hunks_without_context_are_refused(void **state)
{
	(void)state;
	assert_int_equal(find("a\nb\nc\n", "@@ -2 +2 @@\n-b\n+y\n").end, PLACE_NOWHERE);
	assert_int_equal(find("a\nb\nc\n", "@@ -2,0 +3 @@\n+y\n").end, PLACE_FOUND);
	assert_patched("a\nb\nc\n", "@@ -2,0 +3 @@\n+y\n", "a\nb\nc\ny\n");
}

static void fuzz_is_never_used(void **state)
{
	(void)state;
	assert_int_equal(find("1\n2\n3\nx\n5\n6\n7\n",
			      "@@ -1,7 +1,7 @@\n 1\n 2\n 3\n-x\n+y\n 5\n 6\n seven\n")
				 .end,
			 PLACE_NOWHERE);
	assert_int_equal(find("a\n\tx\nb\n", "@@ -1,3 +1,3 @@\n a\n- x\n+y\n b\n").end,
			 PLACE_NOWHERE);
	assert_int_equal(find("a\nx\r\nb\n", "@@ -1,3 +1,3 @@\n a\n-x\n+y\n b\n").end,
			 PLACE_NOWHERE);
}

static void hunks_apply_in_any_order(void **state)
{
	(void)state;
	assert_patched("1\n2\n3\n4\n5\n6\n7\n8\n",
		       "@@ -2,3 +2,4 @@\n 2\n-3\n+X\n+Y\n 4\n@@ -6,3 +7,2 @@\n 6\n-7\n 8\n",
		       "1\n2\nX\nY\n4\n5\n6\n8\n");
	assert_patched("1\n2\n3\n4\n5\n6\n7\n8\n9\n",
		       "@@ -6,3 +6,2 @@\n 6\n-7\n 8\n@@ -2,3 +2,4 @@\n 2\n-3\n+X\n+Y\n 4\n",
		       "1\n2\nX\nY\n4\n5\n6\n8\n9\n");
}

static void patched_lines_are_not_patched_again(void **state)
{
	(void)state;
	assert_null(patch("a\nx\nb\nq\n",
			  "@@ -1,3 +1,3 @@\n a\n-x\n+x\n b\n@@ -1,3 +1,3 @@\n a\n-x\n+y\n b\n"));
	assert_patched("a\nx\nb\na\nx\nb\nq\n",
		       "@@ -1,3 +1,3 @@\n a\n-x\n+x\n b\n@@ -2,3 +2,3 @@\n a\n-x\n+y\n b\n",
		       "a\nx\nb\na\ny\nb\nq\n");
}

static void missing_newline_is_a_difference(void **state)
{
	(void)state;
	assert_patched("a\nb", "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n",
		       "a\nb\n");
	assert_patched("a\nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file\n",
		       "a\nb");
	assert_null(patch("a\nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n"));
	assert_null(patch("a\nb", "@@ -1,2 +1,2 @@\n a\n-b\n+c\n"));
}

static void empty_files_grow_and_shrink(void **state)
{
	(void)state;
	assert_patched("", "@@ -0,0 +1,2 @@\n+a\n+b\n", "a\nb\n");
	assert_patched("a\nb\n", "@@ -1,2 +0,0 @@\n-a\n-b\n", "");
	assert_null(patch("a\nb\nc\n", "@@ -1,2 +0,0 @@\n-a\n-b\n"));
	assert_null(patch("z\n", "@@ -0,0 +1 @@\n+a\n"));
}

/* Blank lines in a file of blank lines: quadratic for any search. */
static void search_gives_up_on_hostile_input(void **state)
{
	enum { FILE_LINES = 100000, HUNK_LINES = 50000 };
	auto_free char *file = xmalloc(FILE_LINES + 1);
	auto_str struct str hunk;

	(void)state;
	memset(file, '\n', FILE_LINES);
	file[FILE_LINES] = '\0';
	str_init(&hunk, 0);
	str_addf(&hunk, "@@ -50,%d +50,%d @@\n", HUNK_LINES + 2, HUNK_LINES + 1);
	for (int i = 0; i < HUNK_LINES; i++)
		str_adds(&hunk, " \n");
	str_adds(&hunk, "-x\n \n");
	assert_int_equal(find_within(1000000, file, hunk.buf).end, PLACE_GAVE_UP);
}

static void closest_place_has_most_in_common(void **state)
{
	static const char file[] = "int a;\n{\n}\n\nint long_name(void)\n{\n\treturn 1;\n}\n";
	static const char text[] =
		"--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n int long_name(void)\n {\n-\treturn 2;\n"
		"+\treturn 3;\n";
	uint64_t budget = PLACE_BUDGET;
	struct err err = ERR_INIT;
	struct diff *d = NULL;
	struct image img;

	(void)state;
	assert_ok(diff_parse(text, strlen(text), &d, &err), &err);
	image_init(&img, (struct bytes){file, strlen(file)}, 0, &budget);
	assert_int_equal(place_closest(&img, &d->file[0].hunk[0]), 4);
	image_done(&img);
	diff_free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stated_line_wins),
		cmocka_unit_test(nearest_wins_and_forward_first),
		cmocka_unit_test(offset_may_be_large),
		cmocka_unit_test(ends_of_the_file_are_anchors),
		cmocka_unit_test(hunks_without_context_are_refused),
		cmocka_unit_test(fuzz_is_never_used),
		cmocka_unit_test(hunks_apply_in_any_order),
		cmocka_unit_test(patched_lines_are_not_patched_again),
		cmocka_unit_test(missing_newline_is_a_difference),
		cmocka_unit_test(empty_files_grow_and_shrink),
		cmocka_unit_test(search_gives_up_on_hostile_input),
		cmocka_unit_test(closest_place_has_most_in_common),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
