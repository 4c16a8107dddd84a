/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * HTTP by libcurl, as a polite robot: an honest User-Agent, limits on size and time, no more than
 * one request at a time to a host, a pause between requests of a batch, and Retry-After obeyed.
 * Redirects are followed within the same host only. No cookies, no scripts, no challenge is ever
 * solved.
 */
#ifndef FIRN_INTAKE_HTTP_H
#define FIRN_INTAKE_HTTP_H

#include "base/err.h"
#include "base/str.h"
#include <stdbool.h>
#include <stdint.h>

struct http; /* a client: connections are kept between requests */

struct http_options {
	const char *contact; /* for the User-Agent: "firn/VERSION (+CONTACT)"; NULL: none */
	double timeout_s;    /* whole request; 0: 60 */
	double pause_s;	     /* between requests; 0: 0.1 */
	const char *ca_file; /* NULL: the system's */
	bool loopback_only;  /* for tests: any other address is refused */
	/* Called at least once a second while an answer is waited for; may be NULL. */
	void (*on_tick)(void *ctx);
	void *ctx;
};
must_check int http_new(const struct http_options *opt, struct http **ret_http, struct err *err);
void http_free(struct http *h);

/* A piece of the body of a 200 with the right type, as it comes. A negative result ends the request
 * and is passed on. */
typedef int http_body_fn(void *ctx, const void *data, size_t n, struct err *err);

struct http_request {
	const char *method; /* NULL: GET */
	const char *url;
	const char *const *headers; /* "Name: value", NULL at the end; NULL: none */
	const char *body;	    /* NULL: none */
	size_t body_len;
	size_t max; /* bytes of the answer's body after decoding; 0: 64 MiB. A larger one is
		       ERR_INFRA */
	http_body_fn *on_body; /* NULL: the body is kept in the answer. Then `timeout_s` alone
				  limits how long it takes */
	void *ctx;
	double timeout_s;	  /* of this request; 0: the client's */
	const char *content_type; /* a 200 with another type is ERR_INFRA ("answered text/html: a
				     bot wall?"); NULL: any */
};
struct http_response {
	unsigned status;
	char *content_type;    /* without parameters, lower case; "" when there is none */
	char *location, *next; /* Link: rel="next"; NULL */
	double retry_after_s;  /* -1: not said */
	struct str body;
	bool sent; /* the request had gone out whole: whether it was acted upon is not known if
		      there was no answer. Set on errors too */
};
void http_response_done(struct http_response *r);
static inline void http_response_cleanup(struct http_response *r)
{
	http_response_done(r);
}
#define auto_http_response __attribute__((cleanup(http_response_cleanup)))

/* 0 when there was an answer, whatever its status. ERR_INFRA: no connection, DNS, TLS, time-out,
 * cut off, too large; ERR_CANCELLED. `ret` zeroed by the caller; safe to pass to
 * http_response_done() always. */
must_check int http_run(struct http *h, const struct http_request *req, struct http_response *ret,
			struct err *err);

/* Turns an answer that is not 2xx into an error that names URL and status, and says who must act:
 * 401, 403 with credentials, 404 and other 4xx: ERR_CONFIG; 403 without, 408, 429, 5xx: ERR_INFRA.
 * 0 for 2xx. */
must_check int http_check(const struct http_request *req, const struct http_response *r,
			  struct err *err);

/* Percent-encodes a path segment: everything but unreserved characters (RFC 3986 2.3). The caller
 * frees. */
char *http_escape(const char *segment);

/* When to try again after `failures` in a row: 30 s doubling up to an hour, with a tenth of jitter
 * from `seed`; never before Retry-After. Seconds from now. */
double http_backoff(unsigned failures, double retry_after_s, uint64_t seed);

#endif
