// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/clock.h"
#include "trial/run.h"

int trial_boot(struct trial *t, size_t n, const char *artifact, json_t **ret_data, char **ret_log,
	       struct err *err)
{
	auto_free char *name = n ? xasprintf("boot-patch-%zu", n) : xstrdup("boot-base");
	long timeout = conf_int(t->opt->conf, CONF_BOOT_TIMEOUT);
	struct trial_job job = {
		.kind = "boot", .name = name, .timeout_s = (double)timeout + 60, .tries = 2};

	job.args = json_pack(
		"{s:s, s:s, s:s, s:I, s:I, s:I}", "artifact", artifact, "cache", t->opt->cache_dir,
		"testbed", conf_str(t->opt->conf, CONF_TESTBED_NAME), "timeout",
		(json_int_t)timeout, "silence",
		(json_int_t)conf_int(t->opt->conf, CONF_BOOT_SILENCE), "cpus", (json_int_t)2);
	return trial_job_run(t, &job, ret_data, ret_log, err);
}

/* How bad a boot of the patched kernel was, beside the base's. */
enum badness {
	GOOD,
	DOUBTFUL, /* a new stall: a busy host can make one */
	BAD,	  /* did not come up, or warned, oopsed, locked up, or failed one of init's tests */
};

struct boot_verdict {
	enum badness badness;
	char *words;
	json_t *evidence; /* array */
};

static void boot_verdict_done(struct boot_verdict *v)
{
	free(v->words);
	json_decref(v->evidence);
	*v = (struct boot_verdict){0};
}

static void verdict_set(struct boot_verdict *v, enum badness badness, char *words,
			const json_t *evidence)
{
	boot_verdict_done(v);
	*v = (struct boot_verdict){
		.badness = badness, .words = words, .evidence = json_deep_copy(evidence)};
}

static const json_t *find_by(const json_t *list, const char *key, const char *value)
{
	const json_t *item;
	size_t i;

	json_array_foreach (list, i, item)
		if (strcmp(json_get_str(item, key, ""), value) == 0)
			return item;
	return NULL;
}

/* A complaint of the kernel that the base does not make. The worst is kept. */
static void judge_complaints(const json_t *base, const json_t *patched, struct boot_verdict *v)
{
	const json_t *had = json_object_get(base, "complaints"), *c;
	size_t i;

	json_array_foreach (json_object_get(patched, "complaints"), i, c) {
		const char *kind = json_get_str(c, "kind", "");
		enum badness b = strcmp(kind, "stall") == 0 ? DOUBTFUL : BAD;

		if (b > v->badness && !find_by(had, "key", json_get_str(c, "key", "")))
			verdict_set(v, b,
				    xasprintf("new %s: %s", kind, json_get_str(c, "title", "")),
				    json_object_get(c, "lines"));
	}
}

/* A test that the base passes and this kernel does not. */
static void judge_tests(const json_t *base, const json_t *patched, struct boot_verdict *v)
{
	const json_t *has = json_object_get(patched, "tests"), *test;
	size_t i;

	json_array_foreach (json_object_get(base, "tests"), i, test) {
		const char *name = json_get_str(test, "name", "");
		const json_t *now = find_by(has, "name", name);

		if (v->badness == BAD ||
		    outcome_parse(json_get_str(test, "outcome", NULL)) != OUTCOME_PASS)
			continue;
		if (!now)
			verdict_set(
				v, BAD,
				xasprintf("test \"%s\" passes on the base and does not end here",
					  name),
				NULL);
		else if (outcome_parse(json_get_str(now, "outcome", NULL)) == OUTCOME_FAIL)
			verdict_set(v, BAD,
				    xasprintf("test \"%s\" passes on the base and fails here: %s",
					      name, json_get_str(now, "note", "")),
				    NULL);
	}
}

static bool boot_done(const json_t *data)
{
	return strcmp(json_get_str(data, "end", ""), "done") == 0;
}

static void judge_boot(const json_t *base, const json_t *patched, struct boot_verdict *v)
{
	judge_complaints(base, patched, v);
	judge_tests(base, patched, v);
	if (boot_done(patched))
		return;
	/* The end says more than a complaint on the way; the complaint's lines show more than the
	 * console's last. */
	auto_json json_t *lines = json_array_size(v->evidence)
					  ? json_incref(v->evidence)
					  : json_incref(json_object_get(patched, "tail"));
	verdict_set(v, BAD, xstrdup(json_get_str(patched, "reason", "")), lines);
}

