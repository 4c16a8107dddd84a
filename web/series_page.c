// SPDX-License-Identifier: GPL-2.0-or-later
/* /series/ID: one version of one posting. */
#include "web/series_page.h"
#include "base/clock.h"
#include "base/json.h"
#include "report/escape.h"
#include "report/report.h"
#include "web/links.h"
#include "web/report_file.h"
#include "web/series_grid.h"
#include <microhttpd.h>

#define REPLIES_MAX  100
#define COMMIT_SHOWN 12 /* digits: enough for git in this tree */
#define REFRESH_S    15
#define LIVES_S	     5

static void page_read_done(struct series_page *p)
{
	store_posting_done(&p->posting);
	view_series_done(&p->row);
	view_series_list_done(&p->versions);
	view_series_list_done(&p->trials);
	store_mail_list_done(&p->replies);
	json_decref(p->since);
	json_decref(p->report);
	free(p->cover);
}

/* The newest trial whose report is still there. One that is gone, or is damaged, is no reason not
 * to show the series. */
static int report_find(const struct request *q, struct store *s, struct series_page *p,
		       struct err *err)
{
	for (size_t i = 0; i < p->trials.n && !p->report; i++) {
		auto_store_trial struct store_trial t = {0};
		struct err ignored = ERR_INIT;
		int rc = store_trial_get(s, p->trials.row[i].trial, &t, err);

		if (rc < 0)
			return rc;
		if (!t.report)
			continue;
		(void)!report_file_read(q, t.report, &p->report, &ignored);
		p->report_trial = t.id;
	}
	return 0;
}

static int page_read(const struct request *q, struct store *s, struct series_page *p,
		     struct err *err)
{
	int64_t id = q->id;
	int rc = store_posting_get(s, id, &p->posting, err);

	if (rc == 0)
		rc = view_posting(s, id, &p->row, err);
	if (rc == 0)
		rc = view_versions(s, p->posting.chain, &p->versions, err);
	if (rc == 0)
		rc = view_trials(s, id, &p->trials, err);
	if (rc == 0)
		rc = view_replies(s, id, REPLIES_MAX, &p->replies, err);
	if (rc == 0)
		rc = view_posting_text(s, id, &p->cover, &p->since, err);
	return rc < 0 ? rc : report_find(q, s, p, err);
}

/* The verdict in words; where there is none, why. */
static void verdict(struct str *out, const struct series_page *p)
{
	const char *word = view_series_word(&p->row), *words = p->row.words;

	if (!words || !*words)
		words = *p->row.reason			      ? p->row.reason
			: p->row.state == STORE_TRIAL_RUNNING ? "At work."
			: p->row.trial			      ? "Waiting for its turn."
			: p->row.newer			      ? "A newer version came before "
								"this one was tried."
							      : "It will be tried soon.";
	str_adds(out, "<p class=\"verdict ");
	for (const char *c = word; *c; c++)
		str_addc(out, *c == ' ' ? '-' : *c);
	str_adds(out, "\">");
	html_word(out, word);
	str_addc(out, ' ');
	html_words(out, words, 2000);
	if (p->row.trial)
		str_addf(out, " <a href=\"/trial/%lld\">Full report of trial %lld</a>",
			 (long long)p->row.trial, (long long)p->row.trial);
	str_adds(out, "</p>\n");
	if (p->row.newer)
		str_addf(out,
			 "<p class=\"note\">There is a <a href=\"/series/%lld\">newer "
			 "version</a>.</p>\n",
			 (long long)p->row.newer);
}

static void list_fact(struct str *out, const char *list)
{
	if (!*list)
		return;
	html_dt(out, "List");
	str_adds(out, "<dd><a href=\"");
	html_path(out, "/list/", list);
	str_adds(out, "\">");
	html_bdi(out, list);
	str_adds(out, "</a></dd>\n");
}

static void base_fact(struct str *out, const json_t *base)
{
	const char *name = json_get_str(base, "name", NULL),
		   *commit = json_get_str(base, "commit", "");

	if (!json_is_object(base))
		return;
	html_dt(out, "Base");
	str_adds(out, "<dd><code>");
	html_text(out, commit, strnlen(commit, COMMIT_SHOWN));
	str_adds(out, "</code> ");
	html_bdi(out, json_get_str(base, "subject", ""));
	if (name) {
		str_adds(out, " in ");
		html_bdi(out, name);
	}
	str_adds(out, "<br/>");
	html_words(out, json_get_str(base, "why", ""), 1000);
	if (json_get_str(base, "warning", NULL)) {
		str_adds(out, "<br/>");
		html_word(out, "warn");
		str_addc(out, ' ');
		html_words(out, json_get_str(base, "warning", ""), 1000);
	}
	str_adds(out, "</dd>\n");
}

