// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/hold.h"

#include "base/cleanup.h"
#include "base/fs.h"
#include "base/proc.h"
#include <fcntl.h>
#include <libgen.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>

static const struct timespec pause_of = {.tv_nsec = 10 * 1000 * 1000};

/* Does the name still lead to what was opened? */
static bool is_there(int fd, const char *path)
{
	struct stat now, was;

	return fstat(fd, &was) == 0 && stat(path, &now) == 0 && now.st_dev == was.st_dev &&
	       now.st_ino == was.st_ino;
}

static bool lock_shared(int fd)
{
	return flock(fd, LOCK_SH | LOCK_NB) == 0 || (errno != EWOULDBLOCK && errno != EINTR);
}

/* Whether it is there still is the lock's to say, as fs_mkdirs() does not. */
static int dir_make(const char *dir, struct err *err)
{
	auto_free char *copy = xstrdup(dir);
	int rc = fs_mkdirs(dirname(copy), err);

	if (rc == 0 && fs_mkdir(dir) < 0)
		rc = err_sys(err, ERR_INFRA, "cannot create folder %s", dir);
	return rc;
}

int hold_dir(const char *dir, int *ret_fd, struct err *err)
{
	for (;;) {
		auto_fd int fd = -1;
		int rc = dir_make(dir, err);

		if (rc < 0)
			return rc;
		fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (fd < 0 && errno != ENOENT)
			return err_sys(err, ERR_INFRA, "cannot open %s", dir);
		if (fd >= 0 && lock_shared(fd) && is_there(fd, dir)) {
			*ret_fd = take_fd(&fd);
			return 0;
		}
		if (cancel_requested())
			return err_cancelled(err);
		nanosleep(&pause_of, NULL);
	}
}

/* A sweep has a file for no longer than it takes to remove it. */
int hold_file(const char *path)
{
	for (;;) {
		auto_fd int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

		if (fd < 0 || (lock_shared(fd) && is_there(fd, path)))
			return take_fd(&fd);
		nanosleep(&pause_of, NULL);
	}
}

int hold_seize(const char *path)
{
	auto_fd int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) < 0 || !is_there(fd, path))
		return -1;
	return take_fd(&fd);
}
