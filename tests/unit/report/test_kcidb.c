// SPDX-License-Identifier: GPL-2.0-or-later
/* Reports as KCIDB has them. That the document is of KCIDB's schema is tested by tests/api. */
#include "unit/unit.h"

#include "base/json.h"
#include "base/str.h"
#include "report/kcidb.h"

/* SHA-256 of "one\n" and "two\n" */
static const char digests[2][KCIDB_DIGEST] = {
	"2c8b08da5ce60398e1f19af0e5dccc744df274b826abe585eaba68c525434806",
	"27dd8ed44a83ff94d557f9fd0412ed5a8cbca69ea04922d88c01184a07300a5a"};

static const struct kcidb_facts facts = {.origin = "firn",
					 .trial = 7,
					 .posting = 3,
					 .url = "https://firn.example.org",
					 .tree_name = "powerpc",
					 .tree_url = "https://git.example.org/powerpc.git",
					 .branch = "merge",
					 .digest = digests,
					 .n = 2};

static json_t *report_of(const char *name)
{
	auto_free char *path = xasprintf(FIXTURES "/report/%s.json", name);
	json_t *report = NULL;
	struct err err = ERR_INIT;

	assert_ok(json_read(path, ERR_INPUT, &report, &err), &err);
	return report;
}

static json_t *row(const char *name, int patch, const char *outcome, const char *arguments)
{
	auto_free char *make = xasprintf("make O=../build%s vmlinux", arguments);

	return json_pack("{s:s, s:b, s:i, s:s, s:s, s:f, s:b, s:s, s:[], s:[s, s]}", "row", name,
			 "main", strcmp(name, "lean") == 0, "patch", patch, "outcome", outcome,
			 "reason", "built", "seconds", 5.5, "cached", patch == 0, "log",
			 "jobs/01-build/log", "new_warnings", "commands", "git checkout 1", make);
}

/* The base, both patches, and a row that fails. */
static void builds_add(json_t *report, const char *last)
{
	json_t *builds = json_array();

	json_array_append_new(builds, row("lean", 0, "pass", " ARCH=powerpc"));
	json_array_append_new(builds, row("lean", 1, "warn", " ARCH=powerpc CC=clang-14"));
	json_array_append_new(builds, row("lean", 2, last, " ARCH=powerpc"));
	json_array_append_new(builds, row("e500", 2, "fail", " ARCH=Power;x"));
	json_array_append_new(
		builds, json_pack("{s:s, s:n, s:s}", "row", "none", "patch", "outcome", "skip"));
	json_object_set_new(report, "builds", builds);
}

static const json_t *find(const json_t *doc, const char *list, const char *id)
{
	const json_t *obj;
	size_t i;

	json_array_foreach (json_object_get(doc, list), i, obj)
		if (strcmp(json_get_str(obj, "id", ""), id) == 0)
			return obj;
	return NULL;
}

static const char *value(const json_t *doc, const char *list, const char *id, const char *key)
{
	return json_get_str(find(doc, list, id), key, "");
}

#define assert_value(doc, list, id, key, want)                                                     \
	assert_string_equal(value(doc, list, "firn:trial-7" id, key), want)

static void each_build_is_of_its_checkout(void **state)
{
	auto_json json_t *report = report_of("bench-hot-add"), *doc = NULL;
	const json_t *all;

	(void)state;
	builds_add(report, "pass");
	doc = kcidb_make(report, &facts);
	assert_int_equal(json_array_size(json_object_get(doc, "checkouts")), 3);
	assert_int_equal(json_array_size(json_object_get(doc, "builds")), 4);
	assert_value(doc, "builds", "/lean/0", "checkout_id", "firn:trial-7/0");
	assert_value(doc, "builds", "/lean/1", "checkout_id", "firn:trial-7/1");
	assert_value(doc, "builds", "/lean/1", "status", "PASS");
	assert_value(doc, "builds", "/lean/1", "compiler", "clang-14");
	assert_value(doc, "builds", "/lean/2", "compiler", "gcc");
	assert_value(doc, "builds", "/lean/2", "architecture", "powerpc");
	assert_value(doc, "builds", "/e500/2", "status", "FAIL");
	assert_value(doc, "builds", "/e500/2", "architecture", "");
	assert_value(doc, "builds", "/e500/2", "log_url",
		     "https://firn.example.org/trial/7/log/jobs/01-build/log");
	all = find(doc, "builds", "firn:trial-7/lean/0");
	assert_null(json_object_get(all, "duration")); /* it was there already */
}

