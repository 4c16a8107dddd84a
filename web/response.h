/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside web/: a request as a handler sees it, and what it answers. */
#ifndef FIRN_WEB_RESPONSE_H
#define FIRN_WEB_RESPONSE_H

#include "base/str.h"
#include "store/store.h"
#include "web/guess.h"
#include "web/web.h"
#include <jansson.h>

struct request {
	const struct web_options *opt;
	const char *path; /* as sent: not decoded. Ours are plain ASCII */
	int64_t id;	  /* the {id} of the route; 0 when it has none */
	/* limit= and offset= of the query, within their limits */
	unsigned limit, offset;
	bool api; /* errors are told as JSON */
	/* Headers as sent; NULL when they are not there. */
	const char *host, *authorization, *content_type, *content_length, *transfer_encoding;
	const char *body; /* only for handlers of a route that takes one; may hold NULs */
	size_t n_body;
	struct guesses *guesses;
	unsigned peer; /* whose guesses: guess.h */
};

struct response {
	unsigned status;
	const char *type;		  /* constant */
	char *csp;			  /* allocated; NULL: the one for plain pages */
	bool keep;			  /* may be cached for an hour */
	const char *allow, *authenticate; /* constant headers; NULL: none */
	unsigned retry_after;		  /* seconds; 0: none */
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

void respond_json(struct response *r, const json_t *obj);

/* The handlers of routes.c. */
typedef void route_handler(const struct request *q, struct response *r);
route_handler page_front, page_trial, page_style, page_health;
route_handler api_trials, api_trial, api_report, api_rerun, api_request;
/* Called when the headers are there, before the body is read: false when it answered, and the body
 * is not read. */
typedef bool route_admission(const struct request *q, struct response *r);
route_admission rerun_admit;

#endif
