// SPDX-License-Identifier: GPL-2.0-or-later
/* What pages of the web take from a report: parts with links, numbers behind plots, a benchmark as
 * text; and the plot of a history. */
#include "unit/unit.h"

#include "base/json.h"
#include "base/str.h"
#include "report/history.h"
#include "report/report.h"
#include "unit/report/markup.h"
#include "unit/report/views.h"
#include <math.h>

static const struct report_links links = {.trial = "/trial/12", .series = "/series/7"};

static const json_t *plot_of(const json_t *plots, const char *id)
{
	return json_object_get(json_object_get(plots, "plots"), id);
}

static double number_at(const json_t *list, size_t i)
{
	return json_number_value(json_array_get(list, i));
}

static void plots_have_the_numbers_of_the_report(void **state)
{
	auto_json json_t *report = fixture("bench-hot-add");
	auto_json json_t *plots = report_plots(report, "hot-add");
	const json_t *samples, *curve;

	(void)state;
	assert_non_null(plots);
	samples = plot_of(plots, "metric-0-0");
	assert_string_equal(json_get_str(samples, "kind", ""), "samples");
	assert_string_equal(json_get_str(samples, "title", ""), "hot-add of 16 LMBs");
	assert_true(number_at(json_object_get(samples, "base"), 0) == 36412);
	assert_true(number_at(json_object_get(samples, "medians"), 0) == 36412);
	curve = plot_of(plots, "curve-0-0");
	assert_string_equal(json_get_str(curve, "kind", ""), "curve");
	assert_true(number_at(json_object_get(curve, "x"), 0) == 16);
	assert_int_equal(json_array_size(json_object_get(curve, "x")),
			 json_array_size(json_object_get(curve, "change")));
	assert_true(number_at(json_object_get(json_object_get(curve, "base"), "median"), 0) ==
		    36412);
}

/* Each figure of the page has its numbers, and the other way round. */
static void figures_and_plots_have_the_same_names(void **state)
{
	static const char *const names[] = {"bench-hot-add", "bench-ipi", "bench-http"};
	static const char *const benches[] = {"hot-add", "ipi", "http"};
	static const char mark[] = "data-plot=\"";

	(void)state;
	for (size_t i = 0; i < array_size(names); i++) {
		auto_json json_t *report = fixture(names[i]);
		auto_json json_t *plots = report_plots(report, benches[i]);
		auto_str struct str out;
		struct err err = ERR_INIT;
		size_t n = 0;

		str_init(&out, 0);
		assert_ok(report_html_bench(report, benches[i], &links, &out, &err), &err);
		for (const char *p = out.buf; (p = strstr(p, mark)); n++) {
			p += strlen(mark);
			auto_free char *id = xmemdup(p, strcspn(p, "\""));

			if (!plot_of(plots, id))
				fail_msg("%s: nothing behind the figure %s", names[i], id);
		}
		assert_int_equal(n, json_object_size(json_object_get(plots, "plots")));
	}
}

static void what_is_absurd_is_null(void **state)
{
	auto_json json_t *report = fixture("bench-hot-add");

	(void)state;
	replace(report, "metrics.0.base.median", json_real(1e308));
	replace(report, "metrics.0.smallest", json_real(1e308));
	auto_json json_t *plots = report_plots(report, "hot-add");
	auto_free char *text = json_dumps(plots, 0);

	assert_non_null(text);
	assert_true(json_is_null(json_object_get(plot_of(plots, "metric-0-0"), "band")));
}

static void a_benchmark_that_is_not_there_is_none(void **state)
{
	auto_json json_t *report = fixture("bench-hot-add");
	auto_str struct str out;
	struct err err = ERR_INIT;

	(void)state;
	str_init(&out, 0);
	assert_null(report_plots(report, "ipi"));
	assert_err(report_html_bench(report, "ipi", &links, &out, &err), &err, ERR_INPUT,
		   "no benchmark");
	assert_err(report_text_bench(report, "ipi", &out, &err), &err, ERR_INPUT, "no benchmark");
}

static void parts_link_to_the_pages_of_the_trial(void **state)
{
	auto_json json_t *report = fixture("slower"), *found = fixture("findings");
	auto_str struct str out, findings;
	auto_free char *whole = html_of(report);
	struct err err = ERR_INIT;

	(void)state;
	str_init(&out, 0);
	str_init(&findings, 0);
	assert_ok(report_html_part(report, &links, &out, &err), &err);
	assert_holds(out.buf, "<a href=\"/trial/12/step/build\">build</a>");
	assert_holds(out.buf, "data-plots=\"/trial/12/bench/hot-add.json\"");
	assert_holds(out.buf, "<a href=\"/series/7/patch/1\">");
	assert_ok(report_html_part(found, &links, &findings, &err), &err);
	assert_holds(findings.buf, "/series/7/patch/1#L");
	/* A report on its own has nowhere to link to. */
	assert_null(strstr(whole, "href=\"/"));
}

