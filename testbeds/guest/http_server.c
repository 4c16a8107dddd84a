// SPDX-License-Identifier: GPL-2.0-or-later
/* HTTP/1.1 with connections that are kept: one process, one epoll, one page. */
#define _GNU_SOURCE
#include "http.h"

#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#define FD_MAX	    (HTTP_OPEN_MAX + 64)
#define REQUEST_MAX 512
#define EVENTS	    64

static struct visitor {
	char request[REQUEST_MAX];
	size_t n;    /* bytes of the request so far */
	size_t left; /* of the page to send; 0: none is being sent */
} visitors[FD_MAX];

static char page[256 + HTTP_BODY];
static size_t page_n;

static void page_make(void)
{
	int head = snprintf(page, 256,
			    "HTTP/1.1 200 OK\r\nServer: firn\r\nContent-Type: text/html\r\n"
			    "Content-Length: %d\r\nConnection: keep-alive\r\n\r\n",
			    HTTP_BODY);

	memset(page + head, 'x', HTTP_BODY);
	page_n = (size_t)head + HTTP_BODY;
}

static void watch(int epoll, int op, int fd, uint32_t events)
{
	struct epoll_event e = {.events = events, .data.fd = fd};

	epoll_ctl(epoll, op, fd, &e);
}

static int server_listen(void)
{
	const struct sockaddr_in any = {.sin_family = AF_INET, .sin_port = htons(HTTP_PORT)};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	if (fd < 0 || bind(fd, (const struct sockaddr *)&any, sizeof(any)) < 0 ||
	    listen(fd, HTTP_OPEN_MAX) < 0)
		return -1;
	return fd;
}

static void visitors_accept(int epoll, int listener)
{
	const int on = 1;
	int fd;

	while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
		if (fd >= FD_MAX) {
			close(fd);
			continue;
		}
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
		visitors[fd].n = visitors[fd].left = 0;
		watch(epoll, EPOLL_CTL_ADD, fd, EPOLLIN);
	}
}

/* False when the visitor is to go. */
static bool page_send(int epoll, int fd)
{
	struct visitor *v = &visitors[fd];
	ssize_t n = send(fd, page + page_n - v->left, v->left, MSG_NOSIGNAL);

	if (n < 0 && errno != EAGAIN)
		return false;
	v->left -= n > 0 ? (size_t)n : 0;
	watch(epoll, EPOLL_CTL_MOD, fd, v->left ? EPOLLOUT : EPOLLIN);
	return true;
}

static bool request_read(int epoll, int fd)
{
	struct visitor *v = &visitors[fd];
	ssize_t n = recv(fd, v->request + v->n, sizeof(v->request) - v->n, 0);

	if (n <= 0)
		return n < 0 && errno == EAGAIN;
	v->n += (size_t)n;
	if (!memmem(v->request, v->n, "\r\n\r\n", 4))
		return v->n < sizeof(v->request);
	v->n = 0;
	v->left = page_n;
	return page_send(epoll, fd);
}

void http_serve(int ready_fd)
{
	int epoll = epoll_create1(EPOLL_CLOEXEC), listener = server_listen();
	struct epoll_event events[EVENTS];

	if (epoll < 0 || listener < 0)
		return;
	page_make();
	watch(epoll, EPOLL_CTL_ADD, listener, EPOLLIN);
	if (write(ready_fd, "r", 1) != 1)
		return;
	for (;;) {
		int n = epoll_wait(epoll, events, EVENTS, -1);

		for (int i = 0; i < n; i++) {
			int fd = events[i].data.fd;

			if (fd == listener)
				visitors_accept(epoll, listener);
			else if (!(visitors[fd].left ? page_send(epoll, fd)
						     : request_read(epoll, fd)))
				close(fd);
		}
	}
}
