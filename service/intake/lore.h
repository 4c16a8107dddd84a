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
	int64_t since;	 /* the first time: mails before this are passed over */
};

enum lore_kind { LORE_MAIL, LORE_REMOVED, LORE_PURGED };
struct lore_event {
	enum lore_kind kind;
	unsigned epoch;
	char commit[41];
	const void *data; /* LORE_MAIL: the message */
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

/* The thread of a mail, from any list of the archive `base_url` ("https://lore.kernel.org/"):
 * appended to `list`. ERR_INPUT when the archive does not know the id. */
must_check int lore_thread(struct http *http, const char *base_url, const char *message_id,
			   struct mail_list *list, struct err *err);
/* Whether the archive has this mail: for a sent mail whose answer was lost. */
must_check int lore_has(struct http *http, const char *base_url, const char *message_id,
			bool *ret_has, struct err *err);

/* Takes a link apart: "https://lore.kernel.org/linuxppc-dev/ID/T/#u",
 * "https://lore.kernel.org/r/ID", "https://patch.msgid.link/ID". False when it is none. The caller
 * frees; `*ret_base` ends in "/". */
bool lore_link_parse(const char *link, char **ret_base, char **ret_message_id);

#endif
