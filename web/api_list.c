// SPDX-License-Identifier: GPL-2.0-or-later
/* Lists of the API: queue, mails, outbox, testbeds, lists, benchmarks, requests. */
#include "web/api.h"

#include "base/conf_section.h"
#include "base/json.h"
#include "web/queue_table.h"
#include <microhttpd.h>

#define NUMBERS_MAX 50	/* of a benchmark in one answer */
#define POINTS_MAX  500 /* of a number */

static const char unreadable[] = "The store cannot be read.";

void api_health(const struct request *q, struct response *r)
{
	struct view_health health;
	struct store *store = NULL;
	struct err err = ERR_INIT;

	if (respond_store(q, r, &store) < 0)
		return;
	if (view_health(store, &health, &err) < 0) {
		respond_failure(q, r, &err, unreadable);
		return;
	}
	auto_json json_t *obj = object_health(&health);
	respond_json(r, obj);
}

void api_queue(const struct request *q, struct response *r)
{
	auto_view_queue struct view_queue queue = {0};
	struct store *store = NULL;
	struct err err = ERR_INIT;
	json_t *rows;

	if (respond_store(q, r, &store) < 0)
		return;
	if (view_queue(store, q->limit, queue_places(q), &queue, &err) < 0) {
		respond_failure(q, r, &err, unreadable);
		return;
	}
	rows = json_array();
	for (size_t i = 0; i < queue.n; i++)
		json_array_append_new(rows,
				      api_with(object_queued(&queue.trial[i]), "page",
					       api_address("/trial/", queue.trial[i].trial, "")));
	auto_json json_t *obj = json_pack("{s:o, s:b}", "queue", rows, "more", queue.more);
	respond_json(r, obj);
}

void api_mails(const struct request *q, struct response *r)
{
	struct view_ledger_filter f = {
		.list = query(q, "list"), .state = query(q, "state"), .limit = q->limit};
	auto_store_mail_list struct store_mail_list l = {0};
	struct store *store = NULL;
	struct err err = ERR_INIT;
	json_t *rows;

	if (!api_number(q, r, "before", &f.before) || respond_store(q, r, &store) < 0)
		return;
	if (view_ledger(store, &f, &l, &err) < 0) {
		respond_failure(q, r, &err, unreadable);
		return;
	}
	rows = json_array();
	for (size_t i = 0; i < l.n; i++)
		json_array_append_new(rows, api_mail_json(&l.mail[i]));
	api_list(q, r, "mails", rows, "before", l.more ? l.mail[l.n - 1].id : 0);
}

static const struct {
	const char *word;
	enum view_outbox_which which;
} shows[] = {
	{"", VIEW_OUTBOX_ALL},	    {"held", VIEW_OUTBOX_HELD},	    {"open", VIEW_OUTBOX_OPEN},
	{"sent", VIEW_OUTBOX_SENT}, {"failed", VIEW_OUTBOX_FAILED},
};

/* False when it is answered. */
static bool show_find(const struct request *q, struct response *r, enum view_outbox_which *ret)
{
	for (size_t i = 0; i < array_size(shows); i++)
		if (strcmp(query(q, "show"), shows[i].word) == 0) {
			*ret = shows[i].which;
			return true;
		}
	respond_error(q, r, MHD_HTTP_BAD_REQUEST, "show is one of held, open, sent, failed.");
	return false;
}

void api_outbox(const struct request *q, struct response *r)
{
	enum view_outbox_which which;
	struct store_post_list l = {0};
	struct store *store = NULL;
	struct err err = ERR_INIT;
	int64_t before = 0;
	bool all = false;
	json_t *rows;

	if (!show_find(q, r, &which) || !api_number(q, r, "before", &before) ||
	    !api_reads_all(q, r, &all) || respond_store(q, r, &store) < 0)
		return;
	if (view_outbox(store, which, before, q->limit, &l, &err) < 0) {
		respond_failure(q, r, &err, unreadable);
		return;
	}
	rows = json_array();
	for (size_t i = 0; i < l.n; i++)
		json_array_append_new(rows, object_post(&l.post[i], all));
	api_list(q, r, "posts", rows, "before", l.more ? l.post[l.n - 1].id : 0);
	store_post_list_done(&l);
}

void api_testbeds(const struct request *q, struct response *r)
{
	struct store_testbed_list l = {0};
	struct store *store = NULL;
	struct err err = ERR_INIT;
	json_t *rows;

	if (respond_store(q, r, &store) < 0)
		return;
	if (store_testbed_list(store, &l, &err) < 0) {
		respond_failure(q, r, &err, unreadable);
		return;
	}
	rows = json_array();
	for (size_t i = 0; i < l.n; i++)
		json_array_append_new(rows, object_testbed(&l.testbed[i]));
	store_testbed_list_done(&l);
	auto_json json_t *obj = json_pack("{s:o}", "testbeds", rows);
	respond_json(r, obj);
}

