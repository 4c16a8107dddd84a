/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside web/: what lives as long as the server does, and one request on its way through it. */
#ifndef FIRN_WEB_SERVER_H
#define FIRN_WEB_SERVER_H

#include "base/netblock.h"
#include "base/token_file.h"
#include "web/conns.h"
#include "web/events.h"
#include "web/page_cache.h"
#include "web/response.h"
#include "web/session.h"
#include <microhttpd.h>

struct server {
	const struct web_options *opt;
	struct MHD_Daemon *daemon;
	struct guesses guesses;
	struct kept kept;
	struct page_cache pages;
	struct token_watch tokens; /* its path NULL: there are none */
	struct session_key key;	   /* of who comes by the proxy */
	struct netblocks proxies;  /* whose auth_header counts */
	struct conns conns;
	struct events events;
	struct counts counts;
};

/* One request: from its request line until its answer is sent. */
struct call {
	struct server *server;
	struct MHD_Connection *conn;
	struct request q;
	char *uri; /* as sent, query and all */
	char *path;
	const char *method; /* NULL until its headers are there */
	const char *accept_encoding, *if_none_match;
	struct pairs query, form;
	bool query_is_bad, form_is_bad;
	struct str body;
	char *who;
	struct session_key key; /* of `who` */
	char csrf[SESSION_MAC_MAX];
};

/* The request line is there. */
struct call *call_new(struct server *server, struct MHD_Connection *conn, const char *uri);
void call_free(struct call *c);
/* The headers are there. */
void call_begin(struct call *c, const char *method);
/* Its body is there, if it has one. */
void call_body_end(struct call *c);
bool call_has_body(const struct call *c);
bool call_reads(const struct call *c); /* GET or HEAD */

/* Makes the answer and sends it. With `admitted` the headers have been looked at before. */
enum MHD_Result call_answer(struct call *c, bool admitted);
/* Sends what is in `r`, and takes its body. */
enum MHD_Result call_send(struct call *c, struct response *r);

#endif
