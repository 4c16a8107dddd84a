/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A tree of two files that answers as a kernel's does, and a folder to build it in. */
#ifndef FIRN_TESTS_FAKE_LAB_H
#define FIRN_TESTS_FAKE_LAB_H

#include "trees.h"

#include "base/fs.h"
#include "kernel-builders/builder.h"
#include <sys/stat.h>

#define SKIPPED 77
#define HERE	FIXTURES "/kernel-builders/"

static const struct builder fake = {
	.name = "fake",
	.arch = "none",
	.cross_compile = "",
	.config = HERE "fake/fake.config",
	.packages = "make gcc flex bison bc",
};

struct lab {
	char *dir, *log, *makefile;
	git_repository *repo;
	git_oid base;
	double timeout_s;
	const struct builder *builder;
	const char *const *modules, *const *touched;
};

static inline char *text_of(const char *path)
{
	auto_str struct str s;
	struct err err = ERR_INIT;

	str_init(&s, 0);
	assert_ok(fs_read(path, 1 << 20, ERR_INPUT, &s, &err), &err);
	return str_take(&s);
}

#define files(...) ((const struct tree_file[]){__VA_ARGS__, {0}})

static inline int lab_make(void **state)
{
	struct lab *lab = xcalloc(1, sizeof(*lab));
	auto_free char *repo = NULL;

	lab->dir = xasprintf("%s/firn-test-XXXXXX", getenv("TMPDIR") ?: "/tmp");
	assert_non_null(mkdtemp(lab->dir));
	assert_int_equal(chmod(lab->dir, 0755), 0);
	lab->log = xasprintf("%s/log", lab->dir);
	lab->makefile = text_of(HERE "fake/Makefile");
	repo = xasprintf("%s/tree.git", lab->dir);
	lab->repo = tree_repo(repo);
	lab->base =
		tree_commit(lab->repo, NULL,
			    files({"Makefile", lab->makefile, 0}, {"main.c", "int main_of;\n", 0}));
	lab->builder = &fake;
	*state = lab;
	return 0;
}

static inline int lab_remove(void **state)
{
	struct lab *lab = *state;
	struct err err = ERR_INIT;

	assert_ok(fs_rmtree(lab->dir, &err), &err);
	git_repository_free(lab->repo);
	free(lab->dir);
	free(lab->log);
	free(lab->makefile);
	free(lab);
	return 0;
}

static inline int build(const struct lab *lab, const git_oid *commit, struct build_result *ret,
			struct err *err)
{
	const struct build_request req = {
		.builder = lab->builder,
		.repo = lab->repo,
		.commit = *commit,
		.is_base = git_oid_equal(commit, &lab->base),
		.base = lab->base,
		.slot = "trial-1",
		.cache_dir = lab->dir,
		.log_path = lab->log,
		.modules = lab->modules,
		.touched = lab->touched,
		.timeout_s = lab->timeout_s,
		.jobs = 2,
	};

	*ret = (struct build_result){0};
	return build_run(&req, ret, err);
}

/* The outcome of a commit on top of the base with a Makefile rule in front of the others. */
static inline int build_hostile(const struct lab *lab, const char *rule, struct build_result *ret,
				struct err *err)
{
	auto_free char *makefile = xasprintf("%s\n%s", rule, lab->makefile);
	git_oid commit = tree_commit(lab->repo, &lab->base, files({"Makefile", makefile, 0}));

	return build(lab, &commit, ret, err);
}

static inline unsigned compilations(const struct lab *lab, const char *objects)
{
	auto_free char *path = xasprintf("%s/%s/compilations", lab->dir, objects),
		       *text = text_of(path);
	unsigned n = 0;

	for (const char *p = text; *p; p++)
		n += *p == '\n';
	return n;
}

#define auto_build_result __attribute__((cleanup(build_result_done)))
#define OBJECTS		  "objects/tree/fake"
#define SLOT		  "slots/trial-1/fake"

static inline void assert_other_vmlinux(const struct build_result *a, const struct build_result *b)
{
	auto_free char *path_a = xasprintf("%s/vmlinux", a->artifact_dir),
		       *path_b = xasprintf("%s/vmlinux", b->artifact_dir);
	auto_str struct str mine, theirs;
	struct err err = ERR_INIT;

	str_init(&mine, 0);
	str_init(&theirs, 0);
	assert_ok(fs_read(path_a, 0, ERR_INPUT, &mine, &err), &err);
	assert_ok(fs_read(path_b, 0, ERR_INPUT, &theirs, &err), &err);
	assert_true(mine.len != theirs.len || memcmp(mine.buf, theirs.buf, mine.len) != 0);
}

/* Is there what it takes? */
static inline bool fake_ready(void)
{
	static const char *const needed[] = {"make",  "gcc", "ld",   "flex",
					     "bison", "bc",  "perl", "bwrap"};

	for (size_t i = 0; i < array_size(needed); i++) {
		auto_free char *path = xasprintf("/usr/bin/%s", needed[i]);

		if (!fs_exists(path)) {
			print_message("SKIP: there is no %s\n", path);
			return false;
		}
	}
	return true;
}

#define test_here(f) cmocka_unit_test_setup_teardown(f, lab_make, lab_remove)

#endif
