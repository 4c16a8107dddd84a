// SPDX-License-Identifier: GPL-2.0-or-later
/* /outbox: what is to be said to the world, and what became of it. The text of what is held is for
 * those who decide about it. */
#include "base/json.h"
#include "web/series_table.h"
#include <microhttpd.h>

#define BODY_MAX (64 * 1024)

static const struct {
	const char *word, *name;
	enum view_outbox_which which;
} shows[] = {
	{"", "All", VIEW_OUTBOX_ALL},
	{"held", "Held", VIEW_OUTBOX_HELD},
	{"open", "Open", VIEW_OUTBOX_OPEN},
	{"sent", "Sent", VIEW_OUTBOX_SENT},
	{"failed", "Failed", VIEW_OUTBOX_FAILED},
};

static void tabs(struct str *out, const char *shown)
{
	str_adds(out, "<nav class=\"tabs\" aria-label=\"Which\"><ul>\n");
	for (size_t i = 0; i < array_size(shows); i++)
		str_addf(out, "<li><a href=\"/outbox%s%s\"%s>%s</a></li>\n",
			 *shows[i].word ? "?show=" : "", shows[i].word,
			 strcmp(shows[i].word, shown) == 0 ? " aria-current=\"page\"" : "",
			 shows[i].name);
	str_adds(out, "</ul></nav>\n");
}

static bool is_mail(const struct store_post *p)
{
	return strcmp(p->poster, "mail") == 0;
}

static void addresses(struct str *out, const json_t *list, const char *name)
{
	const json_t *address;
	size_t i;

	json_array_foreach (list, i, address) {
		str_addf(out, "%s: ", name);
		html_cut(out, json_string_value(address), 320);
		str_addc(out, '\n');
	}
}

static void mail_text(struct str *out, const struct store_post *p)
{
	str_adds(out, "<pre class=\"mail\">");
	addresses(out, json_object_get(p->want, "to"), "To");
	addresses(out, json_object_get(p->want, "cc"), "Cc");
	str_adds(out, "Subject: ");
	html_cut(out, json_get_str(p->want, "subject", ""), 1000);
	str_adds(out, "\n\n");
	html_cut(out, json_get_str(p->want, "body", ""), BODY_MAX);
	str_adds(out, "</pre>\n");
}

/* The revision says which text was looked at: a newer one is not approved with it. */
static void decide(struct str *out, const struct request *q, const struct store_post *p)
{
	str_addf(out,
		 "<form class=\"decide\" action=\"/outbox/%lld\" method=\"post\">"
		 "<input type=\"hidden\" name=\"csrf\" value=\"",
		 (long long)p->id);
	html_str(out, q->csrf);
	str_addf(out,
		 "\"/><input type=\"hidden\" name=\"revision\" value=\"%u\"/>"
		 "<button type=\"submit\" name=\"action\" value=\"approve\">Approve</button> "
		 "<button type=\"submit\" name=\"action\" value=\"drop\">Drop</button></form>\n",
		 p->revision);
}

static bool is_held(const struct store_post *p)
{
	return strcmp(view_post_word(p), "held") == 0;
}

/* What is held is for those who decide about it. */
static bool is_shown(const struct request *q, const struct store_post *p)
{
	return is_mail(p) && (!is_held(p) || q->who);
}

static void row(struct str *out, const struct request *q, const struct store_post *p)
{
	str_addf(out, "<tr id=\"row-%lld\"><td>", (long long)p->id);
	html_word(out, view_post_word(p));
	str_adds(out, "</td><th scope=\"row\">");
	html_bdi(out, json_get_str(p->want, is_mail(p) ? "subject" : "description", ""));
	if (is_shown(q, p))
		str_addf(out, " <a href=\"#mail-%lld\">the mail</a>", (long long)p->id);
	str_adds(out, "<p class=\"meta\">");
	html_words(out, p->words, 300);
	str_adds(out, "</p></th><td>");
	html_cut(out, is_mail(p) ? "mail" : p->context, 80);
	str_adds(out, "</td><td>");
	html_words(out, p->target, 120);
	str_addf(out, "</td><td><a href=\"/trial/%lld\">trial %lld</a></td><td class=\"when\">",
		 (long long)p->trial, (long long)p->trial);
	html_when(out, p->at ? p->at : p->written);
	str_adds(out, "</td></tr>\n");
}

