// SPDX-License-Identifier: GPL-2.0-or-later
#include "commands/history.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/local_names.h"
#include "base/log.h"
#include "base/str.h"
#include "store/trial_metric.h"

struct history {
	char *path;
	struct store *store; /* NULL until the series is known, and after a failure */
	const struct trial *of;
	int64_t trial;
	double told; /* clock_mono() when the store last heard what a step does */
	bool gave_up;
	struct local_names names; /* `firn web` shows what is written here to others */
};

/* A run does not end because its diary cannot be written. */
static void give_up(struct history *h, const struct err *err)
{
	log_warn("this run is not recorded: %s", err->msg);
	store_close(take(h->store));
	h->gave_up = true;
}

static double on_expect(void *ctx, const char *step)
{
	struct history *h = ctx;
	struct err err = ERR_INIT;
	double seconds = 0;

	if (!h->store)
		return 0;
	if (store_step_begin(h->store, h->trial, step, &err) < 0 ||
	    store_step_expected(h->store, step, false, &seconds, &err) < 0)
		give_up(h, &err);
	return seconds;
}

static void on_doing(void *ctx, const struct view *v)
{
	struct history *h = ctx;
	double now = clock_mono();
	struct err err = ERR_INIT;

	if (!h->store || now - h->told < STORE_TELL_S)
		return;
	h->told = now;
	auto_free char *what = local_names_text(&h->names, v->what);
	if (store_step_tell(h->store, h->trial, v->step, what, v->done, v->total, &err) < 0)
		give_up(h, &err);
}

/* The work folder is there once the input has turned out to be a series. */
static void begin(struct history *h, const char *title)
{
	const char *dir = trial_work_dir(h->of);
	const struct store_series series = {.title = title, .message_id = "", .author = ""};
	const char *names[32] = {NULL}, *summary;
	struct err err = ERR_INIT;

	for (unsigned i = 0; i < array_size(names) - 1 && trial_step_info(i, &names[i], &summary);
	     i++)
		;
	if (store_open(h->path, STORE_WRITE, &h->store, &err) < 0 ||
	    store_trial_begin(h->store, &series, names, &h->trial, &err) < 0 ||
	    (dir && store_trial_work_dir(h->store, h->trial, dir, &err) < 0))
		give_up(h, &err);
}

static void on_ended(void *ctx, const json_t *step)
{
	struct history *h = ctx;
	const char *name = json_get_str(step, "name", "");
	auto_free char *reason = local_names_text(&h->names, json_get_str(step, "reason", ""));
	const struct store_step_end end = {
		.outcome = outcome_parse(json_get_str(step, "outcome", NULL)),
		.reason = reason,
		.seconds = json_get_num(step, "seconds", 0),
		.cached = json_get_bool(step, "cached", false),
		.log = json_get_str(step, "log", NULL)};
	struct err err = ERR_INIT;

	h->told = 0;
	/* Input that is no series leaves no trace. */
	if (!h->store && !h->gave_up && strcmp(name, "series") == 0 && end.outcome != OUTCOME_ERROR)
		begin(h, reason);
	if (h->store && store_step_finish(h->store, h->trial, name, &end, &err) < 0)
		give_up(h, &err);
}

struct history *history_open(const struct trial_options *opt, struct view *view,
			     const struct trial *t)
{
	struct history *h = xcalloc(1, sizeof(*h));

	h->of = t;
	h->path = xasprintf("%s/firn.db", opt->cache_dir);
	local_names_conf(&h->names, opt->conf, NULL, opt->cache_dir);
	local_names_add_base(&h->names, opt->tree);
	for (size_t i = 0; opt->inputs[i]; i++)
		local_names_add_base(&h->names, opt->inputs[i]);
	view->expect = on_expect;
	view->doing = on_doing;
	view->ended = on_ended;
	view->ctx = h;
	return h;
}

static int finish(struct history *h, const json_t *report, const char *work_dir, struct err *err)
{
	const json_t *series = json_object_get(report, "series"),
		     *verdict = json_object_get(report, "verdict");
	const json_t *author = json_object_get(series, "author");
	auto_free char *path = work_dir ? xasprintf("%s/report.json", work_dir) : NULL;
	auto_free char *words = local_names_text(&h->names, json_get_str(verdict, "words", ""));
	auto_free char *who = xasprintf("%s <%s>", json_get_str(author, "name", ""),
					json_get_str(author, "email", ""));
	const struct store_series what = {.title = json_get_str(series, "title", ""),
					  .message_id = json_get_str(series, "message_id", ""),
					  .author = who,
					  .version = (unsigned)json_get_num(series, "version", 0)};
	const struct store_trial_end end = {
		.outcome = outcome_parse(json_get_str(verdict, "outcome", NULL)),
		.words = words,
		.base = json_get_str(json_object_get(report, "base"), "commit", NULL),
		.work_dir = work_dir,
		.report = path};
	int rc = store_trial_describe(h->store, h->trial, &what, err);

	if (rc == 0)
		rc = store_metrics_keep(h->store, h->trial, report, err);
	return rc < 0 ? rc : store_trial_finish(h->store, h->trial, &end, err);
}

static int interrupted(struct history *h, struct err *err)
{
	const struct store_trial_end end = {.outcome = OUTCOME_ERROR, .words = "interrupted"};

	return store_trial_finish(h->store, h->trial, &end, err);
}

void history_close(struct history *h, const json_t *report, const char *work_dir)
{
	struct err err = ERR_INIT;

	if (h->store && (report ? finish(h, report, work_dir, &err) : interrupted(h, &err)) < 0)
		give_up(h, &err);
	store_close(h->store);
	local_names_done(&h->names);
	free(h->path);
	free(h);
}
