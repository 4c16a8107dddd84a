// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/clock.h"
#include "report/escape.h"
#include "report/report.h"
#include "web/html.h"
#include "web/response.h"

/* Made from style.css at build time. */
extern const char web_style[];
extern const unsigned long web_style_len;

void page_begin(struct str *out, const char *title, unsigned refresh_s)
{
	str_adds(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
		      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
		      "<meta name=\"color-scheme\" content=\"light dark\"/>\n");
	if (refresh_s)
		str_addf(out, "<meta http-equiv=\"refresh\" content=\"%u\"/>\n", refresh_s);
	html_open(out, "title", title);
	str_adds(out, "<link rel=\"stylesheet\" href=\"/style.css\"/>\n</head>\n<body>\n");
}

void page_end(struct str *out)
{
	str_adds(out, "</body>\n</html>\n");
}

void html_open(struct str *out, const char *open, const char *text)
{
	str_addf(out, "<%s>", open);
	if (text)
		html_text(out, text, strlen(text));
	str_addf(out, "</%.*s>\n", (int)strcspn(open, " "), open);
}

void html_when(struct str *out, int64_t t)
{
	char iso[CLOCK_ISO_MAX];

	clock_iso(t, iso);
	str_addf(out, "<time datetime=\"%s\">%.10s %.5s UTC</time>", iso, iso,
		 strlen(iso) > 16 ? iso + 11 : "");
}

void html_word(struct str *out, const char *word)
{
	str_addf(out, "<span class=\"badge %s\">%s</span>", word, word);
}

const char *trial_word(const struct store_trial *t)
{
	return t->state == STORE_TRIAL_FINISHED ? outcome_name(t->outcome)
						: store_trial_state_name(t->state);
}

const char *trial_title(const struct store_trial *t)
{
	return *t->title ? t->title : "(series not known yet)";
}

static void trial_span(struct str *out, const struct store_trial *t)
{
	char span[CLOCK_SPAN_MAX];

	if (t->state == STORE_TRIAL_FINISHED)
		str_adds(out, clock_span((double)(t->finished - t->started), span));
	else if (t->state == STORE_TRIAL_RUNNING)
		str_addf(out, "%s so far", clock_span((double)(clock_wall() - t->started), span));
}

static void trial_row(struct str *out, const struct store_trial *t)
{
	str_adds(out, "<tr><td>");
	html_word(out, trial_word(t));
	str_addf(out, "</td><th scope=\"row\"><a href=\"/trial/%lld\">", (long long)t->id);
	html_open(out, "bdi", trial_title(t));
	str_adds(out, "</a>");
	if (t->version > 1)
		str_addf(out, " <span class=\"muted\">v%u</span>", t->version);
	html_open(out, "p class=\"meta\"", t->words);
	str_adds(out, "</th><td>");
	html_open(out, "bdi", t->author);
	str_adds(out, "</td><td class=\"when\">");
	html_when(out, t->started);
	str_adds(out, "</td><td class=\"n\">");
	trial_span(out, t);
	str_adds(out, "</td></tr>\n");
}

static void trial_table(struct str *out, const struct store_trial_list *list)
{
	str_adds(out, "<table class=\"trials\">\n<thead><tr><th scope=\"col\">Outcome</th>"
		      "<th scope=\"col\">Series</th><th scope=\"col\">Author</th>"
		      "<th scope=\"col\">Started</th><th scope=\"col\" "
		      "class=\"n\">Took</th></tr></thead>\n"
		      "<tbody>\n");
	for (size_t i = 0; i < list->n; i++)
		trial_row(out, &list->trial[i]);
	str_adds(out, "</tbody></table>\n");
}

static void pager(struct str *out, const struct request *q, bool more)
{
	unsigned before = q->offset > q->limit ? q->offset - q->limit : 0;

	str_adds(out, "<nav class=\"pager\">");
	if (q->offset)
		str_addf(out, "<a rel=\"prev\" href=\"/?limit=%u&amp;offset=%u\">newer</a> ",
			 q->limit, before);
	if (more)
		str_addf(out, "<a rel=\"next\" href=\"/?limit=%u&amp;offset=%u\">older</a>",
			 q->limit, q->offset + q->limit);
	str_adds(out, "</nav>\n");
}

void page_front(const struct request *q, struct response *r)
{
	auto_store struct store *store = NULL;
	auto_store_trial_list struct store_trial_list list = {0};
	struct err err = ERR_INIT;

	if (respond_store(q, r, &store) < 0)
		return;
	if (store_trial_list(store, q->limit, q->offset, &list, &err) < 0) {
		respond_failure(q, r, &err, "The list of trials cannot be read.");
		return;
	}
	page_begin(&r->body, "firn: trials", 0);
	str_adds(&r->body, "<header><h1>Trials</h1>\n<p class=\"note\">Kernel patch series that "
			   "firn " FIRN_VERSION " tried, newest first.</p></header>\n<main>\n");
	if (list.n)
		trial_table(&r->body, &list);
	else
		str_adds(&r->body, "<p>No trials here.</p>\n");
	pager(&r->body, q, list.more);
	str_adds(&r->body, "</main>\n");
	page_end(&r->body);
}

/* The style sheet of the reports, and what our own pages add. */
void page_style(const struct request *q, struct response *r)
{
	size_t n;
	const char *css = report_html_css(&n);

	(void)q;
	r->type = "text/css; charset=utf-8";
	r->keep = true;
	str_add(&r->body, css, n);
	str_add(&r->body, web_style, web_style_len);
}

/* For whoever watches the service: 200 when it could serve a page. */
void page_health(const struct request *q, struct response *r)
{
	auto_store struct store *store = NULL;

	if (respond_store(q, r, &store) < 0)
		return;
	r->type = "text/plain; charset=utf-8";
	str_adds(&r->body, "ok\n");
}
