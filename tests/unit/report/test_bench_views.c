// SPDX-License-Identifier: GPL-2.0-or-later
/* What the views make of benchmarks: facts, tables, curves, fits, functions. Their whole texts are
 * among those of test_report.c. */
#include "unit/unit.h"

#include "base/json.h"
#include "base/str.h"
#include "report/escape.h"
#include "unit/report/markup.h"
#include "unit/report/views.h"

static const char *const benches[] = {"bench-hot-add",	   "bench-ipi",	 "bench-node-offline",
				      "bench-cpu-hotplug", "bench-http", "bench-kernels"};

static const struct report_text_options whole, brief = {.brief = true};

static void assert_lacks(const char *text, const char *what)
{
	if (strstr(text, what))
		fail_msg("holds \"%s\":\n%s", what, text);
}

static unsigned count(const char *text, const char *what)
{
	unsigned n = 0;

	for (; (text = strstr(text, what)); text += strlen(what))
		n++;
	return n;
}

static void what_is_no_bench_is_refused(void **state)
{
	static const struct {
		const char *fixture, *path, *value, *want; /* value NULL: taken out */
	} cases[] = {
		{"bench-hot-add", "benches.0.outcome", "\"slower\"", "outcome is \"slower\""},
		{"bench-hot-add", "benches.0.mode", "\"wall\"", "benches[0].mode is \"wall\""},
		{"bench-hot-add", "benches.0.boots", "1.5", "benches[0].boots is not an integer"},
		{"bench-hot-add", "benches.0.stopped", NULL, "benches[0].stopped is missing"},
		{"bench-hot-add", "benches", "{}", "benches is not an array"},
		{"bench-hot-add", "metrics.0.judged", "1", "metrics[0].judged is not a boolean"},
		{"bench-hot-add", "metrics.2.x", "null", "metrics[2] has not all of group, x"},
		{"bench-hot-add", "metrics.2.x_title", NULL, "metrics[2] has not all of group, x"},
		{"bench-hot-add", "metrics.2.group", "null", "metrics[2] has not all of group, x"},
		{"bench-hot-add", "metrics.1.high", "null", "metrics[1] has half an interval"},
		{"bench-hot-add", "metrics.1.low", "\"0\"", "metrics[1].low is not a number"},
		{"bench-hot-add", "fits.0.patched.share", "null", "fits[0].patched.share is not a"},
		{"bench-hot-add", "functions.1.base", "\"1\"", "functions[1].base is not a number"},
		{"bench-hot-add", "tables.0.head", "[]", "tables[0] has no columns"},
		{"bench-hot-add", "tables.0.rows.1", "[\"64\"]",
		 "tables[0].rows[1] has 1 cells, its table 6 columns"},
		{"bench-hot-add", "tables.0.rows.1", "{}", "tables[0].rows[1] is not an array"},
		{"bench-hot-add", "tables.0.rows.2.5", "7", "tables[0].rows[2][5] is not a string"},
		{"bench-cpu-hotplug", "facts.0.word", "\"fine\"", "facts[0].word is \"fine\""},
		{"bench-cpu-hotplug", "facts.1.base", "3", "facts[1].base is not a string"},
		{"bench-cpu-hotplug", "facts.1.steady", "null", "facts[1].steady is not a boolean"},
		{"bench-cpu-hotplug", "facts.1.group", "null", "facts[1].group is not a string"},
	};

	(void)state;
	for (size_t i = 0; i < array_size(cases); i++) {
		auto_json json_t *report = fixture(cases[i].fixture);
		struct err err = ERR_INIT;

		replace(report, cases[i].path,
			cases[i].value ? json_loads(cases[i].value, JSON_DECODE_ANY, NULL) : NULL);
		assert_err(report_check(report, &err), &err, ERR_INPUT, cases[i].want);
	}
}