/* For attribution: is the kernel with the first n patches bad beside the base? */
static int patch_is_bad(struct trial *t, size_t n, struct err *err)
{
	auto_json json_t *build = NULL, *base = NULL, *boot = NULL;
	struct boot_verdict v = {0};
	int rc = trial_build(t, n, &build, NULL, err);

	if (rc < 0)
		return rc;
	if (outcome_parse(json_get_str(build, "outcome", NULL)) != OUTCOME_PASS)
		return err_set(err, ERR_INFRA, "patch %zu cannot be tried alone: %s", n,
			       json_get_str(build, "reason", ""));
	rc = trial_boot(t, 0, t->base_artifact, &base, NULL, err);
	if (rc == 0)
		rc = trial_boot(t, n, json_get_str(build, "artifact", ""), &boot, NULL, err);
	if (rc < 0)
		return rc;
	judge_boot(base, boot, &v);
	rc = v.badness == BAD;
	boot_verdict_done(&v);
	return rc;
}

/* Twice bad, base good: whose patch is it? Not knowing that takes nothing from the fail. */
static int attribute(struct trial *t, struct step_result *ret, struct err *err)
{
	struct err why = ERR_INIT;
	size_t n = t->applied.n_commits;
	int rc = attribute_patch(t, patch_is_bad, &n, &why);

	if (rc == ERR_CANCELLED)
		return err_set(err, why.kind, "%s", why.msg);
	if (rc < 0) {
		auto_free char *old = ret->reason;

		ret->reason = xasprintf("%s (which patch: %s)", old, why.msg);
		return 0;
	}
	ret->patch = t->series->patch[n - 1].subject.number;
	auto_free char *old = ret->reason;
	ret->reason = xasprintf("patch %zu/%zu: %s", ret->patch, t->series->n_patches, old);
	return 0;
}

static int boot_bad(struct trial *t, const json_t *base, struct boot_verdict *first,
		    struct step_result *ret, struct err *err)
{
	auto_json json_t *again = NULL;
	struct boot_verdict second = {0};
	int rc = trial_boot(t, t->applied.n_commits, t->patched_artifact, &again, NULL, err);

	if (rc < 0)
		return rc;
	judge_boot(base, again, &second);
	ret->evidence = json_incref(first->evidence);
	if (second.badness == BAD && first->badness == BAD) {
		step_result_set(ret, OUTCOME_FAIL, "%s (twice; the base is good)", first->words);
		rc = attribute(t, ret, err);
	} else if (second.badness >= DOUBTFUL) {
		step_result_set(ret, OUTCOME_WARN, "%s (twice; not on the base)", first->words);
	} else {
		step_result_set(ret, OUTCOME_WARN, "%s (in one of two boots; the base is good)",
				first->words);
	}
	boot_verdict_done(&second);
	return rc;
}

static void boot_good(const json_t *base, const json_t *patched, struct step_result *ret)
{
	size_t tests = json_array_size(json_object_get(patched, "tests"));

	step_result_set(
		ret, OUTCOME_PASS,
		"base and patched boot: init after %.2f and %.2f s of guest time, %zu test%s",
		json_get_num(base, "guest_seconds", 0), json_get_num(patched, "guest_seconds", 0),
		tests, tests == 1 ? "" : "s");
}

int step_boot(struct trial *t, struct step_result *ret, struct err *err)
{
	auto_json json_t *base = NULL, *patched = NULL;
	struct boot_verdict v = {0};
	int rc = trial_boot(t, 0, t->base_artifact, &base, &ret->log, err);

	if (rc < 0)
		return rc;
	if (boot_done(base) && json_array_size(json_object_get(base, "tests")) == 0) {
		step_result_set(ret, OUTCOME_ERROR, "the base boots, but its init reports no test");
		return 0;
	}
	if (!boot_done(base)) {
		ret->evidence = json_incref(json_object_get(base, "tail"));
		step_result_set(ret, OUTCOME_ERROR, "the base does not boot: %s",
				json_get_str(base, "reason", ""));
		return 0;
	}
	rc = trial_boot(t, t->applied.n_commits, t->patched_artifact, &patched, &ret->log, err);
	if (rc < 0)
		return rc;
	judge_boot(base, patched, &v);
	if (v.badness == GOOD)
		boot_good(base, patched, ret);
	else
		rc = boot_bad(t, base, &v, ret, err);
	boot_verdict_done(&v);
	return rc;
}
