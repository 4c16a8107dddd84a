// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/cleanup.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/str.h"
#include "kernel-builders/builder.h"
#include "kernel-builders/config_diff.h"
#include "kernel-builders/diagnostic.h"
#include "kernel-builders/module_sizes.h"
#include "kernel-builders/sizes.h"
#include "sandbox/sandbox.h"
#include "trial/guest.h"
#include "trial/job.h"
#include "trial/rows.h"

static json_t *text_list(const char *const *texts)
{
	json_t *list = json_array();

	for (; texts && *texts; texts++)
		json_array_append_new(list, json_text(*texts));
	return list;
}

json_t *build_job_args(const struct build_job *b)
{
	const struct builder *row = b->row ?: builder_find(b->builder);
	json_t *args = json_object();
	char hex[GIT_OID_HEXSZ + 1];

	json_object_set_new(args, "repo", json_text(git_repository_path(b->repo)));
	json_object_set_new(args, "commit", json_text(git_oid_tostr(hex, sizeof(hex), b->commit)));
	json_object_set_new(args, "builder", json_text(row ? row->name : b->builder));
	if (row && !row_is_shipped(row))
		json_object_set_new(args, "row", builder_to_json(row));
	json_object_set_new(args, "is_base", json_boolean(b->is_base));
	if (b->on)
		json_object_set_new(args, "on", json_text(git_oid_tostr(hex, sizeof(hex), b->on)));
	json_object_set_new(args, "slot", json_text(b->slot));
	json_object_set_new(args, "cache", json_text(b->cache_dir));
	json_object_set_new(args, "modules", row && !row->boots ? json_array() : guest_modules());
	json_object_set_new(args, "timeout",
			    json_integer((json_int_t)conf_int(b->conf, CONF_BUILD_TIMEOUT)));
	json_object_set_new(args, "jobs",
			    json_integer((json_int_t)conf_int(b->conf, CONF_BUILD_JOBS)));
	json_object_set_new(args, "memory_mib",
			    json_integer((json_int_t)conf_int(b->conf, CONF_BUILD_MEMORY)));
	json_object_set_new(args, "disk_mib",
			    json_integer((json_int_t)conf_int(b->conf, CONF_BUILD_DISK)));
	if (b->touched)
		json_object_set_new(args, "touched", text_list(b->touched));
	if (b->before)
		json_object_set_new(args, "before", json_text(b->before));
	if (b->base)
		json_object_set_new(args, "base", json_text(b->base));
	return args;
}

/* The builder ends it first and says why. */
double build_job_timeout(const struct conf *conf)
{
	return (double)conf_int(conf, CONF_BUILD_TIMEOUT) + 60;
}

static json_t *diagnostic_list(const struct build_result *r)
{
	json_t *list = json_array();

	for (size_t i = 0; i < r->n_diagnostics; i++)
		json_array_append_new(list, diagnostic_to_json(&r->diagnostic[i]));
	return list;
}

static json_t *failed_list(const struct build_module *m, size_t n)
{
	json_t *list = json_array();

	for (size_t i = 0; i < n; i++) {
		json_t *row = json_object();

		json_object_set_new(row, "name", json_text(m[i].name));
		json_object_set_new(row, "error", json_text(m[i].error));
		json_array_append_new(list, row);
	}
	return list;
}

static json_t *build_data(const struct build_result *r)
{
	json_t *data = json_object();

	json_object_set_new(data, "outcome", json_text(outcome_name(r->outcome)));
	json_object_set_new(data, "reason", json_text(r->reason));
	json_object_set_new(data, "targets", json_text(r->targets));
	json_object_set_new(data, "key", json_text(r->key));
	json_object_set_new(data, "artifact", json_text(r->artifact_dir));
	json_object_set_new(data, "cached", json_boolean(r->cached));
	json_object_set_new(data, "seconds", json_real(r->seconds));
	json_object_set_new(data, "limits", json_text(sandbox_limits(NULL)));
	json_object_set_new(data, "diagnostics", diagnostic_list(r));
	json_object_set_new(data, "diagnostics_cut", json_boolean(r->diagnostics_cut));
	json_object_set_new(data, "objects_failed",
			    failed_list(r->object_failed, r->n_objects_failed));
	return data;
}

