// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/cleanup.h"
#include "base/json.h"
#include "base/str.h"
#include "kernel-builders/builder.h"
#include "trial/guest.h"
#include "trial/job.h"

/* Diagnostics in a result: a broken header can make thousands. */
#define DIAGNOSTICS_MAX 200

json_t *build_job_args(const struct build_job *b)
{
	char hex[GIT_OID_HEXSZ + 1];

	return json_pack("{s:s, s:s, s:s, s:b, s:s, s:s, s:o, s:I, s:I}", "repo",
			 git_repository_path(b->repo), "commit",
			 git_oid_tostr(hex, sizeof(hex), b->commit), "builder", b->builder,
			 "is_base", b->is_base, "slot", b->slot, "cache", b->cache_dir, "modules",
			 guest_modules(), "timeout",
			 (json_int_t)conf_int(b->conf, CONF_BUILD_TIMEOUT), "jobs",
			 (json_int_t)conf_int(b->conf, CONF_BUILD_JOBS));
}

/* The builder ends it first and says why. */
double build_job_timeout(const struct conf *conf)
{
	return (double)conf_int(conf, CONF_BUILD_TIMEOUT) + 60;
}

static json_t *diagnostic_list(const struct build_result *r)
{
	json_t *list = json_array();

	for (size_t i = 0; i < r->n_diagnostics && i < DIAGNOSTICS_MAX; i++) {
		const struct diagnostic *d = &r->diagnostic[i];
		json_t *row = json_object();

		json_object_set_new(row, "error", json_boolean(d->is_error));
		json_object_set_new(row, "path", json_text(d->path));
		json_object_set_new(row, "line", json_integer(d->line));
		json_object_set_new(row, "text", json_text(d->text));
		json_object_set_new(row, "excerpt", json_text(d->excerpt));
		json_array_append_new(list, row);
	}
	return list;
}

static json_t *build_data(const struct build_result *r)
{
	json_t *data = json_object();

	json_object_set_new(data, "outcome", json_text(outcome_name(r->outcome)));
	json_object_set_new(data, "reason", json_text(r->reason));
	json_object_set_new(data, "key", json_text(r->key));
	json_object_set_new(data, "artifact", json_text(r->artifact_dir));
	json_object_set_new(data, "cached", json_boolean(r->cached));
	json_object_set_new(data, "seconds", json_real(r->seconds));
	json_object_set_new(data, "diagnostics", diagnostic_list(r));
	return data;
}

static void on_progress(void *ctx, const char *what, unsigned n)
{
	(void)ctx;
	job_progress(what, n, 0);
}

/* The strings of a JSON array, NULL-terminated; they belong to the JSON. */
static const char **string_list(const json_t *array)
{
	const char **list = xcalloc(json_array_size(array) + 1, sizeof(*list));
	size_t n = 0, i;
	const json_t *item;

	json_array_foreach (array, i, item)
		if (json_is_string(item))
			list[n++] = json_string_value(item);
	return list;
}

static int build_in(const struct job *job, git_repository *repo, const git_oid *commit,
		    struct build_result *ret, struct err *err)
{
	auto_free const char **modules = string_list(json_object_get(job->args, "modules"));
	struct build_request req = {.repo = repo,
				    .commit = *commit,
				    .is_base = json_get_bool(job->args, "is_base", false),
				    .log_path = job->log,
				    .modules = modules,
				    .timeout_s = json_get_num(job->args, "timeout", 0),
				    .jobs = (unsigned)json_get_num(job->args, "jobs", 0),
				    .on_progress = on_progress};
	const char *builder;
	int rc = job_arg_str(job, "builder", &builder, err);

	if (rc == 0)
		rc = job_arg_str(job, "slot", &req.slot, err);
	if (rc == 0)
		rc = job_arg_str(job, "cache", &req.cache_dir, err);
	if (rc < 0)
		return rc;
	req.builder = builder_find(builder);
	if (!req.builder)
		return err_set(err, ERR_CONFIG, "no builder \"%s\"", builder);
	return build_run(&req, ret, err);
}

static int run(const struct job *job, json_t **ret_data, struct err *err)
{
	auto_git(repository) git_repository *repo = NULL;
	struct build_result r = {0};
	const char *path, *hex;
	git_oid commit;
	int rc = job_arg_str(job, "repo", &path, err);

	if (rc == 0)
		rc = job_arg_str(job, "commit", &hex, err);
	if (rc < 0)
		return rc;
	if (git_repository_open_bare(&repo, path) < 0)
		return err_git(err, ERR_INFRA, "cannot open repository %s", path);
	if (git_oid_fromstr(&commit, hex) < 0)
		return err_set(err, ERR_INPUT, "%s/job.json: \"%s\" is not a commit id", job->dir,
			       hex);
	rc = build_in(job, repo, &commit, &r, err);
	if (rc == 0)
		*ret_data = build_data(&r);
	build_result_done(&r);
	return rc;
}

const struct job_kind job_build = {
	.name = "build", .summary = "build the kernel of one commit", .run = run};
