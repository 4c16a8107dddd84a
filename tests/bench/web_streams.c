// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * For web.sh: web-streams PORT PATH N opens N event streams and holds them. Prints "open N" when
 * every one of them has been answered with 200, and ends, after "alive M", when its standard input
 * does.
 */
#include "base/cleanup.h"
#include "base/str.h"
#include <arpa/inet.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#define ANSWER_MS 20000

static int stream_open(uint16_t port, const char *path)
{
	const struct sockaddr_in to = {.sin_family = AF_INET,
				       .sin_port = htons(port),
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	auto_free char *ask = xasprintf("GET %s HTTP/1.1\r\nHost: 127.0.0.1:%u\r\n"
					"Accept: text/event-stream\r\n\r\n",
					path, port);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd >= 0 && connect(fd, (const struct sockaddr *)&to, sizeof(to)) == 0 &&
	    write(fd, ask, strlen(ask)) == (ssize_t)strlen(ask))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

static bool answered(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	char head[16] = "";

	return poll(&p, 1, ANSWER_MS) > 0 && read(fd, head, sizeof(head) - 1) > 0 &&
	       str_starts(head, "HTTP/1.1 200");
}

/* Reads what has come: false when the server has ended it. */
static bool alive(int fd)
{
	char data[4096];
	ssize_t n;

	while ((n = recv(fd, data, sizeof(data), MSG_DONTWAIT)) > 0)
		;
	return n < 0 && errno == EAGAIN;
}

int main(int argc, char **argv)
{
	struct rlimit files;
	unsigned n = argc == 4 ? (unsigned)strtoul(argv[3], NULL, 10) : 0, good = 0;
	auto_free int *fd = xcalloc(n + 1, sizeof(*fd));

	getrlimit(RLIMIT_NOFILE, &files);
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
	for (unsigned i = 0; i < n; i++)
		fd[i] = stream_open((uint16_t)strtoul(argv[1], NULL, 10), argv[2]);
	for (unsigned i = 0; i < n; i++)
		good += fd[i] >= 0 && answered(fd[i]);
	printf("open %u\n", good);
	fflush(stdout);
	while (getchar() != EOF)
		;
	good = 0;
	for (unsigned i = 0; i < n; i++)
		good += fd[i] >= 0 && alive(fd[i]);
	printf("alive %u\n", good);
	return 0;
}
