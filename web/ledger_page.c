// SPDX-License-Identifier: GPL-2.0-or-later
/* /ledger: every mail, and what became of it. */
#include "web/links.h"
#include "web/series_table.h"

#define LIVES_S 5

/* Words of MAIL_STATES (series/ledger.h), 'new', and what the archive took back. */
static const char *const states[] = {"patch", "cover",	 "reply",     "tags",	      "command",
				     "offer", "robot",	 "other",     "pull request", "no patch",
				     "new",   "removed", "duplicate", "unreadable"};

static void filters(struct str *out, const struct view_ledger_filter *f)
{
	str_adds(out, "<form class=\"filters\" action=\"/ledger\" method=\"get\">\n<label>List "
		      "<input name=\"list\" maxlength=\"200\" placeholder=\"linuxppc-dev\" "
		      "value=\"");
	html_str(out, f->list);
	str_adds(out, "\"/></label>\n<label>Kind <select name=\"state\"><option value=\"\">any"
		      "</option>");
	for (size_t i = 0; i < array_size(states); i++)
		str_addf(out, "<option%s>%s</option>",
			 strcmp(states[i], f->state) == 0 ? " selected=\"selected\"" : "",
			 states[i]);
	str_adds(out, "</select></label>\n<button type=\"submit\">Filter</button></form>\n");
}

static void place(struct str *out, const struct store_mail *m)
{
	bool part = strcmp(m->state, "patch") == 0 || strcmp(m->state, "cover") == 0;

	if (!m->posting)
		return;
	if (part)
		str_addf(out, "<a href=\"/series/%lld/patch/%u\">series %lld</a>",
			 (long long)m->posting, m->number, (long long)m->posting);
	else
		str_addf(out, "<a href=\"/series/%lld#reply\">series %lld</a>",
			 (long long)m->posting, (long long)m->posting);
}

static void row(struct str *out, const struct store_mail *m)
{
	str_adds(out, "<tr><td class=\"when\">");
	html_when(out, m->date);
	str_adds(out, "</td><td>");
	html_bdi(out, *m->from_name ? m->from_name : m->from_email);
	str_adds(out, "</td><th scope=\"row\">");
	html_bdi(out, *m->subject ? m->subject : "(no subject)");
	str_adds(out, "<p class=\"meta\">");
	if (*m->message_id)
		html_message_id(out, m->message_id);
	else
		str_adds(out, "no Message-ID");
	str_adds(out, "</p></th><td>");
	html_cut(out, m->state, 40);
	str_adds(out, "</td><td>");
	html_words(out, m->reason, 300);
	str_addc(out, ' ');
	place(out, m);
	str_adds(out, "</td></tr>\n");
}

static void table(struct str *out, const struct store_mail_list *l)
{
	str_adds(out, "<div class=\"wide\"><table class=\"ledger\">\n<thead><tr>"
		      "<th scope=\"col\">Date</th><th scope=\"col\">From</th>"
		      "<th scope=\"col\">Subject</th><th scope=\"col\">Kind</th>"
		      "<th scope=\"col\">What became of it</th></tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < l->n; i++)
		row(out, &l->mail[i]);
	str_adds(out, "</tbody></table></div>\n");
}

static void write_page(struct str *out, const struct request *q, const struct view_ledger_filter *f,
		       const struct store_mail_list *l)
{
	page_begin(out, &(struct page){.title = "Ledger", .section = PAGE_LEDGER, .q = q});
	str_adds(out, "<h1>Ledger</h1>\n<p class=\"note\">Every mail that came, newest first, and "
		      "what became of it.</p>\n");
	filters(out, f);
	if (l->n)
		table(out, l);
	else if (*f->list || *f->state || f->before)
		str_adds(out, "<p class=\"empty\">No mail is like that.</p>\n");
	else
		str_adds(out, "<p class=\"empty\">No mail has come. <code>firn serve</code> with "
			      "a <code>[list]</code> in its configuration fetches them.</p>\n");
	html_pager(out, q, "/ledger", l->more ? l->mail[l->n - 1].id : 0);
	page_end(out, q);
}

void page_ledger(const struct request *q, struct response *r)
{
	auto_store_mail_list struct store_mail_list l = {0};
	const struct view_filter given = series_filter(q);
	const struct view_ledger_filter f = {.list = given.list,
					     .state = given.state,
					     .before = given.before,
					     .limit = given.limit};
	struct store *store = NULL;
	struct err err = ERR_INIT;

	if (respond_store(q, r, &store) < 0)
		return;
	if (view_ledger(store, &f, &l, &err) < 0) {
		respond_failure(q, r, &err, "The ledger cannot be read.");
		return;
	}
	r->lives_s = LIVES_S;
	write_page(&r->body, q, &f, &l);
}
