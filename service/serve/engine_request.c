// SPDX-License-Identifier: GPL-2.0-or-later
/* Rerun and cancel. Who may ask is settled before a request is written. */
#include "serve/engine.h"

#include "base/fault.h"
#include "base/json.h"
#include "base/log.h"
#include "base/str.h"
#include "store/outbox.h"
#include "store/requests.h"

static const char *const kinds[] = {"rerun", "cancel", NULL};

struct answer {
	bool good;
	int64_t trial;
	char *words;
};

__attribute__((format(printf, 3, 4))) static void answer_set(struct answer *a, bool good,
							     const char *fmt, ...)
{
	auto_str struct str s;
	va_list ap;

	str_init(&s, ERR_MSG_MAX);
	va_start(ap, fmt);
	str_vaddf(&s, fmt, ap);
	va_end(ap);
	a->good = good;
	free(a->words);
	a->words = str_take(&s);
}

/* What the trial before was: its base, its configuration. Today's where it is asked for, or where
 * it had none. */
static int pins(const struct engine *e, const struct store_queued *old, json_t *plan,
		struct err *err)
{
	auto_json json_t *before = json_loads(old->plan, 0, NULL);
	auto_store_trial struct store_trial t = {0};
	int rc = store_trial_get(e->env->store, old->id, &t, err);

	if (rc < 0)
		return rc;
	if (json_is_object(json_object_get(before, "conf")))
		json_object_set(plan, "conf", json_object_get(before, "conf"));
	if (json_is_string(json_object_get(before, "only")))
		json_object_set(plan, "only", json_object_get(before, "only"));
	if (t.base) {
		json_object_set_new(plan, "base", json_text(t.base));
		json_object_set_new(plan, "why",
				    json_sprintf("as in trial %lld, which this one replaces",
						 (long long)old->id));
	}
	return 0;
}

/* What is asked for goes over what was. */
static void arguments(const struct store_request *r, json_t *plan)
{
	const char *base = json_get_str(r->arguments, "base", NULL),
		   *only = json_get_str(r->arguments, "only", NULL),
		   *bench = json_get_str(r->arguments, "bench", NULL);

	if (base) {
		json_object_set_new(plan, "base", json_text(base));
		json_object_del(plan, "why");
	}
	if (only)
		json_object_set_new(plan, "only", json_text(only));
	if (bench)
		json_object_set_new(json_object_get(plan, "conf"), conf_keys[CONF_BENCH_RUN].key,
				    json_text(bench));
	/* Benchmarks that are asked for run also where the list's trials end before them. */
	if (bench && !only)
		json_object_del(plan, "only");
}

static int rerun_plan(struct engine *e, const struct store_request *r,
		      const struct store_posting *p, const struct store_queued *old,
		      struct answer *a, struct err *err)
{
	struct engine_plan what = {.posting = p,
				   .priority = STORE_RERUN,
				   .request = r->id,
				   .replaces = old->id,
				   .plan = engine_plan_make(e->env->conf, p->list)};
	int rc = 0;

	if (old->id && !json_get_bool(r->arguments, "unpin", false))
		rc = pins(e, old, what.plan, err);
	arguments(r, what.plan);
	if (rc == 0)
		rc = engine_plan_add(e, &what, &a->trial, err);
	else
		json_decref(what.plan);
	if (rc == ERR_USAGE || rc == ERR_CONFIG) {
		answer_set(a, false, "%s", err->msg);
		return 0;
	}
	if (rc == 0)
		answer_set(a, true, "queued as trial %lld", (long long)a->trial);
	return rc;
}

/* A trial that has not ended yet and would do the same answers a plain rerun. */
static bool under_way(const struct store_queued *old, const struct store_posting *p,
		      const struct store_request *r)
{
	return old->id &&
	       (old->state == STORE_TRIAL_WAITING || old->state == STORE_TRIAL_RUNNING) &&
	       strcmp(old->digest, p->digest) == 0 && json_object_size(r->arguments) == 0;
}

