/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside intake/: what the patchwork*.c files share. */
#ifndef FIRN_INTAKE_PATCHWORK_API_H
#define FIRN_INTAKE_PATCHWORK_API_H

#include "intake/patchwork.h"

/* A page of 250 events is about 300 kB, a series of 1000 patches about 1 MB. */
#define PATCHWORK_JSON_MAX ((size_t)16 << 20)

/* The URL under the server's own address; the caller frees. `path` begins without "/". */
char *patchwork_url(const struct patchwork_server *s, const char *path);
/* A URL out of an answer, when it leads to the server itself: else NULL. What a proxy has made http
 * of becomes https again. The caller frees. */
char *patchwork_own_url(const struct patchwork_server *s, const char *url);

/* GET of a whole URL. `ret` zeroed; http_response_done() it. An answer that is not 2xx is an error;
 * its status is in `ret`. */
must_check int patchwork_get_url(const struct patchwork_server *s, const char *url,
				 struct http_response *ret, json_t **ret_json, struct err *err);
/* The same below /api/VERSION/, with the newest version that the server has. An object that is not
 * there (404 in JSON) is ERR_INPUT. `*ret_minor` (may be NULL) is that version's: 2 for 1.2. */
must_check int patchwork_get(const struct patchwork_server *s, const char *path,
			     struct http_response *ret, json_t **ret_json, unsigned *ret_minor,
			     struct err *err);
/* A 404 page of HTML: the server does not know this version of the API. */
bool patchwork_no_version(const struct http_response *r);
/* The versions to try, newest first, NULL at the end. */
extern const char *const patchwork_versions[];

/* Members of an answer. A number above 0 that fits, else 0. */
int64_t patchwork_id(const json_t *obj, const char *key);
/* "<ID>" without <>; NULL when it is none that a header can hold. The caller frees. */
char *patchwork_message_id(const json_t *obj);
/* The member `key` as patchwork_own_url(). */
char *patchwork_own_member(const struct patchwork_server *s, const json_t *obj, const char *key);

/* One line of valid UTF-8: its first `max` characters; what is cut ends in "...". */
json_t *patchwork_line(const char *text, size_t max);
/* ERR_INPUT when Patchwork would refuse the context or state. */
must_check int patchwork_check_fits(const struct patchwork_check *check, struct err *err);
/* What is posted. */
json_t *patchwork_check_body(const struct patchwork_check *check);

#endif
