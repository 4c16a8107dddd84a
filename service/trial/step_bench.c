// SPDX-License-Identifier: GPL-2.0-or-later
#include "trial/bench_args.h"
#include "trial/bench_json.h"
#include "trial/bench_symptom.h"
#include "trial/guest.h"
#include "trial/run.h"

/* A benchmark of this trial: on which kernels. */
struct bench_step {
	const struct bench *bench;
	const char *builder; /* NULL: that of the configuration, whose kernels are there */
	char *base, *patched;
	bool same_image;
	struct bench_symptom symptom; /* what is looked for, patch by patch */
	char *log;
};

static void bench_step_done(struct bench_step *s)
{
	free(s->base);
	free(s->patched);
	free(s->log);
}

/* Builds the kernel of a benchmark that has a configuration of its own. */
static int build_own(struct trial *t, const struct bench_step *s, size_t n, char **ret,
		     struct err *err)
{
	auto_json json_t *data = NULL;
	int rc = trial_build(t, (struct trial_kernel){.n = n, .builder = s->builder}, &data, NULL,
			     err);

	if (rc < 0)
		return rc;
	if (!trial_built(data))
		return err_set(err, ERR_INFRA, "%s: %s", s->builder ? s->builder : "build",
			       json_get_str(data, "reason", ""));
	*ret = xstrdup(json_get_str(data, "artifact", ""));
	return 0;
}

static int find_kernels(struct trial *t, struct bench_step *s, struct err *err)
{
	const char *builder = bench_builder(t->opt->conf, s->bench);
	int rc;

	if (!builder)
		return err_set(err, ERR_CONFIG, "no builder has %s", s->bench->fragment);
	if (strcmp(builder, conf_str(t->opt->conf, CONF_BUILD_BUILDER)) == 0) {
		s->base = xstrdup(t->base_artifact);
		s->patched = xstrdup(t->patched_artifact);
		s->same_image = t->same_image;
		return 0;
	}
	s->builder = builder;
	rc = build_own(t, s, 0, &s->base, err);
	if (rc == 0)
		rc = build_own(t, s, t->applied.n_commits, &s->patched, err);
	return rc < 0 ? rc : guest_same_image(s->base, s->patched, &s->same_image, err);
}

/* The first patches of the series. */
struct bench_part {
	size_t n;	      /* patches in it */
	const char *artifact; /* their kernel */
};

/* Base against the series, or against a part of it. */
static int bench_job(struct trial *t, struct bench_step *s, const struct bench_part *part,
		     json_t **ret_data, struct err *err)
{
	const char *step = steps[t->step].name;
	auto_free char *name = part ? xasprintf("%s-patch-%zu", step, part->n) : xstrdup(step);
	struct trial_job job = {.kind = "bench",
				.name = name,
				.args = bench_args_make(t->opt->conf, s->bench),
				.tries = 2};

	json_object_set_new(job.args, "base", json_text(s->base));
	json_object_set_new(job.args, "patched", json_text(part ? part->artifact : s->patched));
	json_object_set_new(job.args, "cache", json_text(t->opt->cache_dir));
	json_object_set_new(job.args, "same_image", json_boolean(!part && s->same_image));
	if (part) /* who did it is asked, not how */
		json_object_set_new(job.args, "profile", json_false());
	if (part && s->symptom.name)
		json_object_set_new(job.args, "only", json_text(s->symptom.name));
	job.timeout_s = bench_args_timeout(job.args);
	return trial_job_run(t, &job, ret_data, part ? NULL : &s->log, err);
}

/* Does base against the first n patches show what base against all of them does? */
static int patch_is_bad(struct trial *t, size_t n, void *ctx, struct err *err)
{
	struct bench_step *s = ctx;
	auto_json json_t *data = NULL;
	auto_free char *patched = NULL;
	int rc = build_own(t, s, n, &patched, err);

	if (rc == 0)
		rc = bench_job(t, s, &(struct bench_part){.n = n, .artifact = patched}, &data, err);
	return rc < 0 ? rc : bench_symptom_seen(data, &s->symptom, err);
}

static int attribute(struct trial *t, struct bench_step *s, const json_t *data,
		     struct step_result *ret, struct err *err)
{
	bool asked = conf_bool(t->opt->conf, CONF_BENCH_ATTRIBUTE);
	int rc;

	if (!bench_symptom_find(data, &s->symptom))
		return 0;
	/* One patch: it can only be that one. */
	if (t->series->n_patches == 1 && ret->outcome >= OUTCOME_WARN)
		ret->patch = t->series->patch[0].subject.number;
	if (t->series->n_patches == 1 || !asked)
		return 0;
	rc = attribute_step(t, patch_is_bad, s, ret, err);
	if (rc == 0 && ret->patch && s->symptom.name) {
		auto_free char *line =
			xasprintf("patch %zu/%zu is the first with \"%s\" %s", ret->patch,
				  t->series->n_patches, s->symptom.title, s->symptom.word);

		step_result_line(ret, line);
	}
	return rc;
}

static int measure(struct trial *t, struct bench_step *s, struct step_result *ret, struct err *err)
{
	auto_json json_t *data = NULL;
	int rc = bench_job(t, s, NULL, &data, err);

	ret->log = take(s->log);
	if (rc < 0)
		return rc;
	step_result_set(ret, outcome_parse(json_get_str(data, "outcome", NULL)), "%s",
			json_get_str(data, "reason", ""));
	ret->evidence = json_deep_copy(json_object_get(data, "evidence"));
	bench_json_merge(t->bench, data);
	return attribute(t, s, data, ret, err);
}

/* Why it is not even tried; NULL: it is. The caller frees. */
static char *not_possible(const struct trial *t, const struct bench *bench, const char *name)
{
	const char *arg, *lacks;
	const struct testbed *testbed =
		testbed_find(conf_str(t->opt->conf, CONF_TESTBED_NAME), &arg);

	if (!bench)
		return xasprintf("this firn has no benchmark %s", name);
	lacks = testbed ? bench_lacks(bench, testbed) : NULL;
	return lacks ? xasprintf("the testbed %s cannot %s", testbed->name, lacks) : NULL;
}

int step_bench(struct trial *t, struct step_result *ret, struct err *err)
{
	const char *name = steps[t->step].name + strlen(STEP_BENCH);
	struct bench_step s = {.bench = bench_find(name)};
	auto_free char *why_not = not_possible(t, s.bench, name);
	int rc;

	if (why_not) {
		step_result_set(ret, OUTCOME_SKIP, "%s", why_not);
		return 0;
	}
	rc = find_kernels(t, &s, err);
	if (rc == 0 && s.same_image && !t->named[t->step])
		step_result_set(ret, OUTCOME_SKIP,
				"both images are the same, byte for byte: there is nothing to "
				"measure (--only %s does it all the same)",
				steps[t->step].name);
	else if (rc == 0)
		rc = measure(t, &s, ret, err);
	bench_step_done(&s);
	return rc;
}
