// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/fs.h"

#include "base/fault.h"
#include "base/hold.h"
#include "base/proc.h"
#include <fcntl.h>
#include <ftw.h>
#include <libgen.h>
#include <pwd.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>

int fs_read(const char *path, size_t max, enum err_kind kind, struct str *ret_data, struct err *err)
{
	auto_fd int fd = open(path, O_RDONLY | O_CLOEXEC);
	auto_str struct str data;
	char buf[65536];
	ssize_t n;

	str_init(&data, max);
	if (fd < 0)
		return err_sys(err, kind, "cannot open %s", path);
	while ((n = read(fd, buf, sizeof(buf))) > 0) {
		if (!str_add(&data, buf, (size_t)n))
			return err_set(err, kind, "%s is larger than the limit of %zu bytes", path,
				       max);
	}
	if (n < 0)
		return err_sys(err, kind, "cannot read %s", path);
	str_done(ret_data);
	*ret_data = data;
	data = (struct str){.buf = "", .max = max};
	return 0;
}

int fs_write_all(int fd, const void *from, size_t n)
{
	const char *data = from;

	while (n) {
		ssize_t w = write(fd, data, n);

		if (w < 0 && errno == EINTR)
			continue;
		if (w < 0)
			return -1;
		data += w;
		n -= (size_t)w;
	}
	return 0;
}

static int sync_dir_of(const char *path)
{
	auto_free char *copy = xstrdup(path);
	auto_fd int fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 ? -1 : fsync(fd);
}

int fs_write_atomic(const char *path, const void *data, size_t n, struct err *err)
{
	auto_free char *aside = xasprintf("%s.tmp-%ld", path, (long)getpid());
	auto_fd int fd = hold_file(aside);

	if (fd < 0)
		return err_sys(err, ERR_INFRA, "cannot create %s", aside);
	fault_point("write");
	if (fs_write_all(fd, data, n) < 0 || fsync(fd) < 0 || rename(aside, path) < 0 ||
	    sync_dir_of(path) < 0) {
		int rc = err_sys(err, ERR_INFRA, "cannot write %s", path);

		unlink(aside);
		return rc;
	}
	fault_point("written");
	return 0;
}

int fs_mkdir(const char *path)
{
	struct stat st;

	if (mkdir(path, 0755) < 0)
		return errno == EEXIST ? 0 : -1;
	if (geteuid() == 0 && stat(path, &st) == 0 && (st.st_mode & 0011) != 0011)
		return chmod(path, (st.st_mode & 0777) | 0011);
	return 0;
}

int fs_mkdirs(const char *path, struct err *err)
{
	auto_free char *part = xstrdup(path);

	for (char *p = part + 1; *p; p++) {
		if (*p != '/')
			continue;
		*p = '\0';
		if (fs_mkdir(part) < 0)
			return err_sys(err, ERR_INFRA, "cannot create folder %s", part);
		*p = '/';
	}
	if (fs_mkdir(part) < 0)
		return err_sys(err, ERR_INFRA, "cannot create folder %s", part);
	if (!fs_exists(path))
		return err_set(err, ERR_INFRA, "cannot create folder %s", path);
	return 0;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path) < 0 && errno != ENOENT ? -1 : 0;
}

int fs_rmtree(const char *path, struct err *err)
{
	if (nftw(path, remove_one, 64, FTW_DEPTH | FTW_PHYS) < 0 && errno != ENOENT)
		return err_sys(err, ERR_INFRA, "cannot remove %s", path);
	return 0;
}

/* nftw() has no context argument. */
static uid_t chown_uid;
static gid_t chown_gid;

static int chown_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)type;
	(void)ftw;
	if (st->st_uid == chown_uid && st->st_gid == chown_gid)
		return 0;
	return lchown(path, chown_uid, chown_gid);
}

int fs_chown_tree(const char *path, uid_t uid, gid_t gid, struct err *err)
{
	chown_uid = uid;
	chown_gid = gid;
	if (nftw(path, chown_one, 64, FTW_PHYS) < 0)
		return err_sys(err, ERR_INFRA, "cannot give %s to user %u", path, uid);
	return 0;
}

bool fs_exists(const char *path)
{
	return access(path, F_OK) == 0;
}

int fs_lock(const char *path, int *ret_fd, struct err *err)
{
	static const struct timespec pause = {.tv_nsec = 50 * 1000 * 1000};
	auto_fd int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);

	if (fd < 0)
		return err_sys(err, ERR_INFRA, "cannot open lock %s", path);
	while (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		if (errno != EWOULDBLOCK && errno != EINTR)
			return err_sys(err, ERR_INFRA, "cannot lock %s", path);
		if (cancel_requested())
			return err_cancelled(err);
		nanosleep(&pause, NULL);
	}
	*ret_fd = take_fd(&fd);
	return 0;
}

char *fs_home_dir(void)
{
	const char *home = getenv("HOME");
	const struct passwd *pw = home && home[0] == '/' ? NULL : getpwuid(geteuid());

	if (home && home[0] == '/')
		return xstrdup(home);
	return pw && pw->pw_dir[0] == '/' ? xstrdup(pw->pw_dir) : NULL;
}

char *fs_cache_dir(void)
{
	const char *xdg = getenv("XDG_CACHE_HOME");
	auto_free char *home = geteuid() == 0 ? NULL : fs_home_dir();

	if (xdg && xdg[0] == '/')
		return xasprintf("%s/firn", xdg);
	return home ? xasprintf("%s/.cache/firn", home) : xstrdup("/var/cache/firn");
}

const char *fs_data_dir(void)
{
	const char *env = getenv("FIRN_DATA_DIR");

	if (env && *env)
		return env;
	return fs_exists(FIRN_SOURCE_DIR "/kernel-builders/configs") ? FIRN_SOURCE_DIR
								     : FIRN_INSTALL_DATA_DIR;
}
