// SPDX-License-Identifier: GPL-2.0-or-later
#include "web/listen.h"

#include "base/cleanup.h"
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

static int address_find(const struct web_options *opt, struct addrinfo **ret, struct err *err)
{
	const struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE,
				       .ai_socktype = SOCK_STREAM};
	const char *address = opt->address ? opt->address : "127.0.0.1";
	char port[8];
	int rc;

	snprintf(port, sizeof(port), "%u", (unsigned)opt->port);
	rc = getaddrinfo(address, port, &hints, ret);
	if (rc != 0)
		return err_set(err, ERR_CONFIG, "listen address %s: %s", address, gai_strerror(rc));
	return 0;
}

static int listen_at(const struct addrinfo *ai, const struct web_options *opt, int *ret_fd,
		     struct err *err)
{
	auto_fd int fd = socket(ai->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	int on = 1;

	if (fd < 0)
		return err_sys(err, ERR_INFRA, "cannot make a socket");
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (bind(fd, ai->ai_addr, ai->ai_addrlen) < 0 || listen(fd, SOMAXCONN) < 0)
		return err_sys(err, ERR_CONFIG, "cannot listen on %s port %u",
			       opt->address ? opt->address : "127.0.0.1", (unsigned)opt->port);
	*ret_fd = take_fd(&fd);
	return 0;
}

int listen_socket(const struct web_options *opt, int *ret_fd, struct err *err)
{
	struct addrinfo *ai = NULL;
	int rc = address_find(opt, &ai, err);

	if (rc < 0)
		return rc;
	rc = listen_at(ai, opt, ret_fd, err);
	freeaddrinfo(ai);
	return rc;
}

uint16_t listen_port(int fd)
{
	struct sockaddr_storage addr = {0};
	socklen_t n = sizeof(addr);

	if (getsockname(fd, (struct sockaddr *)&addr, &n) < 0)
		return 0;
	return ntohs(addr.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&addr)->sin6_port
						: ((struct sockaddr_in *)&addr)->sin_port);
}
