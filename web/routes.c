// SPDX-License-Identifier: GPL-2.0-or-later
#include "web/routes.h"

#include "web/host.h"
#include <microhttpd.h>

/* {id} stands for a number. HEAD is served as GET without a body. API.md documents each
 * row. */
static const struct route {
	const char *method, *pattern;
	route_handler *handler;
	route_admission *admit; /* of one that takes a body */
} routes[] = {
	{"GET", "/", .handler = page_front},
	{"GET", "/trial/{id}", .handler = page_trial},
	{"GET", "/style.css", .handler = page_style},
	{"GET", "/healthz", .handler = page_health},
	{"GET", "/api/v1/trials", .handler = api_trials},
	{"GET", "/api/v1/trials/{id}", .handler = api_trial},
	{"GET", "/api/v1/trials/{id}/report", .handler = api_report},
	{"GET", "/api/v1/requests/{id}", .handler = api_request},
	{"POST", "/api/v1/rerun", .handler = api_rerun, .admit = rerun_admit},
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

/* The row of this path, whatever the method; no path has two. */
static const struct route *route_find(struct request *q)
{
	q->api = str_starts(q->path, "/api/");
	for (size_t i = 0; i < array_size(routes); i++)
		if (route_match(routes[i].pattern, q->path, &q->id))
			return &routes[i];
	return NULL;
}

static void wrong_method(const struct request *q, const struct route *route, struct response *r)
{
	bool reads = strcmp(route->method, "GET") == 0;

	r->allow = reads ? "GET, HEAD" : route->method;
	respond_error(q, r, MHD_HTTP_METHOD_NOT_ALLOWED,
		      reads ? "This can only be read: GET or HEAD."
			    : "This can only be asked for: POST.");
}

bool route_admits(struct request *q, const char *method, struct response *r)
{
	const struct route *route = route_find(q);

	if (!host_admits(q)) {
		respond_error(
			q, r, MHD_HTTP_MISDIRECTED_REQUEST,
			"This server does not go by the name in the Host header. If it should, "
			"its operator has to set web.url.");
		return false;
	}
	if (!route || !method_match(route->method, method))
		return true;
	return !route->admit || route->admit(q, r);
}

bool route_takes_body(struct request *q, const char *method)
{
	const struct route *route = route_find(q);

	return route && route->admit && method_match(route->method, method);
}

void route_answer(struct request *q, const char *method, struct response *r)
{
	const struct route *route = route_find(q);

	if (!route)
		respond_error(q, r, MHD_HTTP_NOT_FOUND, "There is no such page here.");
	else if (!method_match(route->method, method))
		wrong_method(q, route, r);
	else
		route->handler(q, r);
}
