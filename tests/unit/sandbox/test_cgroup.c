// SPDX-License-Identifier: GPL-2.0-or-later
/* Control groups on folders that look like them, and disk_walk(). What the kernel does with real
 * ones is in test_guard.c. */
#include "unit/unit.h"

#include "base/fs.h"
#include "sandbox/cgroup.h"
#include "sandbox/disk.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>

static char *top;

static int top_make(void **state)
{
	(void)state;
	top = xasprintf("%s/firn-test-XXXXXX", getenv("TMPDIR") ?: "/tmp");
	assert_non_null(mkdtemp(top));
	return 0;
}

static int top_remove(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	assert_ok(fs_rmtree(top, &err), &err);
	free(top);
	return 0;
}

static void put(const char *name, const char *text)
{
	auto_free char *path = xasprintf("%s/%s", top, name), *dir = xstrdup(path);
	struct err err = ERR_INIT;

	*strrchr(dir, '/') = '\0';
	assert_ok(fs_mkdirs(dir, &err), &err);
	assert_ok(fs_write_atomic(path, text, strlen(text), &err), &err);
}

static void assert_file(const char *name, const char *want)
{
	auto_free char *path = xasprintf("%s/%s", top, name);
	auto_str struct str text;
	struct err err = ERR_INIT;

	str_init(&text, 0);
	assert_ok(fs_read(path, 0, ERR_INFRA, &text, &err), &err);
	assert_string_equal(text.buf, want);
}

static void assert_dir(const char *dir, const char *want)
{
	assert_non_null(dir);
	assert_true(str_starts(dir, top));
	assert_string_equal(dir + strlen(top), want);
}

static void version_1_is_below_our_own_groups(void **state)
{
	static const char own[] = "9:name=systemd:/x\n8:pids:/\n4:memory:/a/b\n1:cpu,cpuacct:/c\n"
				  "0::/\n";
	struct cgroup_place p;

	(void)state;
	put("pids/cgroup.procs", "");
	put("memory/a/b/cgroup.procs", "");
	put("cpu/cgroup.procs", "");
	cgroup_place_find(top, own, &p);
	assert_int_equal(p.version, CGROUP_V1);
	assert_dir(p.dir[0], "/memory/a/b");
	assert_dir(p.dir[1], "/pids");
	assert_dir(p.dir[2], "/cpu"); /* /c is not here: a container */
	assert_null(p.why);
	cgroup_place_done(&p);
}

static void without_pids_there_is_none(void **state)
{
	struct cgroup_place p;

	(void)state;
	put("memory/cgroup.procs", "");
	put("unified/cgroup.controllers", "");
	cgroup_place_find(top, "4:memory:/\n0::/\n", &p);
	assert_int_equal(p.version, CGROUP_NONE);
	assert_non_null(strstr(p.why, "no groups"));
	cgroup_place_done(&p);
}

static void version_2_where_it_is_handed_on(void **state)
{
	struct cgroup_place p;

	(void)state;
	put("cgroup.controllers", "cpuset cpu io memory pids\n");
	put("firn.service/cgroup.subtree_control", "cpu memory pids\n");
	put("firn.service/firn-main/cgroup.procs", "1\n");
	cgroup_place_find(top, "0::/firn.service/firn-main\n", &p);
	assert_int_equal(p.version, CGROUP_V2);
	assert_dir(p.dir[0], "/firn.service");
	assert_null(p.dir[1]);
	cgroup_place_done(&p);
}

/* The kernel's own way to say no is missing here: a file takes what is written to it. */
static void a_group_of_ours_is_taken_over(void **state)
{
	auto_free char *unit = xasprintf("%s/firn.service", top);
	struct cgroup_place p;

	(void)state;
	put("cgroup.controllers", "memory pids\n");
	put("firn.service/cgroup.procs", "12\n345\n");
	put("firn.service/cgroup.subtree_control", "");
	put("firn.service/firn-main/cgroup.procs", "");
	if (geteuid() == 0 && setxattr(unit, "user.delegate", "1", 1, 0) < 0) {
		print_message("SKIP: no extended attributes in %s\n", top);
		skip();
	}
	cgroup_place_find(top, "0::/firn.service\n", &p);
	assert_file("firn.service/firn-main/cgroup.procs", "345"); /* one write a process */
	assert_file("firn.service/cgroup.subtree_control", "+memory +pids");
	/* It does not say "memory pids", as the kernel would: so it is not taken for granted. */
	assert_int_equal(p.version, CGROUP_NONE);
	assert_non_null(strstr(p.why, "Delegate=yes"));
	cgroup_place_done(&p);
}

