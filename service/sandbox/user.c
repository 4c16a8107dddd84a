// SPDX-License-Identifier: GPL-2.0-or-later
#include "sandbox/sandbox.h"

#include "base/fs.h"
#include <pwd.h>

#define MAP_MAX 65536

/* user_namespaces(7): lines of the first id inside, the first outside, and how many. */
static bool id_is_mapped(const char *path, unsigned id)
{
	auto_str struct str map;
	struct err ignored = ERR_INIT;

	str_init(&map, MAP_MAX);
	if (fs_read(path, MAP_MAX, ERR_INFRA, &map, &ignored) < 0)
		return true; /* without /proc, the change of user will tell */
	for (const char *p = map.buf; *p; p += strcspn(p, "\n"), p += *p == '\n') {
		unsigned first, outside, n;

		if (sscanf(p, "%u %u %u", &first, &outside, &n) == 3 && id >= first &&
		    id - first < n)
			return true;
	}
	return false;
}

static int user_named(const char *name, uid_t *ret_uid, gid_t *ret_gid, struct err *err)
{
	const struct passwd *pw = getpwnam(name);

	if (!pw)
		return err_set(err, ERR_CONFIG,
			       "there is no user %s on this machine to run builds as", name);
	if (pw->pw_uid == 0)
		return err_set(err, ERR_CONFIG, "builds may not run as %s, which is root", name);
	if (!id_is_mapped("/proc/self/uid_map", pw->pw_uid) ||
	    !id_is_mapped("/proc/self/gid_map", pw->pw_gid))
		return err_set(err, ERR_CONFIG,
			       "builds cannot run as %s, whom this container does not have: run "
			       "firn as an ordinary user in it, or map more users into it (subuid)",
			       name);
	*ret_uid = pw->pw_uid;
	*ret_gid = pw->pw_gid;
	return 0;
}

int sandbox_user(uid_t *ret_uid, gid_t *ret_gid, struct err *err)
{
	const char *named = getenv("FIRN_BUILD_USER");
	struct err ignored = ERR_INIT;

	if (geteuid() != 0) {
		*ret_uid = geteuid();
		*ret_gid = getegid();
		return 0;
	}
	if (named && *named)
		return user_named(named, ret_uid, ret_gid, err);
	if (user_named("firn-build", ret_uid, ret_gid, &ignored) == 0)
		return 0;
	return user_named("nobody", ret_uid, ret_gid, err);
}

/* Asks test(1) as the build user, which knows about ACLs, groups and read-only mounts. */
static int user_may(const char *operator, const char * path, bool *ret_may, struct err *err)
{
	const char *const argv[] = {"test", operator, path, NULL};
	struct proc_spec spec = {.argv = argv, .cwd = "/", .timeout_s = 30, .cleaning = true};
	auto_proc_result struct proc_result r = {0};
	int rc = sandbox_user(&spec.uid, &spec.gid, err);

	if (rc == 0)
		rc = proc_run(&spec, &r, err);
	if (rc == 0)
		*ret_may = r.end == PROC_EXITED && r.code == 0;
	return rc;
}

/* Says which folder on the way to `dir` stops the build user. */
static int user_stopped_at(const char *dir, struct err *err)
{
	auto_free char *part = xasprintf("%s/", dir);
	const char *hint = geteuid() == 0 ? "choose another --cache, or let others pass: chmod o+x"
					  : "choose another --cache";

	for (char *p = part + 1; *p; p++) {
		bool may = false;
		int rc;

		if (*p != '/')
			continue;
		*p = '\0';
		rc = user_may("-x", part, &may, err);
		if (rc < 0)
			return rc;
		if (!may)
			return err_set(err, ERR_CONFIG,
				       "the user that builds run as may not enter %s, on the way "
				       "to %s (%s)",
				       part, dir, hint);
		*p = '/';
	}
	return err_set(err, ERR_CONFIG, "the user that builds run as may not write to %s", dir);
}

int sandbox_own(const char *dir, struct err *err)
{
	bool may = false;
	uid_t uid;
	gid_t gid;
	int rc = sandbox_user(&uid, &gid, err);

	if (rc == 0)
		rc = fs_mkdirs(dir, err);
	if (rc == 0 && geteuid() == 0)
		rc = fs_chown_tree(dir, uid, gid, err);
	if (rc == 0)
		rc = user_may("-w", dir, &may, err);
	if (rc < 0)
		return rc;
	return may ? 0 : user_stopped_at(dir, err);
}
