// SPDX-License-Identifier: GPL-2.0-or-later
#include "trial/build_row.h"

#include "kernel-builders/config_diff.h"
#include "trial/rows.h"

void row_run_init(struct row_run *run, const struct trial *t)
{
	run->n = t->applied.n_commits;
	run->at = xcalloc(run->n + 1, sizeof(*run->at));
	run->outcome = OUTCOME_PASS;
}

void row_run_done(struct row_run *run)
{
	for (size_t k = 0; run->at && k <= run->n; k++) {
		json_decref(run->at[k].data);
		json_decref(run->at[k].news);
		free(run->at[k].log);
	}
	free(run->at);
	free(run->own_touched);
	json_decref(run->users);
	free(run->reason);
	free(run->bad_why);
	*run = (struct row_run){0};
}

const char *row_run_artifact(const struct row_run *run, size_t k)
{
	return json_get_str(run->at[k].data, "artifact", NULL);
}

/* The last kernel before this one whose configuration is known; 0: the base, or none. */
static size_t before(const struct row_run *run, size_t k)
{
	while (k > 1)
		if (row_run_artifact(run, --k))
			return k;
	return 0;
}

static int at_build(struct trial *t, struct row_run *run, size_t k, struct err *err)
{
	const struct trial_kernel which = {
		.n = k,
		.row = &run->row,
		.touched = run->touched,
		.before = k ? row_run_artifact(run, before(run, k)) : NULL,
		.base = k && k == run->n && !run->row.touched ? row_run_artifact(run, 0) : NULL};
	struct row_at *at = &run->at[k];

	if (at->data)
		return 0;
	at->since = before(run, k);
	return trial_build(t, which, &at->data, &at->log, err);
}

/* A bisection has built kernels between two whose options were compared: each is compared with the
 * one before it. */
static void options_divide(struct row_run *run)
{
	for (size_t k = 1; k <= run->n; k++) {
		const char *artifact = row_run_artifact(run, k);
		size_t since = before(run, k);
		auto_free char *old = xasprintf("%s/config", row_run_artifact(run, since) ?: ""),
			       *new = xasprintf("%s/config", artifact ?: "");
		json_t *changes = NULL;
		struct err ignored = ERR_INIT;

		if (!artifact || since == run->at[k].since ||
		    config_diff_files(old, new, &changes, &ignored) < 0)
			continue;
		run->at[k].since = since;
		json_object_set_new(run->at[k].data, "config_changes", changes);
	}
}

static bool has_object(const json_t *data, const char *name)
{
	const json_t *list = json_object_get(data, "objects_failed"), *o;
	size_t i;

	json_array_foreach (list, i, o)
		if (strcmp(json_get_str(o, "name", ""), name) == 0)
			return true;
	return false;
}

/* Of touched objects, one that the base can build. */
static const json_t *object_broken(const struct row_run *run, size_t k)
{
	const json_t *list = json_object_get(run->at[k].data, "objects_failed"), *o;
	size_t i;

	json_array_foreach (list, i, o)
		if (!has_object(run->at[0].data, json_get_str(o, "name", "")))
			return o;
	return NULL;
}

bool row_run_is_bad(const struct row_run *run, size_t k, char **ret_why)
{
	const json_t *data = run->at[k].data, *object = object_broken(run, k);
	const char *why =
		object ? json_get_str(object, "error", "") : json_get_str(data, "reason", "");

	if (trial_built(data) && !object)
		return false;
	if (ret_why)
		*ret_why = xstrdup(why);
	return true;
}

/* In order, so that each is a small step from the one before. */
static int build_each(struct trial *t, struct row_run *run, struct err *err)
{
	for (size_t k = 1; k <= run->n; k++) {
		int rc = at_build(t, run, k, err);

		if (rc < 0)
			return rc;
		if (!run->bad && row_run_is_bad(run, k, &run->bad_why))
			run->bad = k;
		else if (run->bad && !run->mended && !row_run_is_bad(run, k, NULL))
			run->mended = k;
	}
	return 0;
}