/* Not in the table, which would be as wide as the longest line of a mail. */
static void mails(struct str *out, const struct request *q, const struct store_post_list *l)
{
	for (size_t i = 0; i < l->n; i++) {
		const struct store_post *p = &l->post[i];

		if (!is_shown(q, p))
			continue;
		str_addf(out, "<section id=\"mail-%lld\">\n<h2>", (long long)p->id);
		html_word(out, view_post_word(p));
		str_adds(out, " ");
		html_bdi(out, json_get_str(p->want, "subject", ""));
		str_adds(out, "</h2>\n");
		mail_text(out, p);
		if (is_held(p))
			decide(out, q, p);
		str_adds(out, "</section>\n");
	}
}

static void table(struct str *out, const struct request *q, const struct store_post_list *l)
{
	str_adds(out, "<div class=\"wide\"><table class=\"outbox\">\n<thead><tr>"
		      "<th scope=\"col\">State</th><th scope=\"col\">What</th>"
		      "<th scope=\"col\">Check</th><th scope=\"col\">To</th>"
		      "<th scope=\"col\">Of</th><th scope=\"col\">When</th></tr></thead>\n"
		      "<tbody>\n");
	for (size_t i = 0; i < l->n; i++)
		row(out, q, &l->post[i]);
	str_adds(out, "</tbody></table></div>\n");
}

static void write_page(struct str *out, const struct request *q, const char *show,
		       const struct store_post_list *l)
{
	page_begin(out, &(struct page){.title = "Outbox", .section = PAGE_OUTBOX, .q = q});
	str_adds(out, "<h1>Outbox</h1>\n<p class=\"note\">What is said to Patchwork and by "
		      "mail.");
	if (!q->who)
		str_adds(out, " <a href=\"/login?to=%2Foutbox%3Fshow%3Dheld\">Sign in</a> to read "
			      "what is held, and to approve or drop it.");
	str_adds(out, "</p>\n");
	tabs(out, show);
	if (l->n)
		table(out, q, l);
	else
		str_addf(out, "<p class=\"empty\">%s</p>\n",
			 strcmp(show, "held") == 0 ? "Nothing waits for approval. With post.mode = "
						     "moderated, mails do."
			 : *show || *query(q, "before")
				 ? "Nothing is like that."
				 : "Nothing is to be said yet. Trials of <code>firn serve</code> "
				   "put checks and mails here.");
	mails(out, q, l);
	html_pager(out, q, "/outbox", l->more ? l->post[l->n - 1].id : 0);
	page_end(out, q);
}

/* -1: there is none of that name. */
static int show_find(const char *word)
{
	for (size_t i = 0; i < array_size(shows); i++)
		if (strcmp(shows[i].word, word) == 0)
			return (int)i;
	return -1;
}

void page_outbox(const struct request *q, struct response *r)
{
	const struct view_filter given = series_filter(q);
	int show = show_find(query(q, "show"));
	struct store_post_list l = {0};
	struct store *store = NULL;
	struct err err = ERR_INIT;

	if (show < 0) {
		respond_error(q, r, MHD_HTTP_BAD_REQUEST,
			      "show is one of held, open, sent, failed.");
		return;
	}
	if (respond_store(q, r, &store) < 0)
		return;
	if (view_outbox(store, shows[show].which, given.before, given.limit, &l, &err) < 0)
		respond_failure(q, r, &err, "The outbox cannot be read.");
	else
		write_page(&r->body, q, shows[show].word, &l);
	store_post_list_done(&l);
}
