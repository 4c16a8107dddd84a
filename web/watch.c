// SPDX-License-Identifier: GPL-2.0-or-later
#include "web/watch.h"

#include "base/clock.h"
#include "base/json.h"

#define CATCH_UP_MAX   (64 * 1024) /* more than that is not sent again: the tail will do */
#define CATCH_UP_TURNS 64

static void event(struct str *out, const char *name, const char *json)
{
	str_addf(out, "event: %s\ndata: ", name);
	str_adds(out, json);
	str_adds(out, "\n\n");
}

static bool same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

bool watch_is_of(const struct watch *w, const struct stream_spec *spec)
{
	return w->trial == spec->trial && same(w->step, spec->step);
}

struct watch *watch_new(const struct stream_spec *spec)
{
	struct watch *w = xcalloc(1, sizeof(*w));

	w->trial = spec->trial;
	w->step = spec->step ? xstrdup(spec->step) : NULL;
	if (spec->log)
		log_follow_from(&w->log, spec->log, spec->at);
	return w;
}

void watch_free(struct watch *w)
{
	free(w->step);
	free(w->state);
	free(w->work_dir);
	log_follow_done(&w->log);
	free(w);
}

/* Takes `now`. */
static void state_set(struct watch *w, char *now, const char *name, struct str *out)
{
	if (now && !same(now, w->state)) {
		event(out, name, now);
		free(w->state);
		w->state = now;
	} else {
		free(now);
	}
}

static void look_at_trial(struct watch *w, struct store *store, struct str *out)
{
	auto_store_trial struct store_trial t = {0};
	struct err err = ERR_INIT;
	bool over = false;

	if (store_trial_get(store, w->trial, &t, &err) < 0)
		return;
	if (t.work_dir && !same(t.work_dir, w->work_dir)) {
		free(w->work_dir);
		w->work_dir = take(t.work_dir);
	}
	state_set(w, events_trial_json(store, &t, &over), "trial", out);
	if (!over || w->over)
		return;
	watch_log(w, out); /* its last words */
	event(out, "end", "{}");
	w->over = true;
}

void watch_look(struct watch *w, struct store *store, struct str *out)
{
	w->fresh = clock_mono();
	if (w->trial)
		look_at_trial(w, store, out);
	else
		state_set(w, events_queue_json(store), "queue", out);
}

/* The id says how far the reader has come, and comes back from him when he connects anew. */
static void log_event(struct str *out, const struct log_follow *f, const char *text, bool begins)
{
	auto_json json_t *obj = json_object();
	auto_free char *json = NULL;

	json_object_set_new(obj, "log", json_text(f->name));
	json_object_set_new(obj, "at", json_integer(f->at));
	json_object_set_new(obj, "begins", json_boolean(begins));
	json_object_set_new(obj, "text", json_text(text));
	json = json_dumps(obj, JSON_COMPACT);
	if (!json)
		return;
	str_addf(out, "id: %lld@%s\n", (long long)f->at, f->name);
	event(out, "log", json);
}

static bool follow(struct log_follow *f, const struct watch *w, struct str *out)
{
	auto_str struct str text;
	bool begins = false, more;

	str_init(&text, 0);
	more = w->work_dir && log_follow(f, w->work_dir, w->step, &text, &begins);
	if (more)
		log_event(out, f, text.buf, begins);
	return more;
}

void watch_log(struct watch *w, struct str *out)
{
	if (w->trial && !w->over)
		follow(&w->log, w, out);
}

static void catch_up(const struct watch *w, const struct stream_spec *spec, struct str *out)
{
	struct log_follow f = {0};
	bool knows = same(spec->log, w->log.name) && spec->at <= w->log.at;

	if (knows && w->log.at - spec->at <= CATCH_UP_MAX)
		log_follow_from(&f, spec->log, spec->at);
	/* One that grows while it is read is not followed for ever. */
	for (int i = 0; i < CATCH_UP_TURNS; i++)
		if ((same(f.name, w->log.name) && f.at >= w->log.at) || !follow(&f, w, out))
			break;
	log_follow_done(&f);
}

void watch_greet(const struct watch *w, const struct stream_spec *spec, struct str *out)
{
	if (w->state)
		event(out, w->trial ? "trial" : "queue", w->state);
	if (w->log.name && !w->over)
		catch_up(w, spec, out);
}
