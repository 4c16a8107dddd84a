// SPDX-License-Identifier: GPL-2.0-or-later
/* The views of whole reports. The expected texts stand beside the reports: NAME.json, NAME.txt;
 * with FIRN_UPDATE_FIXTURES=1 in the environment they are written anew, to be read before they are
 * committed. */
#include "unit/unit.h"

#include "base/fs.h"
#include "base/json.h"
#include "base/str.h"
#include "report/report.h"
#include "unit/report/markup.h"
#include "unit/report/views.h"

static const char *const names[] = {"pass",
				    "slower",
				    "no-apply",
				    "no-build",
				    "panic",
				    "infra",
				    "incomplete",
				    "findings",
				    "hostile",
				    "bench-hot-add",
				    "bench-ipi",
				    "bench-node-offline",
				    "bench-cpu-hotplug",
				    "bench-http",
				    "bench-kernels"};

static void texts_are_as_expected(void **state)
{
	(void)state;
	for (size_t i = 0; i < array_size(names); i++) {
		auto_json json_t *report = fixture(names[i]);
		auto_free char *text = text_of(report, &(struct report_text_options){0});
		auto_free char *path = xasprintf(FIXTURES "/report/%s.txt", names[i]);
		auto_str struct str want;
		struct err err = ERR_INIT;

		if (getenv("FIRN_UPDATE_FIXTURES"))
			assert_ok(fs_write_atomic(path, text, strlen(text), &err), &err);
		str_init(&want, 0);
		assert_ok(fs_read(path, 1 << 20, ERR_INPUT, &want, &err), &err);
		assert_string_equal(text, want.buf);
	}
}

static void the_last_line_repeats_the_run(void **state)
{
	auto_json json_t *report = fixture("slower");
	auto_free char *text = text_of(report, &(struct report_text_options){0});
	const char *last = text + strlen(text) - 1;

	(void)state;
	while (last > text && last[-1] != '\n')
		last--;
	assert_true(str_starts(last,
			       "Repeat:  firn run 20261128-hot-add.mbox --tree linux.git --base "));
}

static void a_total_is_in_the_customary_form(void **state)
{
	auto_json json_t *report = fixture("findings");
	auto_free char *text = text_of(report, &(struct report_text_options){0});

	(void)state;
	assert_holds(text, "\ntotal: 1 errors, 3 warnings, 1 checks, 22 lines checked\n");
	assert_holds(text, "\narch/powerpc/include/asm/topology.h:90: WARNING:FUNCTION_ARGUMENTS: "
			   "function definition");
	assert_holds(text, "\npatch 2/2:14: WARNING:NEEDS_STABLE: ");
}

static void colour_comes_only_when_asked_for(void **state)
{
	auto_json json_t *report = fixture("no-build");
	auto_free char *plain = text_of(report, &(struct report_text_options){0});
	auto_free char *colour = text_of(report, &(struct report_text_options){.colour = true});

	(void)state;
	assert_null(strchr(plain, '\x1b'));
	assert_holds(colour, "\x1b[1;31mfail\x1b[0m");
}

static void brief_leaves_out_what_passed(void **state)
{
	auto_json json_t *slower = fixture("slower"), *pass = fixture("pass");
	const struct report_text_options brief = {.brief = true};
	auto_free char *text = text_of(slower, &brief), *passed = text_of(pass, &brief);

	(void)state;
	assert_null(strstr(text, "  pass   intake"));
	assert_holds(text, "  warn   bench-hot-add");
	assert_holds(text, "hot-add of 16 LMBs");
	assert_null(strstr(passed, "hot-add of 16 LMBs"));
	assert_holds(passed, "Verdict: pass");
}

static void pages_are_well_formed(void **state)
{
	(void)state;
	for (size_t i = 0; i < array_size(names); i++) {
		auto_json json_t *report = fixture(names[i]);
		auto_free char *page = html_of(report);
		auto_free char *wrong = markup_fault(page);

		if (wrong)
			fail_msg("%s: %s", names[i], wrong);
	}
}

static void a_page_says_all_of_it(void **state)
{
	auto_json json_t *report = fixture("slower");
	auto_free char *page = html_of(report);

	(void)state;
	assert_holds(page, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
			   "'none'; style-src 'sha256-");
	assert_holds(page, "hot-add is slower than on the base");
	assert_holds(page, "+0.62 %</strong> <span class=\"badge worse\">worse</span>");
	assert_holds(page, "<strong>Zoomed in:</strong> the axis does not start at 0");
	assert_holds(page, "Median in \xc2\xb5s");
	assert_holds(page, ">Change</text>");
	assert_holds(page, "<th scope=\"row\">patched</th><td class=\"n\">3</td>");
	assert_holds(page, "NUMA node offlining: no benchmark for it ran");
	assert_holds(page, "<pre class=\"command\">firn run ");
}

