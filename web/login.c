// SPDX-License-Identifier: GPL-2.0-or-later
/* /login and /logout: a cookie for a token. */
#include "base/clock.h"
#include "web/html.h"
#include "web/session.h"
#include "web/token.h"
#include <microhttpd.h>

/* Hidden field with a value from outside. */
static void hidden(struct str *out, const char *name, const char *value)
{
	str_addf(out, "<input type=\"hidden\" name=\"%s\" value=\"", name);
	html_str(out, value);
	str_adds(out, "\"/>\n");
}

static void signed_in(struct str *out, const struct request *q)
{
	str_adds(out, "<p>You are signed in as ");
	html_bdi(out, q->who);
	str_adds(out, ".</p>\n<form method=\"post\" action=\"/logout\">\n");
	hidden(out, "csrf", q->csrf);
	str_adds(out, "<p><button type=\"submit\">Sign out</button></p>\n</form>\n");
}

static void token_form(struct str *out, const struct request *q, const char *words)
{
	if (words)
		html_open(out, "p class=\"verdict fail\" role=\"alert\"", words);
	str_adds(out, "<p>Who is signed in may ask for reruns and decide about held mail. The "
		      "operator gives out tokens.</p>\n"
		      "<form method=\"post\" action=\"/login\">\n");
	hidden(out, "to", session_return(form(q, "to")[0] ? form(q, "to") : query(q, "to")));
	str_adds(out, "<p><label for=\"token\">Token</label>\n"
		      "<input id=\"token\" name=\"token\" type=\"password\" required=\"required\" "
		      "autocomplete=\"current-password\"/>\n"
		      "<button type=\"submit\">Sign in</button></p>\n</form>\n");
}

static void no_way(struct str *out, const struct request *q)
{
	html_open(out, "p",
		  q->opt->auth_header
			  ? "Signing in is up to the proxy that stands before this server."
			  : "Nobody can sign in here: the operator has set no tokens "
			    "(web.token-file) and no proxy (web.auth-header).");
}

static void login_page(const struct request *q, struct response *r, const char *words)
{
	page_begin(&r->body, &(struct page){.title = "Sign in", .q = q});
	str_adds(&r->body, "<h1>Sign in</h1>\n");
	if (q->who)
		signed_in(&r->body, q);
	else if (q->tokens)
		token_form(&r->body, q, words);
	else
		no_way(&r->body, q);
	page_end(&r->body, q);
}

void page_login(const struct request *q, struct response *r)
{
	login_page(q, r, NULL);
}

/* Too many wrong ones, or the wrong one, as a page with the form. */
static void login_refused(const struct request *q, struct response *r)
{
	if (r->status != MHD_HTTP_UNAUTHORIZED)
		return;
	str_reset(&r->body);
	login_page(q, r, "This token is not known here.");
}

void form_login(const struct request *q, struct response *r)
{
	const struct token *token = token_admits(q, r, form(q, "token"));

	if (!token) {
		login_refused(q, r);
		return;
	}
	respond_redirect(r, MHD_HTTP_SEE_OTHER, session_return(form(q, "to")));
	r->cookie = session_cookie(q, token, clock_wall() + SESSION_S);
}

void form_logout(const struct request *q, struct response *r)
{
	if (q->who && !session_form_is_ours(q, r))
		return;
	respond_redirect(r, MHD_HTTP_SEE_OTHER, "/");
	r->cookie = session_cookie(q, NULL, 0);
}
