/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The status page: shows what the store knows to anybody who can connect, and lets who is
 * signed in ask for reruns and decide about held mail. API.md says what is served. No threads: one
 * poll loop serves all connections.
 */
#ifndef FIRN_WEB_WEB_H
#define FIRN_WEB_WEB_H

#include "base/conf.h"
#include "base/err.h"
#include <stdint.h>

struct web_options {
	const char *store_path; /* may come later, or be replaced */
	const char *address;	/* numeric; NULL: 127.0.0.1 */
	uint16_t port;		/* 0: the kernel picks one */
	const char *url;	/* public address, whose host requests may name; may be NULL */
	const char *token_file; /* with what people sign in with; NULL: nobody does */
	/* A header in which a proxy says who is signed in, and the addresses of that proxy
	 * (netblock.h). NULL: there is none. */
	const char *auth_header, *auth_from;
	double ask_s;	 /* how long a request may take to come; 0: 15 seconds */
	double events_s; /* how often the store is looked at for events; 0: each half second */
	const struct conf *conf; /* of the service: its lists, where their archives are; NULL */
	const char *cache_dir;	 /* where `firn calibrate` leaves what it found; NULL */
	/* Called once when connections are accepted; may be NULL. */
	void (*on_ready)(void *ctx, const char *address, uint16_t port);
	/* Called for what only the operator should see: why a page could not be made. May be NULL.
	 */
	void (*on_error)(void *ctx, const struct err *err);
	/* Called when the token file was read again, with how many tokens are in it now. May be
	 * NULL. */
	void (*on_tokens)(void *ctx, size_t n);
	/* Called in each turn of the loop, at least every 10 s. May be NULL. */
	void (*on_turn)(void *ctx);
	void *ctx;
};

/* Serves until cancel_requested() (cancel_init() first), and returns 0 then: to stop is how a
 * server ends well. ERR_CONFIG for an address or a token file that cannot be used, ERR_INFRA when
 * the loop breaks. A token file that is wrong later goes to on_error(), and the tokens stay. */
must_check int web_serve(const struct web_options *opt, struct err *err);

#endif
