// SPDX-License-Identifier: GPL-2.0-or-later
#include "series/repo.h"

#include "base/fs.h"
#include "base/hash.h"
#include "base/hold.h"
#include "base/str.h"
#include <limits.h>

/* How far chains of alternates are followed; git itself stops at five. */
#define ALTERNATES_DEPTH 5
#define ALTERNATES_MAX	 65536
#define NAME_LEN_MAX	 64

void repo_setup(void)
{
	static bool done;

	if (done)
		return;
	done = true;
	git_libgit2_init();
	/*
	 * The tree may belong to somebody else than the user that firn runs as. git refuses such
	 * repositories (safe.directory) because their configuration names programs that git would
	 * start: hooks, pagers, file system monitors. libgit2 starts none, and firn writes nothing
	 * there.
	 */
	git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
	/* Hashing every object that is read doubles the cost; git does not do it for packed ones
	 * either. */
	git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 0);
	git_libgit2_opts(GIT_OPT_ENABLE_STRICT_OBJECT_CREATION, 0);
	/* A pack that a power cut left half written would break the cache for good. */
	git_libgit2_opts(GIT_OPT_ENABLE_FSYNC_GITDIR, 1);
}

static int user_open(const char *tree, git_repository **ret_user, struct err *err)
{
	int rc;

	if (!fs_exists(tree))
		return err_sys(err, ERR_CONFIG, "cannot open %s", tree);
	rc = git_repository_open_ext(ret_user, tree, 0, NULL);
	if (rc == GIT_ENOTFOUND)
		return err_set(err, ERR_CONFIG,
			       "%s is not a git repository (make one with: git -C %s init && git "
			       "-C %s add -Af && "
			       "git -C %s commit -m base)",
			       tree, tree, tree, tree);
	return rc < 0 ? err_git(err, ERR_CONFIG, "cannot open the git repository %s", tree) : 0;
}

static int path_real(const char *path, char **ret_real, struct err *err)
{
	char *real = realpath(path, NULL);

	if (!real)
		return err_sys(err, ERR_INFRA, "cannot resolve %s", path);
	*ret_real = real;
	return 0;
}

/* The objects of a repository; for a linked work tree these are with the main one. */
static int objects_dir(git_repository *repo, char **ret_dir, struct err *err)
{
	git_buf buf = GIT_BUF_INIT;
	int rc;

	if (git_repository_item_path(&buf, repo, GIT_REPOSITORY_ITEM_OBJECTS) < 0)
		return err_git(err, ERR_CONFIG, "cannot find the objects of %s",
			       git_repository_path(repo));
	rc = path_real(buf.ptr, ret_dir, err);
	git_buf_dispose(&buf);
	return rc;
}

/* A file name from the last part of a repository's path: "linux" of /src/linux/.git and
 * /src/linux.git. */
static char *name_make(const char *commondir)
{
	auto_free char *path = xstrdup(commondir);
	const char *base;
	char *name;

	for (size_t n = strlen(path); n && path[n - 1] == '/'; n--)
		path[n - 1] = '\0';
	if (str_ends(path, ".git"))
		path[strlen(path) - 4] = '\0';
	for (size_t n = strlen(path); n && path[n - 1] == '/'; n--)
		path[n - 1] = '\0';
	base = strrchr(path, '/');
	name = xstrdup(base && base[1] ? base + 1 : "tree");
	for (char *p = name; *p; p++) {
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-",
			    *p))
			*p = '_';
	}
	name[strnlen(name, NAME_LEN_MAX)] = '\0';
	if (name[0] == '.')
		name[0] = '_';
	return name;
}

static int ours_path(git_repository *user, const char *cache_dir, char **ret_path, struct err *err)
{
	auto_free char *real = NULL, *name = NULL;
	char hash[HASH_HEX_MAX];
	int rc = path_real(git_repository_commondir(user), &real, err);

	if (rc)
		return rc;
	name = name_make(real);
	*ret_path = xasprintf("%s/repos/%s-%.8s.git", cache_dir, name,
			      hash_hex(real, strlen(real), hash));
	return 0;
}

/*
 * libgit2 follows alternates of alternates, but takes relative ones there for relative to the
 * current folder: so all of the chain is written out, with absolute paths. `dir` is a resolved
 * objects folder.
 */
