/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside web/: a request as a handler sees it, and what it answers. */
#ifndef FIRN_WEB_RESPONSE_H
#define FIRN_WEB_RESPONSE_H

#include "base/str.h"
#include "store/store.h"
#include "web/web.h"

struct request {
	const struct web_options *opt;
	const char *path; /* as sent: not decoded. Ours are plain ASCII */
	int64_t id;	  /* the {id} of the route; 0 when it has none */
	/* limit= and offset= of the query, within their limits */
	unsigned limit, offset;
	bool api; /* errors are told as JSON */
};

struct response {
	unsigned status;
	const char *type; /* constant */
	char *csp;	  /* allocated; NULL: the one for plain pages */
	bool keep;	  /* may be cached for an hour */
	struct str body;
};

void response_init(struct response *r);
void response_done(struct response *r);
#define auto_response __attribute__((cleanup(response_done)))

/* An error as a page or as JSON: title "Not found", and a sentence for the reader. */
void respond_error(const struct request *q, struct response *r, unsigned status, const char *words);

/* Opens the store, or answers 503 and returns a negative kind. */
must_check int respond_store(const struct request *q, struct response *r, struct store **ret_store);

/* Tells the operator; the reader gets `words`. */
void respond_failure(const struct request *q, struct response *r, const struct err *err,
		     const char *words);

/* The handlers of routes.c. */
typedef void route_handler(const struct request *q, struct response *r);
route_handler page_front, page_trial, page_style, page_health;
route_handler api_trials, api_trial, api_report;

#endif
