// SPDX-License-Identifier: GPL-2.0-or-later
#include "web/routes.h"

#include "web/host.h"
#include "web/path.h"
#include <microhttpd.h>

/* Patterns: path.h. The first row that fits is taken. HEAD is served as GET without a body. API.md
 * documents each row. */
static const struct route {
	const char *method, *pattern;
	route_handler *handler;
	route_admission *admit; /* of one that takes a body */
} routes[] = {
	{"GET", "/", .handler = page_front},
	{"GET", "/lists", .handler = page_lists},
	{"GET", "/list/{name}", .handler = page_list},
	{"GET", "/series/{id}", .handler = page_series},
	{"GET", "/testbeds", .handler = page_testbeds},
	{"GET", "/ledger", .handler = page_ledger},
	{"GET", "/outbox", .handler = page_outbox},
	{"GET", "/m/{rest}", .handler = page_message},
	{"GET", "/search", .handler = page_search},
	{"GET", "/series/{id}/patch/{id}", .handler = page_patch},
	{"GET", "/series/{id}/patch/{id}/raw", .handler = page_patch_raw},
	{"GET", "/trial/{id}", .handler = page_trial},
	{"GET", "/trial/{id}/step/{name}", .handler = page_step},
	{"GET", "/trial/{id}/log/{rest}", .handler = page_log},
	{"GET", "/trial/{id}/bench/{name}.json", .handler = json_bench},
	{"GET", "/trial/{id}/bench/{name}", .handler = page_bench},
	{"GET", "/bench", .handler = page_benches},
	{"GET", "/bench/{name}.json", .handler = json_bench_history},
	{"GET", "/bench/{name}", .handler = page_bench_history},
	{"GET", "/assets/{name}", .handler = page_asset},
	{"GET", "/events", .handler = events_queue},
	{"GET", "/trial/{id}/events", .handler = events_trial},
	{"GET", "/login", .handler = page_login},
	{"POST", "/login", .handler = form_login, .admit = form_admit},
	{"POST", "/logout", .handler = form_logout, .admit = form_admit},
	{"POST", "/rerun", .handler = form_rerun, .admit = form_admit},
	{"POST", "/outbox/{id}", .handler = form_outbox, .admit = form_admit},
	{"GET", "/requests/{id}", .handler = page_request},
	{"GET", "/list/{name}/feed.atom", .handler = page_feed},
	{"GET", "/badge/series/{id}.svg", .handler = page_badge_series},
	{"GET", "/badge/m/{rest}.svg", .handler = page_badge_message},
	{"GET", "/healthz", .handler = page_health},
	{"GET", "/metrics", .handler = page_metrics},
	{"GET", "/api/v1/openapi.json", .handler = api_openapi},
	{"GET", "/api/v1/health", .handler = api_health},
	{"GET", "/api/v1/queue", .handler = api_queue},
	{"GET", "/api/v1/series", .handler = api_series_list},
	{"GET", "/api/v1/series/{id}", .handler = api_series},
	{"GET", "/api/v1/m/{rest}", .handler = api_message},
	{"GET", "/api/v1/trials", .handler = api_trials},
	{"GET", "/api/v1/trials/{id}", .handler = api_trial},
	{"GET", "/api/v1/trials/{id}/steps", .handler = api_steps},
	{"GET", "/api/v1/trials/{id}/logs", .handler = api_logs},
	{"GET", "/api/v1/trials/{id}/log/{rest}", .handler = api_log},
	{"GET", "/api/v1/trials/{id}/report", .handler = api_report},
	{"GET", "/api/v1/kcidb/trials/{id}", .handler = api_kcidb},
	{"GET", "/api/v1/benches", .handler = api_benches},
	{"GET", "/api/v1/benches/{name}", .handler = api_bench},
	{"GET", "/api/v1/mails", .handler = api_mails},
	{"GET", "/api/v1/testbeds", .handler = api_testbeds},
	{"GET", "/api/v1/lists", .handler = api_lists},
	{"GET", "/api/v1/outbox", .handler = api_outbox},
	{"GET", "/api/v1/requests", .handler = api_requests},
	{"GET", "/api/v1/requests/{id}", .handler = api_request},
	{"POST", "/api/v1/rerun", .handler = api_rerun, .admit = rerun_admit},
};

static bool method_match(const char *route, const char *method)
{
	return strcmp(route, method) == 0 ||
	       (strcmp(route, "GET") == 0 && strcmp(method, "HEAD") == 0);
}

/* A path may have a row for GET and one for POST. */
void route_find(struct request *q, const char *method)
{
	q->api = str_starts(q->path, "/api/");
	for (size_t i = 0; i < array_size(routes) && !q->route; i++) {
		if (!path_match(routes[i].pattern, q->path, &q->parts))
			continue;
		if (method_match(routes[i].method, method))
			q->route = &routes[i];
		else
			path_parts_done(&q->parts);
		if (strcmp(routes[i].method, "GET") == 0)
			q->reads = true;
		else
			q->writes = true;
	}
	q->id = q->parts.id;
	q->id2 = q->parts.id2;
	q->name = q->parts.name;
	q->rest = q->parts.rest;
}

static void wrong_method(const struct request *q, struct response *r)
{
	r->allow = !q->writes ? "GET, HEAD" : q->reads ? "GET, HEAD, POST" : "POST";
	respond_error(q, r, MHD_HTTP_METHOD_NOT_ALLOWED,
		      q->reads ? "This can only be read: GET or HEAD."
			       : "This can only be asked for: POST.");
}

bool route_admits(const struct request *q, struct response *r)
{
	if (!host_admits(q)) {
		respond_error(
			q, r, MHD_HTTP_MISDIRECTED_REQUEST,
			"This server does not go by the name in the Host header. If it should, "
			"its operator has to set web.url.");
		return false;
	}
	return !q->route || !q->route->admit || q->route->admit(q, r);
}

bool route_takes_body(const struct request *q)
{
	return q->route && q->route->admit;
}

void route_answer(const struct request *q, struct response *r)
{
	if (q->route)
		q->route->handler(q, r);
	else if (q->reads || q->writes)
		wrong_method(q, r);
	else
		respond_error(q, r, MHD_HTTP_NOT_FOUND, "There is no such page here.");
}
