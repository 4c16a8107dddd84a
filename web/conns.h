/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside web/: all open connections, what each is waited for, and until when. A reader that takes
 * its time byte by byte (slow loris) is cut off by a deadline that no byte puts off. */
#ifndef FIRN_WEB_CONNS_H
#define FIRN_WEB_CONNS_H

#include "base/netblock.h"
#include <microhttpd.h>

/* Readers are people and a few scripts: enough for them, and little for somebody who wants to hurt.
 */
#define CONNS_PAGES   256  /* that are no streams */
#define CONNS_STREAMS 1024 /* open streams of events */
#define CONNS_SPARE   64   /* being cut off */
#define CONNS_EACH    64   /* of one address, an IPv6 /64; not of loopback or a proxy */
#define CONN_ASK_S    15   /* until the headers, and again until the body, are there */
#define CONN_TAKE_S   60   /* until an answer is taken, and a second more for each 4 KiB */
#define CONN_TAKE_MAX 1800
#define CONN_SEND_MAX (64 * 1024) /* that the system keeps for a stream */

enum conn_state { CONN_ASKING, CONN_ANSWERED, CONN_STREAM };

struct conn {
	struct conn *next, **at;
	int fd;
	enum conn_state state;
	double deadline;	/* clock_mono(); 0: none */
	unsigned char addr[16]; /* whose it counts as */
	bool counts;
};

struct conns {
	struct conn *first;
	size_t n, streams;
	size_t streams_max; /* as many as this process may have files for */
	const struct netblocks *proxies;
	double swept;
	double ask_s;
};

/* As many files as that takes, if the system lets us. */
void conns_init(struct conns *c, const struct netblocks *proxies, double ask_s);
/* Callbacks of MHD, with the conns as `cls`. */
enum MHD_Result conns_admit(void *cls, const struct sockaddr *addr, socklen_t n);
void conns_notify(void *cls, struct MHD_Connection *m, void **context,
		  enum MHD_ConnectionNotificationCode what);

struct conn *conn_of(struct MHD_Connection *m);
/* The next request, or the body of this one, is awaited. */
void conn_asks(struct conns *c, struct conn *conn);
/* So many bytes are to be taken. */
void conn_answered(struct conn *conn, size_t bytes);
/* It is a stream from now on; false when there are too many already. */
bool conn_streams(struct conns *c, struct conn *conn);
/* Ends it: MHD notices at its next turn. */
void conn_cut(struct conn *conn);

/* Cuts what is over its time; at most four times a second. */
void conns_sweep(struct conns *c);

#endif