static void older_reports_have_less(void **state)
{
	static const char *const later[] = {"benches", "facts", "fits", "tables", "functions"};
	static const char *const of_metric[] = {"judged", "group", "x", "x_title", "low", "high"};
	auto_json json_t *report = fixture("bench-hot-add");
	struct err err = ERR_INIT;

	(void)state;
	for (size_t i = 0; i < array_size(later); i++)
		json_object_del(report, later[i]);
	for (size_t i = 0; i < array_size(of_metric) * 8; i++) {
		auto_free char *path = xasprintf("metrics.%zu.%s", i % 8, of_metric[i / 8]);

		replace(report, path, NULL);
	}
	assert_ok(report_check(report, &err), &err);
	auto_free char *text = text_of(report, &whole), *page = html_of(report);
	assert_holds(text, "\nBenchmark hot-add\n\n  Medians of 3 boots in us, change is");
	assert_holds(text, "\n    second hot-add of 256 LMBs  ");
	/* The sizes are in the names then: "hot-add/16". */
	assert_holds(page, ">size, log</text>");
	assert_holds(page, "Caveat:</strong> Emulated time");
}

static void lines_fit_a_mail(void **state)
{
	(void)state;
	for (size_t i = 0; i < array_size(benches); i++) {
		auto_json json_t *report = fixture(benches[i]);
		auto_free char *text = text_of(report, &whole);

		for (const char *s = text; *s && !str_starts(s, "Repeat:");) {
			size_t n = strcspn(s, "\n");

			if (term_width(s, n) > 100 || (n && s[n - 1] == ' '))
				fail_msg("%s: \"%.*s\"", benches[i], (int)n, s);
			s += n + 1;
		}
	}
}

static void brief_names_what_differs(void **state)
{
	auto_json json_t *node = fixture("bench-node-offline"), *hot = fixture("bench-hot-add");
	auto_free char *text = text_of(node, &brief);

	(void)state;
	assert_holds(text,
		     "      /proc/sys/kernel/numa_balancing               1     0        mended\n");
	assert_lacks(text, "has_memory");
	assert_holds(text, "  15 more are the same on both kernels: in the HTML and JSON\n");
	assert_holds(text, "    numa_hint_faults           11131           0  -100.00 %\n");
	/* Shown only: its bench has a table for it. */
	assert_lacks(text, "numa01, pgfault");
	assert_holds(text, "  9 more are not judged: in the HTML and JSON\n");

	/* A bench that passed and found nothing is not worth a line. */
	replace(hot, "benches.0.outcome", json_string("pass"));
	for (size_t i = 0; i < json_array_size(json_object_get(hot, "metrics")); i++) {
		auto_free char *path = xasprintf("metrics.%zu.word", i);

		replace(hot, path, json_string("unchanged"));
	}
	auto_free char *unchanged = text_of(hot, &brief);
	assert_lacks(unchanged, "Benchmark hot-add");
	replace(hot, "facts.0.word", json_string("both-wrong"));
	auto_free char *wrong = text_of(hot, &brief);
	assert_holds(wrong, "wrong on both: expected 1\n");
}

/* Metrics are copies of the first one with another word. */
static json_t *with_many(size_t n, size_t changed)
{
	json_t *report = fixture("bench-hot-add");
	json_t *metrics = json_object_get(report, "metrics");
	json_t *first = json_deep_copy(json_array_get(metrics, 0));

	json_object_set_new(first, "group", json_null());
	json_object_set_new(first, "x", json_null());
	json_object_set_new(first, "x_title", json_null());
	json_array_clear(metrics);
	for (size_t i = 0; i < n; i++) {
		json_t *m = json_deep_copy(first);
		bool last = i + changed >= n;

		json_object_set_new(m, "word", json_string(last ? "slower" : "unchanged"));
		json_object_set_new(m, "title", json_sprintf("metric %04d", (int)i));
		json_array_append_new(metrics, m);
	}
	json_decref(first);
	return report;
}

