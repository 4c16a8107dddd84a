// SPDX-License-Identifier: GPL-2.0-or-later
/* Checks out: posting one, and looking whether it is there. */
#include "intake/patchwork_api.h"

#include <ctype.h>

#define TOKEN_MAX 200
/* Of what a server says about a check that it does not take. */
#define WORDS_MAX 300
/* Of checks of one context on one patch: 250 to a page. */
#define PAGES_MAX 20

/* Something else would put a header of its own into the request. */
static int token_check(const struct patchwork_server *s, struct err *err)
{
	size_t n = s->token ? strlen(s->token) : 0;

	if (n == 0)
		return err_set(err, ERR_CONFIG,
			       "%s: checks are posted with a token, and there is none", s->url);
	for (const char *p = s->token; *p; p++)
		if (n > TOKEN_MAX || !isascii((unsigned char)*p) || !isalnum((unsigned char)*p))
			return err_set(err, ERR_CONFIG,
				       "%s: the token is not one: letters and digits", s->url);
	return 0;
}

/* What the server says: {"detail": "..."} or {"state": ["..."]}. The caller frees. */
static char *words_of(const struct patchwork_server *s, const struct http_response *r)
{
	auto_json json_t *json = json_loadb(r->body.buf, r->body.len, 0, NULL), *line = NULL;
	const char *detail = json_string_value(json_object_get(json, "detail"));
	auto_free char *dump = NULL;

	if (!json)
		return xstrdup("no words");
	if (!detail)
		detail = dump = json_dumps(json, JSON_COMPACT | JSON_ENCODE_ANY);
	line = patchwork_line(detail ?: "no words", WORDS_MAX);
	if (strstr(json_string_value(line), s->token))
		return xstrdup("words with the token in them");
	return xstrdup(json_string_value(line));
}

static int refused(const struct patchwork_server *s, const char *url, const struct http_response *r,
		   struct err *err)
{
	auto_free char *words = words_of(s, r);

	switch (r->status) {
	case 400: return err_set(err, ERR_INPUT, "%s: not taken: %s", url, words);
	case 401:
	case 403:
		return err_set(err, ERR_CONFIG,
			       "%s: the token has no right to post checks (%s): its user must be a "
			       "maintainer of the project",
			       url, words);
	case 404:
		return patchwork_no_version(r)
			       ? err_set(err, ERR_CONFIG, "%s: this is no Patchwork", url)
			       : err_set(err, ERR_INPUT, "%s: Patchwork has no such patch", url);
	case 429: return err_set(err, ERR_INFRA, "%s: we ask too often", url);
	default: return err_set(err, ERR_CONFIG, "%s: HTTP status %u: %s", url, r->status, words);
	}
}

/* A redirect of a POST is not followed: the token is for the address in the configuration. */
static int answered(const struct patchwork_server *s, const char *url,
		    const struct http_response *r, bool *ret_sent, struct err *err)
{
	if (r->status >= 200 && r->status < 300)
		return 0;
	*ret_sent = r->status >= 500 || r->status == 408;
	if (*ret_sent)
		return err_set(err, ERR_INFRA, "%s: HTTP status %u", url, r->status);
	if (r->status >= 300 && r->status < 400)
		return err_set(err, ERR_CONFIG, "%s: the server has another address now", url);
	return refused(s, url, r, err);
}

static int post(const struct patchwork_server *s, const char *url, const char *body,
		struct http_response *r, bool *ret_sent, struct err *err)
{
	auto_free char *token = xasprintf("Authorization: Token %s", s->token);
	const char *const headers[] = {"Content-Type: application/json", token, NULL};
	const struct http_request req = {
		.method = "POST",
		.url = url,
		.headers = headers,
		.body = body,
		.body_len = strlen(body),
		.max = PATCHWORK_JSON_MAX,
		.content_type = "application/json",
	};
	int rc = http_run(s->http, &req, r, err);

