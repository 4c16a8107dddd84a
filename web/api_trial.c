// SPDX-License-Identifier: GPL-2.0-or-later
/* /api/v1/trials. */
#include "web/api.h"

#include "base/json.h"
#include "web/log.h"
#include "web/trial_read.h"
#include "web/work_file.h"
#include <microhttpd.h>

void api_trials(const struct request *q, struct response *r)
{
	auto_store_trial_list struct store_trial_list list = {0};
	struct store *store = NULL;
	struct err err = ERR_INIT;
	int64_t before = 0;
	json_t *rows;

	if (!api_number(q, r, "before", &before) || respond_store(q, r, &store) < 0)
		return;
	if (store_trial_list(store, q->limit, before, &list, &err) < 0) {
		respond_failure(q, r, &err, "The list of trials cannot be read.");
		return;
	}
	rows = json_array();
	for (size_t i = 0; i < list.n; i++)
		json_array_append_new(rows, api_trial_json(&list.trial[i]));
	api_list(q, r, "trials", rows, "before", list.more ? list.trial[list.n - 1].id : 0);
}

/* NULL when it answered. */
static json_t *steps_read(const struct request *q, struct response *r, struct store *store)
{
	auto_store_step_list struct store_step_list list = {0};
	struct err err = ERR_INIT;
	json_t *steps;

	if (store_step_list(store, q->id, &list, &err) < 0) {
		respond_failure(q, r, &err, "The steps of this trial cannot be read.");
		return NULL;
	}
	steps = json_array();
	for (size_t i = 0; i < list.n; i++)
		json_array_append_new(steps, object_step(&list.step[i]));
	return steps;
}

void api_trial(const struct request *q, struct response *r)
{
	auto_store_trial struct store_trial t = {0};
	struct store *store = NULL;
	json_t *steps;

	if (respond_store(q, r, &store) < 0 || !trial_read(q, r, store, &t))
		return;
	steps = steps_read(q, r, store);
	if (!steps)
		return;
	auto_json json_t *obj = api_with(api_trial_json(&t), "steps", steps);
	respond_json(r, obj);
}

void api_steps(const struct request *q, struct response *r)
{
	auto_store_trial struct store_trial t = {0};
	struct store *store = NULL;
	json_t *steps;

	if (respond_store(q, r, &store) < 0 || !trial_read(q, r, store, &t))
		return;
	steps = steps_read(q, r, store);
	if (!steps)
		return;
	auto_json json_t *obj = api_with(json_object(), "steps", steps);
	respond_json(r, obj);
}

void api_report(const struct request *q, struct response *r)
{
	auto_store_trial struct store_trial t = {0};
	auto_json json_t *report = NULL;
	struct store *store = NULL;

	if (respond_store(q, r, &store) < 0 || !trial_read(q, r, store, &t))
		return;
	if (!t.report)
		respond_error(q, r, MHD_HTTP_NOT_FOUND, "This trial has no report.");
	else if (report_read(q, r, t.report, &report))
		respond_json(r, report);
}

static json_t *log_address(const char *kind, const struct store_trial *t, const char *log)
{
	auto_str struct str path;

	str_init(&path, 8192);
	str_addf(&path, "%s/%lld/log/", kind, (long long)t->id);
	percent_encode(&path, log, true);
	return json_string(path.buf);
}

static void logs_add(json_t *rows, const struct store_trial *t, const struct log_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		json_array_append_new(rows, json_pack("{s:o, s:o, s:o}", "log",
						      json_text(l->name[i]), "tail",
						      log_address("/api/v1/trials", t, l->name[i]),
						      "raw", log_address("/trial", t, l->name[i])));
}

/* Those of jobs first, in the order in which they ran. */
void api_logs(const struct request *q, struct response *r)
{
	auto_store_trial struct store_trial t = {0};
	auto_log_list struct log_list jobs = {0};
	auto_log_list struct log_list others = {0};
	struct store *store = NULL;
	json_t *rows;

	if (respond_store(q, r, &store) < 0 || !trial_read(q, r, store, &t))
		return;
	if (t.work_dir) {
		log_list_jobs(t.work_dir, NULL, &jobs);
		log_list_others(t.work_dir, NULL, &others);
	}
	rows = json_array();
	logs_add(rows, &t, &jobs);
	logs_add(rows, &t, &others);
	auto_json json_t *obj =
		json_pack("{s:o, s:b}", "logs", rows, "more", jobs.more || others.more);
	respond_json(r, obj);
}

/* A piece of a log, as it is. */
struct piece {
	int64_t from, size; /* of the log */
	struct str bytes;
};

/* From where the reader stopped, else the tail. A line that is not whole yet comes with the next
 * piece, unless it is too long for one. */
static bool piece_read(int fd, bool follows, struct piece *p)
{
	size_t n = p->size - p->from < LOG_TAIL_MAX ? (size_t)(p->size - p->from) : LOG_TAIL_MAX;
	const char *end;

	if (!follows)
		return log_tail(fd, p->size, &p->bytes, &p->from);
	if (!work_read(fd, p->from, n, &p->bytes))
		return false;
	end = p->bytes.len ? memrchr(p->bytes.buf, '\n', p->bytes.len) : NULL;
	if (end)
		p->bytes.len = (size_t)(end + 1 - p->bytes.buf);
	else if (p->bytes.len < LOG_TAIL_MAX)
		p->bytes.len = 0;
	return true;
}

static void piece_answer(const struct request *q, struct response *r, const struct store_trial *t,
			 const struct piece *p)
{
	auto_str struct str text;

	str_init(&text, 0);
	log_text(&text, p->bytes.buf, p->bytes.len);
	auto_json json_t *obj = json_pack(
		"{s:o, s:I, s:I, s:I, s:o, s:o}", "log", json_text(q->rest), "size",
		(json_int_t)p->size, "from", (json_int_t)p->from, "end",
		(json_int_t)(p->from + (int64_t)p->bytes.len), "text",
		json_text_n(text.buf, text.len), "raw", log_address("/trial", t, q->rest));
	respond_json(r, obj);
}

void api_log(const struct request *q, struct response *r)
{
	auto_store_trial struct store_trial t = {0};
	bool follows = *query(q, "from");
	struct store *store = NULL;
	struct piece p = {0};

	if (!api_number(q, r, "from", &p.from) || respond_store(q, r, &store) < 0 ||
	    !trial_read(q, r, store, &t))
		return;
	auto_fd int fd = t.work_dir ? log_open(t.work_dir, q->rest, &p.size) : -1;
	if (fd < 0) {
		respond_error(q, r, MHD_HTTP_NOT_FOUND,
			      "There is no such log: only those of jobs are served, while the work "
			      "folder of the trial is there.");
		return;
	}
	if (p.from > p.size)
		p.from = p.size;
	str_init(&p.bytes, LOG_TAIL_MAX);
	if (piece_read(fd, follows, &p))
		piece_answer(q, r, &t, &p);
	else
		respond_error(q, r, MHD_HTTP_INTERNAL_SERVER_ERROR, "The log cannot be read.");
	str_done(&p.bytes);
}
