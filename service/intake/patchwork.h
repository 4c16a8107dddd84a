/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Patchwork's REST API, versions 1.0 to 1.4 (patchwork.readthedocs.io, "The REST API"): events in,
 * checks out. The oldest version that has what is needed is asked for, and answers are read without
 * trust.
 */
#ifndef FIRN_INTAKE_PATCHWORK_H
#define FIRN_INTAKE_PATCHWORK_H

#include "intake/http.h"
#include "intake/mail.h"
#include <jansson.h>

struct patchwork_server {
	const char *url;   /* "https://patchwork.ozlabs.org/" */
	const char *token; /* NULL: nothing can be posted */
	struct http *http;
};

/* What an event tells: a patch, cover or series was made or completed. */
struct patchwork_event {
	int64_t id;
	const char *category; /* "patch-created", "cover-created", "series-completed", ... */
	const char *date;     /* opaque cursor */
	bool is_cover;
	int64_t number;				 /* of the patch or cover; 0 for a series event */
	int64_t series;				 /* 0: unknown */
	const char *message_id, *web_url, *mbox; /* without <>; NULL for a series event */
};
typedef int patchwork_event_fn(void *ctx, const struct patchwork_event *event, struct err *err);
/* All events of a project that are new since `cursor` ("" the first time: since `since`), oldest
 * first, each once. `*ret_cursor` (the caller frees) is opaque. */
must_check int patchwork_events(const struct patchwork_server *s, const char *project,
				const char *cursor, int64_t since, patchwork_event_fn *on_event,
				void *ctx, char **ret_cursor, struct err *err);

/* The mail of a patch or cover, as Patchwork kept it (`mbox` URL of the event). */
must_check int patchwork_mail(const struct patchwork_server *s, const char *mbox_url,
			      struct mail_list *list, struct err *err);
/* All mails of a series by its id there. ERR_INPUT when there is none. */
must_check int patchwork_series(const struct patchwork_server *s, int64_t series,
				struct mail_list *list, struct err *err);
/* Patch number and series by Message-ID (API 1.2 on; else by the web address). ERR_INPUT: unknown.
 */
must_check int patchwork_find(const struct patchwork_server *s, const char *message_id,
			      int64_t *ret_patch, int64_t *ret_series, struct err *err);
/* "https://HOST/project/P/patch/ID/", ".../patch/12345/", ".../series/12345/",
 * ".../project/P/list/?series=12345".
 * `*ret_message_id` NULL when it is by number. False when it is none. */
bool patchwork_link_parse(const char *link, char **ret_base, char **ret_message_id,
			  int64_t *ret_patch, int64_t *ret_series);

struct patchwork_check {
	const char *context;	       /* [A-Za-z0-9_-]{1,255} */
	const char *state;	       /* "pending", "success", "warning", "fail" */
	const char *description, *url; /* url at most 200 characters and with a dot in its host,
					  else it is left out; NULL */
};
/* Posts it. ERR_INFRA: try again later (`*ret_sent`: it may have been taken); ERR_CONFIG: no right
 * to; ERR_INPUT: no such patch, or the server does not like it. `*ret_words` for people. */
must_check int patchwork_check_post(const struct patchwork_server *s, int64_t patch,
				    const struct patchwork_check *check, bool *ret_sent,
				    struct err *err);
/* Whether the newest check of ours (the token's user) in this context says exactly this. */
must_check int patchwork_check_is(const struct patchwork_server *s, int64_t patch,
				  const struct patchwork_check *check, bool *ret_is,
				  struct err *err);

#endif
