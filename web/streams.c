// SPDX-License-Identifier: GPL-2.0-or-later
/* /events and /trial/ID/events: what a stream is to be about. */
#include "web/response.h"
#include "web/trial_read.h"
#include "web/work_file.h"
#include <microhttpd.h>

void events_queue(const struct request *q, struct response *r)
{
	struct store *store;

	if (respond_store(q, r, &store) == 0)
		r->stream.wanted = true;
}

/* How far the reader has the log: of the page that he has, or, when he comes back, of the last
 * event that he was sent: "4711@jobs/03-build/log". */
static void log_position(const struct request *q, struct stream_spec *spec)
{
	const char *at = q->last_event_id ? q->last_event_id : query(q, "at");
	const char *name = q->last_event_id ? strchr(at, '@') : query(q, "log");
	size_t n = strspn(at, "0123456789");

	if (!name || !n || n > 18 || (q->last_event_id && at[n] != '@') ||
	    (!q->last_event_id && at[n]))
		return;
	name += q->last_event_id ? 1 : 0;
	if (!work_path_ok(name))
		return;
	spec->log = xstrdup(name);
	spec->at = strtoll(at, NULL, 10);
}

void events_trial(const struct request *q, struct response *r)
{
	auto_store_trial struct store_trial t = {0};
	const char *step = query(q, "step");
	struct store *store;

	if (respond_store(q, r, &store) < 0 || !trial_read(q, r, store, &t))
		return;
	if (t.state != STORE_TRIAL_RUNNING && t.state != STORE_TRIAL_WAITING) {
		r->status = MHD_HTTP_NO_CONTENT; /* so a browser does not ask again */
		return;
	}
	if (*step && !work_word_ok(step, strlen(step))) {
		respond_error(q, r, MHD_HTTP_BAD_REQUEST, "There is no such step.");
		return;
	}
	r->stream = (struct stream_spec){
		.wanted = true, .trial = t.id, .step = *step ? xstrdup(step) : NULL};
	log_position(q, &r->stream);
}