/* printf 'one\n' > 1; printf 'two\n' > 2; sha256sum 1 2 | cut -c-64 | sha256sum */
static void a_checkout_is_told_by_its_patches(void **state)
{
	auto_json json_t *report = report_of("bench-hot-add"), *doc = NULL;
	const json_t *all;

	(void)state;
	builds_add(report, "pass");
	doc = kcidb_make(report, &facts);
	assert_value(doc, "checkouts", "/0", "patchset_hash", "");
	assert_value(doc, "checkouts", "/1", "patchset_hash",
		     "8f84667a00fe5b30e6e8e5e4b919df7515a0af95fdb59429c82cbeb7ff839e7b");
	assert_value(doc, "checkouts", "/2", "patchset_hash",
		     "a50bf38ac5895077796ec5aaebcc94163ceb75563de42cf017e749178f4ad333");
	assert_value(doc, "checkouts", "/2", "git_commit_hash",
		     "4d1c8f0b7a6e5d2c3b9a8f7e6d5c4b3a2f1e0d9c");
	assert_value(doc, "checkouts", "/2", "git_repository_url",
		     "https://git.example.org/powerpc.git");
	all = find(doc, "checkouts", "firn:trial-7/2");
	assert_int_equal(json_array_size(json_object_get(all, "patchset_files")), 2);
	assert_string_equal(
		json_get_str(json_array_get(json_object_get(all, "patchset_files"), 1), "url", ""),
		"https://firn.example.org/series/3/patch/2/raw");
	assert_true(json_is_true(json_object_get(all, "valid")));
}

/* Something is below the patches that no public repository has. */
static void a_base_of_ours_is_no_public_one(void **state)
{
	auto_json json_t *report = report_of("bench-hot-add"), *doc = NULL;

	(void)state;
	json_object_set_new(json_object_get(report, "base"), "start", json_string("0123"));
	doc = kcidb_make(report, &facts);
	assert_null(json_object_get(find(doc, "checkouts", "firn:trial-7/2"), "patchset_hash"));
	assert_null(json_object_get(find(doc, "checkouts", "firn:trial-7/2"), "patchset_files"));
}

static void tests_are_of_the_kernel_that_ran(void **state)
{
	auto_json json_t *report = report_of("bench-hot-add"), *doc = NULL;
	const json_t *number;

	(void)state;
	builds_add(report, "warn");
	doc = kcidb_make(report, &facts);
	assert_value(doc, "tests", "/boot", "path", "boot");
	assert_value(doc, "tests", "/boot", "status", "PASS");
	assert_value(doc, "tests", "/boot", "build_id", "firn:trial-7/lean/2");
	assert_value(doc, "tests", "/bench-hot-add", "path", "firn.hot_add");
	assert_value(doc, "tests", "/hot-add/16/base", "build_id", "firn:trial-7/lean/0");
	assert_value(doc, "tests", "/hot-add/16/patched", "build_id", "firn:trial-7/lean/2");
	assert_value(doc, "tests", "/hot-add/16/patched", "path", "firn.hot_add.16");
	assert_value(doc, "tests", "/hot-add/16/patched", "status", "DONE");
	number = json_object_get(find(doc, "tests", "firn:trial-7/hot-add/16/patched"), "number");
	assert_string_equal(json_get_str(number, "unit", ""), "us");
	assert_true(json_get_num(number, "value", 0) > 0);
}

static void without_a_kernel_there_are_no_tests_of_it(void **state)
{
	auto_json json_t *report = report_of("bench-hot-add"), *doc = NULL;
	const json_t *test;
	size_t i;

	(void)state;
	builds_add(report, "fail");
	doc = kcidb_make(report, &facts);
	json_array_foreach (json_object_get(doc, "tests"), i, test)
		assert_true(str_starts(json_get_str(test, "path", ""), "firn.check."));
}

