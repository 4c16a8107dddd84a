// SPDX-License-Identifier: GPL-2.0-or-later
#include "commands/status_make.h"

#include "base/clock.h"
#include "base/fs.h"
#include "commands/progress.h"
#include "serve/metrics.h"
#include "serve/serve.h"
#include "store/mails.h"
#include "store/metrics.h"
#include "store/objects.h"
#include "store/queue.h"

#define RUNNING_MAX 200

static int add_sources(struct service *s, json_t *status, struct err *err)
{
	struct store_source_list l = {0};
	json_t *list = json_array();
	int64_t now = clock_wall();
	int rc = store_source_list(s->store, &l, err);

	for (size_t i = 0; rc == 0 && i < l.n; i++) {
		const struct store_source *from = &l.source[i];
		json_t *row = object_source(from);

		if (from->good)
			json_object_set_new(row, "good_age",
					    json_integer(now > from->good ? now - from->good : 0));
		json_array_append_new(list, row);
	}
	json_object_set_new(status, "sources", list);
	store_source_list_done(&l);
	return rc;
}

static int running_row(struct service *s, const struct store_queued *q, json_t *list,
		       struct err *err)
{
	struct progress p = {0};
	int rc = progress_get(s->store, q->id, &p, err);
	auto_free char *words = progress_words(&p);

	if (rc == 0)
		json_array_append_new(
			list,
			json_pack("{s:I, s:o, s:o, s:o, s:o, s:i, s:i, s:f, s:o}", "trial",
				  (json_int_t)q->id, "list", json_text(q->list), "title",
				  json_text(q->title), "message_id", json_text(q->message_id),
				  "step", json_text(p.step), "done", (int)p.done, "total",
				  (int)p.total, "left", p.left, "progress", json_text(words)));
	progress_done(&p);
	return rc;
}

static int add_running(struct service *s, json_t *trials, struct err *err)
{
	struct store_queue_list l = {0};
	json_t *now = json_array();
	int rc = store_queue_list(s->store, RUNNING_MAX, &l, err);

	for (size_t i = 0; rc == 0 && i < l.n; i++)
		if (l.trial[i].state == STORE_TRIAL_RUNNING)
			rc = running_row(s, &l.trial[i], now, err);
	json_object_set_new(trials, "now", now);
	store_queue_list_done(&l);
	return rc;
}

static int add_counts(struct service *s, json_t *status, struct err *err)
{
	struct store_counts c = {0};
	json_t *trials;
	int rc = store_counts(s->store, &c, err);

	if (rc < 0)
		return rc;
	json_object_set_new(status, "mails",
			    json_pack("{s:I, s:I, s:I, s:I}", "all", (json_int_t)c.mails, "new",
				      (json_int_t)c.mails_new, "postings", (json_int_t)c.postings,
				      "incomplete", (json_int_t)c.incomplete));
	json_object_set_new(status, "outbox",
			    json_pack("{s:I, s:I, s:I}", "open", (json_int_t)c.open, "held",
				      (json_int_t)c.held, "failed", (json_int_t)c.failed));
	trials = json_pack("{s:I, s:I, s:I}", "running", (json_int_t)c.running, "waiting",
			   (json_int_t)c.waiting, "finished", (json_int_t)c.finished);
	json_object_set_new(status, "trials", trials);
	return add_running(s, trials, err);
}

static int add_testbeds(struct service *s, json_t *status, struct err *err)
{
	struct store_testbed_list l = {0};
	json_t *list = json_array();
	int rc = store_testbed_list(s->store, &l, err);

	for (size_t i = 0; rc == 0 && i < l.n; i++)
		json_array_append_new(list, object_testbed(&l.testbed[i]));
	json_object_set_new(status, "testbeds", list);
	store_testbed_list_done(&l);
	return rc;
}

static json_t *disks(const char *const *dirs)
{
	json_t *list = json_array();

	for (; *dirs; dirs++) {
		double free_bytes, size;

		if (metrics_disk(*dirs, &free_bytes, &size))
			json_array_append_new(list,
					      json_pack("{s:o, s:f, s:f}", "path", json_text(*dirs),
							"free", free_bytes, "size", size));
	}
	return list;
}

/* What bounded the last build, in words; null: none yet. */
static json_t *limits(const char *cache_dir)
{
	auto_free char *path = xasprintf("%s/limits", cache_dir);
	auto_str struct str text;
	struct err ignored = ERR_INIT;

	str_init(&text, 4096);
	if (!fs_exists(path) || fs_read(path, 4096, ERR_INFRA, &text, &ignored) < 0)
		return json_null();
	return json_text(text.buf);
}

int status_make(struct service *s, const char *cache_dir, json_t **ret_status, struct err *err)
{
	const char *dirs[] = {s->data_dir, cache_dir, NULL};
	auto_json json_t *status = json_object();
	int rc;

	json_object_set_new(status, "serve",
			    json_pack("{s:I, s:s}", "pid",
				      (json_int_t)serve_lock_holder(s->data_dir, "serve"), "post",
				      conf_str(&s->conf, CONF_POST_MODE)));
	rc = add_sources(s, status, err);
	if (rc == 0)
		rc = add_counts(s, status, err);
	if (rc == 0)
		rc = add_testbeds(s, status, err);
	if (rc < 0)
		return rc;
	json_object_set_new(status, "disks", disks(dirs));
	json_object_set_new(status, "limits", limits(cache_dir));
	*ret_status = take(status);
	return 0;
}
