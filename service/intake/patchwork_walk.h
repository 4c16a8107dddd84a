/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside intake/: the events of one walk, and the cursor that tells where it ended. */
#ifndef FIRN_INTAKE_PATCHWORK_WALK_H
#define FIRN_INTAKE_PATCHWORK_WALK_H

#include "intake/patchwork_api.h"

struct walk_item {
	int64_t id, number, series;
	const char *category; /* constant */
	bool is_cover;
	char *date, *message_id, *web_url, *mbox, *words;
};

/* Ids in order. */
struct walk_ids {
	int64_t *id;
	size_t n, cap;
};

struct patchwork_walk {
	struct walk_item *item;
	size_t n, cap;
	size_t told;	       /* items up to here have been told */
	struct walk_ids seen;  /* told by an earlier walk */
	char *date;	       /* of the cursor: all events with a date before are told */
	char *horizon;	       /* NULL, or the date up to which the items are complete */
	unsigned without_date; /* or without an id: passed over */
};

void walk_done(struct patchwork_walk *w);
/* What one event of an answer says. */
void walk_add(struct patchwork_walk *w, const struct patchwork_server *s, const char *category,
	      const json_t *event);
/* By date, each id once, nothing after the horizon. */
void walk_sort(struct patchwork_walk *w);
bool walk_has_seen(const struct patchwork_walk *w, int64_t id);

/* A date as Patchwork writes it, without the zone that it must not be asked with: NULL when it is
 * none. The caller frees. */
char *walk_date(const char *text);
/* The date, `seconds` away; the same when it is no date. The caller frees. */
char *walk_date_shift(const char *date, int64_t seconds);
char *walk_date_of(int64_t t);

/* Reads a cursor; "" is the beginning, at `since`. */
must_check int walk_begin(struct patchwork_walk *w, const char *cursor, int64_t since,
			  struct err *err);
/* `date`: up to which all is told. The caller frees. */
char *walk_cursor(const struct patchwork_walk *w, const char *date);
/* What to ask for: events from then on. The caller frees. */
char *walk_since(const char *date);
/* The newest date that may become the cursor's: of what was told, but not from the future. */
const char *walk_newest(const struct patchwork_walk *w);

#endif
