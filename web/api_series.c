// SPDX-License-Identifier: GPL-2.0-or-later
/* /api/v1/series, and /api/v1/m/MESSAGE-ID. */
#include "web/api.h"

#include "base/json.h"
#include "web/links.h"
#include "web/series_table.h"
#include <microhttpd.h>

#define FILES_MAX   1000
#define REPLIES_MAX 100

static json_t *rows_json(const struct view_series_list *l)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < l->n; i++)
		json_array_append_new(rows, api_series_json(&l->row[i]));
	return rows;
}

/* With a state what is in it, as on the front page; else all postings, newest first. */
void api_series_list(const struct request *q, struct response *r)
{
	auto_view_series_list struct view_series_list l = {0};
	struct view_filter f = series_filter(q);
	bool by_state = *f.state;
	struct store *store = NULL;
	struct err err = ERR_INIT;
	const struct view_series *last;

	if (by_state && !view_state_known(f.state)) {
		respond_error(q, r, MHD_HTTP_BAD_REQUEST, "There is no such state.");
		return;
	}
	if (!api_number(q, r, "before", &f.before) || respond_store(q, r, &store) < 0)
		return;
	if ((by_state ? view_verdicts(store, &f, &l, &err) : view_postings(store, &f, &l, &err)) <
	    0) {
		respond_failure(q, r, &err, "The series cannot be read.");
		return;
	}
	last = l.more && l.n ? &l.row[l.n - 1] : NULL;
	r->lives_s = API_LIVES_S;
	api_list(q, r, "series", rows_json(&l), "before",
		 !last	    ? 0
		 : by_state ? view_key(&f, last)
			    : last->posting);
}

static json_t *patches_json(const struct store_posting *p)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < p->n_patches; i++) {
		const struct store_posting_patch *patch = &p->patch[i];
		auto_free char *page =
			xasprintf("/series/%lld/patch/%u", (long long)p->id, patch->number);

		json_array_append_new(rows, json_pack("{s:i, s:o, s:o, s:s}", "number",
						      (int)patch->number, "message_id",
						      json_text(patch->message_id), "subject",
						      json_text(patch->subject), "page", page));
	}
	return rows;
}

static json_t *replies_json(const struct store_mail_list *l)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < l->n; i++)
		json_array_append_new(rows, api_mail_json(&l->mail[i]));
	return rows;
}

static json_t *files_json(const struct view_paths *p)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < p->n; i++)
		json_array_append_new(rows, json_text(p->path[i]));
	return rows;
}

/* Where it is known elsewhere, as far as that is an address of the web. */
static int links_json(const struct request *q, struct store *s, const struct store_posting *p,
		      json_t *obj, struct err *err)
{
	auto_free char *lore = link_lore(q, p->list, p->message_id);
	struct store_patchwork_list l = {0};
	json_t *rows = json_array();
	int rc = store_patchwork_by_message(s, p->message_id, &l, err);

	for (size_t i = 0; rc == 0 && i < l.n; i++)
		if (link_is_web(l.row[i].url))
			json_array_append_new(rows, json_pack("{s:o, s:o}", "server",
							      json_text(l.row[i].server), "url",
							      json_text(l.row[i].url)));
	store_patchwork_list_done(&l);
	api_with(obj, "archive", json_text(lore));
	api_with(obj, "patchwork", rows);
	return rc;
}

static int versions_add(struct store *s, const struct store_posting *p, json_t *obj,
			struct err *err)
{
	auto_view_series_list struct view_series_list versions = {0};
	auto_view_series_list struct view_series_list trials = {0};
	int rc = view_versions(s, p->chain, &versions, err);

	if (rc == 0)
		rc = view_trials(s, p->id, &trials, err);
	if (rc < 0)
		return rc;
	api_with(obj, "versions", rows_json(&versions));
	api_with(obj, "trials", rows_json(&trials));
	return 0;
}

static int texts_add(struct store *s, int64_t posting, json_t *obj, struct err *err)
{
	auto_store_mail_list struct store_mail_list replies = {0};
	struct view_paths files = {0};
	auto_free char *cover = NULL;
	json_t *since = NULL;
	int rc = view_posting_text(s, posting, &cover, &since, err);

	api_with(obj, "cover", json_text(cover));
	api_with(obj, "since", since ? since : json_null());
	if (rc == 0)
		rc = view_posting_files(s, posting, FILES_MAX, &files, err);
	if (rc == 0)
		rc = view_replies(s, posting, REPLIES_MAX, &replies, err);
	api_with(obj, "files", files_json(&files));
	api_with(obj, "more_files", json_boolean(files.more));
	api_with(obj, "replies", replies_json(&replies));
	view_paths_done(&files);
	return rc;
}

static int series_make(const struct request *q, struct store *s, json_t **ret, struct err *err)
{
	auto_store_posting struct store_posting p = {0};
	struct view_series row = {0};
	auto_json json_t *obj = NULL;
	int rc = store_posting_get(s, q->id, &p, err);

	if (rc == 0)
		rc = view_posting(s, q->id, &row, err);
	if (rc < 0)
		return rc;
	obj = api_with(api_series_json(&row), "patches", patches_json(&p));
	view_series_done(&row);
	rc = texts_add(s, p.id, obj, err);
	if (rc == 0)
		rc = versions_add(s, &p, obj, err);
	if (rc == 0)
		rc = links_json(q, s, &p, obj, err);
	if (rc == 0)
		*ret = take(obj);
	return rc;
}

void api_series(const struct request *q, struct response *r)
{
	auto_json json_t *obj = NULL;
	struct store *store = NULL;
	struct err err = ERR_INIT;
	int rc;

	if (respond_store(q, r, &store) < 0)
		return;
	rc = series_make(q, store, &obj, &err);
	if (rc == ERR_INPUT)
		respond_error(q, r, MHD_HTTP_NOT_FOUND, "There is no series of that number.");
	else if (rc < 0)
		respond_failure(q, r, &err, "The series cannot be read.");
	else
		respond_json(r, obj);
}

/* Every mail of that id, and the newest trial of a series that it begins: a run by hand has no
 * mails. */
void api_message(const struct request *q, struct response *r)
{
	auto_store_mail_list struct store_mail_list l = {0};
	struct store *store = NULL;
	struct err err = ERR_INIT;
	int64_t trial = 0;

	if (respond_store(q, r, &store) < 0)
		return;
	if (view_message(store, q->rest, &l, &err) < 0 ||
	    view_trial_of_message(store, q->rest, &trial, &err) < 0) {
		respond_failure(q, r, &err, "The mails cannot be read.");
		return;
	}
	if (!l.n && !trial) {
		respond_error(q, r, MHD_HTTP_NOT_FOUND,
			      "No mail with this Message-ID has come, and no trial was of it.");
		return;
	}
	auto_json json_t *obj = json_pack("{s:o, s:o, s:o}", "message_id", json_text(q->rest),
					  "mails", replies_json(&l), "trial", object_id(trial));
	respond_json(r, obj);
}
