// SPDX-License-Identifier: GPL-2.0-or-later
/* /trial/ID: the report of a trial that has one, and what is known of one that does not. */
#include "base/clock.h"
#include "base/json.h"
#include "report/report.h"
#include "web/html.h"
#include "web/response.h"
#include "web/trial_read.h"
#include <microhttpd.h>

#define REFRESH_S 10

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
	rc = json_read(path, ERR_INPUT, &report, &err);
	if (rc == 0)
		rc = report_check(report, &err);
	if (rc < 0) {
		respond_failure(q, r, &err, "The report of this trial cannot be shown.");
		return false;
	}
	*ret_report = take(report);
	return true;
}

static int report_render(const json_t *report, struct str *out, struct err *err)
{
	auto_free char *page = NULL;
	size_t n = 0;
	FILE *mem = open_memstream(&page, &n);
	int rc;

	if (!mem)
		return err_sys(err, ERR_INFRA, "cannot make the page");
	rc = report_html(report, mem, err);
	if (fclose(mem) != 0 && rc == 0)
		rc = err_sys(err, ERR_INFRA, "cannot make the page");
	if (rc == 0 && !str_add(out, page, n))
		rc = err_set(err, ERR_INPUT, "report: too large for one page");
	return rc;
}

static void report_page(const struct request *q, struct response *r, const char *path)
{
	auto_json json_t *report = NULL;
	auto_free char *csp = report_html_csp();
	struct err err = ERR_INIT;

	if (!report_read(q, r, path, &report))
		return;
	if (report_render(report, &r->body, &err) < 0) {
		respond_failure(q, r, &err, "The report of this trial cannot be shown.");
		return;
	}
	r->csp = xasprintf("%s; frame-ancestors 'none'", csp);
}

static void step_row(struct str *out, const struct store_step *s)
{
	char span[CLOCK_SPAN_MAX];

	str_adds(out, "<tr><td>");
	html_word(out, s->state == STORE_STEP_DONE ? outcome_name(s->outcome)
						   : store_step_state_name(s->state));
	str_adds(out, "</td>");
	html_open(out, "th scope=\"row\"", s->name);
	html_open(out, "td", s->reason);
	str_adds(out, "<td class=\"n\">");
	if (s->state == STORE_STEP_DONE)
		str_adds(out, s->cached ? "cached" : clock_span(s->seconds, span));
	else if (s->state == STORE_STEP_RUNNING)
		str_addf(out, "%s so far", clock_span((double)(clock_wall() - s->started), span));
	str_adds(out, "</td></tr>\n");
}

static const char *status_words(const struct store_trial *t)
{
	switch (t->state) {
	case STORE_TRIAL_WAITING: return "Waiting for its turn.";
	case STORE_TRIAL_RUNNING: return "At work. This page reloads itself.";
	case STORE_TRIAL_INTERRUPTED: return "Interrupted: the process that ran it is gone.";
	case STORE_TRIAL_FINISHED:
	case STORE_TRIAL_CANCELLED: break;
	}
	return t->words && *t->words ? t->words : "Ended without a report.";
}

static void status_head(struct str *out, const struct store_trial *t)
{
	const char *word = trial_word(t), *title = trial_title(t);

	page_begin(out, title, t->state == STORE_TRIAL_RUNNING ? REFRESH_S : 0);
	str_adds(out, "<header>\n");
	html_open(out, "h1", title);
	str_addf(out, "<p class=\"verdict %s\">", word);
	html_word(out, word);
	html_open(out, "span", status_words(t));
	str_adds(out, "</p>\n<dl class=\"facts\"><dt>From</dt>");
	html_open(out, "dd", t->author);
	str_adds(out, "<dt>Message id</dt>");
	html_open(out, "dd", t->message_id);
	str_adds(out, "<dt>Started</dt><dd>");
	html_when(out, t->started);
	str_adds(out, "</dd></dl>\n</header>\n");
}

static void status_page(const struct request *q, struct response *r, struct store *store,
			const struct store_trial *t)
{
	auto_store_step_list struct store_step_list steps = {0};
	struct err err = ERR_INIT;

	if (store_step_list(store, t->id, &steps, &err) < 0) {
		respond_failure(q, r, &err, "The steps of this trial cannot be read.");
		return;
	}
	status_head(&r->body, t);
	str_adds(&r->body, "<main><h2>Steps</h2>\n<table class=\"steps\">\n<thead><tr><th "
			   "scope=\"col\">Outcome</th>"
			   "<th scope=\"col\">Step</th><th scope=\"col\">What was found</th>"
			   "<th scope=\"col\" class=\"n\">Time</th></tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < steps.n; i++)
		step_row(&r->body, &steps.step[i]);
	str_adds(&r->body, "</tbody></table>\n<p><a href=\"/\">All trials</a></p></main>\n");
	page_end(&r->body);
}

void page_trial(const struct request *q, struct response *r)
{
	auto_store struct store *store = NULL;
	auto_store_trial struct store_trial t = {0};

	if (respond_store(q, r, &store) < 0 || !trial_read(q, r, store, &t))
		return;
	if (t.report)
		report_page(q, r, t.report);
	else
		status_page(q, r, store, &t);
}
