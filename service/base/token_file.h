/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file with what people sign in with (web.token-file): a line a token. */
#ifndef FIRN_BASE_TOKEN_FILE_H
#define FIRN_BASE_TOKEN_FILE_H

#include "base/err.h"
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

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

/* A token file that is read again when it has changed. Zeroed but for the path. */
struct token_watch {
	const char *path;
	struct tokens tokens;
	struct stat seen; /* as it was when it was read */
	bool settled;  /* it was not written to just before: the same times mean the same bytes */
	char *mistake; /* of the file as it is now; NULL: it is good */
};
/* Looks at the file, which costs a stat(2), and reads it when it is not as it was. `*ret_news`: the
 * tokens are others now. A file that is gone or wrong leaves those that there are, and is an error
 * once: until it is another one. */
must_check int token_watch_look(struct token_watch *w, bool *ret_news, struct err *err);
void token_watch_done(struct token_watch *w);

/* May it be the name of a person: a token's, or a proxy's? */
bool token_name_valid(const char *name, size_t n);

#endif
