// SPDX-License-Identifier: GPL-2.0-or-later
#include "trees.h"

#include "base/fs.h"
#include "base/json.h"
#include "kernel-builders/builder.h"
#include "kernel-builders/objects.h"
#include "kernel-builders/worktree.h"
#include "sandbox/sandbox.h"
#include <sys/stat.h>

struct lab {
	char *dir, *src;
	git_repository *repo;
};

static int lab_make(void **state)
{
	struct lab *lab = xcalloc(1, sizeof(*lab));
	auto_free char *repo = NULL;

	lab->dir = xasprintf("%s/firn-test-XXXXXX", getenv("TMPDIR") ?: "/tmp");
	assert_non_null(mkdtemp(lab->dir));
	assert_int_equal(chmod(lab->dir, 0755), 0);
	repo = xasprintf("%s/tree-1.git", lab->dir);
	lab->repo = tree_repo(repo);
	lab->src = xasprintf("%s/worktrees/tree-1/src", lab->dir);
	*state = lab;
	return 0;
}

static int lab_remove(void **state)
{
	struct lab *lab = *state;
	struct err err = ERR_INIT;

	assert_ok(fs_rmtree(lab->dir, &err), &err);
	git_repository_free(lab->repo);
	free(lab->dir);
	free(lab->src);
	free(lab);
	return 0;
}

static void lab_at(const struct lab *lab, const git_oid *commit)
{
	auto_free char *dir = NULL;
	struct err err = ERR_INIT;

	assert_ok(worktree_at(lab->repo, commit, lab->dir, &dir, &err), &err);
	assert_string_equal(dir, lab->src);
}

static struct stat stat_of(const struct lab *lab, const char *path)
{
	auto_free char *full = xasprintf("%s/%s", lab->src, path);
	struct stat st = {0};

	lstat(full, &st);
	return st;
}

static void assert_text(const struct lab *lab, const char *path, const char *want)
{
	auto_free char *full = xasprintf("%s/%s", lab->src, path);
	auto_str struct str s;
	struct err err = ERR_INIT;

	str_init(&s, 0);
	assert_ok(fs_read(full, 1000, ERR_INPUT, &s, &err), &err);
	assert_string_equal(s.buf, want);
}

#define files(...) ((const struct tree_file[]){__VA_ARGS__, {0}})

static void kinds_of_entries_are_checked_out(void **state)
{
	const struct lab *lab = *state;
	auto_free char *link = xasprintf("%s/link", lab->src);
	char target[32] = "";
	git_oid c = tree_commit(lab->repo, NULL,
				files({"a/b/c.txt", "deep\n", 0},
				      {"run.sh", "#!/bin/sh\n", GIT_FILEMODE_BLOB_EXECUTABLE},
				      {"link", "a/b", GIT_FILEMODE_LINK}, {"empty", "", 0}));

	umask(077); /* the build user reads it all the same */
	lab_at(lab, &c);
	assert_int_equal(umask(022), 077);
	assert_text(lab, "a/b/c.txt", "deep\n");
	assert_text(lab, "empty", "");
	assert_int_equal(stat_of(lab, "a/b/c.txt").st_mode & 07777, 0644);
	assert_int_equal(stat_of(lab, "a/b").st_mode & 07777, 0755);
	assert_int_equal(stat_of(lab, "run.sh").st_mode & 07777, 0755);
	assert_int_equal(readlink(link, target, sizeof(target) - 1), 3);
	assert_string_equal(target, "a/b");
	assert_int_equal(stat_of(lab, "run.sh").st_mtime, WORKTREE_STAMP);
}

static void only_what_differs_is_written(void **state)
{
	const struct lab *lab = *state;
	git_oid c1 = tree_commit(lab->repo, NULL,
				 files({"a/x", "1\n", 0}, {"b/y", "1\n", 0}, {"b/z", "1\n", 0}));
	git_oid c2 = tree_commit(lab->repo, &c1,
				 files({"b/y", "2\n", 0}, {"b/z", NULL, 0}, {"c/w", "2\n", 0}));
	struct stat x, y;

	lab_at(lab, &c1);
	x = stat_of(lab, "a/x");
	y = stat_of(lab, "b/y");
	lab_at(lab, &c2);
	assert_int_equal(stat_of(lab, "a/x").st_ino, x.st_ino);
	assert_int_equal(stat_of(lab, "a/x").st_ctim.tv_nsec, x.st_ctim.tv_nsec);
	assert_true(stat_of(lab, "b/y").st_ctim.tv_nsec != y.st_ctim.tv_nsec);
	assert_text(lab, "b/y", "2\n");
	assert_text(lab, "c/w", "2\n");
	assert_int_equal(stat_of(lab, "b/z").st_mode, 0);
	lab_at(lab, &c1);
	assert_text(lab, "b/y", "1\n");
	assert_text(lab, "b/z", "1\n");
	assert_int_equal(stat_of(lab, "c").st_mode, 0); /* no empty folders */
}

