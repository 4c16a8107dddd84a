// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit/unit.h"

#include "base/json.h"
#include "base/str.h"
#include "report/report.h"
#include "trial/bench_args.h"
#include "trial/bench_json.h"
#include "trial/bench_symptom.h"
#include <math.h>

static double base_samples[] = {100, 102, 98}, patched_samples[] = {110, NAN, 112};

static struct bench_metric metrics[] = {
	{.name = (char *)"hot-add/16",
	 .title = (char *)"hot-add of 16 LMBs",
	 .unit = (char *)"us",
	 .lower_is_better = true,
	 .judged = true,
	 .group = (char *)"hot-add",
	 .x = 16,
	 .x_title = (char *)"LMBs",
	 .base = {base_samples, 3},
	 .patched = {patched_samples, 3},
	 .word = BENCH_SLOWER,
	 .change = 0.11,
	 .low = 0.09,
	 .high = 0.13,
	 .smallest = 0.02,
	 .why = (char *)"because"},
	{.name = (char *)"boots\xff\x80",
	 .title = (char *)"\xc3(",
	 .unit = (char *)"count",
	 .change = NAN,
	 .low = -INFINITY,
	 .high = 4,
	 .smallest = NAN,
	 .word = BENCH_UNDECIDED,
	 .group = (char *)"lost",
	 .x = NAN},
};

static struct bench_fact facts[] = {
	{.name = (char *)"online",
	 .title = (char *)"online",
	 .group = (char *)"empty node 0",
	 .base = (char *)"0-1",
	 .patched = (char *)"1",
	 .expected = (char *)"1",
	 .steady = true},
	{.name = (char *)"n\x01", .title = (char *)"\xed\xa0\x80", .base = NULL, .patched = NULL},
};

static struct bench_fit fits[] = {
	{.group = (char *)"hot-add",
	 .title = (char *)"hot-add over LMBs",
	 .base = {.constant = 1, .linear = 2, .quadratic = NAN, .words = (char *)"linear"},
	 .patched = {.constant = 1, .linear = 2, .quadratic = 3, .share = 0.5, .words = NULL}},
};

static char *heads[] = {(char *)"CPUs", (char *)"rate"};
static char *cells[] = {(char *)"1", (char *)"\xf0\x9f", (char *)"2", NULL};
static struct bench_table tables[] = {
	{.title = (char *)"rates", .columns = 2, .rows = 2, .head = heads, .cell = cells},
	{.title = (char *)"none"},
};

static struct bench_function functions[] = {
	{.name = (char *)"drmem_lmb_find", .base = 10, .patched = 20}};

static const struct bench bench = {.name = "hot-add", .sizes = "LMBs"};
static const struct testbed testbed = {.name = "replay"};
static const struct bench_request request = {.testbed = &testbed, .mode = BENCH_COUNT, .seed = 7};

static struct bench_result result(void)
{
	static char *evidence[] = {(char *)"not ok 1 \x80"};

	/* Another mode than was asked for. */
	return (struct bench_result){.outcome = OUTCOME_WARN,
				     .mode = BENCH_CLOCK,
				     .reason = (char *)"hot-add of 16 LMBs: slower\xfe",
				     .metric = metrics,
				     .n_metrics = array_size(metrics),
				     .fact = facts,
				     .n_facts = array_size(facts),
				     .fit = fits,
				     .n_fits = array_size(fits),
				     .table = tables,
				     .n_tables = array_size(tables),
				     .function = functions,
				     .n_functions = array_size(functions),
				     .evidence = evidence,
				     .n_evidence = 1,
				     .caveat = (char *)"emulated",
				     .boots = 6,
				     .seconds = 12.5};
}

static json_t *row(const json_t *data, const char *list, size_t i)
{
	return json_array_get(json_object_get(data, list), i);
}

static void numbers_keep_their_meaning(void **state)
{
	const struct bench_result r = result();
	auto_json json_t *data = bench_json(&bench, &request, &r);
	const json_t *m = row(data, "metrics", 0), *side = json_object_get(m, "patched");

	(void)state;
	assert_string_equal(json_get_str(data, "outcome", ""), "warn");
	assert_string_equal(json_get_str(m, "bench", ""), "hot-add");
	assert_string_equal(json_get_str(m, "word", ""), "slower");
	assert_string_equal(json_get_str(m, "better", ""), "lower");
	assert_true(json_get_bool(m, "judged", false));
	assert_true(json_get_num(m, "x", 0) == 16);
	assert_string_equal(json_get_str(m, "x_title", ""), "LMBs");
	assert_true(json_get_num(m, "low", 0) == 0.09);
	assert_true(json_get_num(m, "high", 0) == 0.13);
	assert_true(json_get_num(json_object_get(m, "base"), "median", 0) == 100);
	/* A sample that is no number is not one. */
	assert_int_equal((int)json_get_num(side, "n", 0), 2);
	assert_true(json_get_num(side, "median", 0) == 111);
	assert_int_equal(json_array_size(json_object_get(side, "samples")), 2);
}

