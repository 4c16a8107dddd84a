// SPDX-License-Identifier: GPL-2.0-or-later
#include "store/objects.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/str.h"
#include <math.h>

json_t *object_make(const struct object_member *member, size_t n)
{
	json_t *obj = json_object();

	for (size_t i = 0; i < n; i++)
		json_object_set_new(obj, member[i].name, member[i].value);
	return obj;
}

#define OBJECT(...)                                                                                \
	({                                                                                         \
		const struct object_member members_[] = {__VA_ARGS__};                             \
		object_make(members_, array_size(members_));                                       \
	})

json_t *object_when(int64_t t)
{
	char iso[CLOCK_ISO_MAX];

	return t ? json_string(clock_iso(t, iso)) : json_null();
}

json_t *object_id(int64_t id)
{
	return id ? json_integer(id) : json_null();
}

/* JSON has no word for what is not finite. */
static json_t *number(double n)
{
	return isfinite(n) ? json_real(n) : json_null();
}

/* What a number that is negative when it is not known says. */
static json_t *seconds(double s)
{
	return s < 0 ? json_null() : number(s);
}

/* "" says nothing. */
static json_t *words(const char *text)
{
	return text && *text ? json_text(text) : json_null();
}

const char *store_priority_name(enum store_priority p)
{
	switch (p) {
	case STORE_RERUN: return "rerun";
	case STORE_NEW: return "new";
	case STORE_BACKLOG: break;
	}
	return "backlog";
}

json_t *object_trial(const struct store_trial *t)
{
	bool finished = t->state == STORE_TRIAL_FINISHED;

	return OBJECT({"id", json_integer(t->id)}, {"series", object_id(t->posting)},
		      {"state", json_string(store_trial_state_name(t->state))},
		      {"outcome", finished ? json_string(outcome_name(t->outcome)) : json_null()},
		      {"words", json_text(t->words)}, {"title", json_text(t->title)},
		      {"version", json_integer(t->version)},
		      {"message_id", json_text(t->message_id)}, {"author", json_text(t->author)},
		      {"base", json_text(t->base)}, {"started", object_when(t->started)},
		      {"finished", object_when(t->finished)});
}

json_t *object_step(const struct store_step *s)
{
	bool done = s->state == STORE_STEP_DONE;

	return OBJECT({"name", json_text(s->name)},
		      {"state", json_string(store_step_state_name(s->state))},
		      {"outcome", done ? json_string(outcome_name(s->outcome)) : json_null()},
		      {"reason", json_text(s->reason)}, {"started", object_when(s->started)},
		      {"seconds", done ? json_real(s->seconds) : json_null()},
		      {"cached", json_boolean(s->cached)}, {"note", words(s->note)},
		      {"done", json_integer(s->done)}, {"total", json_integer(s->total)},
		      {"log", json_text(s->log)});
}

json_t *object_series(const struct view_series *v)
{
	bool ended = v->trial && v->state == STORE_TRIAL_FINISHED;

	return OBJECT({"id", object_id(v->posting)}, {"trial", object_id(v->trial)},
		      {"state", json_string(view_series_word(v))},
		      {"outcome", ended ? json_string(outcome_name(v->outcome)) : json_null()},
		      {"words", words(v->words && *v->words ? v->words : v->reason)},
		      {"list", words(v->list)}, {"title", json_text(v->title)},
		      {"version", json_integer(v->version)}, {"author", json_text(v->author)},
		      {"message_id", json_text(v->message_id)}, {"total", json_integer(v->total)},
		      {"have", json_integer(v->have)}, {"date", object_when(v->date)},
		      {"newer", object_id(v->newer)}, {"started", object_when(v->started)},
		      {"finished", object_when(v->finished)});
}

json_t *object_queued(const struct view_queued *q)
{
	bool runs = q->state == STORE_TRIAL_RUNNING;

	return OBJECT(
		{"trial", json_integer(q->trial)}, {"series", object_id(q->posting)},
		{"request", object_id(q->request)},
		{"state", json_string(store_trial_state_name(q->state))},
		{"priority", json_string(store_priority_name(q->priority))},
		{"list", words(q->list)}, {"title", json_text(q->title)},
		{"version", json_integer(q->version)}, {"author", json_text(q->author)},
		{"message_id", json_text(q->message_id)}, {"queued", object_when(q->queued)},
		{"not_before", object_when(q->not_before)}, {"attempts", json_integer(q->attempts)},
		{"started", runs ? object_when(q->started) : json_null()},
		{"step", json_text(q->step)}, {"note", words(q->note)},
		{"done", json_integer(q->done)}, {"total", json_integer(q->total)},
		{"steps_done", json_integer(q->steps_done)}, {"steps", json_integer(q->steps)},
		{"left", seconds(q->left)}, {"wait", runs ? json_null() : seconds(q->wait)});
}

