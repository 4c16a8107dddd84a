/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside web/: which handler answers which path. */
#ifndef FIRN_WEB_ROUTES_H
#define FIRN_WEB_ROUTES_H

#include "web/response.h"

/* Fills what the path says: api, route, id, id2, name, rest. */
void route_find(struct request *q, const char *method);
/* Whether the request is for us, as far as its headers tell; else it is answered. */
bool route_admits(const struct request *q, struct response *r);
/* Its body is to be read: at most ROUTE_BODY_MAX bytes then, which route_admits() has seen to. */
#define ROUTE_BODY_MAX (8 * 1024)
bool route_takes_body(const struct request *q);
/* Answers one request, always. */
void route_answer(const struct request *q, struct response *r);

#endif
