// SPDX-License-Identifier: GPL-2.0-or-later
#include "sandbox/guard.h"

#include "base/fs.h"
#include "sandbox/limits.h"

#define OWN_MAX ((size_t)1 << 16)

/* Groups of sandboxes that were started beside us. */
static struct cgroup *left;
static size_t n_left, left_cap;

static void find_place(struct cgroup_place *place)
{
	const char *wish = getenv("FIRN_LIMITS");
	auto_str struct str own;
	struct err why = ERR_INIT;

	str_init(&own, OWN_MAX);
	if (wish && strcmp(wish, "rlimits") == 0)
		place->why = xstrdup("FIRN_LIMITS asks for it");
	else if (fs_read("/proc/self/cgroup", OWN_MAX, ERR_INFRA, &own, &why) < 0)
		place->why = xstrdup(why.msg);
	else
		cgroup_place_find("/sys/fs/cgroup", own.buf, place);
	cgroup_sweep(place);
}

const struct cgroup_place *guard_place(void)
{
	static struct cgroup_place place;
	static bool found;

	if (!found)
		find_place(&place);
	found = true;
	return &place;
}

static void left_end(void)
{
	for (size_t i = 0; i < n_left; i++)
		cgroup_end(&left[i]);
	free(left);
	left = NULL;
	n_left = left_cap = 0;
}

static void left_end_empty(void)
{
	size_t kept = 0;

	for (size_t i = 0; i < n_left; i++) {
		if (cgroup_is_empty(&left[i]))
			cgroup_end(&left[i]);
		else
			left[kept++] = left[i];
	}
	n_left = kept;
}

void guard_leave(struct guard *g)
{
	static bool at_exit;

	if (g->group.version == CGROUP_NONE)
		return;
	if (!at_exit)
		atexit(left_end);
	at_exit = true;
	arr_grow(left, n_left, left_cap);
	left[n_left++] = g->group;
	g->group = (struct cgroup){.lock = -1};
}

static int group_begin(struct guard *g, struct err *err)
{
	int rc = cgroup_make(guard_place(), &g->group, err);

	if (rc == 0)
		rc = cgroup_limit(&g->group, &g->limits, err);
	if (rc == 0)
		rc = cgroup_open(&g->group, g->join, err);
	if (rc < 0)
		cgroup_end(&g->group);
	return rc;
}

static bool must_stop(void *guard)
{
	struct guard *g = guard;

	return disk_watch_over(&g->disk, false);
}

void sandbox_watch(const struct sandbox_spec *spec, struct disk_watch *ret)
{
	size_t n = 0;

	*ret = (struct disk_watch){
		.most = {.bytes = spec->disk_bytes, .files = limits_files(spec)}};
	for (size_t i = 0; i < SANDBOX_BINDS_MAX && spec->bind[i].outside; i++)
		if (spec->bind[i].writable && n + 1 < DISK_DIRS_MAX)
			ret->dir[n++] = spec->bind[i].outside;
	disk_watch_over(ret, false);
}

static void disk_begin(const struct sandbox_spec *spec, struct guard *g, struct proc_spec *proc)
{
	sandbox_watch(spec, &g->disk);
	proc->must_stop = must_stop;
	proc->stop_ctx = g;
}

int guard_begin(const struct sandbox_spec *spec, struct guard *g, struct proc_spec *proc,
		struct err *err)
{
	int rc = 0;

	left_end_empty();
	g->limits = (struct cgroup_limits){.memory_bytes = limits_total(spec),
					   .processes = limits_processes(spec)};
	if (!spec->cleaning && guard_place()->version != CGROUP_NONE)
		rc = group_begin(g, err);
	if (rc < 0)
		return rc;
	proc->join_fd = g->join;
	if (spec->disk_bytes)
		disk_begin(spec, g, proc);
	return 0;
}

void guard_joined(struct guard *g)
{
	for (size_t i = 0; g->join[i] >= 0; i++) {
		close(g->join[i]);
		g->join[i] = -1;
	}
}

char *guard_end(struct guard *g)
{
	char *over = cgroup_over(&g->group, &g->limits);

	guard_joined(g);
	cgroup_end(&g->group);
	if (!over && disk_watch_over(&g->disk, true))
		over = disk_watch_words(&g->disk);
	return over;
}
