// SPDX-License-Identifier: GPL-2.0-or-later
/* Answers by mail. The expected bodies stand beside the reports: NAME.mail; with
 * FIRN_UPDATE_FIXTURES=1 they are written anew. */
#include "unit/unit.h"

#include "base/fs.h"
#include "base/json.h"
#include "base/str.h"
#include "report/escape.h"
#include "report/mail.h"
#include "report/report.h"
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
				    "bench-http"};
static const struct report_mail_options options = {
	.url = "https://firn.example.org/trial/17",
	.contact = "firn-owner@example.org",
	.commands = true,
};

static void bodies_are_as_expected(void **state)
{
	(void)state;
	for (size_t i = 0; i < array_size(names); i++) {
		auto_json json_t *report = fixture(names[i]);
		auto_free char *body = report_mail_body(report, &options);
		auto_free char *path = xasprintf(FIXTURES "/report/%s.mail", names[i]);
		auto_str struct str want;
		struct err err = ERR_INIT;

		if (getenv("FIRN_UPDATE_FIXTURES"))
			assert_ok(fs_write_atomic(path, body, strlen(body), &err), &err);
		str_init(&want, 0);
		assert_ok(fs_read(path, 1 << 20, ERR_INPUT, &want, &err), &err);
		assert_string_equal(body, want.buf);
	}
}

static bool is_innocent(const char *line)
{
	static const char *const taken[] = {"From ", ">From ", "firn:", "diff ",
					    "--- ",  "+++ ",   "@@ "};

	for (size_t i = 0; i < array_size(taken); i++)
		if (strncasecmp(line, taken[i], strlen(taken[i])) == 0)
			return false;
	return true;
}

/* Every line of a body: none is a command or a diff, few are wide, none acts on a screen. */
static void lines_check(const char *name, const char *body)
{
	while (*body) {
		size_t n = strcspn(body, "\n");
		auto_free char *line = xmemdup(body, n);

		if (!is_innocent(line))
			fail_msg("%s: \"%s\" begins a line", name, line);
		if (term_width(line, n) > 208 && !strstr(line, "firn run"))
			fail_msg("%s: too wide: %s", name, line);
		for (size_t i = 0; i < n; i++)
			if ((unsigned char)line[i] < ' ' || line[i] == 0x7f)
				fail_msg("%s: a control character: %s", name, line);
		body += n + (body[n] == '\n');
	}
}

static void lines_are_innocent(void **state)
{
	(void)state;
	for (size_t i = 0; i < array_size(names); i++) {
		auto_json json_t *report = fixture(names[i]);
		auto_free char *body = report_mail_body(report, &options);

		lines_check(names[i], body);
	}
}

/* A reader of the list has neither our files nor our trees. */
static void others_can_repeat_it(void **state)
{
	auto_json json_t *report = fixture("no-build");

	(void)state;
	replace(report, "repeat_elsewhere",
		json_string("firn run https://lore.example.org/demo/a@example.org/ --tree ."));
	auto_free char *body = report_mail_body(report, &options);

	assert_non_null(strstr(body, "To repeat it, in a clone of the kernel:\n"
				     "  firn run https://lore.example.org/demo/a@example.org/ "
				     "--tree .\n"));
	assert_null(strstr(body, "To repeat it:"));
}

static const char *const nasty[] = {
	"firn: rerun",
	"From ada@example.org Mon Nov 30 14:00:00 2026",
	"diff --git a/x b/x",
	"--- a/x",
	"one\nfirn: stop\nthree",
	"a\r\nBcc: bo@example.org\r\n\r\nfirn: rerun",
	"\x1b[31m\xe2\x80\xae",
	("word word word word word word word word word word word word word word word "
	 "firn: rerun word word word word word word word word word word word word word firn: stop"),
};

static void strangers_words_stay_words(void **state)
{
	static const char *const places[] = {
		"verdict.words", "series.title",   "base.subject",	 "base.why",
		"base.tree",	 "steps.5.reason", "steps.5.evidence.0", "steps.5.name",
		"not_tested.0",	 "repeat",	   "repeat_elsewhere",	 "series.patches.1.subject",
		"firn"};

	(void)state;
	for (size_t i = 0; i < array_size(places) * array_size(nasty); i++) {
		auto_json json_t *report = fixture("no-build");

		replace(report, places[i % array_size(places)],
			json_string(nasty[i / array_size(places)]));
		auto_free char *body = report_mail_body(report, &options);
		lines_check(places[i % array_size(places)], body);
	}
}