/* On the build that has the patch, and no later one where there is one. */
static void what_checkers_say_hangs_on_builds(void **state)
{
	auto_json json_t *report = report_of("findings"), *doc = NULL;
	const json_t *test;

	(void)state;
	builds_add(report, "fail");
	doc = kcidb_make(report, &facts);
	assert_value(doc, "tests", "/check/signoff/1", "path", "firn.check.signoff");
	assert_value(doc, "tests", "/check/signoff/1", "status", "PASS");
	assert_value(doc, "tests", "/check/signoff/1", "build_id", "firn:trial-7/lean/1");
	assert_value(doc, "tests", "/check/signoff/1", "log_excerpt", "");
	assert_value(doc, "tests", "/check/checkpatch-pl/1", "path", "firn.check.checkpatch_pl");
	assert_value(doc, "tests", "/check/checkpatch-pl/1", "status", "DONE");
	assert_value(doc, "tests", "/check/checkpatch-pl/1", "comment", "2 warnings, 1 check");
	/* Patch 2 does not build: no build that has it came to a kernel. */
	assert_value(doc, "tests", "/check/checkpatch-pl/2", "build_id", "firn:trial-7/lean/2");
	test = find(doc, "tests", "firn:trial-7/check/checkpatch-pl/1");
	assert_int_equal(json_get_num(json_object_get(test, "misc"), "findings", 0), 3);
	assert_non_null(strstr(json_get_str(test, "log_excerpt", ""),
			       "CHECK:AVOID_EXTERNS: arch/powerpc/include/asm/topology.h:90: "
			       "extern prototypes"));
}

/* An earlier patch breaks, and nothing was built after it: the last that was built. */
static void of_patches_without_a_build_too(void **state)
{
	auto_json json_t *report = report_of("findings"), *doc = NULL, *none = NULL;
	json_t *builds = json_array();

	(void)state;
	json_array_append_new(builds, row("lean", 0, "pass", ""));
	json_array_append_new(builds, row("lean", 1, "fail", ""));
	json_object_set_new(report, "builds", builds);
	doc = kcidb_make(report, &facts);
	assert_value(doc, "tests", "/check/signoff/1", "build_id", "firn:trial-7/lean/1");
	assert_value(doc, "tests", "/check/signoff/2", "build_id", "firn:trial-7/lean/1");
	json_array_clear(builds);
	none = kcidb_make(report, &facts);
	assert_int_equal(json_array_size(json_object_get(none, "tests")), 0);
}

static void what_did_not_apply_is_not_valid(void **state)
{
	auto_json json_t *report = report_of("no-apply"), *doc = NULL;
	const json_t *checkout;

	(void)state;
	doc = kcidb_make(report, &facts);
	checkout = json_array_get(json_object_get(doc, "checkouts"), 0);
	assert_true(json_is_false(json_object_get(checkout, "valid")));
	assert_true(*json_get_str(checkout, "log_excerpt", ""));
}

/* Reports of before builds[]; those of faults of ours. */
static void older_reports_have_one_build(void **state)
{
	auto_json json_t *panic = report_of("panic"), *infra = report_of("infra"), *doc = NULL,
			 *other = NULL;

	(void)state;
	doc = kcidb_make(panic, &facts);
	assert_value(doc, "builds", "/build", "status", "PASS");
	assert_value(doc, "tests", "/boot", "status", "FAIL");
	other = kcidb_make(infra, &facts);
	assert_value(other, "tests", "/boot", "status", "MISS");
}

static void an_address_is_told_where_it_is_one(void **state)
{
	static const struct {
		const char *id;
		bool good;
	} rows[] = {{"20261128.411-0-ada@example.org", true},
		    {"a@b", false},
		    {"a..b@c.org", false},
		    {"a b@c.org", false},
		    {"@c.org", false},
		    {"a@c.org.", false},
		    {"\xc3\xa4@c.org", false},
		    {"", false},
		    {"a@-c.org", false}};

	(void)state;
	for (size_t i = 0; i < array_size(rows); i++) {
		auto_json json_t *report = report_of("pass"), *doc = NULL;

		json_object_set_new(json_object_get(report, "series"), "message_id",
				    json_string(rows[i].id));
		doc = kcidb_make(report, &facts);
		assert_int_equal(*value(doc, "checkouts", "firn:trial-7/2", "message_id") != 0,
				 rows[i].good);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_build_is_of_its_checkout),
		cmocka_unit_test(a_checkout_is_told_by_its_patches),
		cmocka_unit_test(a_base_of_ours_is_no_public_one),
		cmocka_unit_test(tests_are_of_the_kernel_that_ran),
		cmocka_unit_test(without_a_kernel_there_are_no_tests_of_it),
		cmocka_unit_test(what_checkers_say_hangs_on_builds),
		cmocka_unit_test(of_patches_without_a_build_too),
		cmocka_unit_test(what_did_not_apply_is_not_valid),
		cmocka_unit_test(older_reports_have_one_build),
		cmocka_unit_test(an_address_is_told_where_it_is_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
