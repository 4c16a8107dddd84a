// SPDX-License-Identifier: GPL-2.0-or-later
#include "sandbox/cgroup.h"

#include "base/clock.h"
#include "base/fs.h"
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>

#define BOX	 "firn-box-"
#define LIST_MAX ((size_t)1 << 20)
#define END_S	 10.0

/* Index in dir[] of version 1. */
enum { MEMORY, PIDS, CPU };

struct setting {
	const char *file;
	unsigned long value;
	bool needed; /* else older kernels, or kernels without swap, do without */
};

static int setting_write(const char *dir, const struct setting *s, struct err *err)
{
	auto_free char *path = xasprintf("%s/%s", dir, s->file), *text = xasprintf("%lu", s->value);
	auto_fd int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd >= 0 && fs_write_all(fd, text, strlen(text)) == 0)
		return 0;
	return s->needed ? err_sys(err, ERR_INFRA, "cannot set %s to %s", path, text) : 0;
}

static int settings_write(const char *dir, const struct setting *s, size_t n, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; dir && i < n && rc == 0; i++)
		rc = setting_write(dir, &s[i], err);
	return rc;
}

/* The whole group goes when memory runs out: a build without one of its processes is worth
 * nothing. Half the usual weight: the service itself stays awake. */
static int limit_v2(const struct cgroup *g, const struct cgroup_limits *l, struct err *err)
{
	const struct setting all[] = {
		{"memory.max", l->memory_bytes, true},
		{"memory.swap.max", 0, false},
		{"memory.oom.group", 1, false},
		{"pids.max", l->processes, true},
		{"cpu.weight", 50, false},
	};

	return settings_write(g->dir[0], all, array_size(all), err);
}

static int limit_v1(const struct cgroup *g, const struct cgroup_limits *l, struct err *err)
{
	const struct setting memory[] = {{"memory.limit_in_bytes", l->memory_bytes, true},
					 {"memory.memsw.limit_in_bytes", l->memory_bytes, false}};
	const struct setting pids[] = {{"pids.max", l->processes, true}};
	const struct setting cpu[] = {{"cpu.shares", 512, false}};
	int rc = settings_write(g->dir[MEMORY], memory, array_size(memory), err);

	if (rc == 0)
		rc = settings_write(g->dir[PIDS], pids, array_size(pids), err);
	return rc == 0 ? settings_write(g->dir[CPU], cpu, array_size(cpu), err) : rc;
}

int cgroup_limit(const struct cgroup *g, const struct cgroup_limits *l, struct err *err)
{
	return g->version == CGROUP_V2 ? limit_v2(g, l, err) : limit_v1(g, l, err);
}

/* A process that has ended is in its group until it is reaped. The folder with the lock goes last:
 * a sweep begins there. */
static void dirs_remove(struct cgroup *g, double patience_s)
{
	double end = clock_mono() + patience_s;

	for (size_t i = CGROUP_DIRS; i-- > 0;) {
		while (g->dir[i] && rmdir(g->dir[i]) < 0 && errno == EBUSY && clock_mono() < end)
			poll(NULL, 0, 2);
		free(g->dir[i]);
		g->dir[i] = NULL;
	}
}