static int rerun(struct engine *e, const struct store_request *r, const struct store_posting *p,
		 const struct store_queued *old, struct answer *a, struct err *err)
{
	if (p->state == STORE_POSTING_INCOMPLETE) {
		answer_set(a, false, "<%s> is incomplete: %u of %u patches have come",
			   p->message_id, p->have, p->total);
		return 0;
	}
	if (under_way(old, p, r)) {
		a->trial = old->id;
		answer_set(a, true, "trial %lld is %s", (long long)old->id,
			   store_trial_state_name(old->state));
		return 0;
	}
	return rerun_plan(e, r, p, old, a, err);
}

static int cancel(struct engine *e, const struct store_request *r, const struct store_queued *old,
		  struct answer *a, struct err *err)
{
	auto_free char *why = xasprintf("%s asked for it", r->who);

	if (!old->id || (old->state != STORE_TRIAL_WAITING && old->state != STORE_TRIAL_RUNNING)) {
		answer_set(a, false, "no trial of <%s> waits or runs", r->message_id);
		return 0;
	}
	a->trial = old->id;
	answer_set(a, true, "trial %lld is cancelled", (long long)old->id);
	return engine_cancel(e, old->id, why, err);
}

static int answer_about(struct engine *e, const struct store_request *r, int64_t posting,
			struct answer *a, struct err *err)
{
	auto_store_posting struct store_posting p = {0};
	struct store_queued old = {0};
	int64_t newest = 0;
	int rc = store_posting_get(e->env->store, posting, &p, err);

	if (rc == 0)
		rc = store_queue_newest(e->env->store, posting, &newest, err);
	if (rc == 0 && newest)
		rc = store_queue_get(e->env->store, newest, &old, err);
	if (rc == 0)
		rc = strcmp(r->kind, "rerun") == 0 ? rerun(e, r, &p, &old, a, err)
						   : cancel(e, r, &old, a, err);
	store_queued_done(&old);
	return rc;
}

static int answer_make(struct engine *e, const struct store_request *r, struct answer *a,
		       struct err *err)
{
	/* What the intake role refused is not obeyed: its words are the answer. */
	const char *refuse = json_get_str(r->arguments, "refuse", NULL);
	int64_t posting = 0;
	int rc;

	if (refuse) {
		answer_set(a, false, "%s", refuse);
		return 0;
	}
	rc = store_posting_find(e->env->store, r->message_id, &posting, err);
	if (rc == ERR_INPUT) {
		answer_set(a, false, "no posting with the message ID <%s> is known here",
			   r->message_id);
		return 0;
	}
	return rc < 0 ? rc : answer_about(e, r, posting, a, err);
}

/* Who asked by mail is told by mail; where that cannot be, the answer says so. */
static int refusal_tell(struct engine *e, const struct store_request *r, struct answer *a,
			struct err *err)
{
	const char *why = NULL;
	int rc = engine_refuse(e, r, a->words, &why, err);

	if (rc == 0 && why) {
		auto_free char *words = take(a->words);

		answer_set(a, false, "%s (no mail about it: %s)", words, why);
	}
	return rc;
}

/* The trial, the mail and the answer are written together: a request is never obeyed twice. */
static int answer_one(struct engine *e, const struct store_request *r, struct err *err)
{
	auto_batch struct store_batch batch = {0};
	struct answer a = {0};
	int rc = store_batch_begin(&batch, e->env->store, err);

	if (rc == 0)
		rc = answer_make(e, r, &a, err);
	if (rc == 0 && !a.good && r->mail)
		rc = refusal_tell(e, r, &a, err);
	if (rc == 0)
		rc = store_request_answer(e->env->store, r->id, a.good, a.words, a.trial, err);
	if (rc == 0)
		rc = store_batch_commit(&batch, "answering a request", err);
	if (rc == 0)
		log_info("request %lld: %s <%s> by %s: %s", (long long)r->id, r->kind,
			 r->message_id, r->who, a.words);
	free(a.words);
	return rc;
}

int engine_answer(struct engine *e, struct err *err)
{
	int rc = 0;
	bool found = true;

	for (unsigned i = 0; i < ENGINE_BATCH && rc == 0 && found; i++) {
		struct store_request r = {0};

		rc = store_request_next(e->env->store, kinds, &r, &found, err);
		if (rc == 0 && found)
			rc = answer_one(e, &r, err);
		store_request_done(&r);
	}
	return rc;
}
