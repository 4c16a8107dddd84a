// SPDX-License-Identifier: GPL-2.0-or-later
/* /trial/ID: the report of a trial that has one, and what is known of one that does not. */
#include "base/clock.h"
#include "base/json.h"
#include "report/report.h"
#include "web/html.h"
#include "web/report_file.h"
#include "web/response.h"
#include "web/trial_parts.h"
#include "web/trial_read.h"
#include <microhttpd.h>

#define REFRESH_S      10
#define REPORT_LIVES_S 60

bool trial_read(const struct request *q, struct response *r, struct store *store,
		struct store_trial *ret)
{
	struct err err = ERR_INIT;
	int rc = store_trial_get(store, q->id, ret, &err);

	if (rc == ERR_INPUT)
		respond_error(q, r, MHD_HTTP_NOT_FOUND, "There is no trial of that number.");
	else if (rc < 0)
		respond_failure(q, r, &err, "The trial cannot be read.");
	return rc == 0;
}

bool report_read(const struct request *q, struct response *r, const char *path, json_t **ret_report)
{
	auto_json json_t *report = NULL;
	struct err err = ERR_INIT;
	int rc;

	if (access(path, F_OK) < 0 && (errno == ENOENT || errno == ENOTDIR)) {
		respond_error(q, r, MHD_HTTP_GONE,
			      "The trial ran, but its report is no longer on disk: the work folder "
			      "was removed.");
		return false;
	}
	rc = report_file_read(q, path, &report, &err);
	if (rc < 0) {
		respond_failure(q, r, &err, "The report of this trial cannot be shown.");
		return false;
	}
	*ret_report = take(report);
	return true;
}

/* Its pages have more than the report: what is behind its links. */
static void report_page(const struct request *q, struct response *r, const struct store_trial *t)
{
	auto_free char *trial = xasprintf("/trial/%lld", (long long)t->id);
	auto_free char *series =
		t->posting ? xasprintf("/series/%lld", (long long)t->posting) : NULL;
	const struct report_links links = {.trial = trial, .series = series};
	auto_json json_t *report = NULL;
	struct err err = ERR_INIT;

	if (!report_read(q, r, t->report, &report))
		return;
	page_begin(
		&r->body,
		&(struct page){.title = trial_title(t),
			       .section = PAGE_SERIES,
			       .q = q,
			       .plots = json_array_size(json_object_get(report, "metrics")) > 0});
	crumbs(&r->body, t, NULL);
	if (report_html_part(report, &links, &r->body, &err) < 0) {
		respond_failure(q, r, &err, "The report of this trial cannot be shown.");
		return;
	}
	page_end(&r->body, q);
	r->lives_s = REPORT_LIVES_S;
}

void crumbs(struct str *out, const struct store_trial *t, const char *here)
{
	str_adds(out,
		 "<nav class=\"crumbs\" aria-label=\"Where this is\"><a href=\"/\">Series</a>");
	if (t->posting)
		str_addf(out, " / <a href=\"/series/%lld\">series %lld</a>", (long long)t->posting,
			 (long long)t->posting);
	if (here)
		str_addf(out, " / <a href=\"/trial/%lld\">trial %lld</a> / %s", (long long)t->id,
			 (long long)t->id, here);
	else
		str_addf(out, " / trial %lld", (long long)t->id);
	str_adds(out, "</nav>\n");
}

void step_progress(struct str *out, const struct store_step *s)
{
	if (s->state != STORE_STEP_RUNNING)
		return;
	html_bdi(out, s->note);
	if (s->total)
		str_addf(out,
			 " <progress max=\"%u\" value=\"%u\" aria-label=\"done of this "
			 "step\">%u of %u</progress>",
			 s->total, s->done, s->done, s->total);
}

void step_time(struct str *out, const struct store_step *s)
{
	if (s->state == STORE_STEP_DONE && s->cached) {
		str_adds(out, "cached");
	} else if (s->state == STORE_STEP_DONE) {
		html_span(out, s->seconds);
	} else if (s->state == STORE_STEP_RUNNING) {
		str_addf(out, "<span data-since=\"%lld\">", (long long)s->started);
		html_span(out, (double)(clock_wall() - s->started));
		str_adds(out, "</span> so far");
	}
}

