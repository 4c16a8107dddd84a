// SPDX-License-Identifier: GPL-2.0-or-later
#include "web/conns.h"

#include "base/clock.h"
#include "base/str.h"
#include <sys/resource.h>
#include <sys/socket.h>

#define FILES_OURS 64 /* the store, the listening socket, a log that is read */
#define SWEEP_S	   0.25

void conns_init(struct conns *c, const struct netblocks *proxies, double ask_s)
{
	const rlim_t wanted = CONNS_PAGES + CONNS_STREAMS + CONNS_SPARE + FILES_OURS;
	struct rlimit files = {0};

	*c = (struct conns){.proxies = proxies,
			    .streams_max = CONNS_STREAMS,
			    .ask_s = ask_s > 0 ? ask_s : CONN_ASK_S};
	getrlimit(RLIMIT_NOFILE, &files);
	if (files.rlim_cur >= wanted)
		return;
	files.rlim_cur = files.rlim_max < wanted ? files.rlim_max : wanted;
	setrlimit(RLIMIT_NOFILE, &files);
	getrlimit(RLIMIT_NOFILE, &files);
	if (files.rlim_cur < wanted) {
		rlim_t others = wanted - CONNS_STREAMS;

		c->streams_max = files.rlim_cur > others ? files.rlim_cur - others : 0;
	}
}

/* All of a customer's IPv6 addresses count as one. */
static bool count_as(const struct sockaddr *addr, unsigned char ret[static 16])
{
	static const unsigned char mapped[12] = {[10] = 0xff, [11] = 0xff};

	if (!address_bytes(addr, ret))
		return false;
	if (memcmp(ret, mapped, sizeof(mapped)) != 0)
		memset(ret + 8, 0, 8);
	return true;
}

static bool counts(const struct conns *c, const struct sockaddr *addr)
{
	return !address_is_loopback(addr) && !(c->proxies && netblocks_have(c->proxies, addr));
}

static size_t count_of(const struct conns *c, const unsigned char addr[static 16])
{
	size_t n = 0;

	for (const struct conn *conn = c->first; conn; conn = conn->next)
		n += conn->counts && memcmp(conn->addr, addr, 16) == 0;
	return n;
}

/* Makes room: who has kept us waiting for a request the longest goes. */
static void oldest_cut(struct conns *c)
{
	struct conn *oldest = NULL;

	for (struct conn *conn = c->first; conn; conn = conn->next)
		if (conn->state == CONN_ASKING && conn->deadline > 0 &&
		    (!oldest || conn->deadline < oldest->deadline))
			oldest = conn;
	if (oldest)
		conn_cut(oldest);
}

enum MHD_Result conns_admit(void *cls, const struct sockaddr *addr, socklen_t n)
{
	struct conns *c = cls;
	unsigned char as[16];

	(void)n;
	if (counts(c, addr) && count_as(addr, as) && count_of(c, as) >= CONNS_EACH)
		return MHD_NO;
	if (c->n - c->streams >= CONNS_PAGES)
		oldest_cut(c);
	return c->n - c->streams < CONNS_PAGES + CONNS_SPARE / 2 ? MHD_YES : MHD_NO;
}

static void conn_open(struct conns *c, struct MHD_Connection *m, void **context)
{
	const union MHD_ConnectionInfo *fd =
		MHD_get_connection_info(m, MHD_CONNECTION_INFO_CONNECTION_FD);
	const union MHD_ConnectionInfo *peer =
		MHD_get_connection_info(m, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
	struct conn *conn = xcalloc(1, sizeof(*conn));

	conn->fd = fd ? fd->connect_fd : -1;
	if (peer && counts(c, peer->client_addr))
		conn->counts = count_as(peer->client_addr, conn->addr);
	conn->next = c->first;
	conn->at = &c->first;
	if (c->first)
		c->first->at = &conn->next;
	c->first = conn;
	c->n++;
	conn_asks(c, conn);
	*context = conn;
}

static void conn_close(struct conns *c, struct conn *conn)
{
	*conn->at = conn->next;
	if (conn->next)
		conn->next->at = conn->at;
	c->n--;
	if (conn->state == CONN_STREAM)
		c->streams--;
	free(conn);
}

void conns_notify(void *cls, struct MHD_Connection *m, void **context,
		  enum MHD_ConnectionNotificationCode what)
{
	if (what == MHD_CONNECTION_NOTIFY_STARTED) {
		conn_open(cls, m, context);
	} else if (*context) {
		conn_close(cls, *context);
		*context = NULL;
	}
}

struct conn *conn_of(struct MHD_Connection *m)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(m, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

	return info->socket_context;
}

void conn_asks(struct conns *c, struct conn *conn)
{
	if (conn->state == CONN_STREAM)
		c->streams--;
	conn->state = CONN_ASKING;
	conn->deadline = clock_mono() + c->ask_s;
}

void conn_answered(struct conn *conn, size_t bytes)
{
	double span = CONN_TAKE_S + (double)(bytes >> 12);

	conn->state = CONN_ANSWERED;
	conn->deadline = clock_mono() + (span < CONN_TAKE_MAX ? span : CONN_TAKE_MAX);
}

bool conn_streams(struct conns *c, struct conn *conn)
{
	const int send_max = CONN_SEND_MAX;

	if (c->streams >= c->streams_max)
		return false;
	/* What waits in the system for a reader who does not read is not to grow to megabytes. */
	setsockopt(conn->fd, SOL_SOCKET, SO_SNDBUF, &send_max, sizeof(send_max));
	c->streams++;
	conn->state = CONN_STREAM;
	conn->deadline = 0;
	return true;
}

void conn_cut(struct conn *conn)
{
	shutdown(conn->fd, SHUT_RDWR);
	conn->deadline = 0;
}

void conns_sweep(struct conns *c)
{
	double now = clock_mono();

	if (now < c->swept + SWEEP_S)
		return;
	c->swept = now;
	for (struct conn *conn = c->first; conn; conn = conn->next)
		if (conn->deadline > 0 && conn->deadline <= now)
			conn_cut(conn);
}