static void files_and_folders_change_places(void **state)
{
	const struct lab *lab = *state;
	git_oid c1 =
		tree_commit(lab->repo, NULL, files({"a", "file\n", 0}, {"b/c/d", "deep\n", 0}));
	git_oid c2 = tree_commit(lab->repo, NULL,
				 files({"a/x/y", "deep\n", 0}, {"b", "../..", GIT_FILEMODE_LINK}));

	lab_at(lab, &c1);
	lab_at(lab, &c2);
	assert_text(lab, "a/x/y", "deep\n");
	assert_true(S_ISLNK(stat_of(lab, "b").st_mode));
	lab_at(lab, &c1);
	assert_text(lab, "a", "file\n");
	assert_text(lab, "b/c/d", "deep\n");
}

static void an_interrupted_move_is_done_again(void **state)
{
	const struct lab *lab = *state;
	auto_free char *path = xasprintf("%s/worktrees/tree-1/state.json", lab->dir);
	auto_free char *x = xasprintf("%s/x", lab->src), *litter = xasprintf("%s/litter", lab->src);
	auto_json json_t *moving = NULL;
	git_oid c = tree_commit(lab->repo, NULL, files({"x", "1\n", 0}));
	struct err err = ERR_INIT;

	lab_at(lab, &c);
	assert_ok(json_read(path, ERR_INFRA, &moving, &err), &err);
	json_object_set_new(moving, "moving", json_true());
	assert_ok(json_write(path, moving, &err), &err);
	assert_ok(fs_write_atomic(x, "half", 4, &err), &err);
	assert_ok(fs_write_atomic(litter, "", 0, &err), &err);
	lab_at(lab, &c);
	assert_text(lab, "x", "1\n");
	assert_false(fs_exists(litter));
}

static void a_removed_folder_is_made_again(void **state)
{
	const struct lab *lab = *state;
	git_oid c = tree_commit(lab->repo, NULL, files({"x", "1\n", 0}));
	struct err err = ERR_INIT;

	lab_at(lab, &c);
	assert_ok(fs_rmtree(lab->src, &err), &err);
	lab_at(lab, &c);
	assert_text(lab, "x", "1\n");
}

/* git's own functions refuse to make such trees, so the object is written as bytes. */
static git_oid hostile_tree(const struct lab *lab, const char *mode_and_name, const git_oid *id)
{
	char raw[128];
	size_t n = strlen(mode_and_name) + 1;
	git_odb *odb = NULL;
	git_oid tree;

	memcpy(raw, mode_and_name, n);
	memcpy(raw + n, id->id, GIT_OID_RAWSZ);
	assert_int_equal(git_repository_odb(&odb, lab->repo), 0);
	assert_int_equal(git_odb_write(&tree, odb, raw, n + GIT_OID_RAWSZ, GIT_OBJECT_TREE), 0);
	git_odb_free(odb);
	return tree;
}

static void files_and_submodules_change_places(void **state)
{
	const struct lab *lab = *state;
	git_oid file = tree_commit(lab->repo, NULL, files({"a", "file\n", 0}));
	git_oid tree = hostile_tree(lab, "160000 a", &file),
		module = tree_commit_of(lab->repo, &tree, NULL);

	lab_at(lab, &file);
	lab_at(lab, &module);
	assert_true(S_ISDIR(stat_of(lab, "a").st_mode));
	lab_at(lab, &file);
	assert_text(lab, "a", "file\n");
}

static void hostile_names_are_refused(void **state)
{
	static const char *const entries[] = {"100644 ..",    "100644 .",   "100644 .git",
					      "100644 .GIT",  "100644 a/b", "100644 ../evil",
					      "100644 x\xff", NULL};
	const struct lab *lab = *state;
	git_oid blob = tree_blob(lab->repo, "evil\n");

	for (const char *const *entry = entries; *entry; entry++) {
		git_oid tree = hostile_tree(lab, *entry, &blob),
			commit = tree_commit_of(lab->repo, &tree, NULL);
		auto_free char *dir = NULL;
		struct err err = ERR_INIT;

		assert_err(worktree_at(lab->repo, &commit, lab->dir, &dir, &err), &err, ERR_INPUT,
			   "not checked out");
	}
}

/* Two entries of one name: a symlink out of the tree, and a folder that would be written through
 * it. */