static int alternates_add(const char *dir, int depth, struct str *out, struct err *err)
{
	auto_free char *file = xasprintf("%s/info/alternates", dir);
	auto_str struct str text;
	char *line, *rest;
	int rc;

	str_init(&text, 0);
	if (strchr(dir, '\n'))
		return err_set(err, ERR_CONFIG,
			       "a repository path may not have a newline in it: %s", dir);
	str_addf(out, "%s\n", dir);
	if (depth >= ALTERNATES_DEPTH || out->truncated || !fs_exists(file))
		return 0;
	rc = fs_read(file, ALTERNATES_MAX, ERR_CONFIG, &text, err);
	if (rc)
		return rc;
	rest = text.buf;
	while (rest && (line = strsep(&rest, "\n"))) {
		auto_free char *path = *line == '/' ? xstrdup(line) : xasprintf("%s/%s", dir, line);
		auto_free char *real = NULL;

		/* One that is not there any more is skipped, as git does. */
		if (!*line || *line == '#' || !(real = realpath(path, NULL)))
			continue;
		rc = alternates_add(real, depth + 1, out, err);
		if (rc)
			return rc;
	}
	return 0;
}

static int alternates_write(const char *path, const struct str *text, struct err *err)
{
	auto_free char *file = xasprintf("%s/objects/info/alternates", path);
	auto_str struct str old;
	struct err ignored = ERR_INIT;

	str_init(&old, 0);
	if (fs_exists(file) && fs_read(file, ALTERNATES_MAX, ERR_INFRA, &old, &ignored) == 0 &&
	    strcmp(old.buf, text->buf) == 0)
		return 0;
	return fs_write_atomic(file, text->buf, text->len, err);
}

/* Made aside and renamed, so that another firn sees all of it or nothing. */
static int ours_make(const char *path, const struct str *alternates, struct err *err)
{
	auto_free char *aside = xasprintf("%s.tmp-%ld", path, (long)getpid());
	auto_git(repository) git_repository *repo = NULL;
	auto_fd int held = -1;
	struct err ignored = ERR_INIT;
	int rc = fs_rmtree(aside, err);

	if (!rc)
		rc = hold_dir(aside, &held, err);
	if (rc)
		return rc;
	if (git_repository_init(&repo, aside, 1) < 0)
		return err_git(err, ERR_INFRA, "cannot make the repository %s", aside);
	rc = alternates_write(aside, alternates, err);
	/* When another firn was first, its repository is as good. */
	if (!rc && rename(aside, path) < 0 && !fs_exists(path))
		rc = err_sys(err, ERR_INFRA, "cannot make the repository %s", path);
	if (fs_rmtree(aside, &ignored) && !rc) {
		*err = ignored;
		rc = ignored.kind;
	}
	return rc;
}

static int ours_open(const char *path, const struct str *alternates, git_repository **ret_ours,
		     struct err *err)
{
	int rc = fs_exists(path) ? 0 : ours_make(path, alternates, err);

	if (!rc)
		rc = alternates_write(path, alternates, err);
	if (rc)
		return rc;
	if (git_repository_open_bare(ret_ours, path) < 0)
		return err_git(err, ERR_INFRA,
			       "cannot open %s (it may be removed: firn makes it again)", path);
	return 0;
}

static int ours_prepare(git_repository *user, const char *cache_dir, git_repository **ret_ours,
			struct err *err)
{
	auto_free char *path = NULL, *objects = NULL;
	auto_free char *repos = xasprintf("%s/repos", cache_dir);
	auto_str struct str alternates;
	int rc = fs_mkdirs(repos, err);

	str_init(&alternates, ALTERNATES_MAX);
	if (!rc)
		rc = ours_path(user, cache_dir, &path, err);
	if (!rc)
		rc = objects_dir(user, &objects, err);
	if (!rc)
		rc = alternates_add(objects, 0, &alternates, err);
	if (!rc && alternates.truncated)
		rc = err_set(err, ERR_CONFIG, "too many alternates in %s", objects);
	return rc ? rc : ours_open(path, &alternates, ret_ours, err);
}

int repo_open(const char *tree, const char *cache_dir, git_repository **ret_ours,
	      git_repository **ret_user, struct err *err)
{
	auto_git(repository) git_repository *user = NULL;
	int rc;

	repo_setup();
	rc = user_open(tree, &user, err);
	if (!rc)
		rc = ours_prepare(user, cache_dir, ret_ours, err);
	if (rc)
		return rc;
	*ret_user = take(user);
	return 0;
}
