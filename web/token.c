// SPDX-License-Identifier: GPL-2.0-or-later
#include "web/token.h"

#include <microhttpd.h>

/* RFC 6750, 2.1. */
const char *token_bearer(const char *authorization)
{
	static const char scheme[] = "Bearer ";
	const size_t n = sizeof(scheme) - 1;

	if (!authorization || strncasecmp(authorization, scheme, n) != 0)
		return NULL;
	return authorization + n + strspn(authorization + n, " ");
}

/* How long it takes tells the length of the secret at most, never how much of it is right. */
bool token_is(const char *given, const char *secret)
{
	size_t n = strlen(secret), have = strlen(given);
	volatile unsigned char differs = have != n;

	for (size_t i = 0; i < n; i++)
		differs |= (unsigned char)(given[i < have ? i : have] ^ secret[i]);
	return !differs;
}

const struct token *token_find(const struct tokens *tokens, const char *given)
{
	const struct token *found = NULL;

	for (size_t i = 0; i < tokens->n; i++)
		if (token_is(given, tokens->token[i].secret))
			found = &tokens->token[i];
	return found;
}

static const struct token *refuse(const struct request *q, struct response *r, unsigned status,
				  const char *words)
{
	respond_error(q, r, status, words);
	return NULL;
}

const struct token *token_admits(const struct request *q, struct response *r, const char *given)
{
	unsigned wait = guess_wait(q->guesses, q->peer);
	const struct token *token;

	if (!q->tokens)
		return refuse(q, r, MHD_HTTP_FORBIDDEN,
			      "Nobody may ask for anything with a token here: the operator has set "
			      "none (web.token-file).");
	if (wait) {
		r->retry_after = wait;
		return refuse(q, r, MHD_HTTP_TOO_MANY_REQUESTS,
			      "Too many wrong tokens came from your address.");
	}
	token = given ? token_find(q->tokens, given) : NULL;
	if (token)
		return token;
	if (!given) {
		r->authenticate = "Bearer realm=\"firn\"";
		return refuse(q, r, MHD_HTTP_UNAUTHORIZED,
			      "This needs a token: Authorization: Bearer TOKEN.");
	}
	guess_wrong(q->guesses, q->peer);
	r->authenticate = "Bearer realm=\"firn\", error=\"invalid_token\"";
	return refuse(q, r, MHD_HTTP_UNAUTHORIZED, "The token is wrong.");
}
