// SPDX-License-Identifier: GPL-2.0-or-later
/* What events tell: small, since everybody who listens gets it. */
#include "base/json.h"
#include "store/views.h"
#include "web/watch.h"

#define RUNNING_MAX 20

static void set(json_t *obj, const char *key, json_t *value)
{
	json_object_set_new(obj, key, value);
}

static json_t *running(const struct view_queued *t)
{
	json_t *obj = json_object();

	set(obj, "trial", json_integer(t->trial));
	set(obj, "posting", json_integer(t->posting));
	set(obj, "state", json_string(store_trial_state_name(t->state)));
	set(obj, "step", json_text(t->step));
	set(obj, "note", json_text(t->note));
	set(obj, "done", json_integer(t->done));
	set(obj, "total", json_integer(t->total));
	set(obj, "steps_done", json_integer(t->steps_done));
	set(obj, "steps", json_integer(t->steps));
	return obj;
}

char *events_queue_json(struct store *store)
{
	auto_view_queue struct view_queue queue = {0};
	struct view_health health = {0};
	auto_json json_t *obj = json_object();
	json_t *rows = json_array();
	struct err err = ERR_INIT;

	set(obj, "running", rows);
	if (view_queue(store, RUNNING_MAX, 1, &queue, &err) < 0 ||
	    view_health(store, &health, &err) < 0)
		return NULL;
	for (size_t i = 0; i < queue.running; i++)
		json_array_append_new(rows, running(&queue.trial[i]));
	set(obj, "waiting", json_integer(health.waiting));
	set(obj, "mails_new", json_integer(health.mails_new));
	set(obj, "held", json_integer(health.held));
	set(obj, "failed", json_integer(health.failed));
	set(obj, "last", json_integer(health.last));
	/* Several trials may end within a second. */
	set(obj, "newest", json_integer(health.newest));
	return json_dumps(obj, JSON_COMPACT);
}

static json_t *step(const struct store_step *s)
{
	bool done = s->state == STORE_STEP_DONE;
	json_t *obj = json_object();

	set(obj, "name", json_text(s->name));
	set(obj, "state", json_string(store_step_state_name(s->state)));
	set(obj, "outcome", done ? json_string(outcome_name(s->outcome)) : json_null());
	set(obj, "reason", json_text(s->reason));
	set(obj, "started", json_integer(s->started));
	set(obj, "seconds", done ? json_real(s->seconds) : json_null());
	set(obj, "cached", json_boolean(s->cached));
	set(obj, "note", json_text(s->note));
	set(obj, "done", json_integer(s->done));
	set(obj, "total", json_integer(s->total));
	return obj;
}

char *events_trial_json(struct store *store, const struct store_trial *t, bool *ret_over)
{
	auto_store_step_list struct store_step_list list = {0};
	auto_json json_t *obj = json_object();
	json_t *steps = json_array();
	struct err err = ERR_INIT;

	*ret_over = t->state != STORE_TRIAL_RUNNING && t->state != STORE_TRIAL_WAITING;
	set(obj, "steps", steps);
	if (store_step_list(store, t->id, &list, &err) < 0)
		return NULL;
	set(obj, "trial", json_integer(t->id));
	set(obj, "state", json_string(store_trial_state_name(t->state)));
	set(obj, "outcome",
	    t->state == STORE_TRIAL_FINISHED ? json_string(outcome_name(t->outcome)) : json_null());
	set(obj, "words", json_text(t->words));
	for (size_t i = 0; i < list.n; i++)
		json_array_append_new(steps, step(&list.step[i]));
	return json_dumps(obj, JSON_COMPACT | JSON_REAL_PRECISION(6));
}