json_t *object_mail(const struct store_mail *m)
{
	bool part = strcmp(m->state, "patch") == 0 || strcmp(m->state, "cover") == 0;
	json_t *from =
		OBJECT({"name", json_text(m->from_name)}, {"email", json_text(m->from_email)});

	return OBJECT({"id", json_integer(m->id)}, {"message_id", json_text(m->message_id)},
		      {"subject", json_text(m->subject)}, {"from", from},
		      {"date", object_when(m->date)}, {"received", object_when(m->received)},
		      {"list", words(m->list)}, {"state", json_text(m->state)},
		      {"reason", words(m->reason)}, {"series", object_id(m->posting)},
		      {"patch", part && m->posting ? json_integer(m->number) : json_null()});
}

json_t *object_post(const struct store_post *p, bool whole)
{
	bool mail = strcmp(p->poster, "mail") == 0;
	const char *what = json_get_str(p->want, mail ? "subject" : "description", "");

	return OBJECT({"id", json_integer(p->id)}, {"trial", json_integer(p->trial)},
		      {"poster", json_text(p->poster)}, {"target", json_text(p->target)},
		      {"context", words(p->context)}, {"state", json_string(view_post_word(p))},
		      {"summary", json_text(what)}, {"revision", json_integer(p->revision)},
		      {"held", json_boolean(p->held)}, {"written", object_when(p->written)},
		      {"tries", json_integer(p->tries)}, {"at", object_when(p->at)},
		      {"words", words(p->words)},
		      {"want", whole && p->want ? json_incref(p->want) : json_null()});
}

json_t *object_request(const struct store_request *r, const struct store_answer *a)
{
	return OBJECT({"request", json_integer(r->id)}, {"kind", json_text(r->kind)},
		      {"message_id", json_text(r->message_id)},
		      {"arguments", r->arguments ? json_incref(r->arguments) : json_object()},
		      {"asked", object_when(r->at)},
		      {"state", json_string(a->given ? "answered" : "waiting")},
		      {"good", a->given ? json_boolean(a->good) : json_null()},
		      {"words", json_text(a->words)}, {"trial", object_id(a->trial)},
		      {"answered", object_when(a->at)});
}

json_t *object_testbed(const struct store_testbed *t)
{
	return OBJECT({"name", json_text(t->name)}, {"good", json_boolean(t->good)},
		      {"since", object_when(t->since)}, {"checked", object_when(t->checked)},
		      {"words", words(t->words)}, {"boots", json_integer(t->boots)},
		      {"failed", json_integer(t->failed)});
}

json_t *object_source(const struct store_source *s)
{
	return OBJECT({"name", json_text(s->name)}, {"tried", object_when(s->tried)},
		      {"good", object_when(s->good)}, {"failures", json_integer(s->failures)},
		      {"not_before", object_when(s->not_before)}, {"words", words(s->words)});
}

json_t *object_bench(const struct view_bench *b)
{
	return OBJECT({"name", json_text(b->name)}, {"trial", json_integer(b->trial)},
		      {"numbers", json_integer(b->numbers)});
}

static json_t *point(const struct view_point *p)
{
	return OBJECT({"trial", json_integer(p->trial)}, {"when", object_when(p->when)},
		      {"commit", words(p->commit)}, {"median", number(p->median)});
}

json_t *object_history(const struct view_history *h)
{
	json_t *points = json_array();

	for (size_t i = 0; i < h->n; i++)
		json_array_append_new(points, point(&h->point[i]));
	return OBJECT({"name", json_text(h->name)}, {"title", json_text(h->title)},
		      {"unit", json_text(h->unit)}, {"better", json_text(h->better)},
		      {"testbed", json_text(h->testbed)}, {"mode", json_text(h->mode)},
		      {"points", points}, {"more", json_boolean(h->more)});
}

json_t *object_health(const struct view_health *h)
{
	return OBJECT({"mails_new", json_integer(h->mails_new)},
		      {"incomplete", json_integer(h->incomplete)},
		      {"waiting", json_integer(h->waiting)}, {"running", json_integer(h->running)},
		      {"held", json_integer(h->held)}, {"failed", json_integer(h->failed)},
		      {"sources", json_integer(h->sources)},
		      {"sources_bad", json_integer(h->sources_bad)},
		      {"testbeds", json_integer(h->testbeds)},
		      {"testbeds_out", json_integer(h->testbeds_out)},
		      {"good", object_when(h->good)}, {"last", object_when(h->last)});
}
