// SPDX-License-Identifier: GPL-2.0-or-later
#include "web/work_file.h"

#include <fcntl.h>
#include <sys/stat.h>

bool work_word_ok(const char *s, size_t n)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				      "0123456789._+:=@,-";

	return n && *s != '.' && strspn(s, letters) >= n;
}

bool work_path_ok(const char *path)
{
	if (strlen(path) > WORK_PATH_MAX)
		return false;
	for (const char *p = path;; p++) {
		size_t n = strcspn(p, "/");

		if (!work_word_ok(p, n))
			return false;
		p += n;
		if (!*p)
			return true;
	}
}

static int open_below(int at, const char *name, size_t n)
{
	auto_free char *word = xmemdup(name, n);

	return openat(at, word, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* The folder that the last word of the path is in: each word by itself, so that none is followed
 * elsewhere. The work folder is the operator's, who may have it behind a link. */
static int open_parent(const char *work_dir, const char *path, const char **ret_last)
{
	auto_fd int fd = open(work_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	const char *slash;

	for (; fd >= 0 && (slash = strchr(path, '/')); path = slash + 1) {
		int next = open_below(fd, path, (size_t)(slash - path));

		close(fd);
		fd = next;
	}
	*ret_last = path;
	return take_fd(&fd);
}

int work_open_dir(const char *work_dir, const char *path)
{
	const char *last;
	auto_fd int dir = work_path_ok(path) ? open_parent(work_dir, path, &last) : -1;

	return dir < 0 ? -1 : open_below(dir, last, strlen(last));
}

int work_open(const char *work_dir, const char *path, int64_t *ret_size)
{
	const char *last;
	auto_fd int dir = work_path_ok(path) ? open_parent(work_dir, path, &last) : -1;
	struct stat st;

	if (dir < 0)
		return -1;
	/* A FIFO that nobody writes to must not stop us, nor a terminal become ours. */
	auto_fd int fd =
		openat(dir, last, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return -1;
	*ret_size = st.st_size;
	return take_fd(&fd);
}

bool work_read(int fd, int64_t from, size_t n, struct str *ret)
{
	char buf[16384];

	while (n) {
		ssize_t got = pread(fd, buf, n < sizeof(buf) ? n : sizeof(buf), from);

		if (got <= 0)
			return got == 0;
		str_add(ret, buf, (size_t)got);
		from += got;
		n -= (size_t)got;
	}
	return true;
}
