// SPDX-License-Identifier: GPL-2.0-or-later
#include "serve/trial_child.h"

#include "base/clock.h"
#include "base/fault.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/local_names.h"
#include "base/log.h"
#include "base/proc.h"
#include "base/str.h"
#include "report/report.h"
#include "serve/engine.h"
#include "serve/engine_post.h"
#include "serve/engine_testbed.h"
#include "serve/trial_trees.h"
#include "serve/turn.h"
#include "store/outbox.h"
#include "store/trial_metric.h"
#include "trial/trial.h"
#include <poll.h>

#define STEP_SLUG_BASE "-base"

struct work {
	const struct trial_child *c;
	struct store_queued trial;
	struct store_posting posting;
	json_t *plan;
	char *dir;
	struct trial_trees trees;
	struct trial_options opt;
	json_t *pinned; /* base.json of an earlier try */
	struct trial *t;
	bool stuck;	   /* the store cannot be written: nothing more is */
	struct err broken; /* why */
	struct testbed_state testbed;
	bool probed;
	int turn;		  /* lock that the running job holds */
	struct local_names names; /* that others read instead of paths */
	char step[64];		  /* that runs */
	double told;		  /* clock_mono() when the store last heard what it does */
};

bool trial_child_wait(int fd)
{
	char byte;
	ssize_t n;

	do
		n = read(fd, &byte, 1);
	while (n < 0 && errno == EINTR);
	return n == 1;
}

char *trial_child_dir(const char *data_dir, int64_t id)
{
	return xasprintf("%s/trials/%lld", data_dir, (long long)id);
}

static struct post_about about_of(const struct work *w)
{
	return (struct post_about){.conf = w->c->conf,
				   .store = w->c->store,
				   .trial = &w->trial,
				   .posting = &w->posting};
}

/* The first failure of the store ends the trial: what it says must be what it did. */
static void stuck(struct work *w, const struct err *err)
{
	if (!w->stuck)
		w->broken = *err;
	w->stuck = true;
}

/* As others may read it. */
static json_t *named(const struct work *w, const json_t *value)
{
	json_t *copy = json_deep_copy(value);

	local_names_json(&w->names, copy);
	return copy;
}

static void on_begin(void *ctx, const char *name)
{
	struct work *w = ctx;
	struct err err = ERR_INIT;

	snprintf(w->step, sizeof(w->step), "%s", name);
	w->told = 0;
	if (!w->stuck && store_step_begin(w->c->store, w->c->id, name, &err) < 0)
		stuck(w, &err);
}

static void on_progress(void *ctx, const char *what, unsigned done, unsigned total)
{
	struct work *w = ctx;
	double now = clock_mono();
	struct err err = ERR_INIT;

	if (w->stuck || now - w->told < STORE_TELL_S)
		return;
	w->told = now;
	auto_free char *note = local_names_text(&w->names, what);
	if (store_step_tell(w->c->store, w->c->id, w->step, note, done, total, &err) < 0)
		stuck(w, &err);
}

/* The base that was chosen is the one of every later try. */
static int base_keep(const struct work *w, const json_t *report, struct err *err)
{
	const json_t *base = json_object_get(report, "base");
	auto_free char *path = xasprintf("%s/base.json", w->dir);

	if (w->pinned || !json_is_object(base))
		return 0;
	return json_write(path, base, err);
}

/* Is this an error that another try may mend? Then nobody is told of it yet. */
static bool worth_another_try(const struct work *w, enum outcome o)
{
	return o == OUTCOME_ERROR &&
	       (w->testbed.words ||
		w->trial.attempts < (unsigned)conf_int(w->c->conf, CONF_SERVE_TRIES));
}

static bool has_error(const json_t *report)
{
	const json_t *steps = json_object_get(report, "steps"), *step;
	size_t i;

	json_array_foreach (steps, i, step)
		if (outcome_parse(json_get_str(step, "outcome", NULL)) == OUTCOME_ERROR)
			return true;
	return false;
}

static int step_write(const struct work *w, const json_t *step, const json_t *report,
		      struct err *err)
{
	const struct post_about about = about_of(w);
	const struct store_step_end end = {
		.outcome = outcome_parse(json_get_str(step, "outcome", NULL)),
		.reason = json_get_str(step, "reason", ""),
		.seconds = json_get_num(step, "seconds", 0),
		.cached = json_get_bool(step, "cached", false),
		.log = json_get_str(step, "log", NULL)};
	auto_batch struct store_batch batch = {0};
	bool silent = worth_another_try(w, has_error(report) ? OUTCOME_ERROR : OUTCOME_PASS);
	int rc = store_batch_begin(&batch, w->c->store, err);