static void many_metrics_come_changed_first(void **state)
{
	auto_json json_t *few = with_many(12, 3), *many = with_many(1000, 30);
	auto_free char *all = text_of(few, &whole), *some = text_of(many, &whole);
	auto_free char *page = html_of(many);
	auto_free char *wrong = markup_fault(page);

	(void)state;
	assert_holds(all, "\n    metric 0000  ");
	assert_lacks(all, "are unchanged");
	assert_holds(some, "\n    metric 0970  ");
	assert_int_equal(count(some, "\n    metric "), 24);
	assert_holds(some, "\n  6 more are better or worse: in the HTML and JSON\n"
			   "  970 more are unchanged: in the HTML and JSON\n");
	assert_null(wrong);
	assert_int_equal(count(page, "<article "), 100);
	assert_holds(page, "<summary>Samples of the first 100, one by one</summary>");
	assert_holds(page, "500 more numbers: in the JSON");
}

/* Curves have the name of their fit, or of what their titles have in common. */
static void points_stand_under_their_curve(void **state)
{
	auto_json json_t *report = fixture("bench-hot-add");
	auto_free char *fitted = text_of(report, &whole);

	(void)state;
	assert_holds(fitted, "\n    hot-add over LMBs\n      16 LMBs  ");
	replace(report, "fits", json_array());
	auto_free char *common = text_of(report, &whole);
	assert_holds(common, "\n    hot-add of N LMBs\n      16 LMBs  ");
	replace(report, "metrics.0.title", json_string("other"));
	auto_free char *slug = text_of(report, &whole);
	assert_holds(slug, "\n    hot-add\n      16 LMBs  ");
	replace(report, "metrics.0.group", json_string("alone"));
	auto_free char *alone = text_of(report, &whole);
	assert_holds(alone, "\n    other  ");
}

static void many_facts_are_cut(void **state)
{
	auto_json json_t *report = fixture("bench-cpu-hotplug");
	json_t *facts = json_object_get(report, "facts");

	(void)state;
	for (int i = 0; i < 495; i++)
		json_array_append_new(facts, json_deep_copy(json_array_get(facts, i % 5)));
	auto_free char *text = text_of(report, &whole), *page = html_of(report);
	auto_free char *wrong = markup_fault(page);
	assert_null(wrong);
	assert_int_equal(count(text, "wrong: expected 0-3"), 20);
	assert_holds(text,
		     "\n  240 more facts differ or are not as expected: in the HTML and JSON\n"
		     "  200 more are the same on both kernels: in the HTML and JSON\n");
	assert_int_equal(count(page, ">wrong: expected 0-3</span>"), 100);
}

static json_t *table_of(size_t rows, size_t columns, const char *cell)
{
	json_t *head = json_array(), *body = json_array();

	for (size_t c = 0; c < columns; c++)
		json_array_append_new(head, json_sprintf("column number %zu", c));
	for (size_t r = 0; r < rows; r++) {
		json_t *row = json_array();

		for (size_t c = 0; c < columns; c++)
			json_array_append_new(row, json_string(cell));
		json_array_append_new(body, row);
	}
	return json_pack("{s:s, s:s, s:n, s:o, s:o}", "bench", "hot-add", "title", "T", "note",
			 "head", head, "rows", body);
}

static void tables_of_any_size_are_drawn(void **state)
{
	auto_json json_t *report = fixture("bench-hot-add");
	auto_free char *huge = xmalloc(100001);

	(void)state;
	memset(huge, 'x', 100000);
	huge[100000] = '\0';
	replace(report, "tables.0", table_of(1000, 100, ""));
	json_array_append_new(json_object_get(report, "tables"), table_of(2, 3, huge));
	json_array_append_new(json_object_get(report, "tables"), table_of(0, 1, ""));
	auto_free char *text = text_of(report, &whole), *page = html_of(report);
	auto_free char *wrong = markup_fault(page);
	assert_null(wrong);
	assert_holds(text, "  960 more rows: in the HTML and JSON\n  76 more columns: in the HTML");
	assert_holds(text, "xxxxx...\n");
	assert_true(strlen(text) < 20000);
	assert_holds(page, "500 more rows: in the JSON");
	assert_holds(page, "36 more columns: in the JSON");
}

