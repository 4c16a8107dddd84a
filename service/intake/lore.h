/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A public-inbox archive (lore.kernel.org): following a list by git, and fetching a thread.
 *
 * A list is a row of git repositories (epochs: LIST/0, LIST/1, ...; public-inbox-v2-format(5)).
 * Each commit of an epoch holds one mail as its blob `m`, byte for byte; a blob `d` instead is a
 * removal.
 */
#ifndef FIRN_INTAKE_LORE_H
#define FIRN_INTAKE_LORE_H

#include "intake/http.h"
#include "intake/mail.h"

struct lore_list {
	const char *url; /* of the list: "https://lore.kernel.org/linuxppc-dev/" */
	const char *dir; /* a folder for its epochs, kept between calls: DIR/N.git */
	int64_t since;	 /* the first time: mails before this are passed over; 0: none are */
	/* Called at least once a second during long work of our own; may be NULL. While the server
	 * is waited for, the client's on_tick is called (http_options). */
	void (*on_tick)(void *ctx);
	void *ctx;
};

/* A larger blob is not read into memory. */
#define LORE_MAIL_MAX ((size_t)64 << 20)

enum lore_kind {
	LORE_MAIL,
	LORE_REMOVED, /* a later commit takes the mail back; its bytes stay in the archive */
	LORE_PURGED,  /* history was rewritten so that its bytes are gone */
};
struct lore_event {
	enum lore_kind kind;
	unsigned epoch;
	char commit[41]; /* that holds the mail; for LORE_REMOVED: that takes it back */
	char blob[41];	 /* of the mail: the same for it, its removal and its purge */
	/* The message; NULL for LORE_PURGED, and when it is larger than LORE_MAIL_MAX: `n` says how
	 * large. */
	const void *data;
	size_t n;
	int64_t date; /* of the commit */
};
/* Each event in order, oldest first. `cursor` is what to give next time once all up to this event
 * is kept. A negative result stops the walk and is passed on. */
typedef int lore_event_fn(void *ctx, const struct lore_event *event, const char *cursor,
			  struct err *err);

/* Fetches what is new and walks over it. `cursor` is "" the first time. Rewritten history is walked
 * again from where it still agrees (the caller knows by Message-ID and bytes what it has); new
 * epochs are begun. `*ret_cursor` (the caller frees) is set on 0. ERR_INFRA: not reachable, answers
 * with something else; ERR_CONFIG: no such list. */
must_check int lore_follow(const struct lore_list *list, struct http *http, const char *cursor,
			   lore_event_fn *on_event, void *ctx, char **ret_cursor, struct err *err);

/* The thread of a mail, appended to `list`. `base_url` is an inbox or the whole archive
 * ("https://lore.kernel.org/linuxppc-dev/", "https://lore.kernel.org/"): when the inbox does not
 * know the id, all inboxes beside it are asked (".../all/"). ERR_INPUT when none knows it. */
must_check int lore_thread(struct http *http, const char *base_url, const char *message_id,
			   struct mail_list *list, struct err *err);
/* Whether the archive has this mail: for a sent mail whose answer was lost. */
must_check int lore_has(struct http *http, const char *base_url, const char *message_id,
			bool *ret_has, struct err *err);

/* Takes a link apart: "https://lore.kernel.org/linuxppc-dev/ID/T/#u",
 * "https://lore.kernel.org/r/ID", "https://patch.msgid.link/ID", and what other public-inboxes give
 * out. False when it is none. The caller frees; `*ret_base` ends in "/", and the id is decoded. */
bool lore_link_parse(const char *link, char **ret_base, char **ret_message_id);

#endif