static json_t *list_json(const char *name, const struct conf_section *list)
{
	auto_str struct str path;
	json_t *obj = json_pack(
		"{s:o, s:b, s:o, s:o}", "name", json_text(name), "followed", list != NULL,
		"address", json_text(list ? conf_section_str(list, CONF_LIST_ADDRESS) : NULL),
		"archive", json_text(list ? conf_section_str(list, CONF_LIST_LORE) : NULL));

	str_init(&path, 0);
	str_adds(&path, "/list/");
	percent_encode(&path, name, false);
	api_with(obj, "page", json_string(path.buf));
	str_adds(&path, "/feed.atom");
	return api_with(obj, "feed", json_string(path.buf));
}

/* Those of the configuration, then those that the store has postings of. */
static json_t *lists_json(const struct conf *conf, const struct view_paths *known)
{
	json_t *rows = json_array();
	const struct conf_section *list;

	for (size_t i = 0; conf && (list = conf_section_nth(conf, CONF_SECTION_LIST, i)); i++)
		json_array_append_new(rows, list_json(list->name, list));
	for (size_t i = 0; i < known->n; i++)
		if (!conf || !conf_section_find(conf, CONF_SECTION_LIST, known->path[i]))
			json_array_append_new(rows, list_json(known->path[i], NULL));
	return rows;
}

static json_t *sources_json(const struct store_source_list *l)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < l->n; i++)
		json_array_append_new(rows, object_source(&l->source[i]));
	return rows;
}

void api_lists(const struct request *q, struct response *r)
{
	struct store_source_list sources = {0};
	struct view_paths known = {0};
	struct store *store = NULL;
	struct err err = ERR_INIT;

	if (respond_store(q, r, &store) < 0)
		return;
	if (view_lists(store, &known, &err) < 0 || store_source_list(store, &sources, &err) < 0) {
		respond_failure(q, r, &err, unreadable);
	} else {
		auto_json json_t *obj =
			json_pack("{s:o, s:o}", "lists", lists_json(q->opt->conf, &known),
				  "sources", sources_json(&sources));

		respond_json(r, obj);
	}
	store_source_list_done(&sources);
	view_paths_done(&known);
}

static json_t *bench_json(const struct view_bench *b)
{
	auto_str struct str path;

	str_init(&path, 0);
	str_adds(&path, "/bench/");
	percent_encode(&path, b->name, false);
	return api_with(object_bench(b), "page", json_string(path.buf));
}

void api_benches(const struct request *q, struct response *r)
{
	auto_view_bench_list struct view_bench_list l = {0};
	struct store *store = NULL;
	struct err err = ERR_INIT;
	json_t *rows;

	if (respond_store(q, r, &store) < 0)
		return;
	if (view_benches(store, &l, &err) < 0) {
		respond_failure(q, r, &err, unreadable);
		return;
	}
	rows = json_array();
	for (size_t i = 0; i < l.n; i++)
		json_array_append_new(rows, bench_json(&l.bench[i]));
	r->lives_s = API_LIVES_S;
	auto_json json_t *obj = json_pack("{s:o}", "benches", rows);
	respond_json(r, obj);
}

void api_bench(const struct request *q, struct response *r)
{
	const struct view_history_filter f = {.bench = q->name,
					      .offset = q->offset,
					      .limit = q->limit < NUMBERS_MAX ? q->limit
									      : NUMBERS_MAX,
					      .points = POINTS_MAX};
	auto_view_history_list struct view_history_list l = {0};
	struct store *store = NULL;
	struct err err = ERR_INIT;
	json_t *rows;

	if (respond_store(q, r, &store) < 0)
		return;
	if (view_histories(store, &f, &l, &err) < 0) {
		respond_failure(q, r, &err, "The history of this benchmark cannot be read.");
		return;
	}
	if (!l.n) {
		respond_error(q, r, MHD_HTTP_NOT_FOUND,
			      "No trial that this store knows has numbers of such a benchmark.");
		return;
	}
	rows = json_array();
	for (size_t i = 0; i < l.n; i++)
		json_array_append_new(rows, object_history(&l.history[i]));
	r->lives_s = API_LIVES_S;
	api_list(q, r, "histories", rows, "offset", l.more ? (int64_t)f.offset + f.limit : 0);
}

void api_requests(const struct request *q, struct response *r)
{
	auto_view_request_list struct view_request_list l = {0};
	struct store *store = NULL;
	struct err err = ERR_INIT;
	int64_t before = 0;
	json_t *rows;

	if (!api_number(q, r, "before", &before) || respond_store(q, r, &store) < 0)
		return;
	if (view_requests(store, before, q->limit, &l, &err) < 0) {
		respond_failure(q, r, &err, unreadable);
		return;
	}
	rows = json_array();
	for (size_t i = 0; i < l.n; i++)
		json_array_append_new(rows, object_request(&l.row[i].request, &l.row[i].answer));
	api_list(q, r, "requests", rows, "before", l.more ? l.row[l.n - 1].request.id : 0);
}
