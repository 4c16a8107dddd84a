// SPDX-License-Identifier: GPL-2.0-or-later
/* /m/MESSAGE-ID and /search: from what people have at hand to a page. */
#include "base/conf_section.h"
#include "store/views.h"
#include "web/link_parse.h"
#include "web/links.h"
#include <microhttpd.h>

/* Where a mail stands; NULL: it is part of nothing. The caller frees. */
static char *place_of(const struct store_mail *m)
{
	if (!m->posting)
		return NULL;
	if (strcmp(m->state, "patch") == 0)
		return xasprintf("/series/%lld/patch/%u", (long long)m->posting, m->number);
	if (strcmp(m->state, "cover") == 0)
		return xasprintf("/series/%lld", (long long)m->posting);
	return xasprintf("/series/%lld#reply", (long long)m->posting);
}

/* The one place of all mails with this id; NULL: they are in several, or in none. */
static char *only_place(const struct store_mail_list *l)
{
	char *place = NULL;

	for (size_t i = 0; i < l->n; i++) {
		auto_free char *other = place_of(&l->mail[i]);

		if (other && place && strcmp(other, place) != 0) {
			free(place);
			return NULL;
		}
		if (other && !place)
			place = take(other);
	}
	return place;
}

static void known_row(struct str *out, const struct request *q, const struct store_mail *m)
{
	auto_free char *place = place_of(m);
	auto_free char *lore = link_lore(q, m->list ? m->list : "", m->message_id);

	str_adds(out, "<li>");
	html_bdi(out, *m->subject ? m->subject : "(no subject)");
	str_adds(out, " (");
	html_when(out, m->date);
	str_adds(out, "): ");
	html_cut(out, m->state, 40);
	if (*m->reason) {
		str_adds(out, ", ");
		html_words(out, m->reason, 300);
	}
	if (place)
		str_addf(out, " <a href=\"%s\">where it stands</a>", place);
	if (lore) {
		str_adds(out, " <a rel=\"external noreferrer\" href=\"");
		html_str(out, lore);
		str_adds(out, "\">archive</a>");
	}
	str_adds(out, "</li>\n");
}

/* Several places, or none: what is known of each mail. */
static void choices_page(const struct request *q, struct response *r,
			 const struct store_mail_list *l)
{
	struct str *out = &r->body;

	page_begin(out, &(struct page){.title = "Mails with this Message-ID",
				       .section = PAGE_LEDGER,
				       .q = q});
	str_adds(out, "<h1>Mails with this Message-ID</h1>\n<p><code>");
	html_cut(out, q->rest, 1000);
	str_adds(out, "</code></p>\n<ul>\n");
	for (size_t i = 0; i < l->n; i++)
		known_row(out, q, &l->mail[i]);
	str_adds(out, "</ul>\n");
	page_end(out, q);
}

static void unknown_page(const struct request *q, struct response *r)
{
	struct str *out = &r->body;

	r->status = MHD_HTTP_NOT_FOUND;
	page_begin(out, &(struct page){.title = "No such mail", .section = PAGE_LEDGER, .q = q});
	str_adds(out, "<h1>No such mail</h1>\n<p>No mail with the Message-ID <code>");
	html_cut(out, q->rest, 1000);
	str_adds(out, "</code> has come. It may be on a list that is not followed, be older than "
		      "what was fetched, or not have come yet: <a href=\"/lists\">the lists and "
		      "their sources</a>, <a href=\"/ledger\">the newest mails</a>.</p>\n"
		      "<p>");
	links_archives(out, q, q->rest);
	str_adds(out, "</p>\n");
	page_end(out, q);
}

/* One of ours, and what answers it, is no part of a series. */
static bool is_placed(const struct store_mail_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->mail[i].posting)
			return true;
	return false;
}

static int message_find(struct store *s, const char *id, struct store_mail_list *ret, char **ret_to,
			struct err *err)
{
	int64_t trial = 0;
	int rc = view_message(s, id, ret, err);

	if (rc == 0)
		*ret_to = only_place(ret);
	if (rc == 0 && !ret->n)
		rc = view_trial_of_message(s, id, &trial, err);
	if (rc == 0 && !trial && !*ret_to && !is_placed(ret))
		rc = view_trial_of_post(s, id, &trial, err);
	if (trial)
		*ret_to = xasprintf("/trial/%lld", (long long)trial);
	return rc;
}