static void a_tree_does_not_write_through_its_symlink(void **state)
{
	const struct lab *lab = *state;
	auto_free char *outside = xasprintf("%s/outside", lab->dir),
		       *evil = xasprintf("%s/evil", outside);
	git_oid link = tree_blob(lab->repo, outside), blob = tree_blob(lab->repo, "evil\n"), inner,
		tree, commit;
	char raw[128];
	git_odb *odb = NULL;
	auto_free char *dir = NULL;
	struct err err = ERR_INIT;

	assert_int_equal(mkdir(outside, 0777), 0);
	inner = hostile_tree(lab, "100644 evil", &blob);
	memcpy(raw, "120000 a", 9);
	memcpy(raw + 9, link.id, GIT_OID_RAWSZ);
	memcpy(raw + 29, "40000 a", 8);
	memcpy(raw + 37, inner.id, GIT_OID_RAWSZ);
	assert_int_equal(git_repository_odb(&odb, lab->repo), 0);
	assert_int_equal(git_odb_write(&tree, odb, raw, 57, GIT_OBJECT_TREE), 0);
	git_odb_free(odb);
	commit = tree_commit_of(lab->repo, &tree, NULL);
	assert_true(worktree_at(lab->repo, &commit, lab->dir, &dir, &err) < 0);
	assert_false(fs_exists(evil));
}

/* The times under which make sees x and y when `tree` of `commit` is built in `o`. */
static void build_times(struct lab *lab, struct objects *o, const git_oid *commit,
			struct timespec *x, struct timespec *y)
{
	auto_worktree struct worktree w = WORKTREE_INIT;
	auto_git(commit) git_commit *c = NULL;
	const json_t *times = NULL;
	struct err err = ERR_INIT;

	assert_int_equal(git_commit_lookup(&c, lab->repo, commit), 0);
	assert_ok(worktree_open(lab->repo, lab->dir, &w, &err), &err);
	assert_ok(objects_begin(o, lab->repo, git_commit_tree_id(c), &times, &err), &err);
	assert_ok(worktree_move(&w, lab->repo, git_commit_tree_id(c), times, &err), &err);
	assert_ok(objects_end(o, &err), &err);
	*x = stat_of(lab, "x").st_mtim;
	*y = stat_of(lab, "y").st_mtim;
}

