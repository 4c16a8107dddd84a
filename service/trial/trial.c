// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/clock.h"
#include "base/fs.h"
#include "base/hash.h"
#include "base/hold.h"
#include "base/proc.h"
#include "checkers/checker.h"
#include "trial/bench_args.h"
#include "trial/job.h"
#include "trial/launcher.h"
#include "trial/rows.h"
#include "trial/run.h"
#include <sys/stat.h>
#include <time.h>

void step_result_set(struct step_result *r, enum outcome outcome, const char *fmt, ...)
{
	auto_str struct str s;
	va_list ap;

	str_init(&s, ERR_MSG_MAX);
	va_start(ap, fmt);
	str_vaddf(&s, fmt, ap);
	va_end(ap);
	r->outcome = outcome;
	free(r->reason);
	r->reason = str_take(&s);
}

void step_result_line(struct step_result *r, const char *line)
{
	if (!r->evidence)
		r->evidence = json_array();
	json_array_append_new(r->evidence, json_text(line));
}

void step_result_done(struct step_result *r)
{
	free(r->reason);
	free(r->log);
	json_decref(r->evidence);
	json_decref(r->details);
	*r = (struct step_result){0};
}

void trial_progress(struct trial *t, const char *what, unsigned done, unsigned total)
{
	if (t->observer && t->observer->step_progress)
		t->observer->step_progress(t->observer->ctx, what, done, total);
}

static int find_step(const char *name, size_t n, size_t *ret_i)
{
	for (size_t i = 0; steps[i].name; i++) {
		if (strlen(steps[i].name) == n && strncmp(steps[i].name, name, n) == 0) {
			*ret_i = i;
			return 0;
		}
	}
	return -1;
}

/* A step brings those that it needs. */
static void want(struct trial *t, size_t i)
{
	size_t needed;

	t->wanted[i] = true;
	for (const char *p = steps[i].needs; *p; p += strspn(p, " ")) {
		size_t n = strcspn(p, " ");

		if (find_step(p, n, &needed) == 0)
			want(t, needed);
		p += n;
	}
}

/* Without --only, the configuration says which benchmarks run. */
static bool runs_by_itself(const struct conf *conf, const struct step *step)
{
	return !str_starts(step->name, STEP_BENCH) ||
	       conf_has_word(conf, CONF_BENCH_RUN, step->name + strlen(STEP_BENCH));
}

static int parse_only(struct trial *t, const char *only, struct err *err)
{
	for (size_t i = 0; steps[i].name; i++)
		t->wanted[i] =
			steps[i].always || (!only && runs_by_itself(t->opt->conf, &steps[i]));
	for (const char *p = only; p && *p; p += strspn(p, ",")) {
		size_t n = strcspn(p, ","), i;

		if (find_step(p, n, &i) < 0)
			return err_set(err, ERR_USAGE,
				       "--only: no step \"%.*s\" (firn run --help lists them)",
				       (int)n, p);
		t->named[i] = true;
		want(t, i);
		p += n;
	}
	return 0;
}

/* The first word of bench.run that is no benchmark; NULL: none. The caller frees. */
static char *unknown_bench(const struct conf *conf)
{
	size_t n, i;

	for (const char *p = conf_str(conf, CONF_BENCH_RUN); *p; p += n + (p[n] == ',')) {
		n = strcspn(p, ",");
		auto_free char *step = xasprintf(STEP_BENCH "%.*s", (int)n, p);

		if (find_step(step, strlen(step), &i) < 0)
			return xmemdup(p, n);
	}
	return NULL;
}

char *trial_conf_mistake(const struct conf *conf, enum conf_id id)
{
	const char *value = conf_str(conf, id), *arg;
	auto_free char *bench = NULL;
	char *mistake = NULL;
	struct builder row;
	enum bench_mode mode;

	switch (id) {
	case CONF_TESTBED_NAME:
		return testbed_find(value, &arg) ? NULL : xasprintf("no testbed \"%s\"", value);
	case CONF_BUILD_BUILDER: row_find(conf, value, &row, &mistake); return mistake;
	case CONF_BUILD_ROWS: return row_mistake(conf);
	case CONF_BENCH_MODE:
		return bench_mode_find(value, &mode)
			       ? NULL
			       : xasprintf("\"%s\" is neither count nor clock", value);
	case CONF_BENCH_RUN:
		bench = unknown_bench(conf);
		return bench ? xasprintf("no benchmark \"%s\"", bench) : NULL;
	default: return NULL;
	}
}

/* Values that only the tables can judge. */
static int check_conf(const struct conf *conf, struct err *err)
{
	for (size_t i = 0; i < CONF_N; i++) {
		auto_free char *mistake = trial_conf_mistake(conf, (enum conf_id)i);

		if (mistake)
			return err_set(err, ERR_CONFIG, "%s: %s (firn check-config --help)",
				       conf_keys[i].key, mistake);
	}
	return 0;
}

