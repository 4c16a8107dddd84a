// SPDX-License-Identifier: GPL-2.0-or-later
#include "testbeds/bench/node_offline.h"
#include "trial/boot_judge.h"
#include "trial/guest.h"
#include "trial/run.h"

/* Its nodes as the boot job takes them: [[cpus, MiB], ...]. */
static json_t *node_list(const struct trial_boot *b)
{
	json_t *list = json_array();

	for (size_t i = 0; i < b->n_nodes; i++)
		json_array_append_new(list, json_pack("[I, I]", (json_int_t)b->node[i].cpus,
						      (json_int_t)b->node[i].memory_mib));
	return list;
}

int trial_boot(struct trial *t, const struct trial_boot *boot, json_t **ret_data, char **ret_log,
	       struct err *err)
{
	auto_free char *kernel = boot->n ? xasprintf("patch-%zu", boot->n) : xstrdup("base");
	auto_free char *name = xasprintf("boot-%s%s%s", kernel, boot->machine ? "-" : "",
					 boot->machine ? boot->machine : "");
	long timeout = conf_int(t->opt->conf, CONF_BOOT_TIMEOUT);
	struct trial_job job = {
		.kind = "boot", .name = name, .timeout_s = (double)timeout + 60, .tries = 2};

	job.args =
		json_pack("{s:s, s:s, s:s, s:I, s:I, s:I, s:o}", "artifact", boot->artifact,
			  "cache", t->opt->cache_dir, "testbed",
			  conf_str(t->opt->conf, CONF_TESTBED_NAME), "timeout", (json_int_t)timeout,
			  "silence", (json_int_t)conf_int(t->opt->conf, CONF_BOOT_SILENCE), "cpus",
			  (json_int_t)2, "nodes", node_list(boot));
	return trial_job_run(t, &job, ret_data, ret_log, err);
}

/* What came of one kernel on one machine. */
struct fate {
	size_t n;	      /* patches in it */
	enum outcome outcome; /* PASS, WARN or FAIL */
	char *words;	      /* NULL when it passed */
	json_t *evidence;
	double guest_seconds;
	char *log;
};

static void fate_done(struct fate *f)
{
	free(f->words);
	free(f->log);
	json_decref(f->evidence);
	*f = (struct fate){0};
}

static void fate_set(struct fate *f, const struct boot_verdict *first, enum boot_badness second)
{
	bool bad = first->badness == BOOT_BAD && second == BOOT_BAD;
	const char *how = bad			    ? "twice; the base is good"
			  : second >= BOOT_DOUBTFUL ? "twice; not on the base"
						    : "in one of two boots; the base is good";

	f->outcome = bad ? OUTCOME_FAIL : OUTCOME_WARN;
	f->words = xasprintf("%s (%s)", first->words, how);
	f->evidence = json_incref(first->evidence);
}

/* The machine that a kernel is tried on, and how the base does there. */
struct place {
	struct trial_boot boot;
	const char *title; /* "" for the usual one */
	json_t *base;
	double head_seconds; /* guest time of the whole series, when it is good */
};

static struct trial_boot boot_of(const struct place *p, size_t n, const char *artifact)
{
	struct trial_boot b = p->boot;

	b.n = n;
	b.artifact = artifact;
	return b;
}

/* A boot beside the base's, and once more when it looks bad. */
static int fate_find(struct trial *t, const struct place *place, const struct trial_boot *boot,
		     struct fate *ret, struct err *err)
{
	auto_json json_t *data = NULL, *again = NULL;
	struct boot_verdict first = {0}, second = {0};
	int rc = trial_boot(t, boot, &data, &ret->log, err);

	ret->n = boot->n;
	if (rc < 0)
		return rc;
	boot_judge(place->base, data, &first);
	if (first.badness == BOOT_GOOD) {
		ret->outcome = OUTCOME_PASS;
		ret->guest_seconds = json_get_num(data, "guest_seconds", 0);
		return 0;
	}
	rc = trial_boot(t, boot, &again, &ret->log, err);
	if (rc == 0) {
		boot_judge(place->base, again, &second);
		fate_set(ret, &first, second.badness);
	}
	boot_verdict_done(&first);
	boot_verdict_done(&second);
	return rc;
}