static void somebody_elses_group_is_left_alone(void **state)
{
	struct cgroup_place p;

	(void)state;
	if (geteuid() != 0) {
		print_message("SKIP: what this user has made is delegated to it\n");
		skip();
	}
	put("cgroup.controllers", "memory pids\n");
	put("user.slice/cgroup.procs", "12\n");
	cgroup_place_find(top, "0::/user.slice\n", &p);
	assert_int_equal(p.version, CGROUP_NONE);
	assert_file("user.slice/cgroup.procs", "12\n");
	cgroup_place_done(&p);
}

static void root_has_a_folder_at_the_top(void **state)
{
	struct cgroup_place p;

	(void)state;
	if (geteuid() != 0) {
		print_message("SKIP: only root has a group of its own at the top\n");
		skip();
	}
	put("cgroup.controllers", "memory pids\n");
	put("cgroup.subtree_control", "memory pids\n");
	put("firn/cgroup.subtree_control", "memory pids\n");
	put("user.slice/cgroup.procs", "12\n");
	cgroup_place_find(top, "0::/user.slice\n", &p);
	assert_int_equal(p.version, CGROUP_V2);
	assert_dir(p.dir[0], "/firn");
	cgroup_place_done(&p);
}

static char *inside(const struct cgroup *g, size_t i, const char *file)
{
	return xasprintf("%s/%s", g->dir[i] + strlen(top) + 1, file);
}

static void put_in(const struct cgroup *g, size_t i, const char *file, const char *text)
{
	auto_free char *name = inside(g, i, file);

	put(name, text);
}

static void assert_in(const struct cgroup *g, size_t i, const char *file, const char *want)
{
	auto_free char *name = inside(g, i, file);

	assert_file(name, want);
}

/* The kernel takes the files with the folder. */
static void empty(const struct cgroup *g)
{
	struct err err = ERR_INIT;

	for (size_t i = 0; i < CGROUP_DIRS && g->dir[i]; i++) {
		assert_ok(fs_rmtree(g->dir[i], &err), &err);
		assert_int_equal(mkdir(g->dir[i], 0755), 0);
	}
}

static const struct cgroup_limits limits = {.memory_bytes = 3UL << 30, .processes = 40};

/* Processes of two containers may have the same number. */
static void a_group_of_the_same_name_stays(void **state)
{
	struct cgroup_place p = {.version = CGROUP_V2, .dir = {top}};
	struct cgroup g;
	struct err err = ERR_INIT;

	(void)state;
	for (unsigned i = 0; i < 100; i++) {
		auto_free char *dir = xasprintf("%s/firn-box-%ld-%u", top, (long)getpid(), i);

		assert_int_equal(mkdir(dir, 0755), 0);
	}
	assert_err(cgroup_make(&p, &g, &err), &err, ERR_INFRA, "cannot make a control group");
	for (unsigned i = 0; i < 100; i++) {
		auto_free char *dir = xasprintf("%s/firn-box-%ld-%u", top, (long)getpid(), i);

		assert_int_equal(rmdir(dir), 0);
	}
}

static void limits_of_version_2_are_written(void **state)
{
	struct cgroup_place p = {.version = CGROUP_V2, .dir = {top}};
	struct cgroup g;
	struct err err = ERR_INIT;

	(void)state;
	assert_ok(cgroup_make(&p, &g, &err), &err);
	assert_err(cgroup_limit(&g, &limits, &err), &err, ERR_INFRA, "memory.max");
	put_in(&g, 0, "memory.max", "");
	put_in(&g, 0, "memory.oom.group", "");
	put_in(&g, 0, "pids.max", "");
	assert_ok(cgroup_limit(&g, &limits, &err), &err);
	assert_in(&g, 0, "memory.max", "3221225472");
	assert_in(&g, 0, "memory.oom.group", "1");
	assert_in(&g, 0, "pids.max", "40");
	empty(&g);
	cgroup_end(&g);
}

static void limits_of_version_1_are_written(void **state)
{
	auto_free char *memory = xasprintf("%s/memory", top), *pids = xasprintf("%s/pids", top);
	struct cgroup_place p = {.version = CGROUP_V1, .dir = {memory, pids}};
	struct cgroup g;
	struct err err = ERR_INIT;

	(void)state;
	put("memory/x", "");
	put("pids/x", "");
	assert_ok(cgroup_make(&p, &g, &err), &err);
	put_in(&g, 0, "memory.limit_in_bytes", "");
	put_in(&g, 1, "pids.max", "");
	assert_ok(cgroup_limit(&g, &limits, &err), &err);
	assert_in(&g, 0, "memory.limit_in_bytes", "3221225472");
	assert_in(&g, 1, "pids.max", "40");
	empty(&g);
	cgroup_end(&g);
}