int trial_new(const struct trial_options *opt, const struct trial_observer *observer,
	      struct trial **ret_trial, struct err *err)
{
	struct trial *t = xcalloc(1, sizeof(*t));
	int rc;

	t->opt = opt;
	t->work_held = t->slot_held = -1;
	rc = parse_only(t, opt->only, err);
	if (rc == 0)
		rc = check_conf(opt->conf, err);
	if (rc < 0) {
		free(t);
		return rc;
	}
	t->observer = observer;
	t->started = clock_wall();
	t->checks = json_array();
	t->findings = json_array();
	t->bench = json_object();
	*ret_trial = t;
	return 0;
}

void trial_free(struct trial *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < STEPS_MAX; i++)
		step_result_done(&t->result[i]);
	for (size_t i = 0; i < t->n_between; i++)
		free(t->between[i]);
	free(t->between);
	apply_result_done(&t->applied);
	base_choice_done(&t->base);
	git_repository_free(t->repo);
	git_repository_free(t->user_repo);
	depends_plan_done(&t->plan);
	series_set_done(&t->offered);
	offers_done(&t->offers);
	threads_free(t->threads);
	series_set_done(&t->set);
	mail_list_done(&t->mails);
	json_decref(t->checks);
	json_decref(t->findings);
	json_decref(t->counts);
	json_decref(t->ledger);
	json_decref(t->bench);
	json_decref(t->builds);
	json_decref(t->since);
	free(t->base_artifact);
	free(t->patched_artifact);
	free(t->work_dir);
	fd_cleanup(&t->work_held);
	fd_cleanup(&t->slot_held);
	free(t->base_name);
	free(t->input);
	free(t->id);
	free(t);
}

bool trial_step_wanted(const struct trial *t, unsigned i)
{
	return i < STEPS_MAX && steps[i].name && t->wanted[i];
}

const char *trial_work_dir(const struct trial *t)
{
	return t->work_dir;
}

/* "20261130-141500-1f2e3d": when, and which posting. */
static char *make_id(const struct trial *t)
{
	char when[32], hex[HASH_HEX_MAX];
	time_t now = (time_t)t->started;
	struct tm tm;

	gmtime_r(&now, &tm);
	strftime(when, sizeof(when), "%Y%m%d-%H%M%S", &tm);
	auto_free char *what =
		xasprintf("%s %s %ld", t->series->message_id, t->series->title, (long)getpid());
	return xasprintf("%s-%.6s", when, hash_hex(what, strlen(what), hex));
}

/* The work folder is made once the input has turned out to be a series: bad input leaves nothing
 * behind. */
static int make_work_dir(struct trial *t, struct err *err)
{
	int rc;

	t->id = t->opt->id ? xstrdup(t->opt->id) : make_id(t);
	if (t->opt->work_dir) {
		t->work_dir = xstrdup(t->opt->work_dir);
		rc = fs_mkdirs(t->work_dir, err);
	} else {
		t->work_dir = xasprintf("%s/runs/%s", t->opt->cache_dir, t->id);
		rc = hold_dir(t->work_dir, &t->work_held, err);
	}
	if (rc == 0) {
		char *abs = realpath(t->work_dir, NULL);

		if (!abs)
			return err_sys(err, ERR_INFRA, "cannot open %s", t->work_dir);
		free(t->work_dir);
		t->work_dir = abs;
		rc = trial_keep_input(t, err);
	}
	return rc;
}

static bool step_usable(const struct step_result *r)
{
	return r->use == STEP_USE_OUTCOME ? r->outcome == OUTCOME_PASS || r->outcome == OUTCOME_WARN
					  : r->use == STEP_USE_YES;
}

/* Which step, that this one needs, was not good? NULL: none. */
static const struct step *unmet(const struct trial *t, const struct step *step)
{
	for (const char *p = step->needs; *p; p += strspn(p, " ")) {
		size_t n = strcspn(p, " "), i;

		if (find_step(p, n, &i) == 0 && !step_usable(&t->result[i]))
			return &steps[i];
		p += n;
	}
	return NULL;
}

/* Errors that mean there is nothing to report on. */
static bool ends_trial(const struct trial *t, int rc)
{
	return rc == ERR_CANCELLED || rc == ERR_USAGE ||
	       ((rc == ERR_INPUT || rc == ERR_CONFIG) && !t->has_base);
}

static int run_one(struct trial *t, const struct step *step, struct step_result *r, struct err *err)
{
	const struct step *missing = unmet(t, step);
	int rc;

	if (!t->wanted[t->step]) {
		step_result_set(r, OUTCOME_SKIP, "not asked for");
		return 0;
	}
	if (missing) {
		step_result_set(r, OUTCOME_SKIP, "needs %s", missing->name);
		return 0;
	}
	if (t->observer && t->observer->step_begin)
		t->observer->step_begin(t->observer->ctx, step->name);
	t->ran[t->step] = true;
	rc = step->run(t, r, err);
	if (cancel_requested())
		return err_cancelled(err);
	if (rc < 0 && ends_trial(t, rc))
		return rc;
	if (rc < 0)
		step_result_set(r, rc == ERR_PATCH ? OUTCOME_FAIL : OUTCOME_ERROR, "%s", err->msg);
	return 0;
}