static void what_is_not_known_is_null(void **state)
{
	const struct bench_result r = result();
	auto_json json_t *data = bench_json(&bench, &request, &r);
	const json_t *m = row(data, "metrics", 1);

	(void)state;
	assert_true(json_is_null(json_object_get(m, "change")));
	assert_true(json_is_null(json_object_get(m, "low")));
	assert_true(json_is_null(json_object_get(m, "high")));
	assert_true(json_is_null(json_object_get(m, "smallest")));
	assert_true(json_is_null(json_object_get(m, "group")));
	assert_true(json_is_null(json_object_get(m, "x")));
	assert_true(json_is_null(json_object_get(row(data, "facts", 1), "base")));
}

static void bytes_become_text(void **state)
{
	const struct bench_result r = result();
	auto_json json_t *data = bench_json(&bench, &request, &r);

	(void)state;
	assert_string_equal(json_get_str(data, "reason", ""),
			    "hot-add of 16 LMBs: slower\xef\xbf\xbd");
	assert_string_equal(json_string_value(row(data, "evidence", 0)), "not ok 1 \xef\xbf\xbd");
	assert_non_null(json_get_str(row(data, "metrics", 1), "name", NULL));
	assert_int_equal(json_array_size(json_object_get(row(data, "tables", 0), "rows")), 2);
	assert_int_equal(json_array_size(json_object_get(data, "tables")), 1);
}

static void the_report_takes_it(void **state)
{
	static const char empty[] =
		"{\"schema\": \"firn-report\", \"version\": 1, \"firn\": \"0\", \"started\": \"\", "
		"\"finished\": \"\", \"seconds\": 0, \"base\": null, \"steps\": [], \"findings\": "
		"[], \"counts\": null, \"checks\": [], \"not_tested\": [], \"repeat\": \"\", "
		"\"verdict\": {\"outcome\": \"pass\", \"words\": \"\"}, \"series\": {\"title\": "
		"\"\", \"message_id\": \"\", \"version\": 1, \"date\": \"\", \"author\": "
		"{\"name\": \"\", \"email\": \"\"}, \"total\": 0, \"missing\": [], \"cover\": "
		"null, \"patches\": []}}";
	const struct bench_result r = result();
	auto_json json_t *data = bench_json(&bench, &request, &r);
	auto_json json_t *report = json_loads(empty, 0, NULL);
	struct err err = ERR_INIT;

	(void)state;
	bench_json_merge(report, data);
	bench_json_merge(report, data);
	assert_int_equal(json_array_size(json_object_get(report, "metrics")), 4);
	assert_int_equal(json_array_size(json_object_get(report, "benches")), 2);
	assert_string_equal(json_get_str(row(report, "benches", 0), "mode", ""), "clock");
	assert_ok(report_check(report, &err), &err);
}

static void a_fact_has_its_word(void **state)
{
	static const struct {
		const char *base, *patched, *expected, *word;
	} rows[] = {
		{"1", "1", NULL, "same"},	 {"1", "2", NULL, "changed"},
		{NULL, "2", NULL, "changed"},	 {"1", "1", "1", "same"},
		{"1", "2", "1", "wrong"},	 {"1", NULL, "1", "wrong"},
		{"2", "1", "1", "mended"},	 {"2", "2", "1", "both-wrong"},
		{NULL, NULL, "1", "both-wrong"}, {"", "", "", "same"},
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		const struct bench_fact f = {.base = (char *)(uintptr_t)rows[i].base,
					     .patched = (char *)(uintptr_t)rows[i].patched,
					     .expected = (char *)(uintptr_t)rows[i].expected};

		assert_string_equal(bench_fact_word(&f), rows[i].word);
	}
}

static json_t *parse(const char *text)
{
	json_t *obj = json_loads(text, 0, NULL);

	assert_non_null(obj);
	return obj;
}

#define METRIC(name, judged, word, change)                                                         \
	"{\"name\": \"" name "\", \"title\": \"T " name "\", \"judged\": " judged                  \
	", \"word\": \"" word "\", \"change\": " change "}"

static void the_gravest_symptom_is_taken(void **state)
{
	auto_json json_t *numbers = parse("{\"outcome\": \"warn\", \"metrics\": [" METRIC(
		"a", "true", "faster",
		"-0.9") "," METRIC("b", "true", "slower",
				   "0.01") "," METRIC("c", "true", "slower",
						      "0.02") "," METRIC("d", "false", "slower",
									 "5") "]}");
	auto_json json_t *better = parse("{\"outcome\": \"pass\", \"metrics\": [" METRIC(
		"a", "true", "faster", "null") "]}");
	auto_json json_t *same = parse("{\"outcome\": \"pass\", \"metrics\": [" METRIC(
		"a", "true", "unchanged", "0") "]}");
	struct bench_symptom s = {0};

	(void)state;
	assert_true(bench_symptom_find(numbers, &s));
	assert_int_equal(s.kind, SYMPTOM_NUMBER);
	assert_string_equal(s.name, "c");
	assert_string_equal(s.title, "T c");
	assert_string_equal(s.word, "slower");
	json_object_set_new(numbers, "outcome", json_string("fail"));
	assert_true(bench_symptom_find(numbers, &s));
	assert_int_equal(s.kind, SYMPTOM_FAIL);
	assert_null(s.name);
	json_object_set_new(numbers, "facts", parse("[{\"name\": \"f\", \"word\": \"wrong\"}]"));
	assert_true(bench_symptom_find(numbers, &s));
	assert_int_equal(s.kind, SYMPTOM_FACT);
	assert_string_equal(s.name, "f");
	assert_true(bench_symptom_find(better, &s));
	assert_string_equal(s.word, "faster");
	assert_false(bench_symptom_find(same, &s));
}

