// SPDX-License-Identifier: GPL-2.0-or-later
/* The build step: the rows that the series calls for, one after the other, the one that boots
 * first.
 */
#include "kernel-builders/touched.h"
#include "trial/build_row.h"
#include "trial/guest.h"
#include "trial/job.h"
#include "trial/last_good.h"
#include "trial/rows.h"
#include "trial/touched_files.h"
#include <fcntl.h>
#include <sys/stat.h>

bool trial_each(const struct trial *t)
{
	return t->applied.n_commits <= (size_t)conf_int(t->opt->conf, CONF_BOOT_EACH);
}

/* Kernels that nobody uses go first when the disk is full. */
static void kernel_used(const char *artifact)
{
	auto_free char *path = artifact ? xasprintf("%s/build.json", artifact) : NULL;

	if (path && utimensat(AT_FDCWD, path, NULL, 0) < 0)
		errno = 0; /* of another user, or gone: then it is as old as it looks */
}

/* "build-base", "build-patch-3"; of another row "build-ppc64e-patch-3" */
static char *job_name(const struct trial *t, const struct builder *row, size_t n)
{
	bool usual = strcmp(row->name, conf_str(t->opt->conf, CONF_BUILD_BUILDER)) == 0;
	auto_free char *what = n ? xasprintf("patch-%zu", n) : xstrdup("base");

	return xasprintf("build-%s%s%s", usual ? "" : row->name, usual ? "" : "-", what);
}

/* From the first build on, also between two of them. */
static int slot_hold(struct trial *t, struct err *err)
{
	return t->slot_held >= 0 ? 0
				 : build_hold_slot(t->opt->cache_dir, t->id, &t->slot_held, err);
}

int trial_build(struct trial *t, struct trial_kernel which, json_t **ret_data, char **ret_log,
		struct err *err)
{
	const char *builder = which.builder ?: conf_str(t->opt->conf, CONF_BUILD_BUILDER);
	struct builder found;
	int rc = slot_hold(t, err);

	if (rc < 0)
		return rc;
	if (!which.row && !row_find(t->opt->conf, builder, &found, NULL))
		return err_set(err, ERR_CONFIG, "no builder \"%s\"", builder);
	const struct builder *row = which.row ?: &found;
	auto_free char *name = job_name(t, row, which.n);
	const struct build_job build = {
		.repo = t->repo,
		.commit = which.n ? &t->applied.commit[which.n - 1].commit : &t->start,
		.row = row,
		.slot = t->id,
		.cache_dir = t->opt->cache_dir,
		/* What the series needs was posted by strangers too: it is not built among the kept
		 * objects. */
		.is_base = which.n == 0 && git_oid_equal(&t->start, &t->base.commit),
		.on = &t->base.commit,
		.touched = which.touched,
		.before = which.before,
		.base = which.base,
		.conf = t->opt->conf};
	struct trial_job job = {.kind = "build",
				.name = name,
				.args = build_job_args(&build),
				.timeout_s = build_job_timeout(t->opt->conf)};

	rc = trial_job_run(t, &job, ret_data, ret_log, err);
	if (rc == 0)
		kernel_used(json_get_str(*ret_data, "artifact", NULL));
	return rc;
}

bool trial_built(const json_t *build)
{
	return outcome_parse(json_get_str(build, "outcome", NULL)) == OUTCOME_PASS;
}

static void rows_done(struct row_list *r)
{
	for (size_t i = 0; i < r->n; i++)
		row_run_done(&r->run[i]);
	free(r->run);
	free(r->files);
}

static bool each_of(const struct trial *t, const struct row_run *run)
{
	const char *each = conf_str(t->opt->conf, CONF_BUILD_EACH);

	if (strcmp(each, "off") == 0)
		return false;
	return run->main || strcmp(each, "all") == 0 ||
	       (run->row.touched && strcmp(each, "cheap") == 0);
}

/* Does a kernel of this row change with the series? Else says why not. */
static bool wants(const struct row_list *r, struct row_run *run)
{
	struct builder row = run->row;

	/* Whether what boots has the code, it is built: the other way round it would have to be
	 * known what a configuration leaves out. */
	if (run->main)
		row.areas = AREA_ALL;
	if (!builder_wants(&row, r->files, &run->reason)) {
		run->outcome = OUTCOME_SKIP;
		return false;
	}
	if (run->row.touched && !touched_any(run->touched)) {
		run->outcome = OUTCOME_SKIP;
		run->reason = row_touched_none(run->users);
		return false;
	}
	return true;
}

