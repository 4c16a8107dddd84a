// SPDX-License-Identifier: GPL-2.0-or-later
#include "web/server.h"

#include "base/clock.h"
#include "web/ask.h"
#include "web/rendered.h"
#include "web/routes.h"

#define STREAM_TYPE	"text/event-stream"
#define STREAM_RETRY_S	30
#define LIST_LIMIT	50
#define LIST_LIMIT_MAX	200
#define LIST_OFFSET_MAX 1000000000

struct call *call_new(struct server *server, struct MHD_Connection *conn, const char *uri)
{
	struct call *c = xcalloc(1, sizeof(*c));
	size_t n_path = strcspn(uri, "?");

	c->server = server;
	c->conn = conn;
	c->uri = xstrdup(uri);
	c->path = xmemdup(uri, n_path);
	if (uri[n_path])
		c->query_is_bad =
			!pairs_read(&c->query, uri + n_path + 1, strlen(uri + n_path + 1));
	str_init(&c->body, ROUTE_BODY_MAX);
	return c;
}

void call_free(struct call *c)
{
	explicit_bzero(&c->key, sizeof(c->key));
	free(c->who);
	free(c->uri);
	free(c->path);
	pairs_done(&c->query);
	pairs_done(&c->form);
	path_parts_done(&c->q.parts);
	str_done(&c->body);
	free(c);
}

static const char *header(const struct call *c, const char *name)
{
	return MHD_lookup_connection_value(c->conn, MHD_HEADER_KIND, name);
}

struct values {
	const char *name, *value;
	unsigned n;
};

static enum MHD_Result on_header(void *cls, enum MHD_ValueKind kind, const char *key,
				 const char *value)
{
	struct values *v = cls;

	(void)kind;
	if (strcasecmp(key, v->name) == 0) {
		v->value = value;
		v->n++;
	}
	return MHD_YES;
}

/* What the proxy says. Two values are one too many: one may be the reader's own. */
static char *proxy_who(const struct call *c, const struct sockaddr *peer)
{
	struct values v = {.name = c->server->opt->auth_header};

	if (!v.name || !netblocks_have(&c->server->proxies, peer))
		return NULL;
	MHD_get_connection_values(c->conn, MHD_HEADER_KIND, on_header, &v);
	return v.n == 1 && v.value && token_name_valid(v.value, strlen(v.value)) ? xstrdup(v.value)
										 : NULL;
}

static void who_find(struct call *c, const struct sockaddr *peer)
{
	c->who = proxy_who(c, peer);
	if (c->who)
		c->key = c->server->key;
	else
		c->who = session_cookie_who(&c->q, c->q.cookie, clock_wall(), &c->key);
	c->q.who = c->who;
	if (c->who)
		c->q.csrf = session_csrf(&c->key, c->who, c->csrf);
}

void call_begin(struct call *c, const char *method)
{
	const union MHD_ConnectionInfo *peer =
		MHD_get_connection_info(c->conn, MHD_CONNECTION_INFO_CLIENT_ADDRESS);

	c->method = method;
	c->accept_encoding = header(c, "Accept-Encoding");
	c->if_none_match = header(c, "If-None-Match");
	c->q = (struct request){
		.opt = c->server->opt,
		.path = c->path,
		.limit = LIST_LIMIT,
		.csrf = "",
		.host = header(c, "Host"),
		.authorization = header(c, "Authorization"),
		.content_type = header(c, "Content-Type"),
		.content_length = header(c, "Content-Length"),
		.transfer_encoding = header(c, "Transfer-Encoding"),
		.cookie = header(c, "Cookie"),
		.origin = header(c, "Origin"),
		.fetch_site = header(c, "Sec-Fetch-Site"),
		.last_event_id = header(c, "Last-Event-ID"),
		.tokens = c->server->tokens.path ? &c->server->tokens.tokens : NULL,
		.guesses = &c->server->guesses,
		.peer = guess_row(peer ? peer->client_addr : NULL),
		.query = &c->query,
		.form = &c->form,
		.kept = &c->server->kept,
		.counts = &c->server->counts,
	};
	who_find(c, peer ? peer->client_addr : NULL);
	route_find(&c->q, method);
}