static void evidence_names_its_patch(void **state)
{
	auto_json json_t *report = fixture("no-build");
	auto_free char *page = html_of(report);

	(void)state;
	assert_holds(page, "<h3 id=\"evidence-5\">build: <a href=\"#patch-2\">patch 2/2</a> "
			   "<bdi>powerpc/pseries: ask");
	assert_holds(page, "614:15: error: implicit declaration of function");
}

static void what_is_no_report_is_refused(void **state)
{
	static const struct {
		const char *path, *value, *want; /* value NULL: taken out */
	} cases[] = {
		{"schema", "\"other\"", "its schema is not \"firn-report\""},
		{"version", "2", "this firn reads version 1"},
		{"version", "\"1\"", "version is not an integer"},
		{"verdict", NULL, "verdict is missing"},
		{"verdict.outcome", "\"great\"", "verdict.outcome is \"great\""},
		{"steps.3.seconds", "\"1\"", "steps[3].seconds is not a number"},
		{"steps.0.evidence", "[1]", "steps[0].evidence[0] is not a string"},
		{"series.patches.1.author.email", "null",
		 "series.patches[1].author.email is not a string"},
		{"metrics.0.base", "null", "metrics[0].base is not an object"},
		{"metrics.1.base.samples", "[1, \"2\"]",
		 "metrics[1].base.samples[1] is not a number"},
		{"not_tested", "{}", "not_tested is not an array"},
	};

	(void)state;
	for (size_t i = 0; i < array_size(cases); i++) {
		auto_json json_t *report = fixture("pass");
		struct err err = ERR_INIT;

		replace(report, cases[i].path,
			cases[i].value ? json_loads(cases[i].value, JSON_DECODE_ANY, NULL) : NULL);
		assert_err(report_check(report, &err), &err, ERR_INPUT, cases[i].want);
	}
}

static void members_that_are_not_known_are_ignored(void **state)
{
	auto_json json_t *report = fixture("pass");
	struct err err = ERR_INIT;

	(void)state;
	replace(report, "steps.0.colour", json_string("red"));
	assert_ok(report_check(report, &err), &err);
}

/* Numbers that no bench gives. Whatever the page says then, it is well formed and comes at once. */
static void absurd_numbers_do_no_harm(void **state)
{
	static const double absurd[] = {0, -1, 1e308, -1e308, 1e-320, 5e-324, 36412.000000001};
	static const char *const members[] = {"min", "max", "median", "stddev"};

	(void)state;
	for (size_t i = 0; i < array_size(absurd) * array_size(members); i++) {
		auto_json json_t *report = fixture("slower");
		auto_free char *at =
			xasprintf("metrics.1.patched.%s", members[i % array_size(members)]);

		replace(report, at, json_real(absurd[i / array_size(members)]));
		replace(report, "metrics.0.change", json_real(absurd[i / array_size(members)]));
		replace(report, "metrics.2.smallest", json_real(absurd[i / array_size(members)]));
		auto_free char *page = html_of(report);
		auto_free char *text = text_of(report, &(struct report_text_options){0});
		auto_free char *wrong = markup_fault(page);
		if (wrong || !*text || strstr(page, "=\"nan") || strstr(page, "=\"inf"))
			fail_msg("%s = %g: %s", at, absurd[i / array_size(members)],
				 wrong ?: "nan or inf");
	}
}

static void a_huge_report_is_cut_short(void **state)
{
	auto_json json_t *report = fixture("findings");
	json_t *findings = json_object_get(report, "findings");
	json_t *evidence =
		json_object_get(json_array_get(json_object_get(report, "steps"), 0), "evidence");
	auto_free char *line = xmalloc(100001);

	(void)state;
	memset(line, 'x', 100000);
	line[100000] = '\0';
	for (int i = 0; i < 5000; i++) {
		json_array_append(findings, json_array_get(findings, 0));
		json_array_append_new(evidence, json_string(i % 50 ? "a line" : line));
	}
	auto_free char *page = html_of(report),
		       *text = text_of(report, &(struct report_text_options){0});
	assert_holds(page, "3006 more findings are not shown");
	assert_holds(page, "... (91808 more bytes)");
	assert_holds(text, "... 4906 more findings");
	assert_holds(text, "| ... 4970 more lines");
	assert_true(strlen(page) < 3u << 20);
	assert_true(strlen(text) < 100000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_are_as_expected),
		cmocka_unit_test(the_last_line_repeats_the_run),
		cmocka_unit_test(a_total_is_in_the_customary_form),
		cmocka_unit_test(colour_comes_only_when_asked_for),
		cmocka_unit_test(brief_leaves_out_what_passed),
		cmocka_unit_test(pages_are_well_formed),
		cmocka_unit_test(a_page_says_all_of_it),
		cmocka_unit_test(evidence_names_its_patch),
		cmocka_unit_test(what_is_no_report_is_refused),
		cmocka_unit_test(members_that_are_not_known_are_ignored),
		cmocka_unit_test(absurd_numbers_do_no_harm),
		cmocka_unit_test(a_huge_report_is_cut_short),
	};

	return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}
