// SPDX-License-Identifier: GPL-2.0-or-later
/* What is tried, and how. */
#include "serve/engine.h"

#include "base/clock.h"
#include "base/fault.h"
#include "base/json.h"
#include "base/log.h"
#include "base/str.h"
#include "serve/engine_post.h"
#include "trial/trial.h"

/* What came longer ago than this waits behind what is new. */
#define BACKLOG_S (24 * 3600)
#define STEPS_MAX 32

/* A rerun years later is to find the machine as it was: these keys are kept with each trial. */
static const enum conf_id pinned[] = {
	CONF_BUILD_BUILDER, CONF_TESTBED_NAME, CONF_BOOT_EACH,	     CONF_BENCH_RUN,
	CONF_BENCH_MODE,    CONF_BENCH_LMBS,   CONF_BENCH_CPUS,	     CONF_BENCH_CONNECTIONS,
	CONF_BENCH_SAMPLES, CONF_BENCH_SEED,   CONF_BENCH_ATTRIBUTE, CONF_BUILD_ROWS,
	CONF_BUILD_EACH,
};

static char *words_join(char **word)
{
	auto_str struct str s;

	str_init(&s, 0);
	for (size_t i = 0; word && word[i]; i++)
		str_addf(&s, "%s%s", i ? "," : "", word[i]);
	return str_take(&s);
}

/* A list's setting as one word list; NULL when it has none. The caller frees. */
static char *list_words(const struct conf_section *list, enum conf_section_id id)
{
	auto_free char **word = list ? conf_section_words(list, id) : NULL;

	return word && word[0] ? words_join(word) : NULL;
}

/* What the configuration waives everywhere, and for this list. NULL: nothing. The caller frees. */
static char *ignored_types(const struct conf *conf, const struct conf_section *list)
{
	const char *everywhere = conf_str(conf, CONF_CHECKPATCH_IGNORE);
	auto_free char *here = list_words(list, CONF_LIST_IGNORE);

	if (everywhere && here)
		return xasprintf("%s,%s", everywhere, here);
	return everywhere ? xstrdup(everywhere) : take(here);
}

json_t *engine_plan_make(const struct conf *conf, const char *list_name)
{
	const struct conf_section *list = conf_section_find(conf, CONF_SECTION_LIST, list_name);
	auto_free char *only = list_words(list, CONF_LIST_ONLY);
	auto_free char *bench = list_words(list, CONF_LIST_BENCH);
	auto_free char *ignore = ignored_types(conf, list);
	json_t *plan = json_object(), *values = json_object();

	for (size_t i = 0; i < array_size(pinned); i++) {
		const char *value = conf_str(conf, pinned[i]);

		if (value)
			json_object_set_new(values, conf_keys[pinned[i]].key, json_text(value));
	}
	if (bench)
		json_object_set_new(values, conf_keys[CONF_BENCH_RUN].key, json_text(bench));
	if (ignore)
		json_object_set_new(values, conf_keys[CONF_CHECKPATCH_IGNORE].key,
				    json_text(ignore));
	json_object_set_new(plan, "conf", values);
	if (only)
		json_object_set_new(plan, "only", json_text(only));
	return plan;
}

/* All steps, for the step table; those that will run go into the plan. */
static int plan_steps(const struct engine *e, json_t *plan, const char *names[STEPS_MAX],
		      struct err *err)
{
	struct conf conf = {0};
	const struct trial_options opt = {.only = json_get_str(plan, "only", NULL), .conf = &conf};
	const char *bench = json_get_str(json_object_get(plan, "conf"),
					 conf_keys[CONF_BENCH_RUN].key,
					 conf_str(e->env->conf, CONF_BENCH_RUN)),
		   *summary;
	json_t *run = json_array();
	struct trial *t = NULL;
	int rc = conf_set(&conf, CONF_BENCH_RUN, bench, err);

	if (rc == 0)
		rc = trial_new(&opt, NULL, &t, err);
	for (unsigned i = 0;
	     rc == 0 && i < STEPS_MAX - 1 && trial_step_info(i, &names[i], &summary); i++)
		if (trial_step_wanted(t, i))
			json_array_append_new(run, json_text(names[i]));
	trial_free(t);
	conf_done(&conf);
	json_object_set_new(plan, "steps", run);
	return rc;
}

static int say_pending(const struct engine *e, int64_t trial, const struct store_posting *posting,
		       struct err *err)
{
	struct store_queued q = {0};
	const struct post_about about = {
		.conf = e->env->conf, .store = e->env->store, .trial = &q, .posting = posting};
	int rc = store_queue_get(e->env->store, trial, &q, err);

	if (rc == 0)
		rc = post_checks(&about, NULL, NULL, err);
	store_queued_done(&q);
	return rc;
}

int engine_plan_add(struct engine *e, const struct engine_plan *what, int64_t *ret_id,
		    struct err *err)
{
	auto_json json_t *plan = what->plan;
	const struct store_posting *p = what->posting;
	const char *names[STEPS_MAX] = {NULL};
	auto_free char *author = xasprintf("%s <%s>", p->author_name, p->author_email);
	auto_free char *text = NULL;
	int64_t id = 0;
	int rc = plan_steps(e, plan, names, err);

	if (rc < 0)
		return rc;
	text = json_dumps(plan, JSON_COMPACT | JSON_SORT_KEYS);
	const struct store_plan queued = {.posting = p->id,
					  .request = what->request,
					  .replaces = what->replaces,
					  .list = p->list,
					  .digest = p->digest,
					  .priority = what->priority,
					  .plan = text,
					  .series = {.title = p->title,
						     .message_id = p->message_id,
						     .author = author,
						     .version = p->version}};
	rc = store_queue_add(e->env->store, &queued, names, &id, err);
	if (rc == 0)
		rc = say_pending(e, id, p, err);
	if (rc == 0)
		*ret_id = id;
	return rc;
}

static int plan_one(struct engine *e, int64_t posting, struct err *err)
{
	auto_store_posting struct store_posting p = {0};
	auto_batch struct store_batch batch = {0};
	struct engine_plan what = {.posting = &p};
	int64_t id = 0;
	int rc = store_batch_begin(&batch, e->env->store, err);

	if (rc == 0)
		rc = store_posting_get(e->env->store, posting, &p, err);
	if (rc < 0)
		return rc;
	what.priority = clock_wall() - p.date > BACKLOG_S ? STORE_BACKLOG : STORE_NEW;
	what.plan = engine_plan_make(e->env->conf, p.list);
	rc = engine_plan_add(e, &what, &id, err);
	if (rc == 0)
		rc = store_batch_commit(&batch, "planning a trial", err);
	if (rc == 0)
		log_info("trial %lld: v%u of \"%s\" (%s)", (long long)id, p.version, p.title,
			 p.list);
	return rc;
}

int engine_plan_new(struct engine *e, struct err *err)
{
	int64_t ids[ENGINE_BATCH];
	size_t n = 0;
	int rc = store_queue_unplanned(e->env->store, ENGINE_BATCH, ids, &n, err);

	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = plan_one(e, ids[i], err);
	return rc;
}
