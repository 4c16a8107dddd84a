// SPDX-License-Identifier: GPL-2.0-or-later
#include "web/api.h"

#include "base/json.h"
#include "web/token.h"
#include <microhttpd.h>

extern const char web_openapi[];
extern const unsigned long web_openapi_len;

#define OPENAPI_LIVES_S 3600

bool api_number(const struct request *q, struct response *r, const char *key, int64_t *ret)
{
	const char *s = query(q, key);
	size_t n = strlen(s);

	if (n > 18 || strspn(s, "0123456789") != n) {
		auto_free char *words = xasprintf("%s is a number.", key);

		respond_error(q, r, MHD_HTTP_BAD_REQUEST, words);
		return false;
	}
	*ret = n ? strtoll(s, NULL, 10) : 0;
	return true;
}

json_t *api_address(const char *before, int64_t id, const char *after)
{
	auto_free char *path = xasprintf("%s%lld%s", before, (long long)id, after);

	return id ? json_string(path) : json_null();
}

json_t *api_with(json_t *obj, const char *key, json_t *value)
{
	json_object_set_new(obj, key, value);
	return obj;
}

json_t *api_trial_json(const struct store_trial *t)
{
	json_t *obj = object_trial(t);

	api_with(obj, "page", api_address("/trial/", t->id, ""));
	return api_with(obj, "report",
			api_address("/api/v1/trials/", t->report ? t->id : 0, "/report"));
}

json_t *api_series_json(const struct view_series *v)
{
	return api_with(object_series(v), "page",
			v->posting ? api_address("/series/", v->posting, "")
				   : api_address("/trial/", v->trial, ""));
}

json_t *api_mail_json(const struct store_mail *m)
{
	auto_str struct str path;

	str_init(&path, 8192);
	str_adds(&path, "/m/");
	percent_encode(&path, m->message_id, false);
	return api_with(object_mail(m), "page",
			*m->message_id ? json_string(path.buf) : json_null());
}

/* The values of the query stay, but for the key that turns the page. */
static char *next_path(const struct request *q, const char *key, int64_t next)
{
	struct str path;

	str_init(&path, 0);
	str_addf(&path, "%s?", q->path);
	for (size_t i = 0; q->query && i < q->query->n; i++) {
		const struct pair *pair = &q->query->pair[i];

		if (strcmp(pair->key, key) == 0)
			continue;
		percent_encode(&path, pair->key, false);
		str_addc(&path, '=');
		percent_encode(&path, pair->value, false);
		str_addc(&path, '&');
	}
	str_addf(&path, "%s=%lld", key, (long long)next);
	return str_take(&path);
}

void api_list(const struct request *q, struct response *r, const char *name, json_t *rows,
	      const char *key, int64_t next)
{
	auto_free char *path = next ? next_path(q, key, next) : NULL;
	auto_json json_t *obj = json_pack("{s:o, s:s?}", name, rows, "next", path);

	if (path)
		r->link = xasprintf("<%s>; rel=\"next\"", path);
	respond_json(r, obj);
}

bool api_reads_all(const struct request *q, struct response *r, bool *ret_all)
{
	*ret_all = q->who;
	if (q->who || !q->authorization)
		return true;
	*ret_all = token_admits(q, r, token_bearer(q->authorization));
	return *ret_all;
}

void api_openapi(const struct request *q, struct response *r)
{
	(void)q;
	r->type = "application/json";
	r->lives_s = OPENAPI_LIVES_S;
	str_add(&r->body, web_openapi, web_openapi_len);
}
