// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel-builders/checkout.h"

#include "base/fs.h"
#include "base/proc.h"
#include "base/str.h"
#include "kernel-builders/worktree.h"
#include <fcntl.h>
#include <sys/stat.h>

/* syncfs(2) waits for what others wrote, too. */
#define SYNC_EACH_MAX 64

void checkout_done(struct checkout *c)
{
	fd_cleanup(&c->root);
	fd_cleanup(&c->parent);
	free(c->parent_path);
}

int checkout_init(struct checkout *c, git_repository *repo, const char *src, struct err *err)
{
	c->repo = repo;
	c->root = open(src, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return c->root < 0 ? err_sys(err, ERR_INFRA, "cannot open %s", src) : 0;
}

/* Opens the folder `path` below the root, making what is not there when `make`. Returns -1 with
 * errno. */
static int folder_open(const struct checkout *c, const char *path, bool make)
{
	auto_free char *copy = xstrdup(path);
	int fd = openat(c->root, ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	char *save = NULL;

	for (char *part = strtok_r(copy, "/", &save); part && fd >= 0;
	     part = strtok_r(NULL, "/", &save)) {
		auto_fd int up = fd;

		if (make && mkdirat(up, part, 0755) < 0 && errno != EEXIST)
			return -1;
		fd = openat(up, part, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	}
	return fd;
}

/* The folder of a file, as an fd that belongs to `c`; `*ret_name` is the rest. -1 with errno. */
static int parent_open(struct checkout *c, const char *path, bool make, const char **ret_name)
{
	const char *slash = strrchr(path, '/');
	auto_free char *dir = xmemdup(path, slash ? (size_t)(slash - path) : 0);

	*ret_name = slash ? slash + 1 : path;
	if (c->parent >= 0 && strcmp(c->parent_path, dir) == 0)
		return c->parent;
	fd_cleanup(&c->parent);
	free(c->parent_path);
	c->parent_path = take(dir);
	c->parent = folder_open(c, c->parent_path, make);
	return c->parent;
}

static int file_remove(struct checkout *c, const struct tree_change *change, struct err *err)
{
	const char *name;
	int dir = parent_open(c, change->path, false, &name);
	int flag = change->old_mode == GIT_FILEMODE_COMMIT ? AT_REMOVEDIR : 0;
	auto_free char *up = xstrdup(change->path);

	if (dir < 0 || (unlinkat(dir, name, flag) < 0 && errno != ENOENT))
		return err_sys(err, ERR_INFRA, "cannot remove %s from the worktree", change->path);
	/* git has no empty folders */
	for (char *slash = strrchr(up, '/'); slash; slash = strrchr(up, '/')) {
		*slash = '\0';
		dir = parent_open(c, up, false, &name);
		if (dir < 0 || unlinkat(dir, name, AT_REMOVEDIR) < 0)
			break;
	}
	return 0;
}

static int file_fill(int fd, const char *data, size_t n, bool sync)
{
	const struct timespec stamp[2] = {{.tv_sec = WORKTREE_STAMP}, {.tv_sec = WORKTREE_STAMP}};

	return fs_write_all(fd, data, n) < 0 || futimens(fd, stamp) < 0 || (sync && fsync(fd) < 0)
		       ? -1
		       : 0;
}

static int blob_write(const struct checkout *c, int dir, const char *name, const git_blob *blob,
		      unsigned mode)
{
	const char *data = git_blob_rawcontent(blob);
	size_t n = (size_t)git_blob_rawsize(blob);
	auto_fd int fd = -1;

	if (unlinkat(dir, name, 0) < 0 && errno != ENOENT)
		return -1;
	if (mode == GIT_FILEMODE_LINK) {
		auto_free char *target = xmemdup(n ? data : "", n);

		return symlinkat(target, dir, name);
	}
	fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		    mode == GIT_FILEMODE_BLOB_EXECUTABLE ? 0755 : 0644);
	return fd < 0 ? -1 : file_fill(fd, data, n, c->sync_each);
}

/* A submodule where a file was, or the other way round. */
static int place_clear(int dir, const char *name, const struct tree_change *change)
{
	bool was_folder = change->old_mode == GIT_FILEMODE_COMMIT;

	if (!change->old_mode || was_folder == (change->new_mode == GIT_FILEMODE_COMMIT))
		return 0;
	return unlinkat(dir, name, was_folder ? AT_REMOVEDIR : 0) < 0 && errno != ENOENT ? -1 : 0;
}

static int file_write(struct checkout *c, const struct tree_change *change, struct err *err)
{
	auto_git(blob) git_blob *blob = NULL;
	const char *name;
	int dir = parent_open(c, change->path, true, &name);

	if (dir < 0 || place_clear(dir, name, change) < 0)
		return err_sys(err, ERR_INFRA, "cannot make room for %s in the worktree",
			       change->path);
	if (change->new_mode ==
	    GIT_FILEMODE_COMMIT) /* a submodule: an empty folder, as git has it */
		return mkdirat(dir, name, 0755) < 0 && errno != EEXIST
			       ? err_sys(err, ERR_INFRA, "cannot make folder %s", change->path)
			       : 0;
	if (git_blob_lookup(&blob, c->repo, &change->new_id) < 0)
		return err_git(err, ERR_INFRA, "cannot read %s", change->path);
	if (blob_write(c, dir, name, blob, change->new_mode) < 0)
		return err_sys(err, ERR_INFRA, "cannot write %s in the worktree", change->path);
	return 0;
}

static int checkout_sync(const struct checkout *c, struct err *err)
{
	auto_fd int fd = openat(c->root, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 || syncfs(fd) < 0 ? err_sys(err, ERR_INFRA, "cannot write out the worktree")
					: 0;
}

int checkout_apply(struct checkout *c, const struct tree_changes *changes, struct err *err)
{
	int rc = 0;

	c->sync_each = changes->n <= SYNC_EACH_MAX;
	/* First what goes, so that a file can take the place of a folder. */
	for (size_t i = 0; i < changes->n && rc == 0; i++) {
		if (!changes->item[i].new_mode)
			rc = file_remove(c, &changes->item[i], err);
	}
	/* The folder that is kept open may be one that was removed. */
	fd_cleanup(&c->parent);
	c->parent = -1;
	for (size_t i = 0; i < changes->n && rc == 0; i++) {
		if (changes->item[i].new_mode)
			rc = file_write(c, &changes->item[i], err);
		if (c->on_progress && i % 1000 == 999)
			c->on_progress(c->ctx, "checking out", (unsigned)i + 1);
		if (rc == 0 && cancel_requested())
			rc = err_cancelled(err);
	}
	return rc < 0 || c->sync_each ? rc : checkout_sync(c, err);
}

static int time_set(struct checkout *c, const char *path, const struct timespec *t, struct err *err)
{
	const struct timespec both[2] = {*t, *t};
	const char *name;
	int dir = parent_open(c, path, false, &name);

	/* Lists name deleted files too. */
	if ((dir < 0 || utimensat(dir, name, both, AT_SYMLINK_NOFOLLOW) < 0) && errno != ENOENT &&
	    errno != ENOTDIR)
		return err_sys(err, ERR_INFRA, "cannot set the time of %s in the worktree", path);
	return 0;
}

int checkout_times(struct checkout *c, const json_t *before, const json_t *times, struct err *err)
{
	const struct timespec stamp = {.tv_sec = WORKTREE_STAMP};
	const char *path;
	json_t *entry;
	int rc;

	json_object_foreach ((json_t *)before, path, entry) {
		rc = time_set(c, path, &stamp, err);
		if (rc < 0)
			return rc;
	}
	json_object_foreach ((json_t *)times, path, entry) {
		const struct timespec t = {
			.tv_sec = (time_t)json_integer_value(json_array_get(entry, 1)),
			.tv_nsec = (long)json_integer_value(json_array_get(entry, 2))};

		rc = time_set(c, path, &t, err);
		if (rc < 0)
			return rc;
	}
	return 0;
}