	if (rc == 0)
		rc = store_step_finish(w->c->store, w->c->id, json_get_str(step, "name", ""), &end,
				       err);
	if (rc == 0 && !silent)
		rc = post_checks(&about, report, NULL, err);
	return rc < 0 ? rc : store_batch_commit(&batch, "finishing a step", err);
}

static void on_reported(void *ctx, const json_t *step, const json_t *report)
{
	struct work *w = ctx;
	struct err err = ERR_INIT;
	int rc = 0;

	if (w->stuck)
		return;
	if (strcmp(json_get_str(step, "name", ""), "base") == 0)
		rc = base_keep(w, report, &err);
	fault_point("trial-step");
	auto_json json_t *named_step = named(w, step), *named_report = named(w, report);
	if (rc == 0)
		rc = step_write(w, named_step, named_report, &err);
	if (rc < 0)
		stuck(w, &err);
}

static bool is_boot(const struct trial_job_info *job)
{
	return strcmp(job->kind, "boot") == 0 || strcmp(job->kind, "bench") == 0;
}

static int boot_allowed(struct work *w, struct err *err)
{
	int rc = 0;

	if (!w->probed)
		rc = testbed_ask(w->c->conf, w->c->store, &w->testbed, err);
	w->probed = true;
	if (rc < 0)
		return rc;
	return w->testbed.good ? 0 : err_set(err, ERR_INFRA, "%s", w->testbed.words);
}

/* Applying and checking never wait: the first answer is to come soon. */
static int on_job_begin(void *ctx, const struct trial_job_info *job, struct err *err)
{
	struct work *w = ctx;
	bool boot = is_boot(job);
	const struct turn turn = {.cache_dir = w->c->cache_dir,
				  .name = boot ? "boot" : job->kind,
				  .places = (unsigned)conf_int(
					  w->c->conf, boot ? CONF_SERVE_BOOTS : CONF_SERVE_BUILDS)};
	int rc;

	if (w->stuck)
		return err_set(err, w->broken.kind, "%s", w->broken.msg);
	if (!boot && strcmp(job->kind, "build") != 0)
		return 0;
	rc = boot ? boot_allowed(w, err) : 0;
	if (rc == 0)
		rc = turn_take(&turn, &w->turn, err);
	fault_point("trial-job");
	return rc;
}

static void on_job_end(void *ctx, const struct trial_job_info *job, int rc, const json_t *data)
{
	struct work *w = ctx;
	struct err err = ERR_INIT;
	bool base = str_ends(job->name, STEP_SLUG_BASE);
	auto_free char *why = NULL;

	fd_cleanup(&w->turn);
	w->turn = -1;
	fault_point("trial-job-done");
	if (!is_boot(job) || rc == ERR_CANCELLED || w->stuck)
		return;
	if (rc == ERR_INFRA)
		why = xasprintf("%s of trial %lld failed by no fault of the kernel", job->name,
				(long long)w->c->id);
	if (testbed_used(w->c->conf, w->c->store, testbed_boots(data), why, base, &err) < 0)
		stuck(w, &err);
	w->probed = false;
	if (why && base && !w->testbed.words) {
		w->testbed.words = xstrdup(why);
		w->testbed.again = clock_wall() + ENGINE_WAIT_MIN;
	}
}

/* "build.builder" and what else the plan pins. */
static int conf_pin(struct work *w, struct err *err)
{
	const json_t *value;
	const char *key;
	int rc = 0;

	json_object_foreach (json_object_get(w->plan, "conf"), key, value)
		for (size_t i = 0; rc == 0 && i < CONF_N; i++)
			if (strcmp(conf_keys[i].key, key) == 0 && json_is_string(value))
				rc = conf_set(w->c->conf, (enum conf_id)i, json_string_value(value),
					      err);
	return rc == ERR_USAGE ? err_set(err, ERR_CONFIG, "%s", err->msg) : rc;
}

/* Of an earlier try of this trial, else of the trial that it replaces, else none. */
static void base_pin(struct work *w)
{
	auto_free char *path = xasprintf("%s/base.json", w->dir);
	struct err ignored = ERR_INIT;

	if (fs_exists(path) && json_read(path, ERR_INFRA, &w->pinned, &ignored) == 0) {
		w->opt.base = json_get_str(w->pinned, "commit", NULL);
		w->opt.why = json_get_str(w->pinned, "why", NULL);
		trial_trees_only(&w->trees, json_get_str(w->pinned, "tree", ""));
		return;
	}
	w->opt.base = json_get_str(w->plan, "base", NULL);
	w->opt.why = json_get_str(w->plan, "why", NULL);
}

