// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests of a KCIDB document: the boot, each benchmark, and each number of one. A test is of a build
 * there: where none came to a kernel there are none. */
#include "report/kcidb_make.h"

#include "base/json.h"
#include <math.h>

/* What could not be found out is MISS: a fault of ours says nothing about the test either. */
const char *kcidb_test_status(const char *outcome)
{
	static const struct {
		const char *outcome, *status;
	} rows[] = {{"pass", "PASS"}, {"warn", "DONE"}, {"fail", "FAIL"}, {"skip", "SKIP"}};

	for (size_t i = 0; i < array_size(rows); i++)
		if (strcmp(rows[i].outcome, outcome) == 0)
			return rows[i].status;
	return "MISS";
}

/* "hot-add/16" as "firn.hot_add.16": words of letters, digits and _ with dots between them. */
char *kcidb_path(const char *name)
{
	struct str path;

	str_init(&path, 0);
	str_adds(&path, "firn.");
	for (; *name; name++) {
		bool letter = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') ||
			      (*name >= '0' && *name <= '9');

		if (*name != '/')
			str_addc(&path, letter ? *name : '_');
		else if (path.buf[path.len - 1] != '.' && name[1])
			str_addc(&path, '.');
	}
	if (path.buf[path.len - 1] == '.')
		str_addc(&path, '_');
	return str_take(&path);
}

static const json_t *bench_of(const json_t *report, const char *name)
{
	const json_t *bench;
	size_t i;

	json_array_foreach (json_object_get(report, "benches"), i, bench)
		if (strcmp(json_get_str(bench, "bench", ""), name) == 0)
			return bench;
	return NULL;
}

static void environment_add(json_t *obj, const json_t *bench)
{
	json_t *environment;

	if (!bench)
		return;
	environment = json_object();
	kcidb_text(environment, "comment", json_get_str(bench, "testbed", ""));
	json_object_set_new(environment, "misc",
			    json_pack("{s:s, s:I}", "mode", json_get_str(bench, "mode", ""),
				      "boots", (json_int_t)json_get_num(bench, "boots", 0)));
	json_object_set_new(obj, "environment", environment);
}

static void step_add(struct kcidb *k, const json_t *step, const char *bench)
{
	const char *outcome = json_get_str(step, "outcome", "error"),
		   *status = kcidb_test_status(outcome);
	auto_free char *rest = xasprintf("/%s", json_get_str(step, "name", ""));
	auto_free char *path = bench ? kcidb_path(bench) : xstrdup("boot");
	json_t *obj = kcidb_object(k, rest);

	kcidb_text(obj, "build_id", k->build);
	kcidb_text(obj, "path", path);
	/* A boot that is remarkable is a boot. */
	kcidb_text(obj, "status", !bench && strcmp(status, "DONE") == 0 ? "PASS" : status);
	kcidb_text(obj, "comment", json_get_str(step, "reason", ""));
	if (strcmp(outcome, "skip") != 0)
		json_object_set_new(obj, "duration", json_real(json_get_num(step, "seconds", 0)));
	kcidb_excerpt(obj, json_object_get(step, "evidence"));
	kcidb_log(k, obj, json_get_str(step, "log", NULL));
	environment_add(obj, bench ? bench_of(k->report, bench) : NULL);
	json_object_set_new(obj, "misc", json_pack("{s:s}", "outcome", outcome));
	json_array_append_new(k->tests, obj);
}

static void number_add(json_t *obj, const json_t *metric, double median)
{
	const char *unit = json_get_str(metric, "unit", "");
	json_t *number = json_pack("{s:f}", "value", median);

	if (strcmp(unit, "count") != 0)
		kcidb_text(number, "unit", unit);
	json_object_set_new(obj, "number", number);
}

/* What the comparison found goes with the patched side. */
static json_t *metric_misc(const json_t *metric, const json_t *side, bool patched)
{
	static const char *const keys[] = {"change", "low", "high",  "smallest",
					   "word",   "why", "better"};
	json_t *misc = json_object();

	json_object_set(misc, "samples", json_object_get(side, "n"));
	json_object_set(misc, "min", json_object_get(side, "min"));
	json_object_set(misc, "max", json_object_get(side, "max"));
	for (size_t i = 0; patched && i < array_size(keys); i++) {
		json_t *value = json_object_get(metric, keys[i]);

		if (value && !json_is_null(value))
			json_object_set(misc, keys[i], value);
	}
	return misc;
}

static void metric_add(struct kcidb *k, const json_t *metric, bool patched)
{
	const char *name = json_get_str(metric, "name", ""), *word = patched ? "patched" : "base",
		   *build = patched ? k->build : k->base_build;
	const json_t *side = json_object_get(metric, word);
	double median = json_get_num(side, "median", NAN);
	auto_free char *rest = xasprintf("/%s/%s", name, word);
	auto_free char *path = kcidb_path(name);
	json_t *obj;

	if (!build || !isfinite(median))
		return;
	obj = kcidb_object(k, rest);
	kcidb_text(obj, "build_id", build);
	kcidb_text(obj, "path", path);
	kcidb_text(obj, "status", "DONE");
	kcidb_text(obj, "comment", json_get_str(metric, "title", ""));
	number_add(obj, metric, median);
	environment_add(obj, bench_of(k->report, json_get_str(metric, "bench", "")));
	json_object_set_new(obj, "misc", metric_misc(metric, side, patched));
	json_array_append_new(k->tests, obj);
}

void kcidb_tests(struct kcidb *k)
{
	const json_t *row;
	size_t i;

	if (!k->build)
		return;
	json_array_foreach (json_object_get(k->report, "steps"), i, row) {
		const char *name = json_get_str(row, "name", "");

		if (strcmp(name, "boot") == 0)
			step_add(k, row, NULL);
		else if (str_starts(name, "bench-"))
			step_add(k, row, name + strlen("bench-"));
	}
	json_array_foreach (json_object_get(k->report, "metrics"), i, row) {
		metric_add(k, row, false);
		metric_add(k, row, true);
	}
}
