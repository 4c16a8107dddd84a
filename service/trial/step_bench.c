// SPDX-License-Identifier: GPL-2.0-or-later
#include "trial/run.h"

static json_t *lmb_list(const struct trial *t, unsigned *ret_n)
{
	auto_free unsigned *lmbs = conf_list(t->opt->conf, CONF_BENCH_LMBS);
	json_t *list = json_array();

	for (*ret_n = 0; lmbs[*ret_n]; ++*ret_n)
		json_array_append_new(list, json_integer(lmbs[*ret_n]));
	return list;
}

int step_bench(struct trial *t, struct step_result *ret, struct err *err)
{
	unsigned n_sizes;
	json_t *lmbs = lmb_list(t, &n_sizes);
	long samples = conf_int(t->opt->conf, CONF_BENCH_SAMPLES),
	     timeout = conf_int(t->opt->conf, CONF_BOOT_TIMEOUT);
	auto_json json_t *data = NULL;
	/* A bad boot is done once more, so at most twice the boots. */
	struct trial_job job = {.kind = "bench",
				.name = "bench-hot-add",
				.timeout_s = (double)(timeout * samples * n_sizes * 4 + 60),
				.tries = 2};
	int rc;

	job.args = json_pack("{s:s, s:s, s:s, s:b, s:s, s:s, s:o, s:I, s:I, s:I}", "bench",
			     "hot-add", "base", t->base_artifact, "patched", t->patched_artifact,
			     "same_image", t->same_image, "cache", t->opt->cache_dir, "testbed",
			     conf_str(t->opt->conf, CONF_TESTBED_NAME), "lmbs", lmbs, "samples",
			     (json_int_t)samples, "seed",
			     (json_int_t)conf_int(t->opt->conf, CONF_BENCH_SEED), "timeout",
			     (json_int_t)timeout);
	rc = trial_job_run(t, &job, &data, &ret->log, err);
	if (rc < 0)
		return rc;
	step_result_set(ret, outcome_parse(json_get_str(data, "outcome", NULL)), "%s",
			json_get_str(data, "reason", ""));
	ret->evidence = json_incref(json_object_get(data, "evidence"));
	json_array_extend(t->metrics, json_object_get(data, "metrics"));
	/* One patch: it can only be that one. */
	if (ret->outcome >= OUTCOME_WARN && t->series->n_patches == 1)
		ret->patch = t->series->patch[0].subject.number;
	return 0;
}