/* A sweeper may be there between making it and taking the lock: then it is gone. */
static bool try_make(const struct cgroup_place *p, const char *name, struct cgroup *g)
{
	for (size_t i = 0; i < CGROUP_DIRS && p->dir[i]; i++) {
		g->dir[i] = xasprintf("%s/%s", p->dir[i], name);
		if (mkdir(g->dir[i], 0755) < 0) {
			/* Of the same name in another pid namespace: not ours to remove. */
			free(take(g->dir[i]));
			return false;
		}
		if (i > 0)
			continue;
		g->lock = open(g->dir[0], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (g->lock < 0 || flock(g->lock, LOCK_EX | LOCK_NB) < 0)
			return false;
	}
	return fs_exists(g->dir[0]);
}

int cgroup_make(const struct cgroup_place *p, struct cgroup *ret, struct err *err)
{
	static unsigned n;

	for (unsigned tries = 0; tries < 5; tries++) {
		auto_free char *name = xasprintf(BOX "%ld-%u", (long)getpid(), n++);
		struct cgroup g = {.version = p->version, .lock = -1};

		if (try_make(p, name, &g)) {
			*ret = g;
			return 0;
		}
		int saved = errno;
		dirs_remove(&g, 0);
		fd_cleanup(&g.lock);
		errno = saved;
	}
	return err_sys(err, ERR_INFRA, "cannot make a control group in %s", p->dir[0]);
}

int cgroup_open(const struct cgroup *g, int ret_fd[static CGROUP_DIRS + 1], struct err *err)
{
	size_t n = 0;

	for (; n < CGROUP_DIRS && g->dir[n]; n++) {
		auto_free char *path = xasprintf("%s/cgroup.procs", g->dir[n]);

		ret_fd[n] = open(path, O_WRONLY | O_CLOEXEC);
		if (ret_fd[n] >= 0)
			continue;
		int rc = err_sys(err, ERR_INFRA, "cannot open %s", path);
		while (n > 0)
			close(ret_fd[--n]);
		ret_fd[0] = -1;
		return rc;
	}
	ret_fd[n] = -1;
	return 0;
}

/* The number in the line "key N" of a file of counts; 0: none. */
static unsigned long count(const char *dir, const char *file, const char *key)
{
	auto_free char *path = xasprintf("%s/%s", dir, file);
	auto_str struct str text;
	struct err ignored = ERR_INIT;
	size_t n = strlen(key);

	str_init(&text, LIST_MAX);
	if (fs_read(path, LIST_MAX, ERR_INFRA, &text, &ignored) < 0)
		return 0;
	for (const char *line = text.buf; *line; line += strcspn(line, "\n"), line += *line == '\n')
		if (strncmp(line, key, n) == 0 && line[n] == ' ')
			return strtoul(line + n, NULL, 10);
	return 0;
}

char *cgroup_over(const struct cgroup *g, const struct cgroup_limits *l)
{
	bool v2 = g->version == CGROUP_V2;
	const char *memory = g->dir[MEMORY], *pids = v2 ? g->dir[0] : g->dir[PIDS];

	if (g->version == CGROUP_NONE)
		return NULL;
	if (count(memory, v2 ? "memory.events" : "memory.oom_control", "oom_kill"))
		return xasprintf("more than %.1f GiB of memory",
				 (double)l->memory_bytes / (double)(1UL << 30));
	if (count(pids, "pids.events", "max"))
		return xasprintf("more than %u processes", l->processes);
	return NULL;
}

/* How many processes a group's list has; each gets `signal`, 0: none. */
static size_t for_listed(const char *dir, int signal)
{
	auto_free char *path = xasprintf("%s/cgroup.procs", dir);
	auto_str struct str text;
	struct err ignored = ERR_INIT;
	size_t n = 0;
	char *end;

	str_init(&text, LIST_MAX);
	if (fs_read(path, LIST_MAX, ERR_INFRA, &text, &ignored) < 0)
		return 0;
	for (char *p = text.buf; *p; p = end + (*end == '\n'), n++) {
		long pid = strtol(p, &end, 10);

		if (end == p)
			break;
		if (pid > 1 && signal)
			kill((pid_t)pid, signal);
	}
	return n;
}

static const char *pids_dir(const struct cgroup *g)
{
	return g->version == CGROUP_V2 ? g->dir[0] : g->dir[PIDS];
}

bool cgroup_is_empty(const struct cgroup *g)
{
	return g->version == CGROUP_NONE || for_listed(pids_dir(g), 0) == 0;
}

/* Nothing new can start while the list is gone through. */
static void kill_all(const struct cgroup *g)
{
	const char *dir = pids_dir(g);
	const struct setting no_more = {"pids.max", 0, false}, all = {"cgroup.kill", 1, false};
	double end = clock_mono() + END_S;
	struct err ignored = ERR_INIT;

	if (setting_write(dir, &no_more, &ignored) < 0 || setting_write(dir, &all, &ignored) < 0)
		return;
	while (for_listed(dir, SIGKILL) && clock_mono() < end)
		poll(NULL, 0, 2);
}

void cgroup_end(struct cgroup *g)
{
	if (g->version == CGROUP_NONE)
		return;
	kill_all(g);
	dirs_remove(g, END_S);
	fd_cleanup(&g->lock);
	*g = (struct cgroup){.lock = -1};
}

static void sweep_one(const struct cgroup_place *p, const char *name)
{
	struct cgroup g = {.version = p->version, .lock = -1};

	for (size_t i = 0; i < CGROUP_DIRS && p->dir[i]; i++)
		g.dir[i] = xasprintf("%s/%s", p->dir[i], name);
	g.lock = open(g.dir[0], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (g.lock >= 0 && flock(g.lock, LOCK_EX | LOCK_NB) == 0) {
		cgroup_end(&g);
		return;
	}
	for (size_t i = 0; i < CGROUP_DIRS; i++)
		free(g.dir[i]);
	fd_cleanup(&g.lock);
}

void cgroup_sweep(const struct cgroup_place *p)
{
	auto_dir DIR *dir = p->version == CGROUP_NONE ? NULL : opendir(p->dir[0]);
	const struct dirent *e;

	while (dir && (e = readdir(dir)))
		if (str_starts(e->d_name, BOX))
			sweep_one(p, e->d_name);
}