static int work_prepare(struct work *w, struct err *err)
{
	const struct trial_child *c = w->c;
	auto_free char *input = xasprintf("%s/input", w->dir);
	int rc = store_posting_get(c->store, w->trial.posting, &w->posting, err);

	if (rc == 0)
		rc = store_trial_work_dir(c->store, c->id, w->dir, err);
	if (rc == 0)
		rc = trial_input_write(c->store, &w->posting, input, err);
	if (rc == 0)
		rc = conf_pin(w, err);
	if (rc == 0)
		rc = trial_trees_make(c->conf, w->posting.list, &w->trees, err);
	if (rc == 0)
		base_pin(w);
	return rc;
}

static int work_run(struct work *w, json_t **ret_report, struct err *err)
{
	static const struct trial_observer watch = {.step_begin = on_begin,
						    .step_progress = on_progress,
						    .step_reported = on_reported,
						    .job_begin = on_job_begin,
						    .job_end = on_job_end};
	auto_free char *input = xasprintf("%s/input", w->dir);
	auto_free char *id = xasprintf("trial-%lld", (long long)w->c->id);
	auto_free char *link = trial_input_link(w->c->conf, &w->posting);
	const char *const inputs[] = {input, NULL};
	struct trial_observer observer = watch;
	int rc;

	observer.ctx = w;
	w->opt.inputs = inputs;
	w->opt.pick = w->posting.message_id;
	w->opt.link = link;
	w->opt.trees = w->trees.tree;
	w->opt.only = json_get_str(w->plan, "only", NULL);
	w->opt.work_dir = w->dir;
	w->opt.cache_dir = w->c->cache_dir;
	w->opt.conf = w->c->conf;
	w->opt.id = id;
	w->opt.resume = true;
	rc = trial_new(&w->opt, &observer, &w->t, err);
	if (rc == 0)
		rc = trial_run(w->t, ret_report, err);
	trial_free(w->t);
	w->t = NULL;
	if (w->stuck)
		return err_set(err, w->broken.kind, "%s", w->broken.msg);
	return rc;
}

static int report_keep(const struct work *w, const json_t *report, struct err *err)
{
	auto_free char *json = xasprintf("%s/report.json", w->dir);
	auto_free char *html = xasprintf("%s/report.html", w->dir);
	int rc = json_write(json, report, err);

	return rc < 0 ? rc : report_html_write(report, html, err);
}

/* What the trial was about may be known better now than when it was planned. */
static int describe(const struct work *w, const json_t *report, struct err *err)
{
	const json_t *series = json_object_get(report, "series");
	const json_t *author = json_object_get(series, "author");
	auto_free char *who = xasprintf("%s <%s>", json_get_str(author, "name", ""),
					json_get_str(author, "email", ""));
	const struct store_series what = {.title = json_get_str(series, "title", ""),
					  .message_id = json_get_str(series, "message_id", ""),
					  .author = who,
					  .version = (unsigned)json_get_num(series, "version", 0)};

	return json_is_object(series) ? store_trial_describe(w->c->store, w->c->id, &what, err) : 0;
}

static int finish_rows(const struct work *w, const json_t *report, struct err *err)
{
	const json_t *verdict = json_object_get(report, "verdict");
	const struct post_about about = about_of(w);
	auto_free char *path = xasprintf("%s/report.json", w->dir);
	const struct store_trial_end end = {
		.outcome = outcome_parse(json_get_str(verdict, "outcome", NULL)),
		.words = json_get_str(verdict, "words", ""),
		.base = json_get_str(json_object_get(report, "base"), "commit", NULL),
		.work_dir = w->dir,
		.report = path};
	int rc = post_checks(&about, report, NULL, err);

	if (rc == 0)
		rc = post_mail(&about, report, err);
	/* What has not been said of the trial that this one replaces is not true any more. */
	if (rc == 0 && w->trial.replaces)
		rc = store_outbox_withdraw(w->c->store, w->trial.replaces, err);
	if (rc == 0)
		rc = describe(w, report, err);
	if (rc == 0)
		rc = store_metrics_keep(w->c->store, w->c->id, report, err);
	return rc < 0 ? rc : store_trial_finish(w->c->store, w->c->id, &end, err);
}

static int finish(const struct work *w, const json_t *report, struct err *err)
{
	auto_batch struct store_batch batch = {0};
	int rc = report_keep(w, report, err);

	fault_point("trial-report");
	if (rc == 0)
		rc = store_batch_begin(&batch, w->c->store, err);
	if (rc == 0)
		rc = finish_rows(w, report, err);
	return rc < 0 ? rc : store_batch_commit(&batch, "finishing a trial", err);
}

