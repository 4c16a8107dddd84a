// SPDX-License-Identifier: GPL-2.0-or-later
/* Patches as pages show them: what each line is, and where findings stand. */
#include "unit/unit.h"

#include "web/patch_html.h"

static const char mail[] = "From: Ada <ada@example.org>\n"	     /* 1 */
			   "Date: Mon, 30 Nov 2026 10:00:00 +0000\n" /* 2 */
			   "Subject: [PATCH] door: two things\n"     /* 3 */
			   "\n"
			   "--- this is not a diff\n" /* 5 */
			   "@@ -1 +1 @@ nor this\n"
			   "---\n"
			   "diff --git a/door.c b/door.c\n" /* 8 */
			   "index 1..2 100644\n"
			   "--- a/door.c\n" /* 10 */
			   "+++ b/door.c\n"
			   "@@ -10,4 +10,5 @@ int door\n"
			   " same\n"	 /* 13: 10 10 */
			   "-- gone\n"	 /* 14: 11 */
			   "++ come\n"	 /* 15: 11 */
			   "+<script>\n" /* 16: 12 */
			   " \n"	 /* 17: 12 13 */
			   "\n"		 /* 18: 13 14, its blank was lost on the way */
			   "-- \n"	 /* 19 */
			   "2.39.2\n";

static enum patch_line_kind kind_of(const struct patch_lines *p, size_t number)
{
	assert_true(number >= 1 && number <= p->n);
	return p->line[number - 1].kind;
}

static void lines_are_known(void **state)
{
	auto_patch_lines struct patch_lines p = {0};

	(void)state;
	patch_lines_read(mail, strlen(mail), &p);
	assert_int_equal(p.n, 20);
	assert_int_equal(p.n_files, 1);
	assert_string_equal(p.file[0].path, "door.c");
	assert_int_equal(p.file[0].added, 2);
	assert_int_equal(p.file[0].removed, 1);
	assert_int_equal(kind_of(&p, 5), PATCH_WORDS);
	assert_int_equal(kind_of(&p, 6), PATCH_WORDS);
	assert_int_equal(kind_of(&p, 8), PATCH_FILE);
	assert_int_equal(kind_of(&p, 10), PATCH_META);
	assert_int_equal(kind_of(&p, 12), PATCH_HUNK);
	assert_int_equal(kind_of(&p, 13), PATCH_CONTEXT);
	assert_int_equal(kind_of(&p, 14), PATCH_REMOVED);
	assert_int_equal(kind_of(&p, 15), PATCH_ADDED);
	assert_int_equal(kind_of(&p, 18), PATCH_CONTEXT);
	assert_int_equal(kind_of(&p, 19), PATCH_WORDS);
	assert_int_equal(p.line[13].before, 11);
	assert_int_equal(p.line[13].after, 0);
	assert_int_equal(p.line[15].after, 12);
	assert_int_equal(p.line[17].before, 13);
	assert_int_equal(p.line[17].after, 14);
}

static void assert_files(const char *text, const char *const *names, size_t n)
{
	auto_patch_lines struct patch_lines p = {0};

	patch_lines_read(text, strlen(text), &p);
	assert_int_equal(p.n_files, n);
	for (size_t i = 0; i < n; i++)
		assert_string_equal(p.file[i].path, names[i]);
}

static void files_have_their_names(void **state)
{
	static const char git[] = "diff --git a/old name.c b/old name.c\n"
				  "deleted file mode 100644\n"
				  "--- a/old name.c\n"
				  "+++ /dev/null\n"
				  "@@ -1 +0,0 @@\n"
				  "-x\n"
				  "\\ No newline at end of file\n"
				  "diff --git a/from.c b/to.c\n"
				  "similarity index 100%\n"
				  "rename from from.c\n"
				  "rename to to.c\n"
				  "diff --git a/mode.sh b/mode.sh\n"
				  "old mode 100644\n"
				  "new mode 100755\n";
	static const char plain[] = "--- plain/mm/slab.c\tyesterday\n"
				    "+++ plain/mm/slab.c\ttoday\n"
				    "@@ -1 +1 @@\n"
				    "-x\n"
				    "+y\n"
				    "--- plain/mm/slub.c\n"
				    "+++ plain/mm/slub.c\n"
				    "@@ -1 +1 @@\n"
				    "-x\n"
				    "+y\n";

	(void)state;
	assert_files(git, (const char *[]){"old name.c", "to.c", "mode.sh"}, 3);
	assert_files(plain, (const char *[]){"mm/slab.c", "mm/slub.c"}, 2);
}

