// SPDX-License-Identifier: GPL-2.0-or-later
/* Network cards without any tools: netdevice(7) and rtnetlink(7). */
#define _GNU_SOURCE
#include "http.h"

#include <errno.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

static void set_address(struct ifreq *r, in_addr_t address)
{
	struct sockaddr_in in = {.sin_family = AF_INET, .sin_addr.s_addr = address};

	memcpy(&r->ifr_addr, &in, sizeof(in));
}

bool net_up(const char *card, in_addr_t address)
{
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), saved;
	struct ifreq r = {0};
	bool ok;

	strncpy(r.ifr_name, card, sizeof(r.ifr_name) - 1);
	set_address(&r, address);
	ok = fd >= 0 && ioctl(fd, SIOCSIFADDR, &r) == 0;
	set_address(&r, htonl(0xffffff00));
	ok = ok && ioctl(fd, SIOCSIFNETMASK, &r) == 0;
	ok = ok && ioctl(fd, SIOCGIFFLAGS, &r) == 0;
	r.ifr_flags |= IFF_UP | IFF_RUNNING;
	ok = ok && ioctl(fd, SIOCSIFFLAGS, &r) == 0;
	saved = errno;
	if (fd >= 0)
		close(fd);
	errno = saved;
	return ok;
}

/* Sends a request and reads the answer: 0, or an errno. */
static int netlink_ask(const void *request, size_t n)
{
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE), e = 0;
	struct {
		struct nlmsghdr head;
		struct nlmsgerr error;
		char more[256]; /* the request again */
	} answer;
	ssize_t got;

	if (fd < 0)
		return errno;
	if (send(fd, request, n, 0) != (ssize_t)n)
		e = errno;
	got = e ? 0 : recv(fd, &answer, sizeof(answer), 0);
	if (got < 0)
		e = errno;
	else if (!e && ((size_t)got < sizeof(answer.head) + sizeof(answer.error) ||
			answer.head.nlmsg_type != NLMSG_ERROR))
		e = EPROTO;
	else if (!e)
		e = -answer.error.error;
	close(fd);
	return e;
}

bool net_move(const char *card, pid_t to)
{
	struct {
		struct nlmsghdr head;
		struct ifinfomsg info;
		struct rtattr attr;
		uint32_t pid;
	} request = {
		.head = {.nlmsg_len = sizeof(request),
			 .nlmsg_type = RTM_NEWLINK,
			 .nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK},
		.info = {.ifi_family = AF_UNSPEC, .ifi_index = (int)if_nametoindex(card)},
		.attr = {.rta_len = RTA_LENGTH(sizeof(uint32_t)), .rta_type = IFLA_NET_NS_PID},
		.pid = (uint32_t)to,
	};

	errno = request.info.ifi_index ? netlink_ask(&request, sizeof(request)) : ENODEV;
	return errno == 0;
}