int trial_child_give_up(const struct trial_child_lost *lost, const char *words, struct err *err)
{
	auto_store_posting struct store_posting posting = {0};
	auto_batch struct store_batch batch = {0};
	struct store_queued trial = {0};
	const struct post_about about = {
		.conf = lost->conf, .store = lost->store, .trial = &trial, .posting = &posting};
	const struct store_trial_end end = {.outcome = OUTCOME_ERROR, .words = words};
	int rc = store_batch_begin(&batch, lost->store, err);

	if (rc == 0)
		rc = store_queue_get(lost->store, lost->id, &trial, err);
	if (rc == 0)
		rc = store_posting_get(lost->store, trial.posting, &posting, err);
	if (rc == 0)
		rc = post_checks(&about, NULL, words, err);
	if (rc == 0)
		rc = store_trial_finish(lost->store, lost->id, &end, err);
	store_queued_done(&trial);
	return rc < 0 ? rc : store_batch_commit(&batch, "giving up a trial", err);
}

/* Another try finds out anew what this one could not. Kernels stay in the cache. */
static int try_again(const struct work *w, const char *words, struct err *err)
{
	auto_free char *jobs = xasprintf("%s/jobs", w->dir);
	int rc;

	if (w->testbed.words)
		return store_queue_put_off(w->c->store, w->c->id, w->testbed.again,
					   w->testbed.words, err);
	rc = fs_rmtree(jobs, err);
	if (rc < 0)
		return rc;
	return store_queue_put_back(w->c->store, w->c->id,
				    clock_wall() + engine_backoff(w->trial.attempts), words, err);
}

/* Nothing to report on. A configuration that is wrong is wrong for every posting of the list: they
 * wait for the operator, so that none is lost. What somebody asked for is answered at once. */
static int run_failed(const struct work *w, const struct err *why, struct err *err)
{
	const struct trial_child_lost lost = {
		.conf = w->c->conf, .store = w->c->store, .id = w->c->id};
	auto_free char *words = local_names_text(&w->names, why->msg);
	int64_t now = clock_wall();

	if (why->kind == ERR_CONFIG && !w->trial.request)
		return store_queue_put_off(w->c->store, w->c->id,
					   now + engine_backoff_since(w->trial.queued, now), words,
					   err);
	if (why->kind == ERR_INFRA && worth_another_try(w, OUTCOME_ERROR))
		return try_again(w, words, err);
	return trial_child_give_up(&lost, words, err);
}

static int conclude(const struct work *w, const json_t *report, struct err *err)
{
	auto_json json_t *said = named(w, report);
	const json_t *verdict = json_object_get(said, "verdict");
	const char *words = json_get_str(verdict, "words", "");

	if (worth_another_try(w, outcome_parse(json_get_str(verdict, "outcome", NULL))))
		return try_again(w, words, err);
	return finish(w, said, err);
}

static int work_do(struct work *w, struct err *err)
{
	auto_json json_t *report = NULL;
	struct err why = ERR_INIT;
	int rc = work_prepare(w, &why);

	fault_point("trial-begun");
	if (rc == 0)
		rc = work_run(w, &report, &why);
	if (rc == ERR_CANCELLED || w->stuck)
		return err_set(err, why.kind, "%s", why.msg);
	return rc < 0 ? run_failed(w, &why, err) : conclude(w, report, err);
}

int trial_child_run(const struct trial_child *c, struct err *err)
{
	struct work w = {.c = c, .turn = -1, .dir = trial_child_dir(c->data_dir, c->id)};
	int rc = store_queue_get(c->store, c->id, &w.trial, err);

	local_names_conf(&w.names, c->conf, c->data_dir, c->cache_dir);
	if (rc == 0 && w.trial.state != STORE_TRIAL_RUNNING)
		rc = err_set(err, ERR_INPUT, "trial %lld is %s", (long long)c->id,
			     store_trial_state_name(w.trial.state));
	if (rc == 0)
		w.plan = json_loads(w.trial.plan, 0, NULL);
	if (rc == 0)
		rc = work_do(&w, err);
	fd_cleanup(&w.turn);
	json_decref(w.plan);
	json_decref(w.pinned);
	free(w.testbed.words);
	trial_trees_done(&w.trees);
	store_posting_done(&w.posting);
	store_queued_done(&w.trial);
	local_names_done(&w.names);
	free(w.dir);
	return rc;
}