static char *framed(const char *part)
{
	return xasprintf(
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head><title>x</title></head>\n<body>"
		"%s</body>\n</html>\n",
		part);
}

static void hostile_reports_stay_in_their_place(void **state)
{
	auto_json json_t *report = fixture("hostile");
	auto_str struct str out;
	struct err err = ERR_INIT;

	(void)state;
	replace(report, "steps.0.name", json_string("a/../../b\"><script>?#%00"));
	replace(report, "steps.0.log", json_string("x\" onclick=\"alert(1)"));
	str_init(&out, 0);
	assert_ok(report_html_part(report, &links, &out, &err), &err);
	auto_free char *page = framed(out.buf);
	/* It knows pages that link to nothing but themselves. */
	for (char *p = page; (p = strstr(p, "href=\"/"));)
		p[strlen("href=\"")] = '#';
	auto_free char *fault = markup_fault(page);

	if (fault)
		fail_msg("%s", fault);
	assert_holds(
		out.buf,
		"href=\"/trial/12/step/a%2F%2E%2E%2F%2E%2E%2Fb%22%3E%3Cscript%3E%3F%23%2500\"");
	assert_null(strstr(out.buf, "<script"));
	assert_null(strstr(out.buf, "onclick=\""));
}

static void a_benchmark_is_text_for_a_mail(void **state)
{
	auto_json json_t *report = fixture("bench-hot-add");
	auto_str struct str out;
	struct err err = ERR_INIT;

	(void)state;
	str_init(&out, 0);
	assert_ok(report_text_bench(report, "hot-add", &out, &err), &err);
	assert_holds(out.buf, "Benchmark hot-add: ");
	assert_holds(out.buf, "Caveat: ");
	assert_null(strstr(out.buf, "Verdict"));
	for (const char *line = out.buf; *line; line += strcspn(line, "\n") + 1)
		assert_true(strcspn(line, "\n") <= 100);
}

static void history_of(struct history *h, struct history_point *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		p[i] = (struct history_point){.when = 1700000000 + (int64_t)i * 86400,
					      .median = i < n / 2 ? 100 : 110,
					      .commit = "abc"};
	*h = (struct history){.title = "<b>t", .unit = "us", .point = p, .n = n};
	history_judge(h);
}

static void a_history_marks_its_changes(void **state)
{
	struct history_point p[40];
	struct history h;
	auto_str struct str out;

	(void)state;
	str_init(&out, 0);
	history_of(&h, p, 40);
	assert_int_equal(h.n_changes, 1);
	plot_history(&out, &h, "history-0");
	assert_holds(out.buf, "History: &lt;b&gt;t, 40 commits, 1 change</title>");
	assert_holds(out.buf, "class=\"mark\"");
	auto_free char *page = framed(out.buf);
	auto_free char *fault = markup_fault(page);
	if (fault)
		fail_msg("%s", fault);
	auto_json json_t *obj = history_json(&h);
	const json_t *change = json_array_get(json_object_get(obj, "changes"), 0);
	assert_int_equal(json_integer_value(json_object_get(change, "at")), 20);
	assert_int_equal(json_array_size(json_object_get(obj, "median")), 40);
}

static void a_history_that_cannot_be_drawn_says_so(void **state)
{
	static const double absurd[] = {0, 1e308, -1e308, NAN, INFINITY};
	struct history_point p[40];
	struct history h;

	(void)state;
	for (size_t i = 0; i < array_size(absurd); i++) {
		auto_str struct str out;

		str_init(&out, 0);
		history_of(&h, p, 40);
		p[7].median = absurd[i];
		history_judge(&h);
		plot_history(&out, &h, "x");
		assert_null(strstr(out.buf, "nan"));
		assert_null(strstr(out.buf, "inf\""));
	}
	for (size_t n = 0; n < 2; n++) {
		auto_str struct str out;

		str_init(&out, 0);
		history_of(&h, p, n);
		plot_history(&out, &h, "x");
		assert_holds(out.buf, "No plot");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plots_have_the_numbers_of_the_report),
		cmocka_unit_test(figures_and_plots_have_the_same_names),
		cmocka_unit_test(what_is_absurd_is_null),
		cmocka_unit_test(a_benchmark_that_is_not_there_is_none),
		cmocka_unit_test(parts_link_to_the_pages_of_the_trial),
		cmocka_unit_test(hostile_reports_stay_in_their_place),
		cmocka_unit_test(a_benchmark_is_text_for_a_mail),
		cmocka_unit_test(a_history_marks_its_changes),
		cmocka_unit_test(a_history_that_cannot_be_drawn_says_so),
	};

	return cmocka_run_group_tests_name("report-plots", tests, NULL, NULL);
}
