/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What people ask for. Anybody appends; the engine (rerun, cancel) and the post role (approve,
 * drop, suppress, allow) answer, each its own kinds. */
#ifndef FIRN_STORE_REQUESTS_H
#define FIRN_STORE_REQUESTS_H

#include "store/store.h"
#include <jansson.h>

struct store_request {
	int64_t id, at, mail; /* mail 0: did not come by mail */
	char *kind;	      /* "rerun", "cancel", "approve", "drop", "suppress", "allow" */
	char *message_id;     /* of what it is about; "" */
	/* rerun: "base", "only", "bench", "unpin" (true: base, configuration and toolchain of
	 * today), or "refuse" (words: it came by mail and is not obeyed; message_id is "") and
	 * "about" (Message-ID); approve, drop: "outbox" (id); suppress, allow: "address". */
	json_t *arguments;
	char *who, *via; /* via: "command", "web", "mail" */
};
void store_request_done(struct store_request *r);
must_check int store_request_add(struct store *s, const struct store_request *r, int64_t *ret_id,
				 struct err *err);
/* The oldest of these kinds (NULL at the end) that nobody has answered. `ret` zeroed. */
must_check int store_request_next(struct store *s, const char *const *kinds,
				  struct store_request *ret, bool *ret_found, struct err *err);
/* `ret` zeroed; ERR_INPUT when there is none. */
must_check int store_request_get(struct store *s, int64_t id, struct store_request *ret,
				 struct err *err);
must_check int store_request_answer(struct store *s, int64_t request, bool good, const char *words,
				    int64_t trial, struct err *err);
struct store_answer {
	bool given, good;
	char *words;
	int64_t at, trial;
};
must_check int store_request_look(struct store *s, int64_t request, struct store_answer *ret,
				  struct err *err);
void store_answer_done(struct store_answer *a);
/* How many requests of this kind (NULL: of any) `who` made since then: for a rate limit. */
must_check int store_request_count(struct store *s, const char *who, const char *kind,
				   int64_t since, unsigned *ret_n, struct err *err);

#endif