static void links_fact(struct str *out, const struct request *q, struct store *s,
		       const struct store_posting *p)
{
	auto_str struct str links;

	str_init(&links, 0);
	if (!links_write(&links, q, s, p->list, p->message_id))
		return;
	html_dt(out, "Elsewhere");
	str_addf(out, "<dd>%s</dd>\n", links.buf);
}

static void facts(struct str *out, const struct request *q, struct store *s,
		  const struct series_page *p)
{
	const struct store_posting *posting = &p->posting;

	str_adds(out, "<dl class=\"facts\">\n");
	html_dt(out, "Series");
	str_addf(out, "<dd>version %u, %u of %u patch%s</dd>\n", posting->version, posting->have,
		 posting->total, posting->total == 1 ? "" : "es");
	html_dt(out, "From");
	str_adds(out, "<dd>");
	html_bdi(out, p->row.author);
	str_adds(out, ", ");
	html_when(out, posting->date);
	str_adds(out, "</dd>\n");
	list_fact(out, posting->list);
	html_dt(out, "Message ID");
	str_adds(out, "<dd>");
	html_message_id(out, posting->message_id);
	str_adds(out, "</dd>\n");
	links_fact(out, q, s, posting);
	base_fact(out, json_object_get(p->report, "base"));
	str_adds(out, "</dl>\n");
}

static void patches(struct str *out, const struct series_page *p)
{
	const struct series_grid grid = {
		.posting = &p->posting, .report = p->report, .trial = p->report_trial};

	str_adds(out, "<section id=\"patches\">\n<h2>Patches</h2>\n");
	if (p->posting.n_patches)
		series_grid(out, &grid);
	else
		str_adds(out, "<p class=\"empty\">Its patches are part of another series.</p>\n");
	if (p->report_trial && !p->report)
		str_adds(out, "<p class=\"note\">What was found of each patch is no longer on "
			      "disk; the verdict above stays. A rerun finds it out anew.</p>\n");
	str_adds(out, "</section>\n");
}

static void not_tested(struct str *out, const json_t *report)
{
	const json_t *list = json_object_get(report, "not_tested"), *item;
	size_t i;

	if (!json_array_size(list))
		return;
	str_adds(out, "<section id=\"not-tested\">\n<h2>Not tested, and why</h2>\n<ul>\n");
	json_array_foreach (list, i, item) {
		str_adds(out, "<li>");
		html_words(out, json_string_value(item), 1000);
		str_adds(out, "</li>\n");
	}
	str_adds(out, "</ul>\n</section>\n");
}

static void write_page(const struct request *q, struct response *r, struct store *s,
		       const struct series_page *p)
{
	bool busy = p->row.trial &&
		    (p->row.state == STORE_TRIAL_RUNNING || p->row.state == STORE_TRIAL_WAITING);
	auto_free char *events = xasprintf("/trial/%lld/events", (long long)p->row.trial);
	struct str *out = &r->body;

	page_begin(out, &(struct page){.title = p->posting.title,
				       .section = PAGE_SERIES,
				       .q = q,
				       .refresh_s = busy ? REFRESH_S : 0,
				       .events = busy ? events : NULL});
	str_adds(out, "<h1>");
	html_bdi(out, p->posting.title);
	str_adds(out, "</h1>\n");
	verdict(out, p);
	facts(out, q, s, p);
	patches(out, p);
	series_versions(out, p);
	series_cover(out, p);
	not_tested(out, p->report);
	series_trials(out, p);
	series_rerun(out, q, p);
	series_replies(out, p);
	page_end(out, q);
}

void page_series(const struct request *q, struct response *r)
{
	__attribute__((cleanup(page_read_done))) struct series_page p = {0};
	struct store *store = NULL;
	struct err err = ERR_INIT;
	int rc;

	if (respond_store(q, r, &store) < 0)
		return;
	rc = page_read(q, store, &p, &err);
	if (rc == ERR_INPUT)
		respond_error(q, r, MHD_HTTP_NOT_FOUND, "There is no series of that number.");
	else if (rc < 0)
		respond_failure(q, r, &err, "The series cannot be read.");
	if (rc < 0)
		return;
	r->lives_s = LIVES_S;
	write_page(q, r, store, &p);
}
