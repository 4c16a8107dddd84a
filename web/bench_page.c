// SPDX-License-Identifier: GPL-2.0-or-later
/* /trial/ID/bench/NAME: what a benchmark found in one trial; with .json what its plots show. */
#include "base/json.h"
#include "report/escape.h"
#include "report/report.h"
#include "web/trial_parts.h"
#include "web/trial_read.h"
#include <microhttpd.h>

#define LIVES_S 60

/* False when it answered. */
static bool bench_read(const struct request *q, struct response *r, struct store_trial *t,
		       json_t **ret_report)
{
	struct store *store = NULL;

	if (respond_store(q, r, &store) < 0 || !trial_read(q, r, store, t))
		return false;
	if (!t->report) {
		respond_error(q, r, MHD_HTTP_NOT_FOUND,
			      "This trial has no report: nothing was measured yet.");
		return false;
	}
	return report_read(q, r, t->report, ret_report);
}

static void head(struct str *out, const struct request *q, const struct store_trial *t)
{
	str_addf(out,
		 "<header>\n<h1>Benchmark %s</h1>\n<p class=\"meta\">base against patched, of <a "
		 "href=\"/trial/%lld\">",
		 q->name, (long long)t->id);
	html_bdi(out, trial_title(t));
	str_addf(out,
		 "</a>; <a href=\"/trial/%lld/step/bench-%s\">its step and logs</a>; <a "
		 "href=\"/bench/%s\">the base's history</a></p>\n</header>\n",
		 (long long)t->id, q->name, q->name);
}

static int mail_section(struct str *out, const struct request *q, const json_t *report,
			struct err *err)
{
	auto_str struct str text;
	int rc;

	str_init(&text, 0);
	rc = report_text_bench(report, q->name, &text, err);
	str_adds(out, "<section id=\"mail\">\n<h2>For a mail</h2>\n<pre class=\"mail columns\" "
		      "tabindex=\"0\" data-copy=\"\">");
	html_text(out, text.buf, text.len);
	str_adds(out, "</pre>\n</section>\n");
	return rc;
}

static int page(struct str *out, const struct request *q, const struct store_trial *t,
		const json_t *report, struct err *err)
{
	auto_free char *title = xasprintf("%s: %s", q->name, trial_title(t));
	auto_free char *trial = xasprintf("/trial/%lld", (long long)t->id);
	auto_free char *here = xasprintf("benchmark %s", q->name);
	const struct report_links links = {.trial = trial};
	int rc;

	page_begin(out,
		   &(struct page){.title = title, .section = PAGE_BENCHES, .q = q, .plots = true});
	crumbs(out, t, here);
	head(out, q, t);
	str_adds(out,
		 "<h2>What was measured</h2>\n<p class=\"note\">Change is (patched &#8722; base) "
		 "/ base of the medians.</p>\n");
	rc = report_html_bench(report, q->name, &links, out, err);
	if (rc == 0)
		rc = mail_section(out, q, report, err);
	page_end(out, q);
	return rc;
}

void page_bench(const struct request *q, struct response *r)
{
	auto_store_trial struct store_trial t = {0};
	auto_json json_t *report = NULL;
	struct err err = ERR_INIT;
	int rc;

	if (!bench_read(q, r, &t, &report))
		return;
	r->lives_s = LIVES_S;
	rc = page(&r->body, q, &t, report, &err);
	if (rc == ERR_INPUT)
		respond_error(q, r, MHD_HTTP_NOT_FOUND,
			      "The report of this trial has no such benchmark.");
	else if (rc < 0)
		respond_failure(q, r, &err, "The benchmark cannot be shown.");
}

void json_bench(const struct request *q, struct response *r)
{
	auto_store_trial struct store_trial t = {0};
	auto_json json_t *report = NULL, *plots = NULL;

	if (!bench_read(q, r, &t, &report))
		return;
	plots = report_plots(report, q->name);
	if (!plots) {
		respond_error(q, r, MHD_HTTP_NOT_FOUND,
			      "The report of this trial has no such benchmark.");
		return;
	}
	respond_json(r, plots);
	r->lives_s = LIVES_S;
}
