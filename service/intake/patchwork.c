// SPDX-License-Identifier: GPL-2.0-or-later
/* A request to Patchwork's API, and what all answers have in common. */
#include "intake/patchwork_api.h"

#include <ctype.h>
#include <curl/curl.h>

#define URL_MAX 4096
/* Of what is said about an answer. */
#define WORDS_MAX 120
/* RFC 5322 2.1.1: longer fits no header line. */
#define MESSAGE_ID_MAX 990

/* 1.2 is the first with msgid=, and all that is newer can do it. */
const char *const patchwork_versions[] = {"1.2", "1.1", "1.0", NULL};

char *patchwork_url(const struct patchwork_server *s, const char *path)
{
	size_t n = strlen(s->url);

	return xasprintf("%s%s%s", s->url, n && s->url[n - 1] == '/' ? "" : "/", path);
}

static char *part_of(CURLU *u, CURLUPart part, unsigned flags)
{
	char *text = NULL, *copy;

	if (curl_url_get(u, part, &text, flags) != CURLUE_OK)
		return NULL;
	copy = xstrdup(text);
	curl_free(text);
	return copy;
}

static bool same(const char *a, const char *b)
{
	return a && b && strcasecmp(a, b) == 0;
}

/* Django behind a proxy that ends TLS may write http:// (and that port) into its answers. */
static bool same_server(CURLU *server, CURLU *url)
{
	auto_free char *host = part_of(server, CURLUPART_HOST, 0),
		       *port = part_of(server, CURLUPART_PORT, CURLU_DEFAULT_PORT),
		       *scheme = part_of(server, CURLUPART_SCHEME, 0),
		       *url_host = part_of(url, CURLUPART_HOST, 0),
		       *url_port = part_of(url, CURLUPART_PORT, CURLU_DEFAULT_PORT),
		       *url_scheme = part_of(url, CURLUPART_SCHEME, 0),
		       *user = part_of(url, CURLUPART_USER, 0),
		       *password = part_of(url, CURLUPART_PASSWORD, 0);

	if (user || password || !same(host, url_host))
		return false;
	return (same(scheme, url_scheme) && same(port, url_port)) ||
	       (same(scheme, "https") && same(url_scheme, "http") && same(port, "443") &&
		same(url_port, "80"));
}

/* The path and query are kept as they are: a slash in an id is escaped twice. */
static char *below(CURLU *server, CURLU *url)
{
	auto_free char *scheme = part_of(server, CURLUPART_SCHEME, 0),
		       *port = part_of(server, CURLUPART_PORT, 0);

	curl_url_set(url, CURLUPART_SCHEME, scheme, 0);
	curl_url_set(url, CURLUPART_PORT, port, 0);
	curl_url_set(url, CURLUPART_FRAGMENT, NULL, 0);
	return part_of(url, CURLUPART_URL, 0);
}

static bool is_plain(const char *text, size_t max)
{
	size_t n = strnlen(text, max + 1);

	for (const char *p = text; *p; p++)
		if (!isascii((unsigned char)*p) || !isgraph((unsigned char)*p))
			return false;
	return n > 0 && n <= max;
}

char *patchwork_own_url(const struct patchwork_server *s, const char *url)
{
	CURLU *a, *b;
	char *own = NULL;

	if (!is_plain(url, URL_MAX))
		return NULL;
	a = curl_url();
	b = curl_url();
	if (curl_url_set(a, CURLUPART_URL, s->url, 0) == CURLUE_OK &&
	    curl_url_set(b, CURLUPART_URL, url, CURLU_PATH_AS_IS) == CURLUE_OK && same_server(a, b))
		own = below(a, b);
	curl_url_cleanup(a);
	curl_url_cleanup(b);
	return own;
}

bool patchwork_no_version(const struct http_response *r)
{
	return r->status == 404 &&
	       strcmp(r->content_type ? r->content_type : "", "application/json") != 0;
}

int patchwork_get_url(const struct patchwork_server *s, const char *url, struct http_response *ret,
		      json_t **ret_json, struct err *err)
{
	const struct http_request req = {
		.url = url, .max = PATCHWORK_JSON_MAX, .content_type = "application/json"};
	json_error_t why;
	json_t *json;
	int rc = http_run(s->http, &req, ret, err);

	if (rc < 0)
		return rc;
	if (ret->status == 404 && !patchwork_no_version(ret))
		return err_set(err, ERR_INPUT, "%s: the server has no such thing", url);
	rc = http_check(&req, ret, err);
	if (rc < 0)
		return rc;
	json = json_loadb(ret->body.buf, ret->body.len, JSON_REJECT_DUPLICATES, &why);
	if (!json) {
		auto_json json_t *words =
			patchwork_line(why.text, WORDS_MAX); /* quotes the answer */

		return err_set(err, ERR_INFRA,
			       "%s: the answer is no JSON that can be read: line %d: %s", url,
			       why.line, json_string_value(words));
	}
	*ret_json = json;
	return 0;
}

int patchwork_get(const struct patchwork_server *s, const char *path, struct http_response *ret,
		  json_t **ret_json, unsigned *ret_minor, struct err *err)
{
	for (const char *const *v = patchwork_versions;; v++) {
		auto_free char *below_api = xasprintf("api/%s/%s", *v, path),
			       *url = patchwork_url(s, below_api);
		int rc = patchwork_get_url(s, url, ret, ret_json, err);

		if (rc < 0 && v[1] && patchwork_no_version(ret))
			continue;
		if (rc == 0 && ret_minor)
			*ret_minor = (unsigned)((*v)[2] - '0');
		return rc;
	}
}

int64_t patchwork_id(const json_t *obj, const char *key)
{
	json_int_t id = json_integer_value(json_object_get(obj, key));

	return id > 0 ? (int64_t)id : 0;
}

char *patchwork_message_id(const json_t *obj)
{
	const char *id = json_string_value(json_object_get(obj, "msgid"));
	size_t n;

	if (!id || !is_plain(id, MESSAGE_ID_MAX))
		return NULL;
	n = strlen(id);
	if (id[0] == '<' && n > 2 && id[n - 1] == '>') {
		id++;
		n -= 2;
	}
	return memchr(id, '<', n) || memchr(id, '>', n) ? NULL : xmemdup(id, n);
}

char *patchwork_own_member(const struct patchwork_server *s, const json_t *obj, const char *key)
{
	const char *url = json_string_value(json_object_get(obj, key));

	return url ? patchwork_own_url(s, url) : NULL;
}
