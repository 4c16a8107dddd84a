// SPDX-License-Identifier: GPL-2.0-or-later
/* Sections of the page of a series. */
#include "report/report.h"
#include "web/series_page.h"
#include "web/series_table.h"

static void version_row(struct str *out, const struct view_series *v, int64_t shown)
{
	bool here = v->posting == shown;

	str_addf(out, "<tr%s><th scope=\"row\">", here ? " aria-current=\"page\"" : "");
	if (here)
		str_addf(out, "v%u (this one)", v->version);
	else
		str_addf(out, "<a href=\"/series/%lld\">v%u</a>", (long long)v->posting,
			 v->version);
	str_adds(out, "</th><td class=\"when\">");
	html_when(out, v->date);
	str_addf(out, "</td><td class=\"n\">%u of %u</td><td>", v->have, v->total);
	html_word(out, view_series_word(v));
	str_adds(out, "</td><td>");
	html_words(out, v->words && *v->words ? v->words : v->reason, 300);
	str_adds(out, "</td></tr>\n");
}

void series_versions(struct str *out, const struct series_page *p)
{
	if (p->versions.n > 1) {
		str_adds(out, "<section id=\"versions\">\n<h2>Versions</h2>\n<div class=\"wide\">"
			      "<table class=\"versions\">\n<thead><tr><th scope=\"col\">Version"
			      "</th><th scope=\"col\">Sent</th><th scope=\"col\" class=\"n\">"
			      "Patches</th><th scope=\"col\">State</th><th scope=\"col\">Verdict"
			      "</th></tr></thead>\n<tbody>\n");
		for (size_t i = 0; i < p->versions.n; i++)
			version_row(out, &p->versions.row[i], p->posting.id);
		str_adds(out, "</tbody></table></div>\n</section>\n");
	}
	report_html_since(p->since ? p->since : json_object_get(p->report, "since"), out);
}

void series_cover(struct str *out, const struct series_page *p)
{
	bool alone = p->posting.total == 1 && p->posting.n_patches == 1;

	if (!*p->cover)
		return;
	str_addf(out, "<section id=\"cover\">\n<h2>%s</h2>\n<pre class=\"mail\">",
		 alone ? "Message" : "Cover letter");
	html_str(out, p->cover);
	str_adds(out, "</pre>\n</section>\n");
}

static void trial_row(struct str *out, const struct view_series *v)
{
	str_addf(out, "<tr><th scope=\"row\"><a href=\"/trial/%lld\">trial %lld</a></th><td>",
		 (long long)v->trial, (long long)v->trial);
	html_word(out, view_series_word(v));
	str_adds(out, "</td><td>");
	html_words(out, v->words, 300);
	str_adds(out, "</td><td class=\"when\">");
	if (v->started)
		html_when(out, v->started);
	str_adds(out, "</td><td class=\"n\">");
	if (v->state == STORE_TRIAL_FINISHED && v->started)
		html_span(out, (double)(v->finished - v->started));
	str_adds(out, "</td></tr>\n");
}

void series_trials(struct str *out, const struct series_page *p)
{
	if (!p->trials.n)
		return;
	str_adds(out, "<section id=\"trials\">\n<h2>Trials</h2>\n<div class=\"wide\"><table "
		      "class=\"versions\">\n<thead><tr><th scope=\"col\">Trial</th>"
		      "<th scope=\"col\">State</th><th scope=\"col\">Verdict</th>"
		      "<th scope=\"col\">Began</th><th scope=\"col\" class=\"n\">Took</th></tr>"
		      "</thead>\n<tbody>\n");
	for (size_t i = 0; i < p->trials.n; i++)
		trial_row(out, &p->trials.row[i]);
	str_adds(out, "</tbody></table></div>\n</section>\n");
}

static void text_field(struct str *out, const char *name, const char *label, const char *hint)
{
	str_addf(out,
		 "<p><label for=\"rerun-%s\">%s</label> <input id=\"rerun-%s\" name=\"%s\" "
		 "maxlength=\"200\" placeholder=\"%s\"/></p>\n",
		 name, label, name, name, hint);
}

static void hidden_field(struct str *out, const char *name, const char *value)
{
	str_addf(out, "<input type=\"hidden\" name=\"%s\" value=\"", name);
	html_str(out, value);
	str_adds(out, "\"/>\n");
}

void series_rerun(struct str *out, const struct request *q, const struct series_page *p)
{
	if (p->posting.state != STORE_POSTING_COMPLETE && !p->trials.n)
		return;
	str_adds(out, "<section id=\"rerun\">\n<h2>Rerun</h2>\n"
		      "<form class=\"rerun\" action=\"/rerun\" method=\"post\">\n");
	hidden_field(out, "message_id", p->posting.message_id);
	hidden_field(out, "csrf", q->csrf);
	text_field(out, "base", "On the base", "the same as before");
	text_field(out, "only", "Only the steps", "all: apply,check,build,boot");
	text_field(out, "bench", "Benchmarks", "as configured: hot-add,ipi");
	str_adds(out, "<p><label><input type=\"checkbox\" name=\"unpin\" value=\"1\"/> with the "
		      "base, configuration and toolchain of today</label></p>\n");
	if (q->who)
		str_adds(out, "<p><button type=\"submit\">Rerun</button></p>\n");
	else
		str_addf(out,
			 "<p><button type=\"submit\" disabled=\"disabled\">Rerun</button> "
			 "<a href=\"/login?to=%%2Fseries%%2F%lld\">Sign in</a> to ask for "
			 "it.</p>\n",
			 (long long)p->posting.id);
	str_adds(out, "</form>\n</section>\n");
}

static void reply_row(struct str *out, const struct store_mail *m)
{
	str_adds(out, "<tr><td class=\"when\">");
	html_when(out, m->date);
	str_adds(out, "</td><td>");
	html_bdi(out, *m->from_name ? m->from_name : m->from_email);
	str_adds(out, "</td><th scope=\"row\">");
	html_bdi(out, m->subject);
	str_adds(out, "<p class=\"meta\">");
	html_message_id(out, m->message_id);
	str_adds(out, "</p></th><td>");
	html_cut(out, m->state, 40);
	str_adds(out, "</td><td>");
	html_words(out, m->reason, 300);
	str_adds(out, "</td></tr>\n");
}

void series_replies(struct str *out, const struct series_page *p)
{
	if (!p->replies.n)
		return;
	str_adds(out, "<section id=\"reply\">\n<h2>Replies</h2>\n<div class=\"wide\"><table "
		      "class=\"ledger\">\n<thead><tr><th scope=\"col\">Date</th>"
		      "<th scope=\"col\">From</th><th scope=\"col\">Subject</th>"
		      "<th scope=\"col\">Kind</th><th scope=\"col\">What became of it</th></tr>"
		      "</thead>\n<tbody>\n");
	for (size_t i = 0; i < p->replies.n; i++)
		reply_row(out, &p->replies.mail[i]);
	str_adds(out, "</tbody></table></div>\n");
	if (p->replies.more)
		str_adds(out, "<p class=\"note\">There are more: <a href=\"/ledger\">the "
			      "ledger</a> has them.</p>\n");
	str_adds(out, "</section>\n");
}