static void compare_modules(const char *base, const char *patched, json_t *data)
{
	auto_free char *old = xasprintf("%s/" MODULE_SIZES, base),
		       *new = xasprintf("%s/" MODULE_SIZES, patched);
	json_t *found = NULL;
	struct err ignored = ERR_INIT;

	if (module_sizes_compare(old, new, &found, &ignored) < 0)
		return;
	/* Neither has any. */
	if (json_get_num(found, "base", 0) == 0 && json_get_num(found, "patched", 0) == 0)
		json_decref(found);
	else
		json_object_set_new(data, "module_sizes", found);
}

/* What cannot be compared is left out: the kernel is good all the same. */
static void compare(const struct job *job, const struct build_result *r, json_t *data)
{
	const char *before = json_get_str(job->args, "before", NULL),
		   *base = json_get_str(job->args, "base", NULL);
	json_t *found = NULL;
	struct err ignored = ERR_INIT;

	if (before && r->artifact_dir) {
		auto_free char *old = xasprintf("%s/config", before),
			       *new = xasprintf("%s/config", r->artifact_dir);

		if (config_diff_files(old, new, &found, &ignored) == 0)
			json_object_set_new(data, "config_changes", found);
	}
	if (base && r->artifact_dir) {
		auto_free char *old = xasprintf("%s/vmlinux", base),
			       *new = xasprintf("%s/vmlinux", r->artifact_dir);

		if (sizes_compare_files(old, new, &found, &ignored) == 0)
			json_object_set_new(data, "sizes", found);
		compare_modules(base, r->artifact_dir, data);
	}
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

static unsigned long mib(const struct job *job, const char *name)
{
	return (unsigned long)json_get_num(job->args, name, 0) << 20;
}

/* For `firn status`, which may be in another group than the service is. */
static void limits_note(const char *cache_dir)
{
	const char *why, *limits = sandbox_limits(&why);
	auto_free char *path = xasprintf("%s/limits", cache_dir),
		       *text = why ? xasprintf("%s: %s", limits, why) : xstrdup(limits);
	auto_str struct str now;
	struct err ignored = ERR_INIT;

	str_init(&now, 4096);
	if (fs_exists(path) && fs_read(path, 4096, ERR_INFRA, &now, &ignored) == 0 &&
	    strcmp(now.buf, text) == 0)
		return;
	if (fs_write_atomic(path, text, strlen(text), &ignored) < 0)
		return;
}

static int build_in(const struct job *job, git_repository *repo, const git_oid *commit,
		    struct build_result *ret, struct err *err)
{
	auto_free const char **modules = string_list(json_object_get(job->args, "modules"));
	const json_t *row = json_object_get(job->args, "row"),
		     *files = json_object_get(job->args, "touched");
	auto_free const char **touched = files ? string_list(files) : NULL;
	struct build_request req = {.repo = repo,
				    .commit = *commit,
				    .is_base = json_get_bool(job->args, "is_base", false),
				    .log_path = job->log,
				    .modules = modules,
				    .touched = touched,
				    .timeout_s = json_get_num(job->args, "timeout", 0),
				    .jobs = (unsigned)json_get_num(job->args, "jobs", 0),
				    .memory_max = mib(job, "memory_mib"),
				    .disk_max = mib(job, "disk_mib"),
				    .on_progress = on_progress};
	const char *on = json_get_str(job->args, "on", NULL);
	struct builder own;
	const char *builder;
	int rc = job_arg_str(job, "builder", &builder, err);

	if (rc == 0 && on && git_oid_fromstr(&req.base, on) < 0)
		rc = err_set(err, ERR_INPUT, "%s/job.json: \"%s\" is not a commit id", job->dir,
			     on);
	if (rc == 0)
		rc = job_arg_str(job, "slot", &req.slot, err);
	if (rc == 0)
		rc = job_arg_str(job, "cache", &req.cache_dir, err);
	if (rc == 0 && row)
		rc = builder_from_json(row, &own, err);
	if (rc < 0)
		return rc;
	limits_note(req.cache_dir);
	req.builder = row ? &own : builder_find(builder);
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
	if (rc == 0) {
		*ret_data = build_data(&r);
		compare(job, &r, *ret_data);
	}
	build_result_done(&r);
	return rc;
}

const struct job_kind job_build = {
	.name = "build", .summary = "build the kernel of one commit", .run = run};
