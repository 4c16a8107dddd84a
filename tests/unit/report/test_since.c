// SPDX-License-Identifier: GPL-2.0-or-later
/* What changed since the version before, as a part of a page. */
#include "unit/unit.h"

#include "base/json.h"
#include "report/report.h"
#include "unit/report/markup.h"

static json_t *row(const char *word, json_t *patch, json_t *was, const char *diff)
{
	return json_pack("{s:o, s:o, s:s, s:s, s:s, s:o}", "patch", patch, "was", was, "word", word,
			 "words", strcmp(word, "changed") == 0 ? "author, diff" : "", "subject",
			 "mm: <i>tidy</i>", "diff", json_text(diff));
}

static json_t *since_of(json_t *rows)
{
	return json_pack("{s:i, s:s, s:s, s:s, s:o}", "version", 2, "message_id", "v2@example.org",
			 "why", "same change-id", "limited", "too large to pair exactly", "patches",
			 rows);
}

static char *page_of(const json_t *since)
{
	struct str out;

	str_init(&out, 0);
	str_adds(&out, "<!DOCTYPE html>\n<html lang=\"en\">\n<body>\n");
	report_html_since(since, &out);
	str_adds(&out, "</body>\n</html>\n");
	return str_take(&out);
}

static void test_rows(void **state)
{
	auto_json json_t *since = since_of(
		json_pack("[o, o, o, o]", row("unchanged", json_integer(1), json_integer(1), NULL),
			  row("changed", json_integer(3), json_integer(2), "-<b>old</b>"),
			  row("new", json_integer(2), json_null(), NULL),
			  row("dropped", json_null(), json_integer(3), NULL)));
	auto_free char *page = page_of(since);
	static const char *const wanted[] = {"<h2>Since version 2</h2>",
					     "1 \u2192 1",
					     "2 \u2192 3",
					     "author, diff",
					     "dropped",
					     "-&lt;b&gt;old&lt;/b&gt;",
					     "mm: &lt;i&gt;tidy&lt;/i&gt;",
					     "too large to pair exactly"};

	(void)state;
	for (size_t i = 0; i < array_size(wanted); i++)
		if (!strstr(page, wanted[i]))
			fail_msg("lacks \"%s\":\n%s", wanted[i], page);
	assert_null(strstr(page, "<i>"));
}

static void test_nothing(void **state)
{
	auto_json json_t *empty = since_of(json_array());
	struct str out;

	(void)state;
	str_init(&out, 0);
	report_html_since(NULL, &out);
	report_html_since(empty, &out);
	assert_int_equal(out.len, 0);
	str_done(&out);
}

/* It is a part of the report, and reports without it are good too. */
static void test_in_a_report(void **state)
{
	auto_json json_t *report = NULL, *bad = NULL;
	auto_free char *page = NULL;
	struct err err = ERR_INIT;
	size_t n = 0;
	FILE *mem;

	(void)state;
	assert_ok(json_read(FIXTURES "/report/pass.json", ERR_INPUT, &report, &err), &err);
	bad = json_deep_copy(report);
	json_object_set_new(
		report, "since",
		since_of(json_pack("[o]", row("new", json_integer(1), json_null(), NULL))));
	mem = open_memstream(&page, &n);
	assert_ok(report_html(report, mem, &err), &err);
	fclose(mem);
	auto_free char *fault = markup_fault(page);
	if (fault)
		fail_msg("%s", fault);
	assert_non_null(strstr(page, "Since version 2"));
	json_object_set_new(bad, "since",
			    since_of(json_pack("[o]", row("odd", json_null(), json_null(), NULL))));
	assert_err(report_check(bad, &err), &err, ERR_INPUT, "since");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows),
					   cmocka_unit_test(test_nothing),
					   cmocka_unit_test(test_in_a_report)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
