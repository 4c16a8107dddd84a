/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside web/: the Authorization header. */
#ifndef FIRN_WEB_TOKEN_H
#define FIRN_WEB_TOKEN_H

#include <stdbool.h>

/* Does the header (may be NULL) carry a token at all? */
bool token_given(const char *authorization);
/* Compares in constant time. */
bool token_is_right(const char *authorization, const char *token);

#endif
