// SPDX-License-Identifier: GPL-2.0-or-later
#include "web/rendered.h"

#include "web/accept.h"
#include <glib.h>
#include <zlib.h>

#define GZIP_LEAST 1024 /* below it is not worth a packet */
#define GZIP_LEVEL 5
#define GZIP_MAX   ((size_t)16 << 20) /* more would keep the others waiting */
#define ETAG_HEX   32
#define CSP_PLAIN                                                                                  \
	"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "          \
	"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

static const struct {
	const char *name, *value;
} headers[] = {
	{"X-Content-Type-Options", "nosniff"},
	{"X-Frame-Options", "DENY"},
	/* Not no-referrer: then browsers would hide from us that our forms are ours. */
	{"Referrer-Policy", "same-origin"},
	{"Cross-Origin-Opener-Policy", "same-origin"},
};

static void etag_make(struct rendered *d)
{
	char *sum = g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)d->r.body.buf,
						d->r.body.len);

	snprintf(d->etag, sizeof(d->etag), "%.*s", ETAG_HEX, sum);
	g_free(sum);
}

void rendered_init(struct rendered *d, struct response *r, bool tagged, bool secret)
{
	*d = (struct rendered){.r = *r, .secret = secret};
	response_init(r);
	if (tagged)
		etag_make(d);
}

void rendered_done(struct rendered *d)
{
	for (size_t i = 0; i < RENDERED_N; i++)
		if (d->form[i])
			MHD_destroy_response(d->form[i]);
	response_done(&d->r);
}

static bool is_text(const struct rendered *d)
{
	static const char *const types[] = {"text/", "application/json", "application/atom+xml",
					    "application/openmetrics-text", "image/svg+xml"};

	for (size_t i = 0; i < array_size(types); i++)
		if (str_starts(d->r.type, types[i]))
			return d->r.body.len >= GZIP_LEAST && d->r.body.len <= GZIP_MAX;
	return false;
}

static const char *cache_control(const struct rendered *d)
{
	if (d->r.immutable)
		return "public, max-age=31536000, immutable";
	/* Kept, and asked about each time. */
	return d->secret ? "private, no-cache" : "no-cache";
}

static void add_number(struct MHD_Response *m, const char *name, unsigned n)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", n);
	MHD_add_response_header(m, name, text);
}

static void add_own(struct MHD_Response *m, const struct response *r)
{
	const struct {
		const char *name, *value;
	} rows[] = {
		{"Content-Type", r->type},
		{"Content-Security-Policy", r->csp ? r->csp : CSP_PLAIN},
		{"Location", r->location},
		{"Set-Cookie", r->cookie},
		{"Content-Disposition", r->disposition},
		{"Link", r->link},
		{"Allow", r->allow},
		{"WWW-Authenticate", r->authenticate},
	};

	for (size_t i = 0; i < array_size(rows); i++)
		if (rows[i].value)
			MHD_add_response_header(m, rows[i].name, rows[i].value);
	MHD_add_response_header(m, "Cross-Origin-Resource-Policy",
				r->anywhere ? "cross-origin" : "same-origin");
	if (r->retry_after)
		add_number(m, "Retry-After", r->retry_after);
}

void rendered_headers(struct MHD_Response *m, const struct response *r)
{
	for (size_t i = 0; i < array_size(headers); i++)
		MHD_add_response_header(m, headers[i].name, headers[i].value);
	add_own(m, r);
}

static void add_headers(struct MHD_Response *m, const struct rendered *d, bool gzip)
{
	rendered_headers(m, &d->r);
	if (d->r.max_age_s && !d->secret) {
		char age[48];

		snprintf(age, sizeof(age), "public, max-age=%u", d->r.max_age_s);
		MHD_add_response_header(m, "Cache-Control", age);
	} else {
		MHD_add_response_header(m, "Cache-Control", cache_control(d));
	}
	if (*d->etag) {
		char tag[ETAG_MAX + 8];

		snprintf(tag, sizeof(tag), "\"%s%s\"", d->etag, gzip ? "-gz" : "");
		MHD_add_response_header(m, "ETag", tag);
	}
	if (is_text(d))
		MHD_add_response_header(m, "Vary", "Accept-Encoding");
	if (gzip)
		MHD_add_response_header(m, "Content-Encoding", "gzip");
}

static void *gzip(const struct str *body, size_t *ret_n)
{
	z_stream z = {0};
	size_t room;
	void *out;

	if (deflateInit2(&z, GZIP_LEVEL, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		return NULL;
	room = deflateBound(&z, body->len);
	out = xmalloc(room);
	z.next_in = (Bytef *)body->buf;
	z.avail_in = (uInt)body->len;
	z.next_out = out;
	z.avail_out = (uInt)room;
	if (deflate(&z, Z_FINISH) != Z_STREAM_END) {
		free(out);
		out = NULL;
	}
	*ret_n = z.total_out;
	deflateEnd(&z);
	return out;
}

static struct MHD_Response *form_make(const struct rendered *d, enum rendered_form form)
{
	struct MHD_Response *m;
	size_t n = 0;
	void *packed;

	switch (form) {
	case RENDERED_SAME:
		m = MHD_create_response_from_buffer(0, (void *)(uintptr_t) "",
						    MHD_RESPMEM_PERSISTENT);
		break;
	case RENDERED_GZIP:
		packed = gzip(&d->r.body, &n);
		m = packed ? MHD_create_response_from_buffer(n, packed, MHD_RESPMEM_MUST_FREE)
			   : NULL;
		break;
	default:
		/* Still being sent, it may outlive us. */
		m = MHD_create_response_from_buffer(d->r.body.len, d->r.body.buf,
						    MHD_RESPMEM_MUST_COPY);
	}
	if (m)
		add_headers(m, d, form == RENDERED_GZIP);
	return m;
}

/* What is secret and what a stranger can have repeated in one compressed page would tell its
 * secret by its length (BREACH). */
static enum rendered_form form_pick(const struct rendered *d, const struct call *c)
{
	if (etag_is_among(c->if_none_match, d->etag))
		return RENDERED_SAME;
	return !d->secret && is_text(d) && accepts_gzip(c->accept_encoding) ? RENDERED_GZIP
									    : RENDERED_PLAIN;
}

enum MHD_Result rendered_send(struct rendered *d, struct call *c)
{
	enum rendered_form form = form_pick(d, c);
	unsigned status = form == RENDERED_SAME ? MHD_HTTP_NOT_MODIFIED : d->r.status;

	conn_answered(conn_of(c->conn), d->r.body.len);
	counts_add(&c->server->counts, status);
	if (!d->form[form])
		d->form[form] = form_make(d, form);
	return d->form[form] ? MHD_queue_response(c->conn, status, d->form[form]) : MHD_NO;
}