/* For attribution: is the kernel with the first n patches bad beside the base? */
static int patch_is_bad(struct trial *t, size_t n, void *ctx, struct err *err)
{
	const struct place *place = ctx;
	auto_json json_t *build = NULL, *data = NULL;
	struct boot_verdict v = {0};
	int rc = trial_build(t, (struct trial_kernel){.n = n}, &build, NULL, err);

	if (rc < 0)
		return rc;
	if (!trial_built(build))
		return err_set(err, ERR_INFRA, "patch %zu cannot be tried alone: %s", n,
			       json_get_str(build, "reason", ""));
	struct trial_boot boot = boot_of(place, n, json_get_str(build, "artifact", ""));
	rc = trial_boot(t, &boot, &data, NULL, err);
	if (rc < 0)
		return rc;
	boot_judge(place->base, data, &v);
	rc = v.badness == BOOT_BAD;
	boot_verdict_done(&v);
	return rc;
}

/* The whole series, on one machine. Fills `ret` unless it passes. */
static int boot_head(struct trial *t, struct place *place, struct step_result *ret, struct err *err)
{
	struct trial_boot boot = boot_of(place, t->applied.n_commits, t->patched_artifact);
	struct fate fate = {0};
	int rc = fate_find(t, place, &boot, &fate, err);

	if (fate.log) {
		free(ret->log);
		ret->log = take(fate.log);
	}
	if (rc == 0 && fate.outcome != OUTCOME_PASS) {
		json_decref(ret->evidence);
		ret->evidence = json_incref(fate.evidence);
		step_result_set(ret, fate.outcome, "%s%s%s", place->title,
				*place->title ? ": " : "", fate.words);
		if (fate.outcome == OUTCOME_FAIL)
			rc = attribute_step(t, patch_is_bad, place, ret, err);
	} else if (rc == 0) {
		ret->outcome = OUTCOME_PASS;
		place->head_seconds = fate.guest_seconds;
	}
	fate_done(&fate);
	return rc;
}

/* The first patch after `n` with which the kernel is good again; the last one is. */
static int boot_mended(struct trial *t, const struct place *place, size_t n, size_t *ret,
		       struct err *err)
{
	for (size_t i = n + 1; i < t->applied.n_commits; i++) {
		struct trial_boot boot = boot_of(place, i, t->between[i - 1]);
		auto_json json_t *data = NULL;
		struct boot_verdict v = {0};
		bool good;
		int rc = trial_boot(t, &boot, &data, NULL, err);

		if (rc < 0)
			return rc;
		boot_judge(place->base, data, &v);
		good = v.badness == BOOT_GOOD;
		boot_verdict_done(&v);
		if (good) {
			*ret = i;
			return 0;
		}
	}
	*ret = t->applied.n_commits;
	return 0;
}

/* A series must bisect: that a later patch mends it is no excuse. */
static int between_bad(struct trial *t, const struct place *place, struct fate *fate,
		       struct step_result *ret, struct err *err)
{
	size_t n = fate->n, mended;
	int rc = boot_mended(t, place, n, &mended, err);

	if (rc < 0)
		return rc;
	free(ret->log);
	ret->log = take(fate->log);
	ret->patch = t->series->patch[n - 1].subject.number;
	json_decref(ret->evidence);
	ret->evidence = json_incref(fate->evidence);
	step_result_set(ret, fate->outcome, "patch %zu/%zu: %s; mended by patch %u/%zu", ret->patch,
			t->series->n_patches, fate->words,
			t->series->patch[mended - 1].subject.number, t->series->n_patches);
	return 0;
}

/* After each patch but the last, which is known to be good. What is the same image as the one
 * before is not booted again. */
static int boot_between(struct trial *t, const struct place *place, struct step_result *ret,
			struct err *err)
{
	const char *before = t->base_artifact;
	int rc = 0;

	for (size_t i = 0; i < t->n_between && rc == 0 && ret->outcome == OUTCOME_PASS; i++) {
		struct trial_boot boot = boot_of(place, i + 1, t->between[i]);
		struct fate fate = {0};
		bool same = false;

		rc = guest_same_image(before, boot.artifact, &same, err);
		if (rc == 0 && !same)
			rc = fate_find(t, place, &boot, &fate, err);
		if (rc == 0 && !same && fate.outcome != OUTCOME_PASS)
			rc = between_bad(t, place, &fate, ret, err);
		before = boot.artifact;
		fate_done(&fate);
	}
	return rc;
}

