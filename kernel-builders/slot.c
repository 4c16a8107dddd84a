// SPDX-License-Identifier: GPL-2.0-or-later
/* Slots, and what else a build that was killed leaves behind. */
#include "base/fs.h"
#include "base/hold.h"
#include "kernel-builders/builder.h"
#include "kernel-builders/objects.h"
#include <assert.h>
#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>

int build_hold_slot(const char *cache_dir, const char *slot, int *ret_fd, struct err *err)
{
	auto_free char *path = xasprintf("%s/slots/%s", cache_dir, slot);

	assert(*slot && *slot != '.' && !strchr(slot, '/'));
	return hold_dir(path, ret_fd, err);
}

int build_drop_slot(const char *cache_dir, const char *slot, struct err *err)
{
	auto_free char *path = xasprintf("%s/slots/%s", cache_dir, slot);
	auto_dir DIR *dir = opendir(path);
	const struct dirent *e;
	int rc = 0;

	if (!dir && errno != ENOENT)
		return err_sys(err, ERR_INFRA, "cannot remove %s", path);
	while (dir && rc == 0 && (e = readdir(dir))) {
		auto_free char *objects = xasprintf("%s/%s", path, e->d_name);

		if (e->d_name[0] != '.' && !str_ends(e->d_name, ".json"))
			rc = objects_wipe(objects, err);
	}
	return rc < 0 ? rc : fs_rmtree(path, err);
}

static int slot_sweep(const char *cache_dir, const char *slot, struct err *err)
{
	auto_free char *path = xasprintf("%s/slots/%s", cache_dir, slot);
	auto_fd int fd = hold_seize(path);

	return fd < 0 ? 0 : build_drop_slot(cache_dir, slot, err);
}

/* "artifact" is where a kernel is put together: artifact_store(). Who has the worktree's lock and
 * finds one has found half a kernel. */
static int artifact_sweep(const char *cache_dir, const char *repo, struct err *err)
{
	auto_free char *lock = xasprintf("%s/worktrees/%s/lock", cache_dir, repo);
	auto_free char *aside = xasprintf("%s/worktrees/%s/artifact", cache_dir, repo);
	auto_fd int fd = fs_exists(aside) ? open(lock, O_RDONLY | O_CLOEXEC) : -1;

	return fd < 0 || flock(fd, LOCK_EX | LOCK_NB) < 0 ? 0 : fs_rmtree(aside, err);
}

/* Goes on after an error, for the first of which it returns. */
static int each_sweep(const char *cache_dir, const char *part,
		      int (*sweep)(const char *cache_dir, const char *name, struct err *err),
		      struct err *err)
{
	auto_free char *path = xasprintf("%s/%s", cache_dir, part);
	auto_dir DIR *dir = opendir(path);
	const struct dirent *e;
	int rc = 0;

	while (dir && (e = readdir(dir))) {
		struct err ignored = ERR_INIT;
		int one = e->d_name[0] == '.'
				  ? 0
				  : sweep(cache_dir, e->d_name, rc < 0 ? &ignored : err);

		rc = rc < 0 ? rc : one;
	}
	return rc;
}

int build_sweep(const char *cache_dir, struct err *err)
{
	struct err ignored = ERR_INIT;
	int rc = each_sweep(cache_dir, "slots", slot_sweep, err);
	int artifacts = each_sweep(cache_dir, "worktrees", artifact_sweep, rc < 0 ? &ignored : err);

	return rc < 0 ? rc : artifacts;
}
