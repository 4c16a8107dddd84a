/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside web/: one thing that streams of events are about, looked at once for all of them. */
#ifndef FIRN_WEB_WATCH_H
#define FIRN_WEB_WATCH_H

#include "store/store.h"
#include "web/events.h"
#include "web/log.h"

struct watch {
	struct watch *next;
	size_t readers;
	int64_t trial;		/* 0: the queue */
	char *step;		/* whose log; NULL: of what runs */
	char *state, *work_dir; /* as last told, as JSON; NULL: not known */
	struct log_follow log;
	bool over;    /* nothing more will come */
	double fresh; /* clock_mono() of the last look at the store */
};

bool watch_is_of(const struct watch *w, const struct stream_spec *spec);
struct watch *watch_new(const struct stream_spec *spec);
void watch_free(struct watch *w);
/* Appends, as events, what changed in the store. */
void watch_look(struct watch *w, struct store *store, struct str *out);
/* Appends what was written to the log. */
void watch_log(struct watch *w, struct str *out);
/* What somebody who comes later has to be told first. */
void watch_greet(const struct watch *w, const struct stream_spec *spec, struct str *out);

/* What is told: compact JSON on one line; NULL when it cannot be read now. The caller frees. */
char *events_queue_json(struct store *store);
/* `*ret_over`: the trial is over. */
char *events_trial_json(struct store *store, const struct store_trial *t, bool *ret_over);

#endif
