// SPDX-License-Identifier: GPL-2.0-or-later
#include "testbeds/emulator_profile.h"

#include "base/cleanup.h"
#include "base/fs.h"
#include "sandbox/sandbox.h"
#include <fcntl.h>
#include <sys/stat.h>

#define PLUGIN_MAX ((size_t)4 << 20)

static const char *plugin_find(void)
{
	return fs_exists(PLUGIN_BUILT) ? PLUGIN_BUILT : PLUGIN_INSTALLED;
}

/* A copy: a build folder may be in a home that the sandbox's user cannot enter. */
static int plugin_copy(const char *to, struct err *err)
{
	const char *from = plugin_find();
	auto_str struct str data;
	int rc;

	str_init(&data, 0);
	if (!fs_exists(from))
		return err_set(err, ERR_CONFIG, "no %s to count guest instructions with", from);
	rc = fs_read(from, PLUGIN_MAX, ERR_CONFIG, &data, err);
	if (rc == 0)
		rc = fs_write_atomic(to, data.buf, data.len, err);
	if (rc == 0 && chmod(to, 0644) < 0)
		rc = err_sys(err, ERR_INFRA, "cannot change the mode of %s", to);
	return rc;
}

static int output_make(const char *path, struct err *err)
{
	auto_fd int fd = -1;
	uid_t uid;
	gid_t gid;
	int rc = sandbox_user(&uid, &gid, err);

	if (rc < 0)
		return rc;
	/* Not one that is there: the sandbox's user owned it, and may have put anything there. */
	if (unlink(path) < 0 && errno != ENOENT)
		return err_sys(err, ERR_INFRA, "cannot remove %s", path);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (fd < 0)
		return err_sys(err, ERR_INFRA, "cannot create %s", path);
	if (geteuid() == 0 && fchown(fd, uid, gid) < 0)
		return err_sys(err, ERR_INFRA, "cannot give %s to user %u", path, uid);
	return 0;
}

int emulator_profile_prepare(const struct boot_spec *spec, char **ret_plugin, struct err *err)
{
	auto_free char *copy = xasprintf("%s.so", spec->profile);
	int rc;

	if (!spec->count)
		return err_set(err, ERR_CONFIG,
			       "a profile needs guest time that counts instructions");
	rc = output_make(spec->profile, err);
	if (rc == 0)
		rc = plugin_copy(copy, err);
	if (rc == 0)
		*ret_plugin = take(copy);
	return rc;
}