static void heads_are_broken_before_a_table_is(void **state)
{
	auto_json json_t *report = fixture("bench-hot-add");

	(void)state;
	replace(report, "tables.0", table_of(1, 8, "1234567890"));
	auto_free char *text = text_of(report, &whole);
	assert_holds(
		text,
		"\n        column      column      column      column      column      column");
	assert_holds(
		text,
		"\n      number 0    number 1    number 2    number 3    number 4    number 5");
	assert_int_equal(count(text, "1234567890"), 8);
	replace(report, "tables.0", table_of(1, 9, "12345678901234"));
	auto_free char *cut = text_of(report, &whole);
	/* The first column once more under it. */
	assert_int_equal(count(cut, "12345678901234"), 10);
}

static void a_page_shows_curves(void **state)
{
	auto_json json_t *hot = fixture("bench-hot-add"), *ipi = fixture("bench-ipi");
	auto_free char *page = html_of(hot), *many = html_of(ipi);

	(void)state;
	assert_int_equal(count(page, "<polyline class=\"line base\""), 2);
	assert_holds(page, "<figure>\n<h4>hot-add over LMBs</h4>");
	assert_holds(page, "<figure>\n<h4>second hot-add of N LMBs</h4>");
	assert_holds(page, ">Median in \xc2\xb5s, log</text>");
	assert_holds(page, ">LMBs, log</text>");
	assert_lacks(page, "<path class=\"whisker");
	assert_int_equal(count(many, "<polyline class=\"line patched\""), 9);
	assert_holds(many, ">CPUs</text>");
	assert_holds(many, "<path class=\"whisker patched\"");
	assert_holds(many, "<path class=\"bracket\"");
	assert_holds(many, "<details><summary>Samples of all 36, one by one</summary>");
	assert_holds(many, "<span class=\"badge changed\">changed</span>");
}

static void a_page_shows_functions(void **state)
{
	auto_json json_t *report = fixture("bench-hot-add");
	auto_free char *page = html_of(report);

	(void)state;
	assert_holds(page, "<code>hot_add_scn_to_nid</code></th><td class=\"n\">0</td>"
			   "<td class=\"n\">793,792</td><td class=\"n\">+793,792</td>");
	assert_holds(page, "<rect class=\"bar worse\" x=\"50.00\" y=\"1\" width=\"50.00\"");
	assert_holds(page, "<th scope=\"row\">outside of vmlinux</th>");
	assert_holds(page, "<dt>patched</dt><dd>quadratic in the number of LMBs: 28,711 us");
}

static const char evil[] = "</td><script>\"'&\x1b[2J\xe2\x80\xae\n";

/* Every string that is not one of a set of words. */
static void poison(json_t *v)
{
	static const char *const words[] = {"outcome", "mode", "word", "better", "level"};
	const char *key;
	json_t *item;
	void *next;
	size_t i;

	json_array_foreach (v, i, item) {
		if (json_is_string(item))
			json_array_set_new(v, i, json_string(evil));
		else
			poison(item);
	}
	json_object_foreach_safe(v, next, key, item)
	{
		bool word = false;

		for (i = 0; i < array_size(words); i++)
			word |= strcmp(key, words[i]) == 0;
		if (json_is_string(item) && !word)
			json_object_set_new(v, key, json_string(evil));
		else
			poison(item);
	}
}

