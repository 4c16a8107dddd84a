/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside web/: what people ask for here, by the API or a form: checked, counted and noted. The only
 * thing that this role writes. */
#ifndef FIRN_WEB_ASK_H
#define FIRN_WEB_ASK_H

#include "web/response.h"

/* What is wrong with what a rerun is asked with (API.md, "Rerun"); NULL: nothing. The caller
 * frees. */
char *ask_mistake(const json_t *rerun);

/* Note what `who` asks for, `*ret_request` is its number; or answer, and return false. */
bool ask_rerun(const struct request *q, struct response *r, const char *who, const json_t *rerun,
	       int64_t *ret_request);
/* "approve" or "drop"; the row may have been written anew since this revision was looked at. */
struct ask_outbox {
	const char *kind;
	int64_t outbox, revision;
};
bool ask_outbox(const struct request *q, struct response *r, const char *who,
		const struct ask_outbox *what, int64_t *ret_request);

/* Headers of a request with a body: length, and `type` without its parameters. Else answered. */
bool ask_length_admits(const struct request *q, struct response *r);
bool ask_type_is(const struct request *q, const char *type);

#endif
