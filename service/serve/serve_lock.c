// SPDX-License-Identifier: GPL-2.0-or-later
#include "serve/serve.h"

#include "base/fs.h"
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

static long holder(int fd)
{
	char pid[32] = {0};
	ssize_t n = pread(fd, pid, sizeof(pid) - 1, 0);

	return n > 0 ? strtol(pid, NULL, 10) : 0;
}

static int taken(int fd, const char *path, const char *name, struct err *err)
{
	return err_set(err, ERR_CONFIG, "another firn %s is running here: process %ld (%s)", name,
		       holder(fd), path);
}

long serve_lock_holder(const char *data_dir, const char *name)
{
	auto_free char *path = xasprintf("%s/%s.lock", data_dir, name);
	auto_fd int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);

	if (fd < 0 || flock(fd, LOCK_SH | LOCK_NB) == 0)
		return 0;
	return holder(fd);
}

int serve_lock(const char *data_dir, const char *name, int *ret_fd, struct err *err)
{
	auto_free char *path = xasprintf("%s/%s.lock", data_dir, name);
	auto_free char *pid = xasprintf("%ld\n", (long)getpid());
	auto_fd int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);

	if (fd < 0)
		return err_sys(err, ERR_CONFIG, "cannot open %s", path);
	if (flock(fd, LOCK_EX | LOCK_NB) < 0)
		return errno == EWOULDBLOCK ? taken(fd, path, name, err)
					    : err_sys(err, ERR_INFRA, "cannot lock %s", path);
	/* Who has it is for people; the lock holds without. */
	if (ftruncate(fd, 0) == 0)
		(void)!pwrite(fd, pid, strlen(pid), 0);
	*ret_fd = take_fd(&fd);
	return 0;
}