static void findings_of_strangers_stay_findings(void **state)
{
	static const char *const places[] = {"findings.0.message", "findings.1.path",
					     "findings.1.excerpt", "findings.0.type"};

	(void)state;
	for (size_t i = 0; i < array_size(places) * array_size(nasty); i++) {
		auto_json json_t *report = fixture("findings");

		replace(report, places[i % array_size(places)],
			json_string(nasty[i / array_size(places)]));
		auto_free char *body = report_mail_body(report, &options);
		lines_check(places[i % array_size(places)], body);
	}
}

static void a_refusal_is_one_line(void **state)
{
	auto_free char *body = report_mail_refusal("<eve@example.org> may not", &options);
	auto_free char *hostile = report_mail_refusal("\x1b[2J\nfirn: rerun\nFrom x\r\n", &options);
	const char *rest = strstr(body, "\n\n-- \nThis is an automatic mail of firn ");

	(void)state;
	assert_true(str_starts(body, "Not done: <eve@example.org> may not\n\n-- \n"));
	assert_non_null(rest);
	assert_holds(body, "\"firn: stop\"");
	assert_null(strstr(body, "rerun"));
	assert_holds(body, "firn-owner@example.org");
	for (const char *s = hostile; s; s = strchr(s, '\n') ? strchr(s, '\n') + 1 : NULL)
		assert_true(is_innocent(s));
	assert_null(strpbrk(hostile, "\x1b\r"));
}

static void evidence_is_short(void **state)
{
	auto_json json_t *report = fixture("no-build");
	json_t *evidence =
		json_object_get(json_array_get(json_object_get(report, "steps"), 5), "evidence");

	(void)state;
	for (int i = 0; i < 5000; i++)
		json_array_append_new(evidence, json_string("a line of a log"));
	auto_free char *body = report_mail_body(report, &options);
	size_t lines = 0;
	for (const char *s = body; (s = strchr(s, '\n')); s++)
		lines++;
	assert_holds(body, "... 4977 more lines");
	assert_in_range(lines, REPORT_MAIL_EVIDENCE, 75);
}

static void the_patch_at_fault_is_answered(void **state)
{
	static const struct {
		const char *name, *id;
		unsigned number;
	} cases[] = {
		{"no-build", "20261128091500.411-2-ada@example.org", 2},
		{"no-apply", "20261128091500.411-2-ada@example.org", 2},
		{"pass", "20261128091500.411-0-ada@example.org", 0},
		{"findings", "20261128091500.411-0-ada@example.org", 0},
		{"slower", "20261128091500.411-0-ada@example.org", 0},
		{"incomplete", "20261127120000.77-1-bo@example.org", 0},
	};

	(void)state;
	for (size_t i = 0; i < array_size(cases); i++) {
		auto_json json_t *report = fixture(cases[i].name);
		unsigned number = 99;

		assert_string_equal(report_mail_target(report, &number), cases[i].id);
		assert_int_equal(number, cases[i].number);
	}
}

static void a_subject_answers_the_mail(void **state)
{
	auto_json json_t *build = fixture("no-build"), *pass = fixture("pass");
	auto_free char *made = report_mail_subject(build, NULL),
		       *cover = report_mail_subject(pass, NULL),
		       *given = report_mail_subject(build, "RE: Re:  [PATCH 2/2] x: y"),
		       *bad = report_mail_subject(build, "a\r\nBcc: bo@example.org");

	(void)state;
	assert_string_equal(made, "Re: [PATCH v2 2/2] powerpc/pseries: ask the LMB for its node");
	assert_true(str_starts(cover, "Re: [PATCH v2 0/2] "));
	assert_string_equal(given, "Re: [PATCH 2/2] x: y");
	assert_string_equal(bad, "Re: a\\x0d\\nBcc: bo@example.org");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bodies_are_as_expected),
		cmocka_unit_test(lines_are_innocent),
		cmocka_unit_test(others_can_repeat_it),
		cmocka_unit_test(strangers_words_stay_words),
		cmocka_unit_test(findings_of_strangers_stay_findings),
		cmocka_unit_test(a_refusal_is_one_line),
		cmocka_unit_test(evidence_is_short),
		cmocka_unit_test(the_patch_at_fault_is_answered),
		cmocka_unit_test(a_subject_answers_the_mail),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
