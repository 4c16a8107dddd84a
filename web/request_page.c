// SPDX-License-Identifier: GPL-2.0-or-later
/* What was asked for here, and what became of it: as a page and as JSON. */
#include "base/json.h"
#include "store/objects.h"
#include "web/html.h"
#include "web/response.h"
#include <microhttpd.h>

#define REFRESH_S 3

static bool refuse(const struct request *q, struct response *r, unsigned status, const char *words)
{
	respond_error(q, r, status, words);
	return false;
}

/* What came by mail or a command may name people and addresses: not shown. */
static bool request_read(const struct request *q, struct response *r, struct store *store,
			 struct store_request *ret)
{
	struct err err = ERR_INIT;
	int rc = store_request_get(store, q->id, ret, &err);

	if (rc == ERR_INPUT || (rc == 0 && strcmp(ret->via, "web") != 0))
		return refuse(q, r, MHD_HTTP_NOT_FOUND,
			      "There is no request of that number that was made here.");
	if (rc < 0)
		respond_failure(q, r, &err, "The request cannot be read.");
	return rc == 0;
}

void api_request(const struct request *q, struct response *r)
{
	struct store *store = NULL;
	struct store_request request = {0};
	struct store_answer answer = {0};
	struct err err = ERR_INIT;

	if (respond_store(q, r, &store) == 0 && request_read(q, r, store, &request)) {
		if (store_request_look(store, q->id, &answer, &err) == 0) {
			auto_json json_t *obj = object_request(&request, &answer);

			respond_json(r, obj);
		} else {
			respond_failure(q, r, &err, "The answer cannot be read.");
		}
	}
	store_request_done(&request);
	store_answer_done(&answer);
}

static void row(struct str *out, const char *name, const char *value)
{
	if (!value || !*value)
		return;
	html_open(out, "dt", name);
	html_open(out, "dd", value);
}

static void asked(struct str *out, const struct store_request *request)
{
	static const struct {
		const char *key, *name;
	} rows[] = {{"base", "On base"}, {"only", "Only steps"}, {"bench", "Benchmarks"}};
	const json_t *arguments = request->arguments;

	str_adds(out, "<dl class=\"facts\">");
	row(out, "Message id", request->message_id);
	for (size_t i = 0; i < array_size(rows); i++)
		row(out, rows[i].name, json_get_str(arguments, rows[i].key, ""));
	if (json_get_bool(arguments, "unpin", false))
		row(out, "With", "base, configuration and toolchain of today");
	row(out, "Asked by", request->who);
	str_adds(out, "<dt>Asked</dt><dd>");
	html_when(out, request->at);
	str_adds(out, "</dd></dl>\n");
}

static void answered(struct str *out, const struct store_answer *a)
{
	str_adds(out, "<section id=\"answer\">\n");
	if (!a->given) {
		str_adds(out, "<p class=\"verdict running\">");
		html_word(out, "waiting");
		html_open(out, "span", "Nobody has answered yet. This page reloads itself.");
		str_adds(out, "</p>\n</section>\n");
		return;
	}
	str_addf(out, "<p class=\"verdict %s\">", a->good ? "pass" : "fail");
	html_word(out, a->good ? "done" : "refused");
	html_open(out, "span", a->words);
	str_adds(out, "</p>\n");
	if (a->trial)
		str_addf(out, "<p><a href=\"/trial/%lld\">Trial %lld</a></p>\n",
			 (long long)a->trial, (long long)a->trial);
	str_adds(out, "</section>\n");
}

static void request_page(const struct request *q, struct response *r,
			 const struct store_request *request, const struct store_answer *a)
{
	auto_free char *title =
		xasprintf("Request %lld: %s", (long long)request->id, request->kind);

	page_begin(&r->body,
		   &(struct page){.title = title, .q = q, .refresh_s = a->given ? 0 : REFRESH_S});
	html_open(&r->body, "h1", title);
	answered(&r->body, a);
	asked(&r->body, request);
	if (json_object_get(request->arguments, "outbox"))
		str_adds(&r->body, "<p><a href=\"/outbox\">Outbox</a></p>\n");
	page_end(&r->body, q);
}

void page_request(const struct request *q, struct response *r)
{
	struct store *store = NULL;
	struct store_request request = {0};
	struct store_answer answer = {0};
	struct err err = ERR_INIT;

	if (respond_store(q, r, &store) == 0 && request_read(q, r, store, &request)) {
		if (store_request_look(store, q->id, &answer, &err) == 0)
			request_page(q, r, &request, &answer);
		else
			respond_failure(q, r, &err, "The answer cannot be read.");
	}
	store_request_done(&request);
	store_answer_done(&answer);
}