const char *step_word(const struct store_step *s)
{
	return s->state == STORE_STEP_DONE ? outcome_name(s->outcome)
					   : store_step_state_name(s->state);
}

static void step_row(struct str *out, int64_t trial, const struct store_step *s)
{
	auto_free char *before = xasprintf("/trial/%lld/step/", (long long)trial);

	str_adds(out, "<tr data-step=\"");
	html_str(out, s->name);
	str_adds(out, "\"><td>");
	html_word(out, step_word(s));
	str_adds(out, "</td><th scope=\"row\"><a href=\"");
	html_path(out, before, s->name);
	str_adds(out, "\">");
	html_bdi(out, s->name);
	str_adds(out, "</a></th><td>");
	html_str(out, s->reason);
	step_progress(out, s);
	str_adds(out, "</td><td class=\"n\">");
	step_time(out, s);
	str_adds(out, "</td></tr>\n");
}

static const char *status_words(const struct store_trial *t)
{
	switch (t->state) {
	case STORE_TRIAL_WAITING: return "Waiting for its turn.";
	case STORE_TRIAL_RUNNING: return "At work. This page follows it.";
	case STORE_TRIAL_INTERRUPTED: return "Interrupted: the process that ran it is gone.";
	case STORE_TRIAL_FINISHED:
	case STORE_TRIAL_CANCELLED: break;
	}
	return t->words && *t->words ? t->words : "Ended without a report.";
}

static void status_head(struct str *out, const struct store_trial *t)
{
	const char *word = trial_word(t);

	str_adds(out, "<header>\n");
	html_open(out, "h1", trial_title(t));
	str_addf(out, "<p class=\"verdict %s\" id=\"verdict\">", word);
	html_word(out, word);
	html_open(out, "span", status_words(t));
	str_adds(out, "</p>\n<dl class=\"facts\"><dt>From</dt>");
	html_open(out, "dd", t->author);
	str_adds(out, "<dt>Message id</dt><dd>");
	html_message_id(out, t->message_id);
	str_adds(out, "</dd><dt>Started</dt><dd>");
	html_when(out, t->started);
	str_adds(out, "</dd></dl>\n</header>\n");
}

static void status_steps(struct str *out, int64_t trial, const struct store_step_list *steps)
{
	str_adds(out, "<h2>Steps</h2>\n<table class=\"steps\" id=\"steps\">\n<thead><tr><th "
		      "scope=\"col\">Outcome</th>"
		      "<th scope=\"col\">Step</th><th scope=\"col\">What was found</th>"
		      "<th scope=\"col\" class=\"n\">Time</th></tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < steps->n; i++)
		step_row(out, trial, &steps->step[i]);
	str_adds(out, "</tbody></table>\n");
}

bool trial_is_open(const struct store_trial *t)
{
	return t->state == STORE_TRIAL_RUNNING || t->state == STORE_TRIAL_WAITING;
}

static void status_page(const struct request *q, struct response *r, struct store *store,
			const struct store_trial *t)
{
	auto_store_step_list struct store_step_list steps = {0};
	auto_free char *events = xasprintf("/trial/%lld/events", (long long)t->id);
	struct err err = ERR_INIT;

	if (store_step_list(store, t->id, &steps, &err) < 0) {
		respond_failure(q, r, &err, "The steps of this trial cannot be read.");
		return;
	}
	page_begin(&r->body, &(struct page){.title = trial_title(t),
					    .section = PAGE_SERIES,
					    .q = q,
					    .refresh_s = trial_is_open(t) ? REFRESH_S : 0,
					    .events = trial_is_open(t) ? events : NULL});
	crumbs(&r->body, t, NULL);
	status_head(&r->body, t);
	status_steps(&r->body, t->id, &steps);
	page_end(&r->body, q);
}

void page_trial(const struct request *q, struct response *r)
{
	struct store *store = NULL;
	auto_store_trial struct store_trial t = {0};

	if (respond_store(q, r, &store) < 0 || !trial_read(q, r, store, &t))
		return;
	if (t.report)
		report_page(q, r, &t);
	else
		status_page(q, r, store, &t);
}