static void tell_end(struct trial *t, const json_t *report)
{
	const json_t *step = json_array_get(json_object_get(report, "steps"), t->step);

	if (t->observer && t->observer->step_end)
		t->observer->step_end(t->observer->ctx, step);
	if (t->observer && t->observer->step_reported)
		t->observer->step_reported(t->observer->ctx, step, report);
}

/* Has the step that just ended found a whole series? */
static bool found_series(const struct trial *t)
{
	return t->series && !t->work_dir && t->ran[t->step] &&
	       t->result[t->step].outcome != OUTCOME_ERROR;
}

static int run_steps(struct trial *t, struct err *err)
{
	for (t->step = 0; steps[t->step].name; t->step++) {
		double started = clock_mono();
		int rc = run_one(t, &steps[t->step], &t->result[t->step], err);

		t->seconds[t->step] = clock_mono() - started;
		if (rc == 0 && found_series(t))
			rc = make_work_dir(t, err);
		if (rc < 0)
			return rc;
		auto_json json_t *report = report_make(t);
		tell_end(t, report);
	}
	return 0;
}

int trial_run(struct trial *t, json_t **ret_report, struct err *err)
{
	struct err ignored = ERR_INIT;
	bool own = t->opt->work_dir == NULL || !fs_exists(t->opt->work_dir);
	int rc = run_steps(t, err);

	if (t->id && build_drop_slot(t->opt->cache_dir, t->id, &ignored) < 0 && rc == 0)
		rc = err_set(err, ignored.kind, "%s", ignored.msg);
	if (rc < 0) {
		/* No half-written result. */
		if (t->work_dir && own && fs_rmtree(t->work_dir, &ignored) < 0)
			return rc;
		return rc;
	}
	*ret_report = report_make(t);
	return 0;
}

/* What an interrupted run of the same job found. What it refers to must still be there. */
static bool job_found(const struct trial *t, const char *dir, const struct trial_job *job,
		      json_t **ret_data)
{
	auto_free char *path = xasprintf("%s/job.json", dir);
	auto_json json_t *before = NULL, *data = NULL;
	const char *artifact;
	struct err ignored = ERR_INIT;

	if (!t->opt->resume || json_read(path, ERR_INPUT, &before, &ignored) < 0 ||
	    !json_equal(json_object_get(before, "args"), job->args) ||
	    strcmp(json_get_str(before, "kind", ""), job->kind) != 0 ||
	    job_result(dir, &data, &ignored) < 0)
		return false;
	artifact = json_get_str(data, "artifact", NULL);
	if (artifact && !fs_exists(artifact))
		return false;
	*ret_data = take(data);
	return true;
}

static int job_launch(struct trial *t, const char *dir, const struct trial_job *job,
		      json_t **ret_data, struct err *err)
{
	struct launch launch = {.dir = dir, .timeout_s = job->timeout_s};
	int rc = 0;

	if (t->observer) {
		launch.on_progress = t->observer->step_progress;
		launch.on_tick = t->observer->tick;
		launch.ctx = t->observer->ctx;
	}
	for (unsigned try = 0; try < (job->tries ? job->tries : 1); try++) {
		rc = launcher_local.run(&launch, err);
		if (rc == 0)
			rc = job_result(dir, ret_data, err);
		if (rc != ERR_INFRA)
			break;
	}
	return rc;
}

static int job_in_turn(struct trial *t, const char *dir, const struct trial_job *job,
		       json_t **ret_data, struct err *err)
{
	const struct trial_job_info info = {.kind = job->kind, .name = job->name};
	json_t *data = NULL;
	int rc = 0;

	if (t->observer && t->observer->job_begin)
		rc = t->observer->job_begin(t->observer->ctx, &info, err);
	if (rc < 0)
		return rc;
	rc = job_launch(t, dir, job, &data, err);
	if (t->observer && t->observer->job_end)
		t->observer->job_end(t->observer->ctx, &info, rc, data);
	if (rc == 0)
		*ret_data = data;
	return rc;
}

int trial_job_run(struct trial *t, struct trial_job *job, json_t **ret_data, char **ret_log,
		  struct err *err)
{
	auto_free char *rel = xasprintf("jobs/%02u-%s", ++t->n_jobs, job->name);
	auto_free char *dir = xasprintf("%s/%s", t->work_dir, rel);
	int rc = 0;

	if (job_found(t, dir, job, ret_data)) {
		json_decref(job->args);
	} else {
		rc = job_write(dir, job->kind, job->args, err);
		if (rc < 0)
			return rc;
		rc = job_in_turn(t, dir, job, ret_data, err);
	}
	if (ret_log) {
		free(*ret_log);
		*ret_log = xasprintf("%s/log", rel);
	}
	return rc;
}
