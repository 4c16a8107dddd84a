/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The status page: shows what the store knows to anybody who can connect, and lets who has the
 * token ask for reruns. API.md says what is served. No threads: one poll loop serves all
 * connections.
 */
#ifndef FIRN_WEB_WEB_H
#define FIRN_WEB_WEB_H

#include "base/err.h"
#include <stdint.h>

struct web_options {
	const char *store_path; /* opened for each request: it may come later, or be replaced */
	const char *address;	/* numeric; NULL: 127.0.0.1 */
	uint16_t port;		/* 0: the kernel picks one */
	const char *url;	/* public address, whose host requests may name; may be NULL */
	const char *token;	/* that reruns are asked for with; NULL: nobody may */
	/* Called once when connections are accepted; may be NULL. */
	void (*on_ready)(void *ctx, const char *address, uint16_t port);
	/* Called for what only the operator should see: why a page could not be made. May be NULL.
	 */
	void (*on_error)(void *ctx, const struct err *err);
	/* Called in each turn of the loop, at least every 10 s. May be NULL. */
	void (*on_turn)(void *ctx);
	void *ctx;
};

#define WEB_TOKEN_MIN 16
/* The first line of the file: at least WEB_TOKEN_MIN visible ASCII characters. ERR_CONFIG, also
 * when everybody can read the file. */
must_check int web_token_read(const char *path, char **ret_token, struct err *err);
void web_token_free(char *token);

/* Serves until cancel_requested() (cancel_init() first), and returns 0 then: to stop is how a
 * server ends well. ERR_CONFIG for an address that cannot be used, ERR_INFRA when the loop breaks.
 */
must_check int web_serve(const struct web_options *opt, struct err *err);

#endif
