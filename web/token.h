/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside web/: the Authorization header, and whose a token is. */
#ifndef FIRN_WEB_TOKEN_H
#define FIRN_WEB_TOKEN_H

#include "base/token_file.h"
#include "web/response.h"
#include <stdbool.h>

/* The token in the header (may be NULL); NULL: it carries none. */
const char *token_bearer(const char *authorization);
/* Compares with a secret, in constant time. */
bool token_is(const char *given, const char *secret);
/* The token that this is, with the name of whose it is; NULL when it is nobody's. All are compared,
 * in constant time. */
const struct token *token_find(const struct tokens *tokens, const char *given);
/* The same, with the limit on wrong ones: NULL when it answered. `given` NULL: none came. Holds
 * until the request is answered. */
const struct token *token_admits(const struct request *q, struct response *r, const char *given);

#endif
