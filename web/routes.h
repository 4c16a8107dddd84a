/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside web/: which handler answers which path. */
#ifndef FIRN_WEB_ROUTES_H
#define FIRN_WEB_ROUTES_H

#include "web/response.h"

/* Whether the request is for us, as far as its headers tell; else it is answered. */
bool route_admits(struct request *q, const char *method, struct response *r);
/* Its body is to be read: at most ROUTE_BODY_MAX bytes then, which route_admits() has seen to. */
#define ROUTE_BODY_MAX (8 * 1024)
bool route_takes_body(struct request *q, const char *method);
/* Answers one request, always. `q` has all but id and api, which are filled here. */
void route_answer(struct request *q, const char *method, struct response *r);

#endif
