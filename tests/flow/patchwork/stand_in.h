/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A stand-in for Patchwork in tests: it loads mails, and answers over HTTP as Patchwork 3.1.3 and
 * its development branch were seen to. Written for this; no code of Patchwork is in it.
 *
 * Everything is made before the first request or in the one thread that serves them.
 */
#ifndef FIRN_TESTS_PATCHWORK_STAND_IN_H
#define FIRN_TESTS_PATCHWORK_STAND_IN_H

#include "base/str.h"
#include "intake/mail.h"
#include <jansson.h>
#include <stdint.h>

struct project {
	unsigned id;
	char *name;
};

struct person {
	unsigned id;
	char *name, *email;
};

struct user {
	const char *name, *first, *last, *email, *token;
	bool maintainer;
};
extern const struct user users[]; /* the id is the place plus 1; name NULL at the end */

struct series {
	unsigned id, version, total, project, submitter;
	char *name, *date;
	unsigned cover;	 /* id; 0: none */
	unsigned *patch; /* id by number - 1; 0: not there */
	unsigned received;
	bool completed;
};

/* A patch, a cover letter or a comment: what was a mail. */
struct part {
	unsigned id, project, submitter, series, number;
	char *message_id, *date, *name, *content, *diff;
	json_t *headers, *prefixes;
	char *subject;
	bool on_cover; /* a comment: what it is about */
	unsigned about;
};

struct check {
	unsigned id, patch, user;
	char *date, *state, *context;
	json_t *target_url, *description;
};

struct event {
	unsigned id, project, patch, cover, series, comment, check;
	const char *category;
	char *date;
};

struct list {
	void **item;
	size_t n, cap;
};

struct server {
	bool main; /* the development branch: API to 1.4, dates in the server's zone */
	int zone_minutes;
	int64_t late_s;	 /* events have dates that are so much earlier */
	unsigned newest; /* version of the API: 4 is 1.4 */
	struct list projects, people, series, patches, covers, comments, checks, events;
};

/* Misbehaviours: how many more times each is to happen. */
enum fault {
	FAULT_CHECK_500,	/* take the check, then answer 500 */
	FAULT_CHECK_500_BEFORE, /* answer 500 to a check, and do not take it */
	FAULT_SLOW,		/* wait two seconds */
	FAULT_CUT,		/* end in the middle of the body */
	FAULT_HTML_502,
	FAULT_WALL,	    /* 200 and HTML */
	FAULT_MOVED,	    /* 301 to another host */
	FAULT_SHUFFLE,	    /* the events of a page from the last to the first */
	FAULT_DUPLICATE,    /* each event of a page twice */
	FAULT_FOREIGN,	    /* mbox addresses on another host */
	FAULT_FOREIGN_NEXT, /* rel="next" on another host */
	FAULT_N
};
extern const char *const fault_names[FAULT_N];
extern int faults[FAULT_N];
bool fault_take(enum fault f);
/* "NAME" or "NAME=COUNT"; COUNT -1: always. */
bool fault_set(const char *text);

/* load.c: a mail comes. */
unsigned server_project(struct server *s, const char *name);
void server_take(struct server *s, unsigned project, const struct mail *m);
void event_add(struct server *s, const char *category, const struct event *about);
/* The time as the server writes it: naive; each later than the one before. The caller frees. */
char *server_now(struct server *s);

/* subject.c: "[PATCH v2 1/3] title" as Patchwork has it. */
struct subject {
	json_t *prefixes; /* without PATCH */
	char *name;	  /* "[v2,1/3] title" */
	char *title;
	unsigned version, number, total;
	bool numbered, reply;
};
void subject_parse(const char *text, struct subject *ret);
void subject_done(struct subject *s);

/* view.c: objects as an API version shows them. */
struct view {
	const struct server *server;
	const char *base; /* "http://127.0.0.1:PORT" */
	unsigned minor;	  /* of the API: 0 to 4 */
	bool versioned;	  /* "/api/1.2/", not "/api/" */
};
json_t *view_root(const struct view *v);
json_t *view_project(const struct view *v, const struct project *p);
json_t *view_patch(const struct view *v, const struct part *p, bool detail);
json_t *view_cover(const struct view *v, const struct part *c, bool detail);
json_t *view_series(const struct view *v, const struct series *s);
json_t *view_comment(const struct view *v, const struct part *c);
json_t *view_check(const struct view *v, const struct check *c);
json_t *view_event(const struct view *v, const struct event *e);
char *view_api(const struct view *v, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* mbox.c: what /mbox/ gives. Appended. */
void mbox_write(const struct server *s, const struct part *p, bool is_cover, struct str *out);

/* reply.c */
struct reply {
	unsigned status;
	const char *type, *allow;
	char *location, *link;
	struct str body;
};
void reply_json(struct reply *r, unsigned status, json_t *json);
void reply_detail(struct reply *r, unsigned status, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void reply_page(struct reply *r, unsigned status, const char *path);

/* A request, taken apart. */
struct param {
	char *name, *value;
};
struct request {
	const char *method;
	char *uri, *path; /* path: not decoded */
	struct param *param;
	size_t n_params, cap;
	const char *authorization, *content_type;
	struct str body;
	char *base;
};
void request_parse(struct request *r);
void request_done(struct request *r);
/* Of several the last; NULL. */
const char *request_param(const struct request *r, const char *name);
/* The query in order of names, with `page` set (0: without it). */
void request_query(const struct request *r, unsigned page, struct str *out);
char *url_decode(const char *text, bool plus);

/* route.c, lists.c, checks.c, control.c */
void route(struct server *s, const struct request *q, struct reply *r);
void list_answer(struct reply *r, const struct view *v, const struct request *q, json_t *all);
void events_answer(struct reply *r, const struct view *v, const struct request *q);
void patches_answer(struct reply *r, const struct view *v, const struct request *q);
void covers_answer(struct reply *r, const struct view *v, const struct request *q);
void series_answer(struct reply *r, const struct view *v, const struct request *q);
void comments_answer(struct reply *r, const struct view *v, const struct request *q, bool cover,
		     unsigned about);
void checks_answer(struct server *s, struct reply *r, const struct view *v, const struct request *q,
		   unsigned patch);
void check_answer(struct reply *r, const struct view *v, const struct request *q, unsigned patch,
		  unsigned check);
bool control(struct server *s, const struct request *q, struct reply *r);

void list_add(struct list *l, void *item);
/* By id, which is the place plus 1; NULL. */
void *list_get(const struct list *l, unsigned id);

#endif
