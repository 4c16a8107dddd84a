// SPDX-License-Identifier: GPL-2.0-or-later
#include "trial/job.h"

#include "base/clock.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/proc.h"
#include <stdio.h>

const struct job_kind *const job_kinds[] = {&job_check, &job_build, &job_boot, &job_bench, NULL};

static const enum err_kind kinds[] = {ERR_INPUT,  ERR_PATCH, ERR_INFRA,
				      ERR_CONFIG, ERR_USAGE, ERR_CANCELLED};

static enum err_kind kind_parse(const char *name)
{
	for (size_t i = 0; i < array_size(kinds); i++)
		if (name && strcmp(err_kind_name(kinds[i]), name) == 0)
			return kinds[i];
	return ERR_INFRA;
}

int job_write(const char *dir, const char *kind, json_t *args, struct err *err)
{
	auto_json json_t *job =
		json_pack("{s:i, s:s, s:o}", "firn-job", 1, "kind", kind, "args", args);
	auto_free char *path = xasprintf("%s/job.json", dir);
	int rc = fs_mkdirs(dir, err);

	return rc < 0 ? rc : json_write(path, job, err);
}

static int job_find_kind(const char *path, const json_t *job, const struct job_kind **ret_kind,
			 struct err *err)
{
	const char *name = json_get_str(job, "kind", "");

	if (json_integer_value(json_object_get(job, "firn-job")) != 1)
		return err_set(err, ERR_INPUT, "%s: not a job of version 1", path);
	for (size_t i = 0; job_kinds[i]; i++) {
		if (strcmp(job_kinds[i]->name, name) == 0) {
			*ret_kind = job_kinds[i];
			return 0;
		}
	}
	return err_set(err, ERR_INPUT, "%s: no job kind \"%s\"", path, name);
}

static json_t *result_envelope(const char *kind, double seconds, json_t *data,
			       const struct err *err)
{
	json_t *obj =
		json_pack("{s:i, s:s, s:f}", "firn-result", 1, "kind", kind, "seconds", seconds);

	if (data) {
		json_object_set_new(obj, "data", data);
	} else {
		json_t *e = json_object();

		json_object_set_new(e, "kind", json_text(err_kind_name(err->kind)));
		json_object_set_new(e, "message", json_text(err->msg));
		json_object_set_new(obj, "error", e);
	}
	return obj;
}

int job_run(const char *dir, struct err *err)
{
	auto_free char *abs = realpath(dir, NULL);
	const struct job_kind *kind = NULL;
	auto_json json_t *spec = NULL, *result = NULL;
	json_t *data = NULL;
	double started = clock_mono();
	struct err failed = ERR_INIT;
	int rc;

	if (!abs)
		return err_sys(err, ERR_INPUT, "cannot open job folder %s", dir);
	auto_free char *in = xasprintf("%s/job.json", abs);
	auto_free char *out = xasprintf("%s/result.json", abs);
	auto_free char *log = xasprintf("%s/log", abs);
	rc = json_read(in, ERR_INPUT, &spec, err);
	if (rc < 0)
		return rc;
	rc = job_find_kind(in, spec, &kind, err);
	if (rc < 0)
		return rc;

	struct job job = {.dir = abs, .args = json_object_get(spec, "args"), .log = log};
	rc = kind->run(&job, &data, &failed);
	if (rc == ERR_CANCELLED || cancel_requested()) {
		json_decref(data);
		return err_cancelled(err);
	}
	result = result_envelope(kind->name, clock_mono() - started, rc < 0 ? NULL : data, &failed);
	int written = json_write(out, result, err);
	if (written < 0)
		return written;
	return rc < 0 ? err_set(err, failed.kind, "%s", failed.msg) : 0;
}

int job_result(const char *dir, json_t **ret_data, struct err *err)
{
	auto_free char *path = xasprintf("%s/result.json", dir);
	auto_json json_t *result = NULL;
	const json_t *error;
	json_t *data;
	int rc = json_read(path, ERR_INFRA, &result, err);

	if (rc < 0)
		return rc;
	error = json_object_get(result, "error");
	if (error)
		return err_set(err, kind_parse(json_get_str(error, "kind", NULL)), "%s",
			       json_get_str(error, "message", "no message"));
	data = json_object_get(result, "data");
	if (!json_is_object(data))
		return err_set(err, ERR_INFRA, "%s: has neither data nor error", path);
	*ret_data = json_incref(data);
	return 0;
}

void job_progress(const char *what, unsigned done, unsigned total)
{
	printf("[%u/%u] %s\n", done, total, what);
	fflush(stdout);
}

int job_arg_str(const struct job *job, const char *name, const char **ret, struct err *err)
{
	const char *value = json_get_str(job->args, name, NULL);

	if (!value || !*value)
		return err_set(err, ERR_INPUT, "%s/job.json: args lack \"%s\"", job->dir, name);
	*ret = value;
	return 0;
}
