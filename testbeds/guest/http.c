// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Requests per second, and the interrupts and context switches that go with them. The machine's two
 * cards are on one wire; each is put into a namespace of its own, or the kernel would not let
 * anything onto the wire.
 *
 *	firn.connections=N firn.requests=N
 */
#define _GNU_SOURCE
#include "http.h"

#include "guest.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define CARD_OURS     "eth0"
#define CARD_THEIRS   "eth1"
#define ADDRESS_OURS  0x0a000001 /* 10.0.0.1 */
#define ADDRESS_OTHER 0x0a000002
#define REQUESTS_MAX  10000000u

static pid_t server;
static bool serving, connected;
static unsigned connections;

struct counters {
	unsigned long long interrupts, switches, sent;
};

static unsigned long long stat_field(const char *text, const char *name)
{
	const char *p = strstr(text, name);

	return p ? strtoull(p + strlen(name), NULL, 10) : 0;
}

static struct counters counters_read(void)
{
	static char text[65536];
	struct counters c = {0};
	unsigned long sent = 0;

	if (read_file("/proc/stat", text, sizeof(text))) {
		c.interrupts = stat_field(text, "\nintr ");
		c.switches = stat_field(text, "\nctxt ");
	}
	if (read_number("/sys/class/net/" CARD_OURS "/statistics/tx_packets", 10, &sent))
		c.sent = sent;
	return c;
}

static enum result test_http_cards(void)
{
	unsigned long mtu;

	if (!read_number("/sys/class/net/" CARD_OURS "/mtu", 10, &mtu) ||
	    !read_number("/sys/class/net/" CARD_THEIRS "/mtu", 10, &mtu))
		return say_errno("no two network cards");
	return PASS;
}

/* The server's process: a namespace, then its card once that has been sent over. */
static void server_main(int ready_fd, int go_fd)
{
	char c;

	if (unshare(CLONE_NEWNET) < 0 || write(ready_fd, "n", 1) != 1 || read(go_fd, &c, 1) != 1)
		_exit(1);
	if (net_up(CARD_THEIRS, htonl(ADDRESS_OTHER)))
		http_serve(ready_fd);
	_exit(2);
}

static enum result test_http_server(void)
{
	int ready[2], go[2];
	char c;

	if (pipe(ready) < 0 || pipe(go) < 0)
		return say_errno("pipe");
	server = fork();
	if (server < 0)
		return say_errno("fork");
	if (server == 0) {
		close(ready[0]);
		close(go[1]);
		server_main(ready[1], go[0]);
	}
	close(ready[1]);
	close(go[0]);
	if (read(ready[0], &c, 1) != 1)
		return say(FAIL, "no network namespace");
	if (!net_move(CARD_THEIRS, server))
		return say_errno("moving " CARD_THEIRS);
	if (write(go[1], "g", 1) != 1 || read(ready[0], &c, 1) != 1)
		return say(FAIL, "the server does not start");
	if (!net_up(CARD_OURS, htonl(ADDRESS_OURS)))
		return say_errno(CARD_OURS);
	serving = true;
	return PASS;
}

static enum result test_http_connect(void)
{
	const struct rlimit files = {HTTP_OPEN_MAX + 64, HTTP_OPEN_MAX + 64};

	if (!serving)
		return say(SKIP, "there is no server");
	connections = option_number("firn.connections");
	if (connections < 1 || connections > HTTP_OPEN_MAX)
		return say(FAIL, "%u connections: 1 to %d", connections, HTTP_OPEN_MAX);
	if (prlimit(0, RLIMIT_NOFILE, &files, NULL) < 0 ||
	    prlimit(server, RLIMIT_NOFILE, &files, NULL) < 0)
		return say_errno("RLIMIT_NOFILE");
	connected = http_connect(htonl(ADDRESS_OTHER), connections);
	return connected ? say(PASS, "%u", connections) : say_errno("connect");
}

static int by_size(const void *pa, const void *pb)
{
	uint64_t a = *(const uint64_t *)pa, b = *(const uint64_t *)pb;

	return a < b ? -1 : a > b;
}

static void load_print(struct http_load *l, const struct counters *before,
		       const struct counters *after)
{
	unsigned n = l->answered;

	printf("firn: http connections %u requests %u failed %u ns %" PRIu64 " bytes %" PRIu64
	       " interrupts %llu switches %llu packets %llu\n",
	       connections, n, l->failed, l->ns, l->bytes, after->interrupts - before->interrupts,
	       after->switches - before->switches, after->sent - before->sent);
	if (!n)
		return;
	qsort(l->latency_ns, n, sizeof(*l->latency_ns), by_size);
	printf("firn: http latency p50 %" PRIu64 " p90 %" PRIu64 " p99 %" PRIu64 " max %" PRIu64
	       " ns\n",
	       l->latency_ns[n / 2], l->latency_ns[n / 10 * 9], l->latency_ns[n - 1 - n / 100],
	       l->latency_ns[n - 1]);
}

static enum result test_http_load(void)
{
	unsigned requests = option_number("firn.requests");
	struct counters before, after;
	struct http_load l = {0};

	if (!connected)
		return say(SKIP, "not connected");
	if (requests < connections || requests > REQUESTS_MAX)
		return say(FAIL, "%u requests over %u connections", requests, connections);
	l.latency_ns = calloc(requests, sizeof(*l.latency_ns));
	if (!l.latency_ns)
		return say_errno("calloc");
	/* Once on each connection, so that buffers, routes and page faults are behind us. */
	http_ask(connections, &l);
	before = counters_read();
	profile_begin();
	http_ask(requests, &l);
	profile_end();
	after = counters_read();
	load_print(&l, &before, &after);
	free(l.latency_ns);
	if (l.failed)
		return say(FAIL, "%u of %u requests failed", l.failed, requests);
	/* Each request is a packet at least. Else they took a short way. */
	return say(after.sent - before.sent >= requests ? PASS : FAIL,
		   "%llu packets sent by " CARD_OURS, after.sent - before.sent);
}

static enum result test_http_server_lives(void)
{
	int status;

	if (!serving)
		return say(SKIP, "there is no server");
	if (waitpid(server, &status, WNOHANG) != 0)
		return say(FAIL, "it ended by itself");
	kill(server, SIGKILL);
	return waitpid(server, &status, 0) == server ? PASS : say_errno("waitpid");
}

const struct test http_tests[] = {
	{"http-cards", test_http_cards},
	{"http-server", test_http_server},
	{"http-connect", test_http_connect},
	{"http-load", test_http_load},
	{"http-server-lives", test_http_server_lives},
	{"untainted", test_untainted},
	{NULL, NULL},
};
