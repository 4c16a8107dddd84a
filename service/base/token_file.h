/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file with what people sign in with (web.token-file): a line a token. */
#ifndef FIRN_BASE_TOKEN_FILE_H
#define FIRN_BASE_TOKEN_FILE_H

#include "base/err.h"
#include <stdbool.h>
#include <stddef.h>

#define TOKEN_MIN      16
#define TOKEN_NAME_MAX 64
#define TOKENS_MAX     64

struct tokens {
	struct token {
		char *name; /* "api" for a token alone */
		char *secret;
	} token[TOKENS_MAX];
	size_t n;
};

/* Lines "TOKEN" or "NAME TOKEN"; empty ones and those that begin with # are passed over. A token is
 * at least TOKEN_MIN characters of visible ASCII, and a name [A-Za-z0-9._@+-]. ERR_CONFIG, also
 * when everybody can read the file, or there is no token in it. */
must_check int tokens_read(const char *path, struct tokens *ret, struct err *err);
/* Wipes them. */
void tokens_done(struct tokens *t);

/* May it be the name of a person: a token's, or a proxy's? */
bool token_name_valid(const char *name, size_t n);

#endif
