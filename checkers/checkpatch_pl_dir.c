// SPDX-License-Identifier: GPL-2.0-or-later
#include "checkers/checkpatch_pl.h"

#include "base/fs.h"
#include "sandbox/sandbox.h"
#include <ctype.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <strings.h>
#include <sys/stat.h>

/* Those of 6.1 are 160 KiB. */
#define SEEDS_MAX	((size_t)4 << 20)
#define MAINTAINERS_MAX ((size_t)16 << 20)

static int file_put(const char *dir, const char *name, const void *data, size_t n, struct err *err)
{
	auto_free char *path = xasprintf("%s/%s", dir, name);
	auto_fd int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	const char *p = data;

	if (fd < 0)
		return err_sys(err, ERR_INFRA, "create %s", path);
	for (ssize_t put; n; p += put, n -= (size_t)put) {
		put = write(fd, p, n);
		if (put < 0)
			return err_sys(err, ERR_INFRA, "write %s", path);
	}
	return 0;
}

static int link_put(const char *dir, const char *name, struct err *err)
{
	auto_free char *path = xasprintf("%s/%s", dir, name);
	auto_free char *target = xasprintf("/src/%s", name);

	if (symlink(target, path) < 0)
		return err_sys(err, ERR_INFRA, "link %s", path);
	return 0;
}

static int links_put(const char *dir, const char *source_dir, struct err *err)
{
	auto_dir DIR *d = opendir(source_dir);

	if (!d)
		return err_sys(err, ERR_INFRA, "open %s", source_dir);
	for (struct dirent *e; (e = readdir(d));) {
		int rc = *e->d_name == '.' || strcmp(e->d_name, "scripts") == 0
				 ? 0
				 : link_put(dir, e->d_name, err);

		if (rc < 0)
			return rc;
	}
	return 0;
}

static int scripts_put(const char *dir, const char *source_dir, const struct patch *patch,
		       struct err *err)
{
	auto_free char *path = xasprintf("%s/scripts", dir);

	if (maintainers_maybe_obsolete(source_dir, patch))
		return link_put(dir, "scripts", err);
	return fs_mkdirs(path, err);
}

static int patch_put(const char *dir, const struct patch *patch, struct err *err)
{
	size_t n;
	auto_free char *text = check_patch_text(patch, &n);

	return file_put(dir, "patch", text, n, err);
}

int script_dir_make(const char *dir, const struct check_env *env, const struct patch *patch,
		    const struct str *seeds, struct err *err)
{
	int rc = fs_rmtree(dir, err);

	rc = rc ? rc : fs_mkdirs(dir, err);
	rc = rc ? rc : links_put(dir, env->source_dir, err);
	rc = rc ? rc : scripts_put(dir, env->source_dir, patch, err);
	rc = rc ? rc : patch_put(dir, patch, err);
	if (!rc && seeds && seeds->len)
		rc = file_put(dir, SCRIPT_SEEDS_PREFIX SCRIPT_SEEDS, seeds->buf, seeds->len, err);
	return rc ? rc : sandbox_own(dir, err);
}

/* Only a plain file is read, and only names are taken: the script may be a stranger's. */
static bool seeds_read(int dir_fd, const char *name, struct str *s)
{
	auto_fd int fd = openat(dir_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	char buf[16384];
	struct stat st;
	ssize_t n;

	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return false;
	while ((n = read(fd, buf, sizeof(buf))) > 0)
		if (!str_add(s, buf, (size_t)n))
			return false;
	for (size_t i = 0; i < s->len; i++)
		if (!isalnum((unsigned char)s->buf[i]) && s->buf[i] != '_' && s->buf[i] != '\n')
			return false;
	return n == 0;
}

void script_dir_seeds(const char *dir, struct str *ret_seeds)
{
	auto_dir DIR *d = opendir(dir);
	auto_str struct str s;

	str_init(&s, SEEDS_MAX);
	for (struct dirent *e; d && (e = readdir(d));) {
		if (!str_starts(e->d_name, SCRIPT_SEEDS_PREFIX "camelcase."))
			continue;
		if (seeds_read(dirfd(d), e->d_name, &s))
			str_add(ret_seeds, s.buf, s.len);
		return;
	}
}

/* Whether `path` may match an F: pattern: a '*' there stops at a '/', one here does not. What
 * begins like the pattern may be in a folder of that name. */
static bool pattern_may_match(const char *pattern, size_t n, const char *path)
{
	auto_free char *glob = xasprintf("%.*s*", (int)n, pattern);

	return fnmatch(glob, path, 0) == 0;
}

static bool patch_may_match(const struct patch *patch, const char *pattern, size_t n)
{
	for (size_t i = 0; i < patch->diff->n_files; i++) {
		const struct diff_file *f = &patch->diff->file[i];

		if ((f->old_path && pattern_may_match(pattern, n, f->old_path)) ||
		    (f->new_path && pattern_may_match(pattern, n, f->new_path)))
			return true;
	}
	return false;
}

/* One entry of MAINTAINERS: lines to the next empty one. */
static bool entry_may_match(const struct patch *patch, const char *s, const char *end)
{
	const char *value;

	for (; s < end; s = strchrnul(s, '\n') + 1) {
		if (str_starts(s, "N:") || str_starts(s, "K:"))
			return true; /* a regular expression */
		if (!str_starts(s, "F:"))
			continue;
		value = s + 2 + strspn(s + 2, " \t");
		if (patch_may_match(patch, value, strcspn(value, "\n")))
			return true;
	}
	return false;
}

static bool entry_is_obsolete(const char *s, const char *end)
{
	for (; s < end; s = strchrnul(s, '\n') + 1) {
		size_t n = strcspn(s, "\n");

		if (str_starts(s, "S:") && memmem(s, n, "bsolete", 7))
			return true;
	}
	return false;
}

/* A path with that word in it makes the script see it in get_maintainer.pl's complaints. */
static bool path_says_obsolete(const struct patch *patch)
{
	for (size_t i = 0; i < patch->diff->n_files; i++)
		if (strcasestr(diff_file_path(&patch->diff->file[i]), "obsolete"))
			return true;
	return false;
}

bool maintainers_maybe_obsolete(const char *source_dir, const struct patch *patch)
{
	auto_free char *path = xasprintf("%s/MAINTAINERS", source_dir);
	struct err ignored = ERR_INIT;
	auto_str struct str all;

	str_init(&all, MAINTAINERS_MAX);
	if (!patch->diff || path_says_obsolete(patch) ||
	    fs_read(path, MAINTAINERS_MAX, ERR_INFRA, &all, &ignored) < 0)
		return true;
	for (const char *s = all.buf, *end; *s; s = end) {
		end = strstr(s, "\n\n");
		end = end ? end + 2 : s + strlen(s);
		if (entry_is_obsolete(s, end) && entry_may_match(patch, s, end))
			return true;
	}
	return false;
}