	explicit_bzero(token, strlen(token));
	*ret_sent = r->sent;
	return rc < 0 ? rc : answered(s, url, r, ret_sent, err);
}

int patchwork_check_post(const struct patchwork_server *s, int64_t patch,
			 const struct patchwork_check *check, bool *ret_sent, struct err *err)
{
	auto_json json_t *json = NULL;
	auto_free char *body = NULL;
	int rc;

	*ret_sent = false;
	if ((rc = token_check(s, err)) < 0 || (rc = patchwork_check_fits(check, err)) < 0)
		return rc;
	json = patchwork_check_body(check);
	body = json_dumps(json, JSON_COMPACT);
	for (const char *const *v = patchwork_versions; *v; v++) {
		auto_free char *path = xasprintf("api/%s/patches/%lld/checks/", *v,
						 (long long)patch),
			       *url = patchwork_url(s, path);
		struct http_response r = {0};
		bool older;

		rc = post(s, url, body, &r, ret_sent, err);
		older = rc < 0 && patchwork_no_version(&r);
		http_response_done(&r);
		if (!older)
			break;
	}
	return rc;
}

/* The newest check of each user in one context. */
struct newest {
	struct one {
		int64_t user, check;
		bool is;
	} * user;
	size_t n, cap;
};

static struct one *newest_of(struct newest *l, int64_t user)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->user[i].user == user)
			return &l->user[i];
	arr_grow(l->user, l->n, l->cap);
	l->user[l->n] = (struct one){.user = user};
	return &l->user[l->n++];
}

static bool same_text(const json_t *a, const json_t *b, const char *key)
{
	const char *x = json_string_value(json_object_get(a, key)),
		   *y = json_string_value(json_object_get(b, key));

	return strcmp(x ?: "", y ?: "") == 0;
}

static void page_look(const json_t *page, const json_t *want, struct newest *l)
{
	const json_t *check;
	size_t i;

	json_array_foreach (page, i, check) {
		int64_t id = patchwork_id(check, "id");
		struct one *one;

		if (!id || !same_text(check, want, "context"))
			continue;
		one = newest_of(l, patchwork_id(json_object_get(check, "user"), "id"));
		if (id < one->check)
			continue;
		one->check = id;
		one->is = same_text(check, want, "state") &&
			  same_text(check, want, "description") &&
			  same_text(check, want, "target_url");
	}
}

static int pages_look(const struct patchwork_server *s, const char *path, const json_t *want,
		      struct newest *l, struct err *err)
{
	struct http_response r = {0};
	json_t *page = NULL;
	int rc = patchwork_get(s, path, &r, &page, NULL, err);

	for (unsigned n = 1; rc == 0; n++) {
		auto_free char *next = r.next ? patchwork_own_url(s, r.next) : NULL;

		page_look(page, want, l);
		json_decref(page);
		page = NULL;
		http_response_done(&r);
		if (!next)
			break;
		if (n == PAGES_MAX)
			rc = err_set(err, ERR_INFRA, "%s: too many checks of one context", next);
		else
			rc = patchwork_get_url(s, next, &r, &page, err);
	}
	http_response_done(&r);
	return rc;
}

int patchwork_check_is(const struct patchwork_server *s, int64_t patch,
		       const struct patchwork_check *check, bool *ret_is, struct err *err)
{
	auto_json json_t *want = NULL;
	auto_free char *path = NULL;
	struct newest l = {0};
	bool is = false;
	int rc = patchwork_check_fits(check, err);

	if (rc < 0)
		return rc;
	want = patchwork_check_body(check);
	path = xasprintf("patches/%lld/checks/?context=%s&per_page=250", (long long)patch,
			 check->context);
	rc = pages_look(s, path, want, &l, err);
	for (size_t i = 0; i < l.n; i++)
		is |= l.user[i].is;
	free(l.user);
	if (rc == 0)
		*ret_is = is;
	return rc;
}
