// SPDX-License-Identifier: GPL-2.0-or-later
/* A request taken apart, and answers of all kinds. */
#include "stand_in.h"

#include <ctype.h>

static int hex(char c)
{
	const char *digits = "0123456789abcdef", *p = strchr(digits, tolower((unsigned char)c));

	return c && p ? (int)(p - digits) : -1;
}

char *url_decode(const char *text, bool plus)
{
	struct str out;

	str_init(&out, 0);
	for (const char *p = text; *p; p++) {
		if (*p == '%' && hex(p[1]) >= 0 && hex(p[2]) >= 0) {
			str_addc(&out, (char)(hex(p[1]) * 16 + hex(p[2])));
			p += 2;
		} else {
			str_addc(&out, *p == '+' && plus ? ' ' : *p);
		}
	}
	return str_take(&out);
}

static void param_add(struct request *r, char *pair)
{
	char *equals = strchr(pair, '=');

	if (!*pair)
		return;
	if (equals)
		*equals = '\0';
	arr_grow(r->param, r->n_params, r->cap);
	r->param[r->n_params++] = (struct param){
		.name = url_decode(pair, true),
		.value = url_decode(equals ? equals + 1 : "", true),
	};
}

void request_parse(struct request *r)
{
	char *query = strchr(r->uri, '?'), *save = NULL;
	char *copy = query ? xstrdup(query + 1) : NULL;
	char *raw = xmemdup(r->uri, query ? (size_t)(query - r->uri) : strlen(r->uri));

	r->path = url_decode(raw, false);
	for (char *p = copy ? strtok_r(copy, "&", &save) : NULL; p; p = strtok_r(NULL, "&", &save))
		param_add(r, p);
	free(raw);
	free(copy);
}

void request_done(struct request *r)
{
	for (size_t i = 0; i < r->n_params; i++) {
		free(r->param[i].name);
		free(r->param[i].value);
	}
	free(r->param);
	free(r->path);
	free(r->uri);
	free(r->base);
	if (r->body.buf)
		str_done(&r->body);
}

const char *request_param(const struct request *r, const char *name)
{
	const char *value = NULL;

	for (size_t i = 0; i < r->n_params; i++)
		if (strcmp(r->param[i].name, name) == 0)
			value = r->param[i].value;
	return value;
}

static void quote(struct str *out, const char *text)
{
	for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
		if (isalnum(*p) || strchr("_.-~", *p))
			str_addc(out, (char)*p);
		else if (*p == ' ')
			str_addc(out, '+');
		else
			str_addf(out, "%%%02X", *p);
	}
}

static void pair_add(struct str *out, size_t begin, const char *name, const char *value)
{
	if (out->len > begin)
		str_addc(out, '&');
	quote(out, name);
	str_addc(out, '=');
	quote(out, value);
}

void request_query(const struct request *r, unsigned page, struct str *out)
{
	const char *last = "";
	char number[16];
	size_t begin = out->len;

	snprintf(number, sizeof(number), "%u", page);
	for (bool paged = page == 0;;) {
		const char *next = NULL;

		for (size_t i = 0; i < r->n_params; i++) {
			const char *name = r->param[i].name;

			if (strcmp(name, "page") != 0 && strcmp(name, last) > 0 &&
			    (!next || strcmp(name, next) < 0))
				next = name;
		}
		if (!paged && (!next || strcmp("page", next) < 0)) {
			pair_add(out, begin, "page", number);
			paged = true;
		}
		if (!next)
			break;
		for (size_t i = 0; i < r->n_params; i++)
			if (strcmp(r->param[i].name, next) == 0)
				pair_add(out, begin, next, r->param[i].value);
		last = next;
	}
}

void reply_json(struct reply *r, unsigned status, json_t *json)
{
	char *text = json_dumps(json, JSON_COMPACT | JSON_ENSURE_ASCII);

	r->status = status;
	r->type = "application/json";
	str_adds(&r->body, text);
	free(text);
	json_decref(json);
}

void reply_detail(struct reply *r, unsigned status, const char *fmt, ...)
{
	char *text;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		abort();
	va_end(ap);
	reply_json(r, status, json_pack("{s:s}", "detail", text));
	free(text);
}

void reply_page(struct reply *r, unsigned status, const char *path)
{
	r->status = status;
	r->type = "text/html; charset=utf-8";
	r->allow = NULL;
	str_adds(&r->body, "<!DOCTYPE html>\n<html><body><p>");
	for (const char *p = path; *p; p++)
		if (!strchr("<>&\"", *p))
			str_addc(&r->body, *p);
	str_adds(&r->body, "</p></body></html>\n");
}
