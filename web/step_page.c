// SPDX-License-Identifier: GPL-2.0-or-later
/* /trial/ID/step/NAME: what a step did and does, with its log. */
#include "base/json.h"
#include "report/escape.h"
#include "report/report.h"
#include "web/decode.h"
#include "web/log.h"
#include "web/report_file.h"
#include "web/trial_parts.h"
#include "web/trial_read.h"
#include <microhttpd.h>

#define REFRESH_S    10
#define EVIDENCE_MAX 400

struct step_view {
	const struct request *q;
	const struct store_trial *t;
	const struct store_step *s;
	json_t *report;	   /* NULL: none, or it is gone */
	const json_t *row; /* of the step in it; NULL */
	struct log_list jobs, others;
	const char *log; /* that is shown; NULL: there is none */
	struct str *out;
};

static void step_view_done(struct step_view *v)
{
	json_decref(v->report);
	log_list_done(&v->jobs);
	log_list_done(&v->others);
}

/* Of an array of the report, the object whose member has this value. */
static const json_t *find(const json_t *list, const char *key, const char *value)
{
	const json_t *obj;
	size_t i;

	json_array_foreach (list, i, obj)
		if (strcmp(json_get_str(obj, key, ""), value) == 0)
			return obj;
	return NULL;
}

/* The page can be shown without it: what is gone or wrong is left out. */
static void report_find(struct step_view *v)
{
	struct err ignored = ERR_INIT;

	if (!v->t->report || report_file_read(v->q, v->t->report, &v->report, &ignored) < 0)
		return;
	v->row = find(json_object_get(v->report, "steps"), "name", v->s->name);
}

static bool is_listed(const struct log_list *l, const char *name)
{
	for (size_t i = 0; i < l->n; i++)
		if (strcmp(l->name[i], name) == 0)
			return true;
	return false;
}

/* What is asked for; else the one of the report; else the newest. */
static void logs_find(struct step_view *v)
{
	const char *asked = query(v->q, "log");

	if (!v->t->work_dir)
		return;
	log_list_jobs(v->t->work_dir, v->s->name, &v->jobs);
	log_list_others(v->t->work_dir, v->s->name, &v->others);
	if (is_listed(&v->jobs, asked) || is_listed(&v->others, asked))
		v->log = asked;
	else if (v->s->log && is_listed(&v->jobs, v->s->log))
		v->log = v->s->log;
	else if (v->jobs.n)
		v->log = v->jobs.name[v->jobs.n - 1];
}

static void fact(struct str *out, const char *name, const char *value)
{
	if (!value || !*value)
		return;
	html_dt(out, name);
	html_open(out, "dd", value);
}

static void patch_fact(const struct step_view *v)
{
	const json_t *patch = json_object_get(v->row, "patch");
	long long n = json_integer_value(patch);

	if (!json_is_integer(patch))
		return;
	html_dt(v->out, "Because of");
	if (v->t->posting)
		str_addf(v->out, "<dd><a href=\"/series/%lld/patch/%lld\">patch %lld</a></dd>\n",
			 (long long)v->t->posting, n, n);
	else
		str_addf(v->out, "<dd>patch %lld</dd>\n", n);
}

static void bench_facts(const struct step_view *v)
{
	const char *name = str_starts(v->s->name, "bench-") ? v->s->name + strlen("bench-") : NULL;
	const json_t *bench =
		name ? find(json_object_get(v->report, "benches"), "bench", name) : NULL;
	auto_free char *before = xasprintf("/trial/%lld/bench/", (long long)v->t->id);

	if (!bench)
		return;
	fact(v->out, "Stopped", json_get_str(bench, "stopped", ""));
	html_dt(v->out, "Numbers");
	str_adds(v->out, "<dd><a href=\"");
	html_path(v->out, before, name);
	str_adds(v->out, "\">what was measured</a></dd>\n");
}

