// SPDX-License-Identifier: GPL-2.0-or-later
#include "trial/run.h"

/* The TYPEs of checkpatch that are waived: by the configuration, and by the tree that the series is
 * on. NULL: none. The caller frees. */
static char *ignored_types(const struct trial *t)
{
	const struct trial_tree *tree = t->opt->trees;
	const char *everywhere = conf_str(t->opt->conf, CONF_CHECKPATCH_IGNORE), *here = NULL;

	for (; tree && tree->path && !here; tree++)
		if (t->tree && strcmp(tree->path, t->tree) == 0)
			here = tree->ignore;
	if (everywhere && here)
		return xasprintf("%s,%s", everywhere, here);
	return everywhere || here ? xstrdup(everywhere ? everywhere : here) : NULL;
}

int step_check(struct trial *t, struct step_result *ret, struct err *err)
{
	auto_free char *mails = xasprintf("%s/mails", t->work_dir);
	auto_free char *ignore = ignored_types(t);
	auto_json json_t *data = NULL;
	char hex[GIT_OID_HEXSZ + 1];
	struct trial_job job = {.kind = "check",
				.name = "check",
				.timeout_s = (double)conf_int(t->opt->conf, CONF_CHECK_TIMEOUT)};
	const json_t *counts;
	/* With an offer, the job makes the series from that. */
	size_t index = t->opt->offer ? 0 : (size_t)(t->series - t->set.series);
	int rc;

	job.args = json_pack("{s:s, s:I, s:s, s:s, s:s}", "mails", mails, "series",
			     (json_int_t)index, "repo", git_repository_path(t->repo), "base",
			     git_oid_tostr(hex, sizeof(hex), &t->base.commit), "cache",
			     t->opt->cache_dir);
	if (ignore)
		json_object_set_new(job.args, "ignore", json_text(ignore));
	if (t->opt->offer)
		json_object_set_new(job.args, "offer", json_text(t->opt->offer));
	rc = trial_job_run(t, &job, &data, &ret->log, err);
	if (rc < 0)
		return rc;
	json_array_extend(t->checks, json_object_get(data, "checks"));
	json_array_extend(t->findings, json_object_get(data, "findings"));
	counts = json_object_get(data, "counts");
	t->counts = json_incref((json_t *)counts);
	step_result_set(ret, outcome_parse(json_get_str(data, "outcome", NULL)), "%s",
			json_get_str(data, "reason", ""));
	return 0;
}
