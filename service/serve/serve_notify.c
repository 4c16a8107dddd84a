// SPDX-License-Identifier: GPL-2.0-or-later
/* What a process tells the one above it: serve the service manager, by sd_notify(3), a datagram to
 * the socket that it named; a role serve, by a pipe. */
#include "serve/serve.h"

#include "base/str.h"
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static bool socket_address(const char *path, struct sockaddr_un *to, socklen_t *ret_len)
{
	size_t n = strlen(path);

	if ((path[0] != '/' && path[0] != '@') || n < 2 || n >= sizeof(to->sun_path))
		return false;
	*to = (struct sockaddr_un){.sun_family = AF_UNIX};
	memcpy(to->sun_path, path, n);
	if (path[0] == '@') /* abstract: unix(7) */
		to->sun_path[0] = '\0';
	*ret_len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + n);
	return true;
}

void serve_notify(const char *fmt, ...)
{
	const char *path = getenv("NOTIFY_SOCKET");
	struct sockaddr_un to;
	socklen_t len;
	auto_fd int fd = -1;
	auto_str struct str text;
	va_list ap;

	str_init(&text, 4096);
	if (!path || !socket_address(path, &to, &len))
		return;
	va_start(ap, fmt);
	str_vaddf(&text, fmt, ap);
	va_end(ap);
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd >= 0)
		(void)!sendto(fd, text.buf, text.len, MSG_NOSIGNAL, (struct sockaddr *)&to, len);
}

double serve_notify_interval(void)
{
	const char *usec = getenv("WATCHDOG_USEC"), *pid = getenv("WATCHDOG_PID");

	if (!usec || (pid && strtol(pid, NULL, 10) != getpid()))
		return 0;
	return (double)strtoul(usec, NULL, 10) / 2e6;
}

int serve_alive_open(void)
{
	const char *text = getenv(SERVE_ALIVE_ENV);
	long fd = text ? strtol(text, NULL, 10) : -1;

	unsetenv(SERVE_ALIVE_ENV);
	if (fd <= STDERR_FILENO || fd > INT_MAX || fcntl((int)fd, F_SETFD, FD_CLOEXEC) < 0)
		return -1;
	return (int)fd;
}

/* A full pipe says it already. */
void serve_alive(void *fd)
{
	const int *at = fd;

	if (*at >= 0)
		(void)!write(*at, "a", 1);
}