bool call_has_body(const struct call *c)
{
	const struct request *q = &c->q;

	return q->transfer_encoding || (q->content_length && strcmp(q->content_length, "0") != 0);
}

bool call_reads(const struct call *c)
{
	return strcmp(c->method, "GET") == 0 || strcmp(c->method, "HEAD") == 0;
}

void call_body_end(struct call *c)
{
	c->q.body = c->body.buf;
	c->q.n_body = c->body.len;
	if (ask_type_is(&c->q, "application/x-www-form-urlencoded"))
		c->form_is_bad = !pairs_read(&c->form, c->body.buf, c->body.len);
}

/* A number of the query within its limits; as it was when it is not there. */
static bool query_number(const struct call *c, const char *key, unsigned max, unsigned *value)
{
	const char *s = pairs_get(&c->query, key);
	unsigned long n;

	if (!*s)
		return true;
	if (strlen(s) > 10 || strspn(s, "0123456789") != strlen(s))
		return false;
	n = strtoul(s, NULL, 10);
	*value = n > max ? max : (unsigned)n;
	return true;
}

/* NULL, or what is wrong. */
static const char *mistake(struct call *c)
{
	if (call_reads(c) && call_has_body(c))
		return "A request to read has no body.";
	if (c->query_is_bad || c->form_is_bad)
		return "The query or the form is badly encoded, or too long.";
	if (!query_number(c, "limit", LIST_LIMIT_MAX, &c->q.limit) || c->q.limit == 0 ||
	    !query_number(c, "offset", LIST_OFFSET_MAX, &c->q.offset))
		return "limit and offset are numbers, and limit is at least 1.";
	return NULL;
}

static struct rendered *kept_page(struct call *c)
{
	if (c->q.who || !call_reads(c) || call_has_body(c))
		return NULL;
	return page_cache_find(&c->server->pages, &c->server->kept, c->uri);
}

enum MHD_Result call_answer(struct call *c, bool admitted)
{
	auto_response struct response r;
	struct rendered *page;

	response_init(&r);
	if (admitted || route_admits(&c->q, &r)) {
		const char *words = mistake(c);

		page = kept_page(c);
		if (page)
			return rendered_send(page, c);
		if (words)
			respond_error(&c->q, &r, MHD_HTTP_BAD_REQUEST, words);
		else
			route_answer(&c->q, &r);
	}
	return call_send(c, &r);
}

static enum MHD_Result stream_send(struct call *c, struct response *r)
{
	struct MHD_Response *m = events_open(&c->server->events, c->conn, &r->stream);
	enum MHD_Result rc;

	r->stream.wanted = false;
	if (!m) {
		r->retry_after = STREAM_RETRY_S;
		respond_error(&c->q, r, MHD_HTTP_SERVICE_UNAVAILABLE,
			      "Too many listen already: try again later.");
		return call_send(c, r);
	}
	r->type = STREAM_TYPE;
	counts_add(&c->server->counts, MHD_HTTP_OK);
	rendered_headers(m, r);
	MHD_add_response_header(m, "Cache-Control", "no-store");
	MHD_add_response_header(m, "X-Accel-Buffering", "no"); /* nginx would wait for more */
	rc = MHD_queue_response(c->conn, MHD_HTTP_OK, m);
	MHD_destroy_response(m);
	return rc;
}

enum MHD_Result call_send(struct call *c, struct response *r)
{
	/* Who shows a token may be told more, like who is signed in. */
	bool secret = c->q.who || c->q.authorization;
	bool good = r->status == MHD_HTTP_OK && c->method && call_reads(c);
	struct rendered once;
	enum MHD_Result rc;

	if (r->stream.wanted) {
		if (strcmp(c->method, "GET") == 0)
			return stream_send(c, r);
		good = false; /* HEAD */
		r->type = STREAM_TYPE;
	}
	if (good && r->lives_s && !secret && r->body.len <= PAGE_CACHE_LARGEST)
		return rendered_send(page_cache_put(&c->server->pages, c->uri, r), c);
	rendered_init(&once, r, good, secret);
	rc = rendered_send(&once, c);
	rendered_done(&once);
	return rc;
}