static bool same_time(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

static void times_follow_the_objects(void **state)
{
	struct lab *lab = *state;
	auto_objects struct objects base = {0}, slot = {0};
	git_oid c0 = tree_commit(lab->repo, NULL, files({"x", "0\n", 0}, {"y", "0\n", 0}));
	git_oid c1 = tree_commit(lab->repo, &c0, files({"x", "1\n", 0}));
	git_oid c2 = tree_commit(lab->repo, &c1, files({"y", "2\n", 0}));
	git_oid c3 = tree_commit(lab->repo, &c2, files({"x", "0\n", 0}));
	const struct timespec stamp = {.tv_sec = WORKTREE_STAMP};
	struct timespec x1, x2, y, y2, x;
	struct err err = ERR_INIT;

	assert_ok(objects_open(lab->dir, "tree-1", "b", "gcc", &base, &err), &err);
	build_times(lab, &base, &c0, &x, &y);
	assert_true(same_time(&x, &stamp) && same_time(&y, &stamp));

	assert_ok(objects_open_slot(lab->dir, "s", "b", &base, &slot, &err), &err);
	build_times(lab, &slot, &c1, &x1, &y);
	assert_true(x1.tv_sec > stamp.tv_sec); /* patched: now */
	assert_true(same_time(&y, &stamp));
	build_times(lab, &slot, &c2, &x2, &y2);
	assert_true(same_time(&x1, &x2)); /* still what the slot was built from */
	assert_true(y2.tv_sec > stamp.tv_sec);
	build_times(lab, &base, &c0, &x, &y);
	assert_true(same_time(&x, &stamp) && same_time(&y, &stamp)); /* nothing to do in the base */
	build_times(lab, &slot, &c2, &x, &y);
	assert_true(same_time(&x, &x1) && same_time(&y, &y2));
	/* back to what the base has, but not what this slot was built from last */
	build_times(lab, &slot, &c3, &x, &y);
	assert_true(x.tv_sec > x1.tv_sec || (x.tv_sec == x1.tv_sec && x.tv_nsec > x1.tv_nsec));
	assert_true(same_time(&y, &y2));
}

static void a_slot_is_a_copy_that_follows_the_base(void **state)
{
	struct lab *lab = *state;
	auto_objects struct objects base = {0}, slot = {0}, again = {0}, renewed = {0};
	git_oid c0 = tree_commit(lab->repo, NULL, files({"x", "0\n", 0}, {"y", "0\n", 0}));
	auto_free char *object = NULL, *copy = NULL, *mine = NULL;
	struct timespec x, y;
	struct err err = ERR_INIT;

	assert_ok(objects_open(lab->dir, "tree-1", "b", "gcc", &base, &err), &err);
	object = xasprintf("%s/x.o", base.dir);
	assert_ok(fs_write_atomic(object, "o", 1, &err), &err);
	build_times(lab, &base, &c0, &x, &y);
	assert_ok(objects_open_slot(lab->dir, "s", "b", &base, &slot, &err), &err);
	copy = xasprintf("%s/x.o", slot.dir);
	mine = xasprintf("%s/mine", slot.dir);
	assert_true(fs_exists(copy));
	assert_ok(fs_write_atomic(mine, "o", 1, &err), &err);
	build_times(lab, &slot, &c0, &x, &y);
	assert_ok(objects_open_slot(lab->dir, "s", "b", &base, &again, &err), &err);
	assert_true(fs_exists(mine)); /* the same trial goes on */
	build_times(lab, &base, &c0, &x, &y);
	assert_ok(objects_open_slot(lab->dir, "s", "b", &base, &renewed, &err), &err);
	assert_false(fs_exists(mine)); /* the base was built again */
	assert_true(fs_exists(copy));
}

static void objects_of_an_unfinished_build_are_not_used(void **state)
{
	struct lab *lab = *state;
	auto_objects struct objects base = {0}, again = {0}, other = {0};
	git_oid c0 = tree_commit(lab->repo, NULL, files({"x", "0\n", 0}, {"y", "0\n", 0}));
	auto_free char *object = NULL;
	auto_git(commit) git_commit *c = NULL;
	const json_t *times = NULL;
	struct err err = ERR_INIT;

	assert_int_equal(git_commit_lookup(&c, lab->repo, &c0), 0);
	assert_ok(objects_open(lab->dir, "tree-1", "b", "gcc", &base, &err), &err);
	object = xasprintf("%s/x.o", base.dir);
	assert_ok(objects_begin(&base, lab->repo, git_commit_tree_id(c), &times, &err), &err);
	assert_ok(fs_write_atomic(object, "half", 4, &err), &err);
	assert_ok(objects_open(lab->dir, "tree-1", "b", "gcc", &again, &err), &err);
	assert_false(fs_exists(object));

	assert_ok(objects_begin(&again, lab->repo, git_commit_tree_id(c), &times, &err), &err);
	assert_ok(fs_write_atomic(object, "o", 1, &err), &err);
	assert_ok(objects_end(&again, &err), &err);
	assert_ok(objects_open(lab->dir, "tree-1", "b", "gcc 2", &other, &err), &err);
	assert_false(fs_exists(object)); /* another compiler */
}

static void a_slot_that_was_locked_up_is_removed(void **state)
{
	const struct lab *lab = *state;
	auto_objects struct objects base = {0}, slot = {0};
	auto_free char *dir = xasprintf("%s/slots/s", lab->dir), *locked = NULL, *inner = NULL;
	uid_t uid;
	gid_t gid;
	struct err err = ERR_INIT;

	assert_ok(objects_open(lab->dir, "tree-1", "ppc64le-lean", "gcc", &base, &err), &err);
	assert_ok(objects_open_slot(lab->dir, "s", "ppc64le-lean", &base, &slot, &err), &err);
	locked = xasprintf("%s/locked", slot.dir);
	inner = xasprintf("%s/x", locked);
	assert_int_equal(mkdir(locked, 0755), 0);
	assert_ok(fs_write_atomic(inner, "", 0, &err), &err);
	assert_ok(sandbox_user(&uid, &gid, &err), &err);
	assert_ok(fs_chown_tree(locked, uid, gid, &err), &err);
	assert_int_equal(chmod(locked, 0), 0);
	assert_ok(build_drop_slot(lab->dir, "s", &err), &err);
	assert_false(fs_exists(dir));
	assert_ok(build_drop_slot(lab->dir, "s", &err), &err);
}

#define test_here(f) cmocka_unit_test_setup_teardown(f, lab_make, lab_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_here(kinds_of_entries_are_checked_out),
		test_here(only_what_differs_is_written),
		test_here(files_and_folders_change_places),
		test_here(files_and_submodules_change_places),
		test_here(an_interrupted_move_is_done_again),
		test_here(a_removed_folder_is_made_again),
		test_here(hostile_names_are_refused),
		test_here(a_tree_does_not_write_through_its_symlink),
		test_here(times_follow_the_objects),
		test_here(a_slot_is_a_copy_that_follows_the_base),
		test_here(objects_of_an_unfinished_build_are_not_used),
		test_here(a_slot_that_was_locked_up_is_removed),
	};

	return cmocka_run_group_tests_name("worktree", tests, NULL, NULL);
}
