// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit/unit.h"

#include "base/fs.h"
#include "base/json.h"
#include "trial/job.h"
#include <git2.h>

static char dir[] = "/tmp/firn-job-XXXXXX";

static void write_in(const char *name, const char *text)
{
	auto_free char *path = xasprintf("%s/%s", dir, name);
	struct err err = ERR_INIT;

	assert_ok(fs_write_atomic(path, text, strlen(text), &err), &err);
}

static void bad_job_files_are_named(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	assert_err(job_run("/nonexistent/job", &err), &err, ERR_INPUT, "/nonexistent/job");
	assert_err(job_run(dir, &err), &err, ERR_INPUT, "job.json");
	write_in("job.json", "{\"firn-job\": 1,\n oops");
	assert_err(job_run(dir, &err), &err, ERR_INPUT, "job.json:2");
	write_in("job.json", "[1]");
	assert_err(job_run(dir, &err), &err, ERR_INPUT, "not a JSON object");
	write_in("job.json", "{\"firn-job\": 2, \"kind\": \"build\", \"args\": {}}");
	assert_err(job_run(dir, &err), &err, ERR_INPUT, "version 1");
	write_in("job.json", "{\"firn-job\": 1, \"kind\": \"dance\", \"args\": {}}");
	assert_err(job_run(dir, &err), &err, ERR_INPUT, "no job kind \"dance\"");
}

static void an_error_goes_into_the_result(void **state)
{
	struct err err = ERR_INIT;
	auto_json json_t *data = NULL;

	(void)state;
	write_in("job.json",
		 "{\"firn-job\": 1, \"kind\": \"build\", \"args\": {\"repo\": \"/nonexistent\", "
		 "\"commit\": \"1234\"}}");
	assert_err(job_run(dir, &err), &err, ERR_INFRA, "/nonexistent");
	err = (struct err)ERR_INIT;
	assert_err(job_result(dir, &data, &err), &err, ERR_INFRA, "/nonexistent");
	assert_null(data);
}

static void missing_arguments_are_named(void **state)
{
	static const char *const kinds[] = {"build", "boot", "bench", "check"};

	(void)state;
	for (size_t i = 0; i < array_size(kinds); i++) {
		auto_free char *text =
			xasprintf("{\"firn-job\": 1, \"kind\": \"%s\", \"args\": {}}", kinds[i]);
		struct err err = ERR_INIT;

		write_in("job.json", text);
		assert_err(job_run(dir, &err), &err, ERR_INPUT, "args lack");
	}
}

static void a_result_is_read_back(void **state)
{
	struct err err = ERR_INIT;
	auto_json json_t *data = NULL;

	(void)state;
	write_in("result.json",
		 "{\"firn-result\": 1, \"kind\": \"build\", \"seconds\": 1, \"data\": {\"x\": 4}}");
	assert_ok(job_result(dir, &data, &err), &err);
	assert_int_equal((int)json_get_num(data, "x", 0), 4);
	json_decref(take(data));
	write_in(
		"result.json",
		"{\"firn-result\": 1, \"error\": {\"kind\": \"config\", \"message\": \"no gcc\"}}");
	assert_err(job_result(dir, &data, &err), &err, ERR_CONFIG, "no gcc");
	write_in("result.json", "{\"firn-result\": 1}");
	assert_err(job_result(dir, &data, &err), &err, ERR_INFRA, "neither");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bad_job_files_are_named),
		cmocka_unit_test(an_error_goes_into_the_result),
		cmocka_unit_test(missing_arguments_are_named),
		cmocka_unit_test(a_result_is_read_back),
	};
	struct err err = ERR_INIT;
	int rc;

	assert_non_null(mkdtemp(dir));
	git_libgit2_init();
	rc = cmocka_run_group_tests(tests, NULL, NULL);
	return fs_rmtree(dir, &err) < 0 ? 1 : rc;
}
