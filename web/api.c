// SPDX-License-Identifier: GPL-2.0-or-later
/* The JSON API: API.md. */
#include "base/clock.h"
#include "base/json.h"
#include "web/response.h"
#include "web/trial_read.h"
#include <microhttpd.h>

static void set(json_t *obj, const char *key, json_t *value)
{
	json_object_set_new(obj, key, value);
}

static json_t *when(int64_t t)
{
	char iso[CLOCK_ISO_MAX];

	return t ? json_string(clock_iso(t, iso)) : json_null();
}

static json_t *address(const char *before, int64_t id, const char *after)
{
	auto_free char *path = xasprintf("%s%lld%s", before, (long long)id, after);

	return json_string(path);
}

static json_t *trial_json(const struct store_trial *t)
{
	bool finished = t->state == STORE_TRIAL_FINISHED;
	json_t *obj = json_object();

	set(obj, "id", json_integer(t->id));
	set(obj, "state", json_string(store_trial_state_name(t->state)));
	set(obj, "outcome", finished ? json_string(outcome_name(t->outcome)) : json_null());
	set(obj, "words", json_text(t->words));
	set(obj, "title", json_text(t->title));
	set(obj, "version", json_integer(t->version));
	set(obj, "message_id", json_text(t->message_id));
	set(obj, "author", json_text(t->author));
	set(obj, "base", json_text(t->base));
	set(obj, "started", when(t->started));
	set(obj, "finished", when(t->finished));
	set(obj, "page", address("/trial/", t->id, ""));
	set(obj, "report", t->report ? address("/api/v1/trials/", t->id, "/report") : json_null());
	return obj;
}

static json_t *step_json(const struct store_step *s)
{
	bool done = s->state == STORE_STEP_DONE;
	json_t *obj = json_object();

	set(obj, "name", json_text(s->name));
	set(obj, "state", json_string(store_step_state_name(s->state)));
	set(obj, "outcome", done ? json_string(outcome_name(s->outcome)) : json_null());
	set(obj, "reason", json_text(s->reason));
	set(obj, "started", when(s->started));
	set(obj, "seconds", done ? json_real(s->seconds) : json_null());
	set(obj, "cached", json_boolean(s->cached));
	return obj;
}

void api_trials(const struct request *q, struct response *r)
{
	auto_store struct store *store = NULL;
	auto_store_trial_list struct store_trial_list list = {0};
	auto_json json_t *obj = json_object();
	json_t *trials = json_array();
	struct err err = ERR_INIT;

	set(obj, "trials", trials);
	if (respond_store(q, r, &store) < 0)
		return;
	if (store_trial_list(store, q->limit, q->offset, &list, &err) < 0) {
		respond_failure(q, r, &err, "The list of trials cannot be read.");
		return;
	}
	for (size_t i = 0; i < list.n; i++)
		json_array_append_new(trials, trial_json(&list.trial[i]));
	set(obj, "next_offset",
	    list.more ? json_integer((json_int_t)q->offset + q->limit) : json_null());
	respond_json(r, obj);
}

void api_trial(const struct request *q, struct response *r)
{
	auto_store struct store *store = NULL;
	auto_store_trial struct store_trial t = {0};
	auto_store_step_list struct store_step_list list = {0};
	struct err err = ERR_INIT;

	if (respond_store(q, r, &store) < 0 || !trial_read(q, r, store, &t))
		return;
	if (store_step_list(store, t.id, &list, &err) < 0) {
		respond_failure(q, r, &err, "The steps of this trial cannot be read.");
		return;
	}
	auto_json json_t *obj = trial_json(&t);
	json_t *steps = json_array();

	set(obj, "steps", steps);
	for (size_t i = 0; i < list.n; i++)
		json_array_append_new(steps, step_json(&list.step[i]));
	respond_json(r, obj);
}

void api_report(const struct request *q, struct response *r)
{
	auto_store struct store *store = NULL;
	auto_store_trial struct store_trial t = {0};
	auto_json json_t *report = NULL;

	if (respond_store(q, r, &store) < 0 || !trial_read(q, r, store, &t))
		return;
	if (!t.report)
		respond_error(q, r, MHD_HTTP_NOT_FOUND, "This trial has no report.");
	else if (report_read(q, r, t.report, &report))
		respond_json(r, report);
}