static int is_bad(struct trial *t, size_t k, void *ctx, struct err *err)
{
	struct row_run *run = ctx;
	int rc = at_build(t, run, k, err);

	return rc < 0 ? rc : row_run_is_bad(run, k, NULL);
}

/* Bisects for the first patch that brings a warning of the last kernel; those up to `good` are
 * known. */
static int find_noise(struct trial *t, struct row_run *run, size_t good, size_t *ret_k,
		      struct err *err)
{
	size_t quiet = good, noisy = run->n;

	while (noisy - quiet > 1) {
		size_t mid = quiet + (noisy - quiet) / 2;
		int rc = at_build(t, run, mid, err);

		if (rc == 0)
			rc = row_run_is_noisy(t, run, good, mid, err);
		if (rc < 0)
			return rc;
		if (rc)
			noisy = mid;
		else
			quiet = mid;
	}
	*ret_k = noisy;
	return 0;
}

/* Until every new warning of the last kernel has its patch. */
static int find_noises(struct trial *t, struct row_run *run, struct err *err)
{
	size_t good = 0;

	for (;;) {
		int rc = row_run_is_noisy(t, run, good, run->n, err);

		if (rc > 0)
			rc = find_noise(t, run, good, &good, err);
		else
			return rc;
		/* What comes before the patch is what its warnings are compared with. */
		if (rc == 0 && good > 1)
			rc = at_build(t, run, good - 1, err);
		if (rc < 0 || good == run->n)
			return rc;
	}
}

/* The last alone; others only to find out whose fault something is. */
static int build_last(struct trial *t, struct row_run *run, struct err *err)
{
	size_t k = run->n;
	int rc = at_build(t, run, run->n, err);

	if (rc < 0)
		return rc;
	if (row_run_is_bad(run, run->n, NULL)) {
		rc = attribute_patch(t, is_bad, run, &k, err);
		if (rc == ERR_CANCELLED)
			return rc;
		if (rc < 0)
			return err_wrap(err, "the last kernel does not build, and which patch "
					     "breaks it is not known");
		run->bad = k;
		row_run_is_bad(run, k, &run->bad_why);
		return 0;
	}
	return find_noises(t, run, err);
}

static void set_outcome(struct row_run *run, enum outcome outcome, char *reason)
{
	run->outcome = outcome;
	free(run->reason);
	run->reason = reason;
}

static int go(struct trial *t, struct row_run *run, struct err *err)
{
	int rc = at_build(t, run, 0, err);

	if (rc < 0)
		return rc;
	if (!trial_built(run->at[0].data)) {
		run->base_bad = true;
		set_outcome(run, run->main ? OUTCOME_ERROR : OUTCOME_SKIP,
			    xasprintf("the base does not build: %s",
				      json_get_str(run->at[0].data, "reason", "")));
		return 0;
	}
	rc = run->each ? build_each(t, run, err) : build_last(t, run, err);
	options_divide(run);
	return rc < 0 ? rc : row_run_compare(t, run, err);
}

int row_run_go(struct trial *t, struct row_run *run, struct err *err)
{
	struct err why = ERR_INIT;
	int rc = builder_ready(&run->row, &why);

	/* A row for which something is not installed is none of ours. */
	if (rc == ERR_CONFIG && !run->main) {
		set_outcome(run, OUTCOME_SKIP, xstrdup(why.msg));
		return 0;
	}
	if (rc == 0)
		rc = go(t, run, &why);
	if (rc < 0 && (run->main || rc == ERR_CANCELLED))
		return err_set(err, why.kind, "%s", why.msg);
	if (rc < 0)
		set_outcome(run, OUTCOME_ERROR, xstrdup(why.msg));
	else if (run->bad)
		set_outcome(run, OUTCOME_FAIL, xstrdup(run->bad_why));
	return 0;
}
