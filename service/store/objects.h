/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows of the store as JSON objects: what `firn queue --json` and its like print, and what the API
 * of the web answers, which adds addresses of its own. web/API.md has their members and
 * web/openapi.json their types.
 *
 * What does not apply is null; a member is never left out. Times are RFC 3339, UTC. Text that is no
 * UTF-8 is mended. New references, never NULL.
 */
#ifndef FIRN_STORE_OBJECTS_H
#define FIRN_STORE_OBJECTS_H

#include "store/requests.h"
#include "store/views.h"

json_t *object_trial(const struct store_trial *t);
json_t *object_step(const struct store_step *s);
json_t *object_series(const struct view_series *v);
json_t *object_queued(const struct view_queued *q);
json_t *object_mail(const struct store_mail *m);
/* `whole`: with what is to be said. */
json_t *object_post(const struct store_post *p, bool whole);
json_t *object_request(const struct store_request *r, const struct store_answer *a);
json_t *object_testbed(const struct store_testbed *t);
json_t *object_source(const struct store_source *s);
json_t *object_bench(const struct view_bench *b);
json_t *object_history(const struct view_history *h);
json_t *object_health(const struct view_health *h);

/* A time, or null for 0; an id, or null for 0. */
json_t *object_when(int64_t t);
json_t *object_id(int64_t id);
/* "rerun", "new", "backlog" */
const char *store_priority_name(enum store_priority p);

/* One member of an object in the making; the value is taken. */
struct object_member {
	const char *name;
	json_t *value;
};
json_t *object_make(const struct object_member *member, size_t n);

#endif
