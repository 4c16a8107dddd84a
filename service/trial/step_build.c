// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/clock.h"
#include "trial/guest.h"
#include "trial/job.h"
#include "trial/run.h"
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

int trial_build(struct trial *t, struct trial_kernel which, json_t **ret_data, char **ret_log,
		struct err *err)
{
	size_t n = which.n;
	auto_free char *name = n ? xasprintf("build-patch-%zu", n) : xstrdup("build-base");
	const struct build_job build = {
		.repo = t->repo,
		.commit = n ? &t->applied.commit[n - 1].commit : &t->start,
		.builder =
			which.builder ? which.builder : conf_str(t->opt->conf, CONF_BUILD_BUILDER),
		.slot = t->id,
		.cache_dir = t->opt->cache_dir,
		/* What the series needs was posted by strangers too: it is not built among the kept
		 * objects. */
		.is_base = n == 0 && git_oid_equal(&t->start, &t->base.commit),
		.conf = t->opt->conf};
	struct trial_job job = {.kind = "build",
				.name = name,
				.args = build_job_args(&build),
				.timeout_s = build_job_timeout(t->opt->conf)};

	int rc = trial_job_run(t, &job, ret_data, ret_log, err);

	if (rc == 0)
		kernel_used(json_get_str(*ret_data, "artifact", NULL));
	return rc;
}

bool trial_built(const json_t *build)
{
	return outcome_parse(json_get_str(build, "outcome", NULL)) == OUTCOME_PASS;
}

static int patch_is_bad(struct trial *t, size_t n, void *ctx, struct err *err)
{
	auto_json json_t *data = NULL;
	int rc = trial_build(t, (struct trial_kernel){.n = n}, &data, NULL, err);

	(void)ctx;
	return rc < 0 ? rc : !trial_built(data);
}

/* Errors first, as the compiler wrote them; at most a screenful. */
static void add_evidence(struct step_result *ret, const json_t *data)
{
	const json_t *list = json_object_get(data, "diagnostics"), *d;
	size_t i, shown = 0;

	json_array_foreach (list, i, d) {
		if (json_get_bool(d, "error", false) && shown++ < 12)
			step_result_line(ret, json_get_str(d, "excerpt", ""));
	}
	if (!shown)
		step_result_line(ret, json_get_str(data, "reason", ""));
}

static int explain_failure(struct trial *t, const json_t *head, struct step_result *ret,
			   struct err *err)
{
	auto_json json_t *culprit = NULL;
	size_t n = t->applied.n_commits;
	int rc = attribute_patch(t, patch_is_bad, NULL, &n, err);

	if (rc == 0 && n < t->applied.n_commits)
		rc = trial_build(t, (struct trial_kernel){.n = n}, &culprit, &ret->log, err);
	if (rc < 0)
		return rc;
	if (!culprit)
		culprit = json_incref((json_t *)head);
	ret->patch = t->series->patch[n - 1].subject.number;
	add_evidence(ret, culprit);
	step_result_set(ret, OUTCOME_FAIL, "patch %zu/%zu does not build: %s", ret->patch,
			t->series->n_patches, json_get_str(culprit, "reason", ""));
	return 0;
}

static char *how_built(const json_t *data)
{
	char span[CLOCK_SPAN_MAX];

	if (json_get_bool(data, "cached", false))
		return xstrdup("from the cache");
	return xasprintf("in %s", clock_span(json_get_num(data, "seconds", 0), span));
}

static int built(struct trial *t, const json_t *base, const json_t *head, struct step_result *ret,
		 struct err *err)
{
	auto_free char *how_base = how_built(base), *how_head = how_built(head);
	auto_free char *between =
		t->n_between ? xasprintf(", and after each of the %zu patches before the last",
					 t->n_between)
			     : xstrdup("");
	int rc = guest_same_image(t->base_artifact, t->patched_artifact, &t->same_image, err);

	if (rc < 0)
		return rc;
	ret->cached = json_get_bool(base, "cached", false) && json_get_bool(head, "cached", false);
	step_result_set(ret, OUTCOME_PASS, "%s: base %s, patched %s%s%s",
			conf_str(t->opt->conf, CONF_BUILD_BUILDER), how_base, how_head, between,
			t->same_image ? "; both images are the same, byte for byte" : "");
	return 0;
}

/* The series builds, patch `n` of it does not: does it from a later one on? */
static int between_bad(struct trial *t, size_t n, const json_t *bad, struct step_result *ret,
		       struct err *err)
{
	size_t total = t->applied.n_commits, mended = n;
	bool good = false;

	while (!good && ++mended < total) {
		auto_json json_t *data = NULL;
		int rc = trial_build(t, (struct trial_kernel){.n = mended}, &data, NULL, err);

		if (rc < 0)
			return rc;
		good = trial_built(data);
	}
	ret->patch = t->series->patch[n - 1].subject.number;
	add_evidence(ret, bad);
	step_result_set(ret, OUTCOME_FAIL,
			"patch %zu/%zu does not build, mended by patch %u/%zu: %s", ret->patch,
			t->series->n_patches, t->series->patch[mended - 1].subject.number,
			t->series->n_patches, json_get_str(bad, "reason", ""));
	return 0;
}

/* Every patch before the last. `*ret_good`: all of them build. */
static int build_between(struct trial *t, struct step_result *ret, bool *ret_good, struct err *err)
{
	size_t n = trial_each(t) ? t->applied.n_commits : 0;

	*ret_good = true;
	t->between = xcalloc(n + 1, sizeof(*t->between));
	for (size_t i = 1; i < n; i++) {
		auto_json json_t *data = NULL;
		int rc = trial_build(t, (struct trial_kernel){.n = i}, &data, &ret->log, err);

		if (rc < 0)
			return rc;
		*ret_good = trial_built(data);
		if (!*ret_good)
			return between_bad(t, i, data, ret, err);
		t->between[t->n_between++] = xstrdup(json_get_str(data, "artifact", ""));
	}
	return 0;
}

int step_build(struct trial *t, struct step_result *ret, struct err *err)
{
	auto_json json_t *base = NULL, *head = NULL;
	bool good;
	int rc;

	rc = trial_build(t, (struct trial_kernel){.n = 0}, &base, &ret->log, err);
	if (rc < 0)
		return rc;
	if (!trial_built(base)) {
		add_evidence(ret, base);
		step_result_set(ret, OUTCOME_ERROR, "the base does not build: %s",
				json_get_str(base, "reason", ""));
		return 0;
	}
	rc = trial_build(t, (struct trial_kernel){.n = t->applied.n_commits}, &head, &ret->log,
			 err);
	if (rc < 0)
		return rc;
	if (!trial_built(head))
		return explain_failure(t, head, ret, err);
	t->base_artifact = xstrdup(json_get_str(base, "artifact", ""));
	t->patched_artifact = xstrdup(json_get_str(head, "artifact", ""));
	rc = build_between(t, ret, &good, err);
	return rc < 0 || !good ? rc : built(t, base, head, ret, err);
}