static bool base_good(const json_t *base, struct step_result *ret)
{
	if (boot_done(base) && json_array_size(json_object_get(base, "tests")))
		return true;
	if (boot_done(base)) {
		step_result_set(ret, OUTCOME_ERROR, "the base boots, but its init reports no test");
		return false;
	}
	ret->evidence = json_incref(json_object_get(base, "tail"));
	step_result_set(ret, OUTCOME_ERROR, "the base does not boot: %s",
			json_get_str(base, "reason", ""));
	return false;
}

/* Two ordinary nodes are the usual machine. */
static bool is_usual(const struct node_topology *top)
{
	for (unsigned i = 0; i < top->nodes; i++)
		if (!top->node[i].cpus || !top->node[i].memory_mib)
			return false;
	return true;
}

/* One machine of another shape: base and patched. `*ret_n` counts those where both could be. */
static int boot_machine(struct trial *t, const struct node_topology *top, struct step_result *ret,
			size_t *ret_n, struct err *err)
{
	struct place place = {
		.title = top->title,
		.boot = {.machine = top->name, .node = top->node, .n_nodes = top->nodes}};
	struct trial_boot base = boot_of(&place, 0, t->base_artifact);
	int rc = trial_boot(t, &base, &place.base, NULL, err);

	if (rc == 0 && boot_done(place.base)) {
		rc = boot_head(t, &place, ret, err);
		++*ret_n;
	} else if (rc == 0) {
		auto_free char *line = xasprintf("%s: the base does not boot: %s", top->title,
						 json_get_str(place.base, "reason", ""));

		step_result_line(ret, line);
	}
	json_decref(place.base);
	return rc;
}

static int boot_machines(struct trial *t, struct step_result *ret, size_t *ret_n, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; node_topologies[i].name && rc == 0 && ret->outcome == OUTCOME_PASS; i++)
		if (!is_usual(&node_topologies[i]))
			rc = boot_machine(t, &node_topologies[i], ret, ret_n, err);
	return rc;
}

static void boot_good(const struct trial *t, const struct place *usual, size_t machines,
		      struct step_result *ret)
{
	size_t tests = json_array_size(json_object_get(usual->base, "tests"));
	auto_free char *more =
		machines ? xasprintf(", on %zu machines", machines + 1) : xstrdup("");

	step_result_set(ret, OUTCOME_PASS,
			"base and patched boot%s%s: init after %.2f and %.2f s of guest time, %zu "
			"test%s",
			t->n_between ? ", and so does the kernel after each patch" : "", more,
			json_get_num(usual->base, "guest_seconds", 0), usual->head_seconds, tests,
			tests == 1 ? "" : "s");
}

static bool can_numa(const struct trial *t)
{
	const char *arg;
	const struct testbed *testbed =
		testbed_find(conf_str(t->opt->conf, CONF_TESTBED_NAME), &arg);

	return testbed && testbed->caps & TESTBED_NUMA;
}

static int boot_beside(struct trial *t, struct place *usual, struct step_result *ret,
		       struct err *err)
{
	size_t machines = 0;
	int rc = boot_head(t, usual, ret, err);

	if (rc == 0 && ret->outcome == OUTCOME_PASS)
		rc = boot_between(t, usual, ret, err);
	/* The same image: what the base does there is no news. */
	if (rc == 0 && ret->outcome == OUTCOME_PASS && can_numa(t) && !t->same_image)
		rc = boot_machines(t, ret, &machines, err);
	if (rc == 0 && ret->outcome == OUTCOME_PASS)
		boot_good(t, usual, machines, ret);
	return rc;
}

int step_boot(struct trial *t, struct step_result *ret, struct err *err)
{
	struct place usual = {.title = ""};
	struct trial_boot base = boot_of(&usual, 0, t->base_artifact);
	int rc = trial_boot(t, &base, &usual.base, &ret->log, err);

	if (rc == 0 && base_good(usual.base, ret))
		rc = boot_beside(t, &usual, ret, err);
	json_decref(usual.base);
	return rc;
}
