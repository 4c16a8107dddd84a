// SPDX-License-Identifier: GPL-2.0-or-later
/* Asks a web server over connections that are kept, each with one request on its way. */
#define _GNU_SOURCE
#include "http.h"

#include <errno.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define HEAD_MAX   512
#define EVENTS	   64
#define SILENCE_MS 20000

static const char request[] = "GET / HTTP/1.1\r\nHost: firn\r\nUser-Agent: firn\r\n"
			      "Accept: */*\r\nConnection: keep-alive\r\n\r\n";

static struct connection {
	int fd;
	char head[HEAD_MAX]; /* of the answer, until it is whole */
	size_t head_n;
	bool in_body;
	unsigned long body_left;
	uint64_t asked_ns;
} connections[HTTP_OPEN_MAX];

static unsigned open_n;
static int epoll = -1;

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static int connection_open(in_addr_t server)
{
	const struct sockaddr_in to = {
		.sin_family = AF_INET, .sin_port = htons(HTTP_PORT), .sin_addr.s_addr = server};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	const int on = 1;

	if (fd >= 0 && connect(fd, (const struct sockaddr *)&to, sizeof(to)) == 0 &&
	    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)) == 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

bool http_connect(in_addr_t server, unsigned n)
{
	epoll = epoll_create1(EPOLL_CLOEXEC);
	for (open_n = 0; epoll >= 0 && open_n < n; open_n++) {
		struct epoll_event e = {.events = EPOLLIN, .data.u32 = open_n};
		int fd = connection_open(server);

		if (fd < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &e) < 0)
			return false;
		connections[open_n].fd = fd;
	}
	return epoll >= 0;
}

static bool connection_ask(struct connection *c)
{
	c->head_n = 0;
	c->in_body = false;
	c->asked_ns = now_ns();
	/* A request fits into an empty socket buffer. */
	return send(c->fd, request, sizeof(request) - 1, MSG_NOSIGNAL) == sizeof(request) - 1;
}

/* Takes bytes of the head; returns how many belonged to it. -1: it is no good. */
static ssize_t head_take(struct connection *c, const char *data, size_t n)
{
	size_t before = c->head_n, room = sizeof(c->head) - 1 - before;
	const char *end, *length;

	n = n < room ? n : room;
	memcpy(c->head + before, data, n);
	c->head_n += n;
	c->head[c->head_n] = '\0';
	end = strstr(c->head, "\r\n\r\n");
	if (!end)
		return c->head_n == sizeof(c->head) - 1 ? -1 : (ssize_t)n;
	length = strstr(c->head, "Content-Length: ");
	if (strncmp(c->head, "HTTP/1.1 200 ", 13) != 0 || !length || length > end)
		return -1;
	c->body_left = strtoul(length + 16, NULL, 10);
	c->in_body = true;
	return end + 4 - c->head - (ssize_t)before;
}

enum answer { ANSWER_PART, ANSWER_WHOLE, ANSWER_BAD };

/* One read: whatever came of the one answer that is due. */
static enum answer answer_read(struct connection *c, uint64_t *bytes)
{
	static char data[65536];
	ssize_t n = recv(c->fd, data, sizeof(data), MSG_DONTWAIT), head = 0;

	if (n < 0 && errno == EAGAIN)
		return ANSWER_PART;
	if (n <= 0)
		return ANSWER_BAD;
	*bytes += (uint64_t)n;
	if (!c->in_body)
		head = head_take(c, data, (size_t)n);
	if (head < 0 || (c->in_body && (size_t)(n - head) > c->body_left))
		return ANSWER_BAD;
	c->body_left -= c->in_body ? (size_t)(n - head) : 0;
	return c->in_body && !c->body_left ? ANSWER_WHOLE : ANSWER_PART;
}

static void connection_fail(struct connection *c, struct http_load *l)
{
	epoll_ctl(epoll, EPOLL_CTL_DEL, c->fd, NULL);
	l->failed++;
}

static void connection_serve(struct connection *c, unsigned requests, unsigned *asked,
			     struct http_load *l)
{
	enum answer a = answer_read(c, &l->bytes);

	if (a == ANSWER_PART)
		return;
	if (a == ANSWER_BAD) {
		connection_fail(c, l);
		return;
	}
	l->latency_ns[l->answered++] = now_ns() - c->asked_ns;
	if (*asked == requests)
		return;
	++*asked;
	if (!connection_ask(c))
		connection_fail(c, l);
}

void http_ask(unsigned requests, struct http_load *l)
{
	struct epoll_event events[EVENTS];
	unsigned asked = 0;
	uint64_t begin = now_ns();

	l->answered = l->failed = 0;
	l->bytes = 0;
	for (unsigned i = 0; i < open_n && asked < requests; i++, asked++)
		if (!connection_ask(&connections[i]))
			connection_fail(&connections[i], l);
	while (l->answered + l->failed < asked) {
		int n = epoll_wait(epoll, events, EVENTS, SILENCE_MS);

		if (n <= 0)
			break;
		for (int i = 0; i < n; i++)
			connection_serve(&connections[events[i].data.u32], requests, &asked, l);
	}
	l->failed = requests - l->answered;
	l->ns = now_ns() - begin;
}
