// SPDX-License-Identifier: GPL-2.0-or-later
#include "trial/sweep.h"

#include "base/clock.h"
#include "base/fs.h"
#include "base/hold.h"
#include "kernel-builders/builder.h"
#include <dirent.h>
#include <sys/stat.h>

#define DAY_S (24 * 3600)

struct sweep {
	const char *cache_dir;
	int rc;
	struct err err; /* the first */
};

/* Is `name` in `dir` something that goes when nobody holds it? */
typedef bool is_waste_fn(const char *dir, const char *name);

static void note(struct sweep *s, int rc, const struct err *err)
{
	if (rc < 0 && s->rc == 0) {
		s->rc = rc;
		s->err = *err;
	}
}

static void waste_remove(struct sweep *s, const char *path)
{
	auto_fd int held = hold_seize(path);
	struct err err = ERR_INIT;

	if (held >= 0)
		note(s, fs_rmtree(path, &err), &err);
}

static void dir_sweep(struct sweep *s, const char *dir, is_waste_fn *is_waste)
{
	auto_dir DIR *open = opendir(dir);
	const struct dirent *e;

	while (open && (e = readdir(open))) {
		auto_free char *path = xasprintf("%s/%s", dir, e->d_name);

		if (e->d_name[0] != '.' && is_waste(dir, e->d_name))
			waste_remove(s, path);
	}
}

/* "name.tmp-1234": fs_write_atomic() and those who do as it does. */
static bool is_aside(const char *dir, const char *name)
{
	const char *mark = strstr(name, ".tmp-");

	(void)dir;
	if (!mark)
		return false;
	mark += strlen(".tmp-");
	return *mark && mark[strspn(mark, "0123456789")] == '\0';
}

static bool is_old(const char *dir, const char *name)
{
	auto_free char *path = xasprintf("%s/%s", dir, name);
	struct stat st;

	return lstat(path, &st) == 0 && st.st_mtime < clock_wall() - DAY_S;
}

/* The report is what a run writes last. For a day its logs are there for who asks what went wrong.
 */
static bool has_no_report(const char *dir, const char *name)
{
	auto_free char *report = xasprintf("%s/%s/report.json", dir, name);

	return is_old(dir, name) && !fs_exists(report);
}

/* "pack_git2_a1b2c3", "tmp_object_git2_a1b2c3" */
static bool is_old_of_git(const char *dir, const char *name)
{
	return strstr(name, "_git2_") && is_old(dir, name);
}

/* `tail` in each folder of CACHE/`head`. */
static void each_dir_sweep(struct sweep *s, const char *head, const char *tail,
			   is_waste_fn *is_waste)
{
	auto_free char *up = xasprintf("%s/%s", s->cache_dir, head);
	auto_dir DIR *dir = opendir(up);
	const struct dirent *e;

	while (dir && (e = readdir(dir))) {
		auto_free char *path = xasprintf("%s/%s%s", up, e->d_name, tail);

		if (e->d_name[0] != '.')
			dir_sweep(s, path, is_waste);
	}
}

int sweep_cache(const char *cache_dir, struct err *err)
{
	static const struct {
		const char *head, *tail; /* tail NULL: the folder itself */
		is_waste_fn *is_waste;
	} places[] = {
		{"runs", NULL, has_no_report},
		{".", NULL, is_aside},
		{"calibration", NULL, is_aside},
		{"checkers", NULL, is_aside},
		{"failed", NULL, is_aside},
		{"guest", NULL, is_aside},
		{"repos", NULL, is_aside},
		{"repos", "", is_aside},
		{"repos", "/objects/info", is_aside},
		{"repos", "/objects", is_old_of_git},
		{"repos", "/objects/pack", is_old_of_git},
		{"objects", "", is_aside},
		{"worktrees", "", is_aside},
	};
	struct sweep s = {.cache_dir = cache_dir, .err = ERR_INIT};

	note(&s, build_sweep(cache_dir, &s.err), &s.err);
	for (size_t i = 0; i < array_size(places); i++) {
		auto_free char *dir = xasprintf("%s/%s", cache_dir, places[i].head);

		if (places[i].tail)
			each_dir_sweep(&s, places[i].head, places[i].tail, places[i].is_waste);
		else
			dir_sweep(&s, dir, places[i].is_waste);
	}
	return s.rc < 0 ? err_set(err, s.err.kind, "%s", s.err.msg) : 0;
}
