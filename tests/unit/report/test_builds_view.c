// SPDX-License-Identifier: GPL-2.0-or-later
/* What the views show of builds[]. */
#include "unit/unit.h"

#include "base/cleanup.h"
#include "base/str.h"
#include "report/builds.h"
#include "report/schema.h"
#include "views.h"

#define ROW(row, main, patch, outcome, reason, rest)                                               \
	"{\"row\":\"" row "\",\"summary\":\"s\",\"main\":" main ",\"patch\":" patch                \
	",\"outcome\":\"" outcome "\",\"reason\":\"" reason                                        \
	"\",\"seconds\":2.0,\"cached\":false,\"log\":null," rest "}"
#define NOTHING                                                                                    \
	"\"new_warnings\":[],\"config_changes\":[],\"sizes\":null,\"commands\":[\"git checkout "   \
	"1\",\"make x\"]"
#define MUCH                                                                                       \
	"\"new_warnings\":[{\"tool\":\"gcc\",\"path\":\"mm/<b>.c\",\"line\":7,\"function\":null,"  \
	"\"option\":\"-Wx\",\"text\":\"bad \\u001b[31m thing\",\"mended\":2}],"                    \
	"\"config_changes\":[{\"option\":\"CONFIG_A\",\"base\":\"y\",\"patched\":null,\"word\":"   \
	"\"off\"},{\"option\":\"CONFIG_B\",\"base\":null,\"patched\":\"n\",\"word\":\"new\"}],"    \
	"\"sizes\":{\"base\":100,\"patched\":5000,\"over\":true,\"sections\":[],\"symbols\":"      \
	"[{\"name\":\"f<i>\",\"base\":0,\"patched\":4900}],\"grown\":0,\"shrunk\":0,\"added\":1,"  \
	"\"removed\":0},\"module_sizes\":{\"base\":10,\"patched\":30,\"over\":true,"               \
	"\"modules\":[{\"name\":\"a<b>.ko\",\"base\":10,\"patched\":30,\"symbols\":[{\"name\":"    \
	"\"s<u>\",\"base\":0,\"patched\":20}]}],\"grown\":3,\"shrunk\":0,\"added\":0,"             \
	"\"removed\":1},\"headers\":[{\"header\":\"include/<x>.h\",\"objects\":[\"mm/a.o\","       \
	"\"mm/b.o\"]},{\"header\":\"y.h\",\"objects\":[]}],\"commands\":[\"make x\"]"

static const char builds[] = "[" ROW("ppc64le-lean", "true", "0", "pass", "built", NOTHING) "," ROW(
	"ppc64le-lean", "true", "1", "warn", "1 new warning",
	MUCH) "," ROW("ppc64e", "false", "0", "pass", "built",
		      NOTHING) "," ROW("ppc64e", "false", "2", "fail", "mm/a.c:1: error: x",
				       NOTHING) "," ROW("ppc32-pmac", "false", "null", "skip",
							"it needs a <package>", NOTHING) "]";

static json_t *report_with_builds(void)
{
	json_t *report = fixture("no-build");
	json_t *list = json_loads(builds, 0, NULL);

	assert_non_null(list);
	json_object_set_new(report, "builds", list);
	return report;
}

static void a_configuration_is_a_line(void **state)
{
	auto_json json_t *report = report_with_builds();
	auto_free char *text = text_of(report, &(struct report_text_options){0});

	(void)state;
	assert_holds(text, "\nBuilds:\n");
	assert_holds(
		text,
		"  warn   ppc64le-lean       4.0 s  1 patch, 1 new warning, 1 option changed\n");
	assert_holds(text, "  fail   ppc64e             4.0 s  patch 2: mm/a.c:1: error: x\n");
	assert_holds(text, "  skip   ppc32-pmac                it needs a <package>\n");
	assert_holds(text,
		     "  The build that fails, without firn:\n    git checkout 1\n    make x\n");
	assert_null(strchr(text, '\x1b'));
}