static void head(const struct step_view *v)
{
	const char *word = step_word(v->s);

	str_adds(v->out, "<header>\n<h1>Step ");
	html_bdi(v->out, v->s->name);
	str_adds(v->out, "</h1>\n<p class=\"meta\">of ");
	html_bdi(v->out, trial_title(v->t));
	str_addf(v->out, "</p>\n<p class=\"verdict %s\" id=\"verdict\">", word);
	html_word(v->out, word);
	str_adds(v->out, "<span>");
	html_str(v->out, v->s->state == STORE_STEP_DONE ? v->s->reason : "");
	step_progress(v->out, v->s);
	str_adds(v->out, "</span></p>\n<dl class=\"facts\">\n");
	if (v->s->started) {
		html_dt(v->out, "Began");
		str_adds(v->out, "<dd>");
		html_when(v->out, v->s->started);
		str_adds(v->out, "</dd>\n");
		html_dt(v->out, "Took");
		str_adds(v->out, "<dd>");
		step_time(v->out, v->s);
		str_adds(v->out, "</dd>\n");
	}
	patch_fact(v);
	bench_facts(v);
	str_adds(v->out, "</dl>\n</header>\n");
}

static void evidence(const struct step_view *v)
{
	const json_t *lines = json_object_get(v->row, "evidence"), *line;
	size_t n = json_array_size(lines), i;

	if (!n)
		return;
	str_adds(v->out, "<section id=\"evidence\">\n<h2>Evidence</h2>\n<pre>");
	json_array_foreach (lines, i, line) {
		if (i == EVIDENCE_MAX)
			break;
		html_cut(v->out, json_string_value(line), LOG_LINE_MAX);
		str_addc(v->out, '\n');
	}
	if (n > EVIDENCE_MAX)
		str_addf(v->out, "... %zu more lines\n", n - EVIDENCE_MAX);
	str_adds(v->out, "</pre>\n</section>\n");
}

static void command(struct str *out, const char *words, const char *text)
{
	str_addf(out, "<p>%s</p>\n", words);
	html_open(out, "pre class=\"command\" data-copy=\"\"", text);
}

/* A blank in a path must not break what is to be copied; a quote in it is the operator's fault. */
static void repeat(const struct step_view *v)
{
	const char *again = json_get_str(v->report, "repeat", NULL);
	const char *elsewhere = json_get_str(v->report, "repeat_elsewhere", NULL);

	if (!again && !v->jobs.n)
		return;
	str_adds(v->out, "<section id=\"repeat\">\n<h2>Repeat</h2>\n");
	if (v->log) {
		size_t n = strlen(v->log) - strlen(strrchr(v->log, '/'));
		auto_free char *line = xasprintf("firn job '%.*s'", (int)n, v->log);

		command(v->out,
			"This job, on the machine that ran it, in the work folder of the trial:",
			line);
	}
	if (again)
		command(v->out, "The whole run, on that machine:", again);
	if (elsewhere)
		command(v->out, "The whole run, in a clone of the kernel:", elsewhere);
	str_adds(v->out, "</section>\n");
}

static void log_links(const struct step_view *v, const struct log_list *l)
{
	str_adds(v->out, "<ul class=\"logs\">\n");
	for (size_t i = 0; i < l->n; i++) {
		bool here = v->log && strcmp(v->log, l->name[i]) == 0;

		str_adds(v->out, "<li><a href=\"?log=");
		percent_encode(v->out, l->name[i], true);
		str_addf(v->out, "#log\"%s>", here ? " aria-current=\"true\"" : "");
		html_bdi(v->out, l->name[i] + strlen("jobs/"));
		str_adds(v->out, "</a></li>\n");
	}
	str_adds(v->out, "</ul>\n");
	if (l->more)
		str_addf(v->out,
			 "<p class=\"note\">More than %d: the others are in the work "
			 "folder.</p>\n",
			 LOG_LIST_MAX);
}

static void log_choice(const struct step_view *v)
{
	if (v->jobs.n > 1)
		log_links(v, &v->jobs);
	if (!v->others.n)
		return;
	str_addf(v->out, "<details><summary>What else its jobs left: %zu</summary>\n", v->others.n);
	log_links(v, &v->others);
	str_adds(v->out, "</details>\n");
}

static void log_whole(const struct step_view *v, int64_t size)
{
	str_addf(v->out, "<p class=\"meta\"><a href=\"/trial/%lld/log/", (long long)v->t->id);
	percent_encode(v->out, v->log, true);
	str_addf(v->out, "\">the whole log</a>, %lld bytes", (long long)size);
	if (size > LOG_PIECE_MAX)
		str_addf(v->out, " (%d MiB at a time: ?from=BYTE)", LOG_PIECE_MAX >> 20);
	if (size > LOG_TAIL_MAX)
		str_addf(v->out, "; below are the last %d KiB", LOG_TAIL_MAX >> 10);
	str_adds(v->out, "</p>\n");
}

