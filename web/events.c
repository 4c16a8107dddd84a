// SPDX-License-Identifier: GPL-2.0-or-later
#include "web/events.h"

#include "base/clock.h"
#include "web/watch.h"

#define BLOCK	4096
#define FRESH_S 10.0 /* that a trial's process is gone stands nowhere in the store */
#define RETRY	"retry: 3000\n\n"

struct stream {
	struct stream *next, **at;
	struct events *events;
	struct watch *watch;
	struct MHD_Connection *m;
	struct conn *conn;
	struct str out;
	double beat; /* clock_mono() of the next sign of life */
	bool suspended, ended;
};

static ssize_t on_read(void *cls, uint64_t pos, char *buf, size_t max)
{
	struct stream *s = cls;
	size_t n = s->out.len < max ? s->out.len : max;

	(void)pos;
	if (n) {
		memcpy(buf, s->out.buf, n);
		str_drop(&s->out, n);
		return (ssize_t)n;
	}
	if (s->ended)
		return MHD_CONTENT_READER_END_OF_STREAM;
	str_done(&s->out); /* a thousand that sleep should be small */
	str_init(&s->out, EVENTS_QUEUE_MAX);
	s->suspended = true;
	MHD_suspend_connection(s->m);
	return 0;
}

static void wake(struct stream *s)
{
	if (s->suspended)
		MHD_resume_connection(s->m);
	s->suspended = false;
}

/* One that does not keep up is cut off: it may connect anew, and is told the present. */
static void say(struct stream *s, const char *text, size_t n)
{
	if (s->ended)
		return;
	s->beat = clock_mono() + EVENTS_BEAT_S;
	if (s->out.len + n > EVENTS_QUEUE_MAX || !str_add(&s->out, text, n)) {
		str_reset(&s->out);
		s->ended = true;
		conn_cut(s->conn);
	}
	wake(s);
}

static void watch_drop(struct events *e, struct watch *w)
{
	struct watch **at = &e->watch;

	if (--w->readers)
		return;
	while (*at != w)
		at = &(*at)->next;
	*at = w->next;
	e->n_watch--;
	watch_free(w);
}

static void on_free(void *cls)
{
	struct stream *s = cls;

	*s->at = s->next;
	if (s->next)
		s->next->at = s->at;
	s->events->n--;
	watch_drop(s->events, s->watch);
	str_done(&s->out);
	free(s);
}

static struct watch *watch_find(struct events *e, const struct stream_spec *spec)
{
	struct watch *w = e->watch;

	while (w && !watch_is_of(w, spec))
		w = w->next;
	return w;
}

static struct watch *watch_add(struct events *e, const struct stream_spec *spec)
{
	struct watch *w = watch_new(spec);

	w->next = e->watch;
	e->watch = w;
	e->n_watch++;
	return w;
}

/* What is so now. The first who listens causes a look at the store; the others are told what was
 * seen then. */
static void greet(struct stream *s, const struct stream_spec *spec, bool first)
{
	struct err err = ERR_INIT;
	struct store *store;

	str_adds(&s->out, RETRY);
	if (!first) {
		watch_greet(s->watch, spec, &s->out);
		return;
	}
	if (kept_store(s->events->kept, &store, &err) < 0)
		return;
	watch_look(s->watch, store, &s->out);
	watch_log(s->watch, &s->out);
}

static struct stream *stream_new(struct events *e, struct MHD_Connection *m, struct watch *w)
{
	struct stream *s = xcalloc(1, sizeof(*s));

	s->events = e;
	s->watch = w;
	s->m = m;
	s->conn = conn_of(m);
	s->beat = clock_mono() + EVENTS_BEAT_S;
	str_init(&s->out, EVENTS_QUEUE_MAX);
	s->next = e->stream;
	s->at = &e->stream;
	if (e->stream)
		e->stream->at = &s->next;
	e->stream = s;
	e->n++;
	w->readers++;
	return s;
}

struct MHD_Response *events_open(struct events *e, struct MHD_Connection *m,
				 const struct stream_spec *spec)
{
	struct watch *w = watch_find(e, spec);
	struct MHD_Response *response;
	bool first = !w;
	struct stream *s;

	if ((first && e->n_watch >= EVENTS_WATCH_MAX) || !conn_streams(e->conns, conn_of(m)))
		return NULL;
	s = stream_new(e, m, first ? watch_add(e, spec) : w);
	greet(s, spec, first);
	s->ended = s->watch->over || e->ending;
	response = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK, on_read, s, on_free);
	if (!response)
		on_free(s);
	return response;
}

static void broadcast(struct events *e, const struct watch *w, const struct str *text)
{
	for (struct stream *s = e->stream; s; s = s->next) {
		if (s->watch != w)
			continue;
		if (text->len)
			say(s, text->buf, text->len);
		if (w->over && !s->ended) {
			s->ended = true;
			wake(s);
		}
	}
}

static void look(struct events *e, struct store *store, bool changed)
{
	double now = clock_mono();

	for (struct watch *w = e->watch; w; w = w->next) {
		auto_str struct str text;

		str_init(&text, EVENTS_QUEUE_MAX);
		watch_log(w, &text);
		if (changed || now >= w->fresh + FRESH_S)
			watch_look(w, store, &text);
		if (text.len || w->over)
			broadcast(e, w, &text);
	}
}

static void beat(struct events *e)
{
	double now = clock_mono();

	for (struct stream *s = e->stream; s; s = s->next)
		if (now >= s->beat)
			say(s, ":\n\n", 3);
}

void events_turn(struct events *e)
{
	struct kept_version v;
	struct err err = ERR_INIT;
	struct store *store;
	bool changed;

	if (!e->n || clock_mono() < e->next)
		return;
	e->next = clock_mono() + e->poll_s;
	v = kept_version(e->kept);
	changed = v.opened != e->version.opened || v.version != e->version.version;
	e->version = v;
	if (kept_store(e->kept, &store, &err) == 0)
		look(e, store, changed);
	beat(e);
}

double events_wait(const struct events *e)
{
	double left = e->next - clock_mono();

	if (!e->n)
		return 1e9;
	return left > 0 ? left : 0;
}

void events_end(struct events *e)
{
	e->ending = true;
	for (struct stream *s = e->stream; s; s = s->next) {
		s->ended = true;
		wake(s);
	}
}

void events_done(struct events *e)
{
	/* The daemon is gone, and with it all answers. */
	while (e->watch) {
		struct watch *w = e->watch;

		e->watch = w->next;
		watch_free(w);
	}
}