static void a_hunk_goes_on_after_a_missing_newline(void **state)
{
	static const char text[] = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-x\n"
				   "\\ No newline at end of file\n+y\n";
	auto_patch_lines struct patch_lines p = {0};

	(void)state;
	patch_lines_read(text, strlen(text), &p);
	assert_int_equal(kind_of(&p, 5), PATCH_META);
	assert_int_equal(kind_of(&p, 6), PATCH_ADDED);
}

static json_t *finding(long long patch_line, const char *path, long long line)
{
	return json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:i, s:s, s:n}", "checker", "checkpatch",
			 "level", "ERROR", "type", "SPACING", "path",
			 path ? json_string(path) : json_null(), "line",
			 line ? json_integer(line) : json_null(), "patch_line",
			 patch_line ? json_integer(patch_line) : json_null(), "patch", 1, "message",
			 "<b>a & b</b>", "excerpt");
}

static void findings_stand_at_their_lines(void **state)
{
	json_t *findings = json_array();
	auto_json json_t *report = json_pack("{s:o}", "findings", findings);
	auto_patch_lines struct patch_lines p = {0};
	auto_patch_notes struct patch_notes exact = {0}, loose = {0};

	(void)state;
	patch_lines_read(mail, strlen(mail), &p);
	json_array_append_new(findings, finding(0, "door.c", 99));
	json_array_append_new(findings, finding(16, "door.c", 12));
	json_array_append_new(findings, finding(0, "door.c", 11));
	json_array_append_new(findings, finding(3, NULL, 0));
	json_array_append_new(findings, finding(4000000000, "other.c", 1));
	patch_notes_read(report, 1, &p, true, &exact);
	assert_int_equal(exact.n, 5);
	assert_int_equal(exact.placed, 3);
	assert_int_equal(exact.note[0].line, 2);
	assert_int_equal(exact.note[1].line, 14);
	assert_int_equal(exact.note[2].line, 15);
	/* Of another text only lines of files count. */
	patch_notes_read(report, 1, &p, false, &loose);
	assert_int_equal(loose.placed, 2);
	assert_int_equal(loose.note[0].line, 14);
	assert_int_equal(loose.note[1].line, 15);
}

static void markup_is_escaped_and_closed(void **state)
{
	json_t *findings = json_array();
	auto_json json_t *report = json_pack("{s:o}", "findings", findings);
	auto_patch_lines struct patch_lines p = {0};
	auto_patch_notes struct patch_notes notes = {0};
	auto_str struct str out;

	(void)state;
	patch_lines_read(mail, strlen(mail), &p);
	json_array_append_new(findings, finding(16, "door.c", 12));
	patch_notes_read(report, 1, &p, true, &notes);
	str_init(&out, 0);
	patch_html_files(&out, &p);
	patch_html_notes(&out, &p, &notes);
	patch_html_lines(&out, &p, &notes);
	assert_null(strstr(out.buf, "<script"));
	assert_null(strstr(out.buf, "<b>"));
	assert_non_null(strstr(out.buf, "<a href=\"#L16\">door.c:12</a>"));
	assert_non_null(strstr(out.buf,
			       "<span id=\"L16\" class=\"a hit\" data-a=\"12\">+&lt;script&gt;"
			       "\n</span></pre>\n<p class=\"finding ERROR\">"));
	assert_non_null(strstr(out.buf, "<h3 class=\"file\" id=\"file-1\">"));
}

/* patch 0 is the base */
#define BUILD(row, patch, outcome, errors, warnings)                                               \
	"{\"row\":\"" row "\",\"patch\":" patch ",\"outcome\":\"" outcome                          \
	"\",\"reason\":\"why\",\"errors\":[" errors "],\"new_warnings\":[" warnings "]}"
#define UNUSED                                                                                     \
	"{\"path\":\"door.c\",\"line\":12,\"text\":\"unused <x>\",\"option\":\"-Wunused\","        \
	"\"mended\":2}"
#define UNKNOWN "{\"path\":\"door.c\",\"line\":11,\"text\":\"'come' undeclared\",\"option\":null}"

