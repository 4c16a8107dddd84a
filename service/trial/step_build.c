// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/clock.h"
#include "base/fs.h"
#include "trial/run.h"

/* Guest modules that every kernel is built with. */
static json_t *guest_modules(void)
{
	json_t *list = json_array();

	json_array_append_new(list, json_sprintf("%s/testbeds/guest/pause", fs_data_dir()));
	return list;
}

int trial_build(struct trial *t, size_t n, json_t **ret_data, char **ret_log, struct err *err)
{
	const git_oid *commit = n ? &t->applied.commit[n - 1].commit : &t->start;
	auto_free char *name = n ? xasprintf("build-patch-%zu", n) : xstrdup("build-base");
	/* What the series needs was posted by strangers too: it is not built among the kept
	 * objects. */
	bool is_base = n == 0 && git_oid_equal(&t->start, &t->base.commit);
	char hex[GIT_OID_HEXSZ + 1];
	struct trial_job job = {.kind = "build",
				.name = name,
				.timeout_s =
					(double)conf_int(t->opt->conf, CONF_BUILD_TIMEOUT) + 60};

	job.args = json_pack("{s:s, s:s, s:s, s:b, s:s, s:s, s:o, s:I, s:I}", "repo",
			     git_repository_path(t->repo), "commit",
			     git_oid_tostr(hex, sizeof(hex), commit), "builder",
			     conf_str(t->opt->conf, CONF_BUILD_BUILDER), "is_base", is_base, "slot",
			     t->id, "cache", t->opt->cache_dir, "modules", guest_modules(),
			     "timeout", (json_int_t)conf_int(t->opt->conf, CONF_BUILD_TIMEOUT),
			     "jobs", (json_int_t)conf_int(t->opt->conf, CONF_BUILD_JOBS));
	return trial_job_run(t, &job, ret_data, ret_log, err);
}

static bool build_failed(const json_t *data)
{
	return outcome_parse(json_get_str(data, "outcome", NULL)) == OUTCOME_FAIL;
}

static int patch_is_bad(struct trial *t, size_t n, struct err *err)
{
	auto_json json_t *data = NULL;
	int rc = trial_build(t, n, &data, NULL, err);

	return rc < 0 ? rc : build_failed(data);
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
	int rc = attribute_patch(t, patch_is_bad, &n, err);

	if (rc == 0 && n < t->applied.n_commits)
		rc = trial_build(t, n, &culprit, &ret->log, err);
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

static int same_file(const char *a, const char *b, bool *ret_same, struct err *err)
{
	auto_str struct str x, y;
	int rc;

	str_init(&x, 0);
	str_init(&y, 0);
	rc = fs_read(a, (size_t)1 << 30, ERR_INFRA, &x, err);
	if (rc == 0)
		rc = fs_read(b, (size_t)1 << 30, ERR_INFRA, &y, err);
	if (rc == 0)
		*ret_same = x.len == y.len && memcmp(x.buf, y.buf, x.len) == 0;
	return rc;
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
	int rc;

	t->base_artifact = xstrdup(json_get_str(base, "artifact", ""));
	t->patched_artifact = xstrdup(json_get_str(head, "artifact", ""));
	auto_free char *a = xasprintf("%s/vmlinux", t->base_artifact);
	auto_free char *b = xasprintf("%s/vmlinux", t->patched_artifact);
	rc = same_file(a, b, &t->same_image, err);
	if (rc < 0)
		return rc;
	ret->cached = json_get_bool(base, "cached", false) && json_get_bool(head, "cached", false);
	step_result_set(ret, OUTCOME_PASS, "%s: base %s, patched %s%s",
			conf_str(t->opt->conf, CONF_BUILD_BUILDER), how_base, how_head,
			t->same_image ? "; both images are the same, byte for byte" : "");
	return 0;
}

int step_build(struct trial *t, struct step_result *ret, struct err *err)
{
	auto_json json_t *base = NULL, *head = NULL;
	int rc;

	rc = trial_build(t, 0, &base, &ret->log, err);
	if (rc < 0)
		return rc;
	if (build_failed(base)) {
		add_evidence(ret, base);
		step_result_set(ret, OUTCOME_ERROR, "the base does not build: %s",
				json_get_str(base, "reason", ""));
		return 0;
	}
	rc = trial_build(t, t->applied.n_commits, &head, &ret->log, err);
	if (rc < 0)
		return rc;
	return build_failed(head) ? explain_failure(t, head, ret, err)
				  : built(t, base, head, ret, err);
}
