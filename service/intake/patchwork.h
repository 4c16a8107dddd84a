/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Patchwork's REST API, versions 1.0 to 1.4 (patchwork.readthedocs.io, "The REST API"): events in,
 * checks out. Version 1.2 is asked for, an older one where the server has not got it, and answers
 * are read without trust: see PATCHWORK.md.
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

/*
 * What an event tells. The categories that are asked for: "cover-created", "patch-created",
 * "patch-completed" (the patch and all before it are there; tells its series), "series-completed".
 * And one of ours: "unreadable", for an answer that is not as Patchwork's are; `words` says why.
 */
struct patchwork_event {
	int64_t id;
	const char *category;
	const char *date; /* naive, in the server's own zone */
	bool is_cover;
	int64_t number;				 /* of the patch or cover; 0 for a series event */
	int64_t series;				 /* 0: unknown */
	const char *message_id, *web_url, *mbox; /* without <>; NULL for a series event */
	const char *words;			 /* NULL unless unreadable; for people */
	const struct patchwork_walk *walk;	 /* for patchwork_event_cursor() */
};
typedef int patchwork_event_fn(void *ctx, const struct patchwork_event *event, struct err *err);
/*
 * All events of a project that are new since `cursor` ("" the first time: since `since`), oldest
 * first, each once. `*ret_cursor` (the caller frees) is opaque, and valid UTF-8 without a newline.
 * An event that appears late, with a date before others, is still told if that is not more than an
 * hour. ERR_CONFIG: no such project.
 */
must_check int patchwork_events(const struct patchwork_server *s, const char *project,
				const char *cursor, int64_t since, patchwork_event_fn *on_event,
				void *ctx, char **ret_cursor, struct err *err);
/* Inside the callback: a cursor for all up to this event, so that a long walk that ends early is
 * not begun anew. It takes time: not for every event. The caller frees. */
char *patchwork_event_cursor(const struct patchwork_event *event);

/*
 * The mail of a patch or cover, as Patchwork kept it (`mbox` URL of the event). That is not byte
 * for byte what was sent: it is decoded, and has the trailers of replies. ERR_INPUT: it is not
 * there, or is no mail, or the URL leads to another server.
 */
must_check int patchwork_mail(const struct patchwork_server *s, const char *mbox_url,
			      struct mail_list *list, struct err *err);
/* All mails of a series by its id there, each by its own mbox: a series' mbox has no cover letter.
 * ERR_INPUT when there is none. */
must_check int patchwork_series(const struct patchwork_server *s, int64_t series,
				struct mail_list *list, struct err *err);
/* Patch number (0: it is a cover letter) and series (0: none) by Message-ID without <>. Before API
 * 1.2 each project is asked by the web address. ERR_INPUT: unknown. */
must_check int patchwork_find(const struct patchwork_server *s, const char *message_id,
			      int64_t *ret_patch, int64_t *ret_series, struct err *err);
/* The series of a patch by its number; 0 when it has none. ERR_INPUT when there is no such patch.
 */
must_check int patchwork_series_of(const struct patchwork_server *s, int64_t patch,
				   int64_t *ret_series, struct err *err);
/* "https://HOST/project/P/patch/ID/", "/project/P/cover/ID/", "/patch/12345/", "/series/12345/",
 * "/project/P/list/?series=12345", these with mbox/ behind them, and "/api/1.2/patches/12345/".
 * `*ret_message_id` NULL when it is by number; the other two are 0 then but for one. The caller
 * frees; `*ret_base` ends in "/". False when it is none. */
bool patchwork_link_parse(const char *link, char **ret_base, char **ret_message_id,
			  int64_t *ret_patch, int64_t *ret_series);

struct patchwork_check {
	const char *context; /* [A-Za-z0-9_-]{1,255} */
	const char *state;   /* "pending", "success", "warning", "fail" */
	/* One line, cut to PATCHWORK_DESCRIPTION_MAX characters; NULL. */
	const char *description;
	const char *url; /* left out unless patchwork_url_fits(); NULL */
};
/* As long as a row of the table of checks shows well. The server has no limit. */
#define PATCHWORK_DESCRIPTION_MAX 160

/* Whether Patchwork takes it as target_url: http or https, at most 200 characters, and a host with
 * a dot (Django's URLValidator). */
bool patchwork_url_fits(const char *url);
/*
 * Posts it as the token's user. ERR_INFRA: try again later, and when `*ret_sent` it may have been
 * taken: look first (set on errors too). ERR_CONFIG: no token, no right to, not the server's
 * address; ERR_INPUT: no such patch, or the server does not like it. The token is in no message.
 */
must_check int patchwork_check_post(const struct patchwork_server *s, int64_t patch,
				    const struct patchwork_check *check, bool *ret_sent,
				    struct err *err);
/*
 * Whether the newest check in this context says exactly what patchwork_check_post() would have it
 * say. The API does not tell whose a token is: it is enough that the newest one of any user does.
 */
must_check int patchwork_check_is(const struct patchwork_server *s, int64_t patch,
				  const struct patchwork_check *check, bool *ret_is,
				  struct err *err);

#endif