static void strangers_words_stay_words(void **state)
{
	static const char *const parts[] = {"metrics", "benches", "facts",
					    "fits",    "tables",  "functions"};

	(void)state;
	for (size_t i = 0; i < array_size(benches); i++) {
		auto_json json_t *report = fixture(benches[i]);

		for (size_t k = 0; k < array_size(parts); k++)
			poison(json_object_get(report, parts[k]));
		auto_free char *text = text_of(report, &whole), *page = html_of(report);
		auto_free char *wrong = markup_fault(page);
		if (wrong)
			fail_msg("%s: %s", benches[i], wrong);
		assert_lacks(page, "<script");
		assert_lacks(page, "\xe2\x80\xae");
		assert_lacks(text, "\x1b");
		assert_lacks(text, "\xe2\x80\xae");
	}
}

/* All numbers of it become x. */
static void set_numbers(json_t *v, double x)
{
	const char *key;
	json_t *item;
	size_t i;

	if (json_is_integer(v))
		json_integer_set(v, x > 0 ? INT64_MAX : INT64_MIN);
	else if (json_is_real(v))
		json_real_set(v, x);
	json_array_foreach (v, i, item)
		set_numbers(item, x);
	json_object_foreach (v, key, item)
		set_numbers(item, x);
}

static void absurd_numbers_do_no_harm(void **state)
{
	static const double absurd[] = {0, -1, 1e308, -1e308, 5e-324, 1e-290};
	static const char *const parts[] = {"metrics", "benches", "fits", "functions"};

	(void)state;
	for (size_t i = 0; i < array_size(absurd) * array_size(parts); i++) {
		auto_json json_t *report = fixture("bench-ipi");
		json_t *part = json_object_get(report, parts[i % array_size(parts)]);

		/* Some of the points of each curve. */
		for (size_t k = 0; k < json_array_size(part); k += k % 2 + 1)
			set_numbers(json_array_get(part, k), absurd[i / array_size(parts)]);
		auto_free char *text = text_of(report, &whole), *page = html_of(report);
		auto_free char *wrong = markup_fault(page);
		if (wrong || !*text || strstr(page, "=\"nan") || strstr(page, "=\"inf") ||
		    strstr(page, "=\"-nan") || strstr(page, "nan,"))
			fail_msg("%s = %g: %s", parts[i % array_size(parts)],
				 absurd[i / array_size(parts)], wrong ?: "nan or inf");
	}
}

static void too_many_benches_are_counted(void **state)
{
	auto_json json_t *report = with_many(300, 1);

	(void)state;
	for (size_t i = 0; i < 300; i++)
		json_object_set_new(json_array_get(json_object_get(report, "metrics"), i), "bench",
				    json_sprintf("bench-%zu", i));
	auto_free char *text = text_of(report, &whole), *page = html_of(report);
	/* That of benches[] is one of them. */
	assert_int_equal(count(text, "\nBenchmark bench-"), 63);
	assert_holds(text, "  237 more rows of more benchmarks: in the HTML and JSON\n");
	assert_holds(page, "237 more rows of other benchmarks: in the JSON.");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_no_bench_is_refused),
		cmocka_unit_test(older_reports_have_less),
		cmocka_unit_test(lines_fit_a_mail),
		cmocka_unit_test(brief_names_what_differs),
		cmocka_unit_test(many_metrics_come_changed_first),
		cmocka_unit_test(points_stand_under_their_curve),
		cmocka_unit_test(many_facts_are_cut),
		cmocka_unit_test(tables_of_any_size_are_drawn),
		cmocka_unit_test(heads_are_broken_before_a_table_is),
		cmocka_unit_test(a_page_shows_curves),
		cmocka_unit_test(a_page_shows_functions),
		cmocka_unit_test(strangers_words_stay_words),
		cmocka_unit_test(absurd_numbers_do_no_harm),
		cmocka_unit_test(too_many_benches_are_counted),
	};

	return cmocka_run_group_tests_name("report-bench", tests, NULL, NULL);
}
