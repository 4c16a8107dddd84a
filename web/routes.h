/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside web/: which handler answers which path. */
#ifndef FIRN_WEB_ROUTES_H
#define FIRN_WEB_ROUTES_H

#include "web/response.h"

/* Answers one request, always. `q` has opt, path, limit and offset; the rest is filled here. */
void route_answer(struct request *q, const char *method, struct response *r);

#endif
