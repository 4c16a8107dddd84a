// SPDX-License-Identifier: GPL-2.0-or-later
#include "serve/turn.h"

#include "base/cleanup.h"
#include "base/fs.h"
#include "base/proc.h"
#include "base/str.h"
#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>

#define LOOK_MS 200

/* 1: got it, 0: it is taken. */
static int place_try(const struct turn *turn, unsigned n, int *ret_fd, struct err *err)
{
	auto_free char *path = xasprintf("%s/locks/%s.%u", turn->cache_dir, turn->name, n);
	auto_fd int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0)
		return err_sys(err, ERR_INFRA, "cannot open %s", path);
	if (flock(fd, LOCK_EX | LOCK_NB) < 0)
		return errno == EWOULDBLOCK || errno == EINTR
			       ? 0
			       : err_sys(err, ERR_INFRA, "cannot lock %s", path);
	*ret_fd = take_fd(&fd);
	return 1;
}

static int places_try(const struct turn *turn, int *ret_fd, struct err *err)
{
	int rc = 0;

	for (unsigned n = 0; rc == 0 && n < turn->places; n++)
		rc = place_try(turn, n, ret_fd, err);
	return rc;
}

int turn_take(const struct turn *turn, int *ret_fd, struct err *err)
{
	auto_free char *dir = xasprintf("%s/locks", turn->cache_dir);
	bool told = false;
	int rc = fs_mkdirs(dir, err);

	while (rc == 0 && (rc = places_try(turn, ret_fd, err)) == 0) {
		struct pollfd cancel = {.fd = cancel_fd(), .events = POLLIN};

		if (!told && turn->on_wait)
			turn->on_wait(turn->ctx);
		told = true;
		if (cancel_requested() || poll(&cancel, 1, LOOK_MS) > 0)
			return err_cancelled(err);
	}
	return rc < 0 ? rc : 0;
}