/* Where this log stops now, a stream of events goes on. */
static void log_tail_html(const struct step_view *v, int fd, int64_t size)
{
	auto_str struct str raw, text;
	int64_t from = 0;

	str_init(&raw, 0);
	str_init(&text, 0);
	if (!log_tail(fd, size, &raw, &from))
		str_adds(&text, "(the log cannot be read)\n");
	if (v->s->state ==
	    STORE_STEP_RUNNING) /* a line that is being written comes when it is whole */
		while (raw.len && raw.buf[raw.len - 1] != '\n')
			raw.buf[--raw.len] = '\0';
	log_text(&text, raw.buf, raw.len);
	str_addf(v->out,
		 "<pre class=\"log\" id=\"log-text\" tabindex=\"0\" data-at=\"%lld\" data-log=\"",
		 (long long)(from + (int64_t)raw.len));
	html_str(v->out, v->log);
	str_adds(v->out, "\">");
	html_text(v->out, text.buf, text.len);
	str_adds(v->out, "</pre>\n");
}

static void log_section(const struct step_view *v)
{
	int64_t size = 0;
	auto_fd int fd = v->log ? log_open(v->t->work_dir, v->log, &size) : -1;
	bool runs = v->s->state == STORE_STEP_RUNNING;

	str_adds(v->out, "<section id=\"log\">\n<h2>Log");
	if (v->log) {
		str_adds(v->out, " <code id=\"log-name\">");
		html_str(v->out, v->log);
		str_adds(v->out, "</code>");
	}
	str_adds(v->out, "</h2>\n");
	log_choice(v);
	if (fd >= 0) {
		log_whole(v, size);
		log_tail_html(v, fd, size);
	} else if (runs) {
		str_adds(v->out, "<pre class=\"log\" id=\"log-text\" tabindex=\"0\"></pre>\n");
	} else {
		str_adds(v->out, "<p>This step has no log");
		str_adds(v->out,
			 v->t->work_dir ? ".</p>\n" : ", or its work folder was removed.</p>\n");
	}
	str_adds(v->out, "</section>\n");
}

/* Who chose a log keeps it: the stream is for the newest. */
static bool follows(const struct step_view *v)
{
	return trial_is_open(v->t) && v->s->state != STORE_STEP_DONE && !*query(v->q, "log");
}

static void page(struct step_view *v)
{
	auto_free char *title = xasprintf("%s: %s", v->s->name, trial_title(v->t));
	auto_str struct str events, here;

	str_init(&events, 0);
	str_init(&here, 0);
	str_addf(&events, "/trial/%lld/events?step=", (long long)v->t->id);
	percent_encode(&events, v->s->name, false);
	html_str(&here, v->s->name);
	page_begin(v->out, &(struct page){.title = title,
					  .section = PAGE_SERIES,
					  .q = v->q,
					  .refresh_s = follows(v) ? REFRESH_S : 0,
					  .events = follows(v) ? events.buf : NULL});
	crumbs(v->out, v->t, here.buf);
	head(v);
	evidence(v);
	log_section(v);
	repeat(v);
	page_end(v->out, v->q);
}

static const struct store_step *step_find(const struct store_step_list *l, const char *name)
{
	for (size_t i = 0; i < l->n; i++)
		if (strcmp(l->step[i].name, name) == 0)
			return &l->step[i];
	return NULL;
}

void page_step(const struct request *q, struct response *r)
{
	auto_store_step_list struct store_step_list steps = {0};
	auto_store_trial struct store_trial t = {0};
	struct step_view v = {.q = q, .t = &t, .out = &r->body};
	struct store *store = NULL;
	struct err err = ERR_INIT;

	if (respond_store(q, r, &store) < 0 || !trial_read(q, r, store, &t))
		return;
	if (store_step_list(store, t.id, &steps, &err) < 0) {
		respond_failure(q, r, &err, "The steps of this trial cannot be read.");
		return;
	}
	v.s = step_find(&steps, q->name);
	if (!v.s) {
		respond_error(q, r, MHD_HTTP_NOT_FOUND, "This trial has no step of that name.");
		return;
	}
	report_find(&v);
	logs_find(&v);
	page(&v);
	step_view_done(&v);
}