/* The objects of a row are told once, though others have the same. */
static void headers_have_objects_that_stand_for_them(void **state)
{
	static const char list[] =
		"[{\"header\":\"include/<x>.h\",\"objects\":[\"mm/a.o\",\"mm/b.o\"]},"
		"{\"header\":\"y.h\",\"objects\":[]}]";
	auto_json json_t *report = report_with_builds();
	auto_free char *text = NULL, *html = NULL;
	const char *first;

	(void)state;
	replace(report, "builds.0.headers", json_loads(list, 0, NULL));
	replace(report, "builds.2.headers", json_loads(list, 0, NULL));
	text = text_of(report, &(struct report_text_options){0});
	html = html_of(report);
	assert_holds(text, "  for include/<x>.h: mm/a.o, mm/b.o\n");
	assert_holds(text, "  for y.h: no source was found that includes it\n");
	assert_holds(html, "<summary>Objects that ppc64le-lean made for headers</summary>");
	assert_holds(html, "<li>for include/&lt;x&gt;.h: mm/a.o, mm/b.o</li>");
	first = strstr(text, "for y.h");
	assert_null(strstr(first + 1, "for y.h"));
	assert_null(strstr(html, "Objects that ppc64e"));
}

static void one_configuration_that_is_good_says_nothing(void **state)
{
	auto_json json_t *report = fixture("pass");
	auto_free char *before = text_of(report, &(struct report_text_options){0}), *after = NULL;
	json_t *list = json_loads(builds, 0, NULL);

	(void)state;
	for (int i = 0; i < 4; i++)
		json_array_remove(list, 1);
	json_object_set_new(report, "builds", list);
	after = text_of(report, &(struct report_text_options){0});
	assert_string_equal(after, before);
}

static void the_page_has_all_of_it_escaped(void **state)
{
	auto_json json_t *report = report_with_builds();
	auto_free char *html = html_of(report);

	(void)state;
	assert_holds(html, "<section id=\"builds\">");
	assert_holds(html, "mm/&lt;b&gt;.c:7");
	assert_holds(html, "mended by patch 2");
	assert_holds(html, "CONFIG_A");
	assert_holds(html, "f&lt;i&gt;");
	assert_holds(html, "it needs a &lt;package&gt;");
	assert_holds(html, "<details open=\"open\"><summary>Modules of ppc64le-lean: 30 bytes, was "
			   "10 (+20)</summary>");
	assert_holds(html, ">a&lt;b&gt;.ko</th><td>s&lt;u&gt; +20</td>");
	assert_holds(html, "Modules: 3 grew, 1 went.");
	assert_holds(html, "<details open=\"open\"><summary>Size of ppc64le-lean");
	assert_holds(html, "Repeat ppc64e, patch 2, without firn");
	assert_null(strchr(html, '\x1b'));
}

static const struct {
	const char *path, *value; /* JSON; NULL: taken out */
} wrong[] = {
	{"builds.1.outcome", "\"good\""},
	{"builds.1.patch", "\"1\""},
	{"builds.1.new_warnings", "null"},
	{"builds.1.new_warnings.0.text", "null"},
	{"builds.1.config_changes.0.word", "\"x\""},
	{"builds.1.sizes.over", "1"},
	{"builds.1.module_sizes", "1"},
	{"builds.1.module_sizes.over", NULL},
	{"builds.1.module_sizes.modules.0.symbols", "null"},
	{"builds.1.headers.0.header", "null"},
	{"builds.1.headers.0.objects", "[1]"},
	{"builds.1.commands", "[1]"},
	{"builds.1.row", NULL},
};

static void the_schema_knows_them(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	for (size_t i = 0; i < array_size(wrong); i++) {
		auto_json json_t *report = report_with_builds();

		assert_ok(report_check(report, &err), &err);
		replace(report, wrong[i].path,
			wrong[i].value ? json_loads(wrong[i].value, JSON_DECODE_ANY, NULL) : NULL);
		if (report_check(report, &err) != ERR_INPUT)
			fail_msg("%s is not complained about", wrong[i].path);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_configuration_is_a_line),
		cmocka_unit_test(headers_have_objects_that_stand_for_them),
		cmocka_unit_test(one_configuration_that_is_good_says_nothing),
		cmocka_unit_test(the_page_has_all_of_it_escaped),
		cmocka_unit_test(the_schema_knows_them),
	};

	return cmocka_run_group_tests_name("builds in the views", tests, NULL, NULL);
}
