/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inside web/: streams of server-sent events (HTML Living Standard, 9.2): API.md, "Streams". No
 * threads: streams sleep (MHD suspends them) until there is something to say, and one look at the
 * store each EVENTS_POLL_S, while somebody listens, serves all of them.
 */
#ifndef FIRN_WEB_EVENTS_H
#define FIRN_WEB_EVENTS_H

#include "web/conns.h"
#include "web/kept.h"
#include "web/response.h"

#define EVENTS_POLL_S	 0.5
#define EVENTS_BEAT_S	 15.0
#define EVENTS_QUEUE_MAX (256 * 1024) /* a reader that is further behind is dropped */
#define EVENTS_WATCH_MAX 64	      /* different things that are listened to at once */

struct watch;
struct stream;

struct events {
	struct stream *stream;
	size_t n;
	struct watch *watch;
	size_t n_watch;
	struct kept *kept;
	struct conns *conns;
	struct kept_version version;
	double next;   /* look at the store */
	double poll_s; /* how often */
	bool ending;
};

/* The answer that sends a stream; NULL when there are too many, or there is no memory. */
struct MHD_Response *events_open(struct events *e, struct MHD_Connection *m,
				 const struct stream_spec *spec);
/* One turn of the loop. */
void events_turn(struct events *e);
/* How long the loop may sleep at most. */
double events_wait(const struct events *e);
/* Ends all streams: their readers are told by the end of the answer. */
void events_end(struct events *e);
void events_done(struct events *e);

#endif
