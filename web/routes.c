// SPDX-License-Identifier: GPL-2.0-or-later
#include "web/routes.h"

#include <microhttpd.h>

/* {id} stands for a trial's number. HEAD is served as GET without a body. API.md documents each
 * row. */
static const struct route {
	const char *method, *pattern;
	route_handler *handler;
} routes[] = {
	{"GET", "/", page_front},
	{"GET", "/trial/{id}", page_trial},
	{"GET", "/style.css", page_style},
	{"GET", "/healthz", page_health},
	{"GET", "/api/v1/trials", api_trials},
	{"GET", "/api/v1/trials/{id}", api_trial},
	{"GET", "/api/v1/trials/{id}/report", api_report},
};

/* Takes a number as we write it: no sign, no leading zero, small enough for SQLite. Returns what
 * follows, NULL when it is none. */
static const char *take_id(const char *s, int64_t *ret_id)
{
	size_t digits = strspn(s, "0123456789");

	if (!digits || digits > 18 || *s == '0')
		return NULL;
	*ret_id = strtoll(s, NULL, 10);
	return s + digits;
}

static bool route_match(const char *pattern, const char *path, int64_t *ret_id)
{
	const char *hole = strstr(pattern, "{id}");
	size_t before = hole ? (size_t)(hole - pattern) : 0;
	const char *rest;

	if (!hole)
		return strcmp(pattern, path) == 0;
	if (strncmp(pattern, path, before) != 0)
		return false;
	rest = take_id(path + before, ret_id);
	return rest && strcmp(rest, hole + strlen("{id}")) == 0;
}

static bool method_match(const char *route, const char *method)
{
	return strcmp(route, method) == 0 ||
	       (strcmp(route, "GET") == 0 && strcmp(method, "HEAD") == 0);
}

void route_answer(struct request *q, const char *method, struct response *r)
{
	bool known = false;

	q->api = str_starts(q->path, "/api/");
	for (size_t i = 0; i < array_size(routes); i++) {
		if (!route_match(routes[i].pattern, q->path, &q->id))
			continue;
		known = true;
		if (method_match(routes[i].method, method)) {
			routes[i].handler(q, r);
			return;
		}
	}
	if (known)
		respond_error(q, r, MHD_HTTP_METHOD_NOT_ALLOWED,
			      "This can only be read: GET or HEAD.");
	else
		respond_error(q, r, MHD_HTTP_NOT_FOUND, "There is no such page here.");
}
