/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside web/: a request as a handler sees it, and what it answers. */
#ifndef FIRN_WEB_RESPONSE_H
#define FIRN_WEB_RESPONSE_H

#include "base/str.h"
#include "base/token_file.h"
#include "store/store.h"
#include "web/counts.h"
#include "web/decode.h"
#include "web/guess.h"
#include "web/kept.h"
#include "web/path.h"
#include "web/web.h"
#include <jansson.h>

struct request {
	const struct web_options *opt;
	const char *path; /* as sent: not decoded */
	/* The holes of the route, decoded and checked (path.h): 0 and NULL when it has none. */
	int64_t id, id2;
	const char *name; /* a word: of a list, a step, a benchmark, an asset */
	const char *rest; /* a Message-ID, the path of a log */
	/* limit= and offset= of the query, within their limits */
	unsigned limit, offset;
	bool api; /* errors are told as JSON */
	/* Who is signed in; NULL: nobody. A page for somebody is not kept. */
	const char *who;
	/* What a form of `who` sends along in a hidden field called "csrf"; "" for nobody. */
	const char *csrf;
	/* Headers as sent; NULL when they are not there. */
	const char *host, *authorization, *content_type, *content_length, *transfer_encoding;
	const char *cookie, *origin, *fetch_site, *last_event_id;
	const char *body; /* only for handlers of a route that takes one; may hold NULs */
	size_t n_body;
	const struct tokens *tokens; /* as they are now; NULL: nobody may sign in with one */
	struct guesses *guesses;
	unsigned peer; /* whose guesses: guess.h */
	/* The core's own. */
	const struct pairs *query, *form;
	struct counts *counts;
	struct path_parts parts;   /* owns name and rest */
	const struct route *route; /* NULL: there is none of this path, or not for this method */
	bool reads, writes;	   /* the path has a route for GET, for POST */
	struct kept *kept;
};

/* A value of the query, or of the form that was sent: decoded UTF-8 without NUL, at most
 * PAIR_VALUE_MAX bytes; "" when it is not there. May hold line breaks and other control
 * characters. */
static inline const char *query(const struct request *q, const char *key)
{
	return pairs_get(q->query, key);
}

static inline const char *form(const struct request *q, const char *key)
{
	return pairs_get(q->form, key);
}

/* A stream of server-sent events (events.h), and what it is to be about. */
struct stream_spec {
	bool wanted;
	int64_t trial; /* 0: the front page's */
	char *step;    /* whose log is followed; NULL: of whatever runs. Allocated */
	char *log;     /* the reader has this one, up to `at`; NULL: none of it. Allocated */
	int64_t at;
};

struct response {
	unsigned status;
	const char *type;  /* constant */
	char *csp;	   /* allocated; NULL: the one for plain pages */
	char *location;	   /* allocated, a path of ours: with status 302 or 303 */
	char *cookie;	   /* allocated: Set-Cookie */
	char *disposition; /* allocated: Content-Disposition */
	char *link;	   /* allocated: Link (RFC 8288) */
	/* Under this path the bytes will never change: kept for a year by whoever gets them. */
	bool immutable;
	unsigned max_age_s; /* may be shown so long without asking again; 0: is asked about */
	bool anywhere;	    /* pages of other sites may show it */
	/* The page, as nobody in particular sees it, is the same for so many seconds unless the
	 * store changes: it is made once for all. 0: made for each request. */
	unsigned lives_s;
	const char *allow, *authenticate; /* constant headers; NULL: none */
	unsigned retry_after;		  /* seconds; 0: none */
	struct stream_spec stream;	  /* sent instead of a body */
	struct str body;
};

void response_init(struct response *r);
void response_done(struct response *r);
#define auto_response __attribute__((cleanup(response_done)))

/* An error as a page or as JSON: title "Not found", and a sentence for the reader. */
void respond_error(const struct request *q, struct response *r, unsigned status, const char *words);

/* The store, whose connection is kept: not to be closed. Or answers 503 and returns a negative
 * kind. */
must_check int respond_store(const struct request *q, struct response *r, struct store **ret_store);

/* Tells the operator; the reader gets `words`. */
void respond_failure(const struct request *q, struct response *r, const struct err *err,
		     const char *words);

void respond_json(struct response *r, const json_t *obj);

/* Sends the reader to a path of ours, with 302, or 303 after a form; the path is encoded already
 * (percent_encode()). */
void respond_redirect(struct response *r, unsigned status, const char *path);

/* The handlers of routes.c. */
typedef void route_handler(const struct request *q, struct response *r);
route_handler page_front, page_trial, page_health, page_asset;
route_handler page_lists, page_list, page_series, page_testbeds, page_ledger, page_outbox;
route_handler page_message, page_search;
route_handler page_login, page_request, form_login, form_logout, form_rerun, form_outbox;
route_handler page_patch, page_patch_raw, page_step, page_log;
route_handler page_bench, json_bench, page_benches, page_bench_history, json_bench_history;
route_handler events_queue, events_trial;
route_handler page_feed, page_badge_series, page_badge_message, page_metrics;
route_handler api_openapi, api_health, api_series_list, api_series, api_message;
route_handler api_trials, api_trial, api_steps, api_logs, api_log, api_report;
route_handler api_queue, api_mails, api_outbox, api_testbeds, api_lists;
route_handler api_benches, api_bench, api_kcidb;
route_handler api_rerun, api_request, api_requests;
/* Called when the headers are there, before the body is read: false when it answered, and the body
 * is not read. */
typedef bool route_admission(const struct request *q, struct response *r);
route_admission rerun_admit, form_admit;

#endif