void page_message(const struct request *q, struct response *r)
{
	auto_store_mail_list struct store_mail_list l = {0};
	auto_free char *to = NULL;
	struct store *store = NULL;
	struct err err = ERR_INIT;

	if (respond_store(q, r, &store) < 0)
		return;
	if (message_find(store, q->rest, &l, &to, &err) < 0)
		respond_failure(q, r, &err, "The mails cannot be read.");
	else if (to)
		respond_redirect(r, MHD_HTTP_FOUND, to);
	else if (l.n)
		choices_page(q, r, &l);
	else
		unknown_page(q, r);
}

static void go(struct response *r, const char *before, const char *word)
{
	auto_str struct str path;

	str_init(&path, 8192);
	html_path(&path, before, word);
	respond_redirect(r, MHD_HTTP_FOUND, path.buf);
}

/* "https://patchwork.ozlabs.org/" against "patchwork.ozlabs.org" */
static bool is_host_of(const char *url, const char *host)
{
	const char *at = strstr(url, "://");
	size_t n = at ? strcspn(at + 3, "/?#") : 0;

	return at && strlen(host) == n && strncasecmp(at + 3, host, n) == 0;
}

/* A mail of what the link is about; NULL: not known. The caller frees. */
static int patchwork_find(struct store *s, const char *server, const struct link_parsed *link,
			  char **ret_id, struct err *err)
{
	struct store_patchwork_list l = {0};
	int rc = link->kind == LINK_PATCH
			 ? store_patchwork_by_number(s, server, link->number, &l, err)
			 : store_patchwork_by_series(s, server, link->number, &l, err);

	if (rc == 0 && l.n)
		*ret_id = xstrdup(l.row[0].message_id);
	store_patchwork_list_done(&l);
	return rc;
}

static int by_number(const struct request *q, struct store *s, const struct link_parsed *link,
		     char **ret_id, struct err *err)
{
	const struct conf_section *server;
	int rc = 0;

	for (size_t i = 0; rc == 0 && !*ret_id && q->opt->conf &&
			   (server = conf_section_nth(q->opt->conf, CONF_SECTION_PATCHWORK, i));
	     i++) {
		const char *url = conf_section_str(server, CONF_PATCHWORK_URL);

		if (url && is_host_of(url, link->host))
			rc = patchwork_find(s, server->name, link, ret_id, err);
	}
	return rc;
}

/* An address that is no Message-ID here is a word like others. */
static int message_is_known(struct store *s, const char *id, bool *ret_is, struct err *err)
{
	int64_t trial = 0;
	int rc = store_mail_is_known(s, id, ret_is, err);

	if (rc == 0 && !*ret_is)
		rc = view_trial_of_message(s, id, &trial, err);
	if (rc == 0 && !*ret_is && !trial)
		rc = view_trial_of_post(s, id, &trial, err);
	*ret_is = *ret_is || trial;
	return rc;
}

static int search(const struct request *q, struct response *r, struct store *s,
		  struct link_parsed *link, struct err *err)
{
	bool known = link->host && link->kind == LINK_MESSAGE;
	int rc = 0;

	if (link->kind == LINK_PATCH || link->kind == LINK_PW_SERIES) {
		rc = by_number(q, s, link, &link->message_id, err);
		known = link->message_id;
	} else if (link->kind == LINK_MESSAGE && !known) {
		rc = message_is_known(s, link->message_id, &known, err);
	}
	if (rc == 0)
		go(r, known ? "/m/" : "/?q=", known ? link->message_id : query(q, "q"));
	return rc;
}

void page_search(const struct request *q, struct response *r)
{
	__attribute__((cleanup(link_parsed_done))) struct link_parsed link;
	struct store *store = NULL;
	struct err err = ERR_INIT;

	link_parse(query(q, "q"), &link);
	if (!*query(q, "q"))
		respond_redirect(r, MHD_HTTP_FOUND, "/");
	else if (respond_store(q, r, &store) == 0 && search(q, r, store, &link, &err) < 0)
		respond_failure(q, r, &err, "The search failed.");
}