static void a_symptom_is_seen_again(void **state)
{
	auto_json json_t *data = parse("{\"outcome\": \"fail\", \"metrics\": [" METRIC(
		"a", "true", "slower", "0.1") "], \"facts\": [{\"name\": \"f\", \"word\": "
					      "\"same\"}]}");
	auto_json json_t *skip = parse("{\"outcome\": \"skip\", \"reason\": \"no net\"}");
	const struct bench_symptom slower = {SYMPTOM_NUMBER, "a", "", "slower"},
				   faster = {SYMPTOM_NUMBER, "a", "", "faster"},
				   other = {SYMPTOM_NUMBER, "b", "", "slower"},
				   fact = {SYMPTOM_FACT, "f", "", "wrong"},
				   fail = {SYMPTOM_FAIL, NULL, NULL, "fail"};
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(bench_symptom_seen(data, &slower, &err), 1);
	assert_int_equal(bench_symptom_seen(data, &faster, &err), 0);
	assert_int_equal(bench_symptom_seen(data, &fact, &err), 0);
	assert_int_equal(bench_symptom_seen(data, &fail, &err), 1);
	assert_err(bench_symptom_seen(data, &other, &err), &err, ERR_INFRA, "b was not measured");
	assert_err(bench_symptom_seen(skip, &fail, &err), &err, ERR_INFRA, "no net");
}

static void arguments_come_back(void **state)
{
	struct conf conf = {0};
	struct bench_request req = {0};
	const struct bench *found = NULL;
	auto_free unsigned *sizes = NULL;
	struct err err = ERR_INIT;

	(void)state;
	assert_ok(conf_set(&conf, CONF_BENCH_MODE, "clock", &err), &err);
	assert_ok(conf_set(&conf, CONF_BENCH_SEED, "5", &err), &err);
	assert_ok(conf_set(&conf, CONF_BENCH_LMBS, "16,64", &err), &err);
	assert_ok(conf_set(&conf, CONF_BENCH_PROFILE, "false", &err), &err);
	assert_ok(conf_set(&conf, CONF_TESTBED_NAME, "replay:/x", &err), &err);
	auto_json json_t *args = bench_args_make(&conf, &bench);
	assert_ok(bench_args_read(args, &found, &req, &sizes, &err), &err);
	assert_ptr_equal(found, bench_find("hot-add"));
	assert_string_equal(req.testbed->name, "replay");
	assert_string_equal(req.testbed_arg, "/x");
	assert_int_equal(req.mode, BENCH_CLOCK);
	assert_int_equal(req.seed, 5);
	assert_false(req.profile);
	assert_true(req.budget_s == 300);
	assert_int_equal(sizes[0], 16);
	assert_int_equal(sizes[1], 64);
	assert_int_equal(sizes[2], 0);
	assert_ptr_equal(req.sizes, sizes);
	assert_true(bench_args_timeout(args) > 300 + 2 * 300 * 40);
	conf_done(&conf);
}

static void wrong_arguments_are_named(void **state)
{
	static const struct {
		const char *args;
		enum err_kind kind;
		const char *words;
	} rows[] = {
		{"{}", ERR_INPUT, "\"bench\""},
		{"{\"bench\": \"hot-add\"}", ERR_INPUT, "\"testbed\""},
		{"{\"bench\": \"none\", \"testbed\": \"replay\"}", ERR_CONFIG, "no benchmark"},
		{"{\"bench\": \"hot-add\", \"testbed\": \"none\"}", ERR_CONFIG, "no testbed"},
		{"{\"bench\": \"hot-add\", \"testbed\": \"replay\", \"mode\": \"x\"}", ERR_CONFIG,
		 "no mode"},
	};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		auto_json json_t *args = parse(rows[i].args);
		const struct bench *found = NULL;
		struct bench_request req = {0};
		unsigned *sizes = NULL;
		struct err err = ERR_INIT;

		assert_err(bench_args_read(args, &found, &req, &sizes, &err), &err, rows[i].kind,
			   rows[i].words);
		assert_null(sizes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_keep_their_meaning),
		cmocka_unit_test(what_is_not_known_is_null),
		cmocka_unit_test(bytes_become_text),
		cmocka_unit_test(the_report_takes_it),
		cmocka_unit_test(a_fact_has_its_word),
		cmocka_unit_test(the_gravest_symptom_is_taken),
		cmocka_unit_test(a_symptom_is_seen_again),
		cmocka_unit_test(arguments_come_back),
		cmocka_unit_test(wrong_arguments_are_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