static int row_add(struct row_list *r, const char *name, bool main, struct row_run **ret,
		   struct err *err)
{
	struct row_run *run = *ret = &r->run[r->n++];

	row_run_init(run, r->t);
	row_find(r->t->opt->conf, name, &run->row, NULL);
	run->main = main;
	run->each = each_of(r->t, run);
	return row_run_touch(r, run, err);
}

/* What boots and is measured from here on. */
static int take_kernels(struct trial *t, const struct row_run *run, struct step_result *ret,
			struct err *err)
{
	size_t n = trial_each(t) && run->each ? run->n : 0;

	t->base_artifact = xstrdup(row_run_artifact(run, 0) ?: "");
	t->patched_artifact = xstrdup(row_run_artifact(run, run->n) ?: "");
	t->between = xcalloc(n + 1, sizeof(*t->between));
	for (size_t k = 1; k < n; k++)
		t->between[t->n_between++] = xstrdup(row_run_artifact(run, k) ?: "");
	ret->cached = json_get_bool(run->at[0].data, "cached", false) &&
		      json_get_bool(run->at[run->n].data, "cached", false);
	return run->row.touched ? 0
				: guest_same_image(t->base_artifact, t->patched_artifact,
						   &t->same_image, err);
}

static int main_go(struct row_list *r, struct row_run *run, struct step_result *ret,
		   struct err *err)
{
	int rc = row_run_go(r->t, run, err);

	build_take_log(ret, run, 0);
	if (rc == 0 && run->base_bad) {
		rc = last_good_use(r->t, &run->row, json_get_str(run->at[0].data, "reason", ""),
				   err);
		if (rc > 0) {
			const char *name = run->row.name;

			row_run_done(run);
			r->n--;
			rc = row_add(r, name, true, &run, err);
			if (rc == 0)
				rc = row_run_go(r->t, run, err);
		}
	}
	if (rc < 0)
		return rc;
	if (run->base_bad) {
		build_add_errors(ret, run->at[0].data);
		step_result_set(ret, OUTCOME_ERROR, "%s", run->reason);
		return 0;
	}
	build_take_log(ret, run, run->n);
	return run->bad ? 0 : take_kernels(r->t, run, ret, err);
}

static int others_go(struct row_list *r, char **names, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; names[i] && rc == 0; i++) {
		struct row_run *run;

		rc = row_add(r, names[i], false, &run, err);
		if (rc == 0 && wants(r, run))
			rc = row_run_go(r->t, run, err);
	}
	return rc;
}

/* The rows that run; true when there are any. */
static bool all_skipped(const struct row_list *r, struct step_result *ret)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->run[i].outcome != OUTCOME_SKIP || r->run[i].at[0].data)
			return false;
	step_result_set(ret, OUTCOME_SKIP, "nothing to build: %s", r->run[0].reason);
	return true;
}

static void report(const struct row_list *r)
{
	r->t->builds = json_array();
	for (size_t i = 0; i < r->n; i++)
		row_run_report(r->t, &r->run[i], r->t->builds);
}

static int step_go(struct row_list *r, char **names, struct step_result *ret, struct err *err)
{
	struct row_run *main;
	int rc = row_add(r, conf_str(r->t->opt->conf, CONF_BUILD_BUILDER), true, &main, err);

	if (rc == 0 && wants(r, main))
		rc = main_go(r, main, ret, err);

	/* A base that does not even build what boots is not worth more. */
	if (rc < 0 || main->base_bad)
		return rc;
	rc = others_go(r, names, err);
	if (rc == 0 && !all_skipped(r, ret))
		build_set_result(r, ret);
	return rc;
}

int step_build(struct trial *t, struct step_result *ret, struct err *err)
{
	auto_free char **names = row_names(t->opt->conf);
	__attribute__((cleanup(rows_done))) struct row_list r = {.t = t};
	size_t n = 0;
	int rc;

	while (names[n])
		n++;
	r.run = xcalloc(n + 1, sizeof(*r.run));
	r.files = touched_files(t->series);
	rc = step_go(&r, names, ret, err);
	if (rc == 0)
		report(&r);
	return rc;
}
