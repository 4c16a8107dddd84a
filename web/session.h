/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside web/: who is signed in. Either a proxy says so, in a header that counts only from its
 * address, or a cookie that we gave for a token. The cookie is signed and nothing is kept here: its
 * key is made of the token, so that it is worth nothing any more once the token is taken away. */
#ifndef FIRN_WEB_SESSION_H
#define FIRN_WEB_SESSION_H

#include "base/token_file.h"
#include "web/response.h"
#include <stdint.h>
#include <sys/socket.h>

#define SESSION_S	(12 * 3600)
#define SESSION_MAC_MAX 65 /* hex of HMAC-SHA256 */

struct session_key {
	unsigned char bytes[32];
};
/* Of this process: random. */
must_check int session_key_make(struct session_key *ret, struct err *err);
void session_key_of(const struct token *token, struct session_key *ret);

/* The value of Set-Cookie: for whose token it is until then, or, with NULL, to forget it. The
 * caller frees. */
char *session_cookie(const struct request *q, const struct token *token, int64_t until);
/* The name in a Cookie header (may be NULL), when it was signed with a token that still holds and
 * its time is not over, and the key of that token. The caller frees. */
char *session_cookie_who(const struct request *q, const char *cookies, int64_t now,
			 struct session_key *ret_key);
/* What a form of `who` sends along. */
const char *session_csrf(const struct session_key *key, const char *who,
			 char ret[static SESSION_MAC_MAX]);

/* Did the form come from a page of ours, as far as the browser says? One that says nothing is no
 * browser of this decade, or no browser: the hidden field decides then. */
bool session_origin_is_ours(const struct request *q);
/* Is the hidden field there and right? Else it is answered. */
bool session_form_is_ours(const struct request *q, struct response *r);

/* The path to go on to after signing in: `to` if it is one of ours, else "/". */
const char *session_return(const char *to);

#endif
