/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is to be said to the world, and what became of it.
 *
 * The engine writes `outbox`: one row for each (trial, poster, target, context), whose `want` is
 * the newest thing to say; saying something else raises its revision. The post role writes
 * `delivery`: what has been done about a row's revision. A row whose delivery is of an older
 * revision, or that has none, is open. A crash between sending and noting the answer leaves
 * "sending": that one is looked up at the other side before it is sent again.
 *
 * `want` of a check: {"state": "pending|success|warning|fail", "description": "...", "url": "..."}.
 * `want` of a mail: {"to": [...], "cc": [...], "subject": "...", "in_reply_to": "...",
 * "references":
 * [...], "body": "..."}; its target is its own Message-ID.
 */
#ifndef FIRN_STORE_OUTBOX_H
#define FIRN_STORE_OUTBOX_H

#include "store/store.h"
#include <jansson.h>

enum store_delivery_state {
	STORE_DELIVERY_NONE, /* nobody has looked at it */
	STORE_DELIVERY_APPROVED,
	STORE_DELIVERY_SENDING, /* begun; the answer is not known */
	STORE_DELIVERY_SENT,
	STORE_DELIVERY_RETRY,
	STORE_DELIVERY_FAILED, /* for good */
	STORE_DELIVERY_DROPPED,
	STORE_DELIVERY_DRY, /* dry run: would have been sent */
};
const char *store_delivery_state_name(enum store_delivery_state s);

struct store_post {
	int64_t id, trial, written;
	char *poster, *target, *context;
	json_t *want;
	unsigned revision;
	bool held;
	bool withdrawn; /* is not to be said any more: the post role drops it */

	enum store_delivery_state state;
	unsigned sent_revision, tries;
	int64_t not_before, at;
	char *words; /* "" when there are none */
};
void store_post_done(struct store_post *p);

/* The engine: says it, or says it anew when `want` differs from what the row has. */
struct store_post_new {
	int64_t trial;
	const char *poster, *target, *context;
	const json_t *want;
	bool held;
};
must_check int store_outbox_put(struct store *s, const struct store_post_new *post, int64_t *ret_id,
				struct err *err);
/* Nothing more is to be said for this trial: what is not sent yet is dropped by the post role.
 * Answers to people ("request N") stay. */
must_check int store_outbox_withdraw(struct store *s, int64_t trial, struct err *err);

/* The post role: the next open row that may be sent at `now`: one whose state is "sending" first.
 * `*ret_found` false: none; then `*ret_wait` is when the next may be (0: none waits). Held rows
 * that are not approved are passed over. `ret` zeroed. */
must_check int store_outbox_next(struct store *s, int64_t now, struct store_post *ret,
				 bool *ret_found, int64_t *ret_wait, struct err *err);
/* What was done about the row's revision. */
must_check int store_delivery_tell(struct store *s, int64_t outbox, unsigned revision,
				   enum store_delivery_state state, int64_t not_before,
				   const char *words, struct err *err);

must_check int store_outbox_get(struct store *s, int64_t id, struct store_post *ret,
				struct err *err);
struct store_post_list {
	struct store_post *post;
	size_t n, cap;
	bool more;
};
enum store_outbox_which { STORE_OUTBOX_ALL, STORE_OUTBOX_OPEN, STORE_OUTBOX_HELD };
/* Newest first; trial 0: of all. */
must_check int store_outbox_list(struct store *s, enum store_outbox_which which, int64_t trial,
				 unsigned limit, struct store_post_list *ret, struct err *err);
void store_post_list_done(struct store_post_list *l);
/* The last thing that was sent with this poster and context about any version of the trial's
 * posting: for "again only on a flip". False when nothing was. `ret` zeroed. */
must_check int store_outbox_last_sent(struct store *s, int64_t trial, const char *poster,
				      const char *context, struct store_post *ret, bool *ret_found,
				      struct err *err);

/* Rows of a poster that were begun, and not dropped since then: for a rate limit. */
must_check int store_delivery_count(struct store *s, const char *poster, int64_t since,
				    unsigned *ret_n, struct err *err);
/* Something newer is to be said in the same place: this one came too late. */
must_check int store_outbox_is_outdone(struct store *s, const struct store_post *post, bool *ret_is,
				       struct err *err);

must_check int store_suppress(struct store *s, const char *address, const char *words,
			      struct err *err);
must_check int store_allow(struct store *s, const char *address, struct err *err);
must_check int store_is_suppressed(struct store *s, const char *address, bool *ret_is,
				   struct err *err);

#endif
