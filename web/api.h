/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside web/: what the handlers of the API share. Objects come from store/objects.h; what is added
 * here are addresses. API.md and openapi.json say what there is. */
#ifndef FIRN_WEB_API_H
#define FIRN_WEB_API_H

#include "store/objects.h"
#include "web/response.h"

/* Lists may be shown so long without asking the store again. */
#define API_LIVES_S 5

/* A number of the query; false when it is none, and that is answered. 0 when it is not there. */
bool api_number(const struct request *q, struct response *r, const char *key, int64_t *ret);

/* An address of ours, as a JSON string; null for id 0. */
json_t *api_address(const char *before, int64_t id, const char *after);
/* The object with one more member, which is taken. */
json_t *api_with(json_t *obj, const char *key, json_t *value);
/* The objects with their pages. */
json_t *api_trial_json(const struct store_trial *t);
json_t *api_series_json(const struct view_series *v);
json_t *api_mail_json(const struct store_mail *m);

/* The rows under `name`, and "next": the same address with `key` = `next`, or null for 0; also as a
 * Link. Takes the rows. */
void api_list(const struct request *q, struct response *r, const char *name, json_t *rows,
	      const char *key, int64_t next);

/* May who asks read what is for those who are signed in? By session or token; false also when a
 * token came that is wrong, and that is answered. */
bool api_reads_all(const struct request *q, struct response *r, bool *ret_all);

#endif
