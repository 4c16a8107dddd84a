// SPDX-License-Identifier: GPL-2.0-or-later
#include "web/response.h"

#include "web/html.h"
#include <jansson.h>
#include <microhttpd.h>

#define TYPE_HTML "text/html; charset=utf-8"

void response_init(struct response *r)
{
	*r = (struct response){.status = MHD_HTTP_OK, .type = TYPE_HTML};
	str_init(&r->body, 0);
}

void response_done(struct response *r)
{
	free(r->csp);
	free(r->location);
	free(r->cookie);
	free(r->disposition);
	free(r->link);
	free(r->stream.step);
	free(r->stream.log);
	str_done(&r->body);
}

void respond_json(struct response *r, const json_t *obj)
{
	auto_free char *text = json_dumps(obj, JSON_INDENT(2) | JSON_REAL_PRECISION(12));

	r->type = "application/json";
	str_adds(&r->body, text ? text : "{}");
	str_addc(&r->body, '\n');
}

static void error_json(struct response *r, unsigned status, const char *words)
{
	auto_json json_t *obj =
		json_pack("{s:{s:i,s:s}}", "error", "status", (int)status, "message", words);

	respond_json(r, obj);
}

static void error_page(const struct request *q, struct response *r, unsigned status,
		       const char *words)
{
	auto_free char *title = xasprintf("%u %s", status, MHD_get_reason_phrase_for(status));

	page_begin(&r->body, &(struct page){.title = title, .q = q});
	html_open(&r->body, "h1", title);
	html_open(&r->body, "p", words);
	str_adds(&r->body, "<p><a href=\"/\">All series</a></p>\n");
	page_end(&r->body, q);
}

void respond_error(const struct request *q, struct response *r, unsigned status, const char *words)
{
	/* Nothing of the answer that was begun is left. */
	free(r->csp);
	free(r->location);
	free(r->cookie);
	free(r->disposition);
	free(r->link);
	r->csp = r->location = r->cookie = r->disposition = r->link = NULL;
	r->type = TYPE_HTML;
	r->anywhere = false;
	str_reset(&r->body);
	r->status = status;
	r->immutable = false;
	r->max_age_s = 0;
	r->lives_s = 0;
	if (q->api)
		error_json(r, status, words);
	else
		error_page(q, r, status, words);
}

void respond_failure(const struct request *q, struct response *r, const struct err *err,
		     const char *words)
{
	if (q->opt->on_error)
		q->opt->on_error(q->opt->ctx, err);
	respond_error(q, r, MHD_HTTP_INTERNAL_SERVER_ERROR, words);
}

int respond_store(const struct request *q, struct response *r, struct store **ret_store)
{
	struct err err = ERR_INIT;
	int rc = kept_store(q->kept, ret_store, &err);

	if (rc == 0)
		return 0;
	/* Paths of this machine are the operator's, not the reader's. */
	if (q->opt->on_error)
		q->opt->on_error(q->opt->ctx, &err);
	respond_error(q, r, MHD_HTTP_SERVICE_UNAVAILABLE,
		      "The store cannot be read: either nothing ran yet, or the operator has to "
		      "look at it.");
	return rc;
}

void respond_redirect(struct response *r, unsigned status, const char *path)
{
	free(r->location);
	r->location = xstrdup(path);
	r->status = status;
	r->lives_s = 0;
	str_reset(&r->body);
}
