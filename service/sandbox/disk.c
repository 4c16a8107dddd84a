// SPDX-License-Identifier: GPL-2.0-or-later
#include "sandbox/disk.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/str.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#define DEPTH_MAX 100
#define LOOK_S	  1.0
#define WALK_S	  10.0

static bool walk(int fd, unsigned depth, const struct disk_use *most, struct disk_use *use);

static bool is_over(const struct disk_use *most, const struct disk_use *use)
{
	return use->bytes > most->bytes || use->files > most->files;
}

/* Where firn is no root, the files are its own: it can give itself the right to look. By now the
 * name may be a symlink that leads out, so it is this very folder that gets the mode. */
static int dir_allow(int up, const char *name)
{
	auto_fd int it = openat(up, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	auto_free char *path = xasprintf("/proc/self/fd/%d", it);

	if (it < 0 || chmod(path, 0700) < 0)
		return -1;
	return openat(it, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static int dir_open(int up, const char *name)
{
	int fd = openat(up, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	return fd < 0 && errno == EACCES ? dir_allow(up, name) : fd;
}

static bool entry_walk(int up, const char *name, unsigned depth, const struct disk_use *most,
		       struct disk_use *use)
{
	struct stat st;
	int fd;

	if (fstatat(up, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT;
	use->bytes += (unsigned long)st.st_blocks * 512;
	use->files++;
	if (is_over(most, use))
		return false;
	if (!S_ISDIR(st.st_mode))
		return true;
	fd = depth < DEPTH_MAX ? dir_open(up, name) : -1;
	/* It may have become something else, or nothing. */
	if (fd < 0)
		return depth < DEPTH_MAX && (errno == ENOENT || errno == ENOTDIR || errno == ELOOP);
	return walk(fd, depth + 1, most, use);
}

/* Takes `fd`. */
static bool walk(int fd, unsigned depth, const struct disk_use *most, struct disk_use *use)
{
	auto_dir DIR *dir = fdopendir(fd);
	const struct dirent *e;

	if (!dir) {
		close(fd);
		return false;
	}
	while ((e = readdir(dir))) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		if (!entry_walk(dirfd(dir), e->d_name, depth, most, use))
			return false;
	}
	return true;
}

bool disk_walk(const char *dir, const struct disk_use *most, struct disk_use *use)
{
	int fd = dir_open(AT_FDCWD, dir);

	if (fd < 0 && errno == ENOTDIR)
		return entry_walk(AT_FDCWD, dir, DEPTH_MAX, most, use);
	return fd < 0 ? errno == ENOENT : walk(fd, 0, most, use);
}

static struct disk_use used_now(const struct disk_watch *w)
{
	struct disk_use sum = {0};
	struct statvfs fs;

	for (size_t i = 0; i < DISK_DIRS_MAX && w->dir[i]; i++) {
		if (statvfs(w->dir[i], &fs) < 0)
			continue;
		sum.bytes += (fs.f_blocks - fs.f_bfree) * fs.f_frsize;
		sum.files += fs.f_files - fs.f_ffree;
	}
	return sum;
}

static void watch_walk(struct disk_watch *w)
{
	struct disk_use use = {0};

	for (size_t i = 0; i < DISK_DIRS_MAX && w->dir[i] && !w->over; i++)
		w->over = !disk_walk(w->dir[i], &w->most, &use);
	w->left.bytes = w->over ? 0 : w->most.bytes - use.bytes;
	w->left.files = w->over ? 0 : w->most.files - use.files;
	w->used = used_now(w);
	w->walked = clock_mono();
}

static bool has_grown(unsigned long before, unsigned long now, unsigned long left)
{
	return now > before && now - before > left / 10;
}

/* The first look only notes how things are: what is there is ours. */
static bool first_look(struct disk_watch *w)
{
	w->looked = w->walked = clock_mono();
	w->used = used_now(w);
	w->left = w->most;
	return false;
}

bool disk_watch_over(struct disk_watch *w, bool last)
{
	double now = clock_mono();
	struct disk_use used;

	if (w->over || !w->dir[0])
		return w->over;
	if (w->looked == 0)
		return first_look(w);
	if (!last && now - w->looked < LOOK_S)
		return false;
	w->looked = now;
	used = used_now(w);
	if (w->few || (!last && now - w->walked >= WALK_S) ||
	    has_grown(w->used.bytes, used.bytes, w->left.bytes) ||
	    has_grown(w->used.files, used.files, w->left.files))
		watch_walk(w);
	return w->over;
}

char *disk_watch_words(const struct disk_watch *w)
{
	return xasprintf("more than %.1f GiB, or %lu files, on the disk",
			 (double)w->most.bytes / (double)(1UL << 30), w->most.files);
}