static void assert_over(const struct cgroup *g, const char *want)
{
	auto_free char *over = cgroup_over(g, &limits);

	if (want)
		assert_string_equal(over, want);
	else
		assert_null(over);
}

static void what_was_reached_is_said(void **state)
{
	struct cgroup_place p = {.version = CGROUP_V2, .dir = {top}};
	struct cgroup g, none = {.lock = -1};
	struct err err = ERR_INIT;

	(void)state;
	assert_ok(cgroup_make(&p, &g, &err), &err);
	assert_over(&none, NULL);
	assert_over(&g, NULL);
	put_in(&g, 0, "memory.events", "low 0\nhigh 0\nmax 7\noom 1\noom_kill 0\n");
	put_in(&g, 0, "pids.events", "max 0\n");
	assert_over(&g, NULL);
	put_in(&g, 0, "pids.events", "max 12\n");
	assert_over(&g, "more than 40 processes");
	put_in(&g, 0, "memory.events", "low 0\nhigh 0\nmax 7\noom 1\noom_kill 2\n");
	assert_over(&g, "more than 3.0 GiB of memory");
	empty(&g);
	cgroup_end(&g);
}

static void leftovers_are_swept_and_no_others(void **state)
{
	struct cgroup_place p = {.version = CGROUP_V2, .dir = {top}};
	auto_free char *left = xasprintf("%s/firn-box-1-0", top),
		       *other = xasprintf("%s/other", top), *ours = NULL;
	struct cgroup g;
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(mkdir(left, 0755), 0);
	assert_int_equal(mkdir(other, 0755), 0);
	assert_ok(cgroup_make(&p, &g, &err), &err);
	ours = xstrdup(g.dir[0]);
	cgroup_sweep(&p);
	assert_false(fs_exists(left));
	assert_true(fs_exists(other));
	assert_true(fs_exists(ours));
	cgroup_end(&g);
	assert_false(fs_exists(ours));
}

static bool walk(unsigned long bytes, unsigned long files, struct disk_use *use)
{
	const struct disk_use most = {bytes, files};

	*use = (struct disk_use){0};
	return disk_walk(top, &most, use);
}

static void a_walk_counts_what_is_on_the_disk(void **state)
{
	auto_free char *hole = xasprintf("%s/a/hole", top), *link = xasprintf("%s/a/link", top);
	auto_fd int fd = -1;
	struct disk_use use;

	(void)state;
	put("a/b/c", "text");
	fd = open(hole, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	assert_int_equal(ftruncate(fd, (off_t)1 << 40), 0);
	assert_int_equal(symlink("/usr", link), 0);
	assert_true(walk(1 << 20, 100, &use));
	assert_int_equal(use.files, 5);
	assert_true(use.bytes < 1 << 20);
	assert_false(walk(1 << 20, 4, &use));
	assert_false(walk(1, 100, &use));
}

static void a_walk_stops_where_it_is_too_deep(void **state)
{
	auto_free char *deep = xstrdup(top);
	struct disk_use use;

	(void)state;
	for (unsigned i = 0; i < 105; i++) {
		char *next = xasprintf("%s/d", deep);

		assert_int_equal(mkdir(next, 0755), 0);
		free(deep);
		deep = next;
	}
	assert_false(walk(1 << 30, 10000, &use));
}

#define test_here(f) cmocka_unit_test_setup_teardown(f, top_make, top_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_here(version_1_is_below_our_own_groups),
		test_here(without_pids_there_is_none),
		test_here(version_2_where_it_is_handed_on),
		test_here(a_group_of_ours_is_taken_over),
		test_here(somebody_elses_group_is_left_alone),
		test_here(root_has_a_folder_at_the_top),
		test_here(a_group_of_the_same_name_stays),
		test_here(limits_of_version_2_are_written),
		test_here(limits_of_version_1_are_written),
		test_here(what_was_reached_is_said),
		test_here(leftovers_are_swept_and_no_others),
		test_here(a_walk_counts_what_is_on_the_disk),
		test_here(a_walk_stops_where_it_is_too_deep),
	};

	return cmocka_run_group_tests_name("cgroup", tests, NULL, NULL);
}