static void builds_stand_at_their_lines(void **state)
{
	static const char builds[] = "{\"builds\":[" BUILD("le", "0", "pass", "", "") "," BUILD(
		"le", "1", "warn", "",
		UNUSED) "," BUILD("be", "1", "fail", UNKNOWN,
				  UNUSED) "," BUILD("be", "2", "fail", UNKNOWN,
						    "") "," BUILD("<pmac>", "1", "fail", "",
								  "") "]}";
	auto_json json_t *report = json_loads(builds, 0, NULL);
	auto_patch_lines struct patch_lines p = {0};
	auto_patch_notes struct patch_notes first = {0}, second = {0}, third = {0};
	auto_str struct str out;

	(void)state;
	patch_lines_read(mail, strlen(mail), &p);
	patch_notes_read(report, 1, &p, true, &first);
	assert_int_equal(first.checked, 0);
	assert_int_equal(first.built, 3);
	assert_string_equal(first.broken, "be, <pmac>");
	assert_string_equal(first.noisy, "le, be");
	assert_null(first.still_broken);
	/* The same of two rows is one note; a build that does not say where stands at no line. */
	assert_int_equal(first.n, 3);
	assert_int_equal(first.placed, 2);
	assert_int_equal(first.note[0].line, 14);
	assert_int_equal(first.note[1].line, 15);
	assert_string_equal(first.note[1].rows, "le, be");
	str_init(&out, 0);
	patch_html_notes(&out, &p, &first);
	patch_html_lines(&out, &p, &first);
	assert_non_null(strstr(out.buf,
			       "door.c:12</a>: <span class=\"badge WARNING\">WARNING</span> "
			       "unused &lt;x&gt; <code>-Wunused</code> <span "
			       "class=\"muted\">build of le, be; gone with patch 2"));
	assert_non_null(strstr(out.buf, "<p class=\"finding ERROR\">"));
	assert_non_null(strstr(out.buf, "the build: <span class=\"badge ERROR\">ERROR</span> why"));
	assert_null(strstr(out.buf, "<pmac>"));
	/* What was broken before is not this patch's. */
	patch_notes_read(report, 2, &p, true, &second);
	assert_int_equal(second.n, 0);
	assert_string_equal(second.still_broken, "be");
	assert_null(second.broken);
	patch_notes_read(NULL, 1, &p, true, &third);
	assert_int_equal(third.n + third.built, 0);
}

static void hostile_patches_do_no_harm(void **state)
{
	static const char *const texts[] = {
		"",
		"\n",
		"diff --git",
		"diff --git ",
		"diff --git a",
		"--- \n+++ \n",
		"--- \n+++ ",
		"diff --git a/x b/x\n@@ -1,99999999999999999999 +1,4 @@\n+",
		"diff --git a/x b/x\n@@ -18446744073709551615,9 +4294967295,9 @@\n x\n x\n",
		"diff --git a/x b/x\n@@ - + @@\n@@ -1 +1 @\n@@\n",
		"rename to \ncopy to ",
		"diff --git a/x b/x\nrename to",
		"diff --git a/x b/x\n+++ \n+++ \t\n"};

	(void)state;
	for (size_t i = 0; i < array_size(texts); i++) {
		/* Just as long as it is: nothing may be read beyond. */
		auto_free char *text = xmemdup(texts[i], strlen(texts[i]));
		auto_patch_lines struct patch_lines p = {0};
		auto_patch_notes struct patch_notes notes = {0};
		auto_str struct str out;

		str_init(&out, 0);
		patch_lines_read(text, strlen(texts[i]), &p);
		patch_html_lines(&out, &p, &notes);
		assert_true(out.len > 0);
	}
}

static void a_patch_of_a_million_lines_is_cut(void **state)
{
	auto_patch_lines struct patch_lines p = {0};
	auto_str struct str text;

	(void)state;
	str_init(&text, 0);
	for (int i = 0; i < 3000; i++)
		str_adds(&text, "diff --git a/x b/x\n");
	for (int i = 0; i < 1000000; i++)
		str_adds(&text, "x\n");
	patch_lines_read(text.buf, text.len, &p);
	assert_int_equal(p.n, PATCH_LINES_MAX);
	assert_int_equal(p.left_out, 1003000 - PATCH_LINES_MAX);
	assert_int_equal(p.n_files, PATCH_FILES_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_known),
		cmocka_unit_test(files_have_their_names),
		cmocka_unit_test(a_hunk_goes_on_after_a_missing_newline),
		cmocka_unit_test(findings_stand_at_their_lines),
		cmocka_unit_test(markup_is_escaped_and_closed),
		cmocka_unit_test(builds_stand_at_their_lines),
		cmocka_unit_test(hostile_patches_do_no_harm),
		cmocka_unit_test(a_patch_of_a_million_lines_is_cut),
	};

	return cmocka_run_group_tests_name("web-patch", tests, NULL, NULL);
}
