/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An empty repository for each test, a base commit, and what a series makes of it. */
#ifndef FIRN_TESTS_APPLY_FIXTURE_H
#define FIRN_TESTS_APPLY_FIXTURE_H

#include "apply_help.h"

#define REF "refs/firn/test"

/* Each test gets an empty repository. */
struct place_of_work {
	char *dir;
	git_repository *repo;
};

static __attribute__((unused)) int setup(void **state)
{
	struct place_of_work *w = xcalloc(1, sizeof(*w));

	w->dir = scratch_new();
	assert_int_equal(git_repository_init(&w->repo, w->dir, 1), 0);
	*state = w;
	return 0;
}

static __attribute__((unused)) int teardown(void **state)
{
	struct place_of_work *w = *state;

	git_repository_free(w->repo);
	scratch_drop(w->dir);
	free(w);
	return 0;
}

/* What a test starts from. */
static const struct file_spec base_files[] = {
	F("Makefile", "all:\n\ttrue\n"), F("lib/empty", ""),
	L("lib/link", "../Makefile"),	 F("mm/a.c", "1\n2\n3\n4\n5\n6\n7\n8\n9\n"),
	X("mm/run.sh", "#!/bin/sh\n"),	 F("mm-x/b.c", "b\n"),
};

struct run {
	struct apply_result result;
	struct err err;
	int rc;
};

static __attribute__((unused)) void run_on(struct place_of_work *w, const git_oid *base,
					   const char *const *diff, size_t n, struct run *ret)
{
	struct series s;

	series_make(&s, diff, n);
	*ret = (struct run){.err = ERR_INIT};
	ret->rc = apply_series(w->repo, base, &s, REF, &ret->result, &ret->err);
	series_drop(&s);
}

static __attribute__((unused)) void run_base(struct place_of_work *w, const char *const *diff,
					     size_t n, struct run *ret)
{
	git_oid base = commit_make(w->repo, NULL, "base", base_files, array_size(base_files));

	run_on(w, &base, diff, n, ret);
}

/* The diffs turn the base files into exactly these. */
static __attribute__((unused)) void expect(void **state, const char *const *diff, size_t n,
					   const struct file_spec *file, size_t n_files)
{
	struct place_of_work *w = *state;
	git_oid want = tree_make(w->repo, file, n_files), tip;
	auto_git(commit) git_commit *commit = NULL;
	struct run run;

	run_base(w, diff, n, &run);
	if (run.rc)
		fail_msg("%s", run.err.msg);
	assert_int_equal(run.result.n_commits, n);
	assert_true(git_oid_equal(&run.result.commit[n - 1].tree, &want));
	assert_int_equal(git_reference_name_to_id(&tip, w->repo, REF), 0);
	assert_true(git_oid_equal(&tip, &run.result.commit[n - 1].commit));
	assert_int_equal(git_commit_lookup(&commit, w->repo, &tip), 0);
	apply_result_done(&run.result);
}

static __attribute__((unused)) void refuse(void **state, const char *const *diff, size_t n,
					   const char *words)
{
	struct place_of_work *w = *state;
	struct run run;
	git_oid tip;

	run_base(w, diff, n, &run);
	assert_int_equal(run.rc, ERR_PATCH);
	if (!strstr(run.err.msg, words))
		fail_msg("message \"%s\" lacks \"%s\"", run.err.msg, words);
	assert_int_equal(run.result.failed_patch, n - 1);
	assert_int_equal(git_reference_name_to_id(&tip, w->repo, REF), GIT_ENOTFOUND);
	apply_result_done(&run.result);
}

#define expect_one(state, diff, ...)                                                               \
	expect(state, (const char *[]){diff}, 1, (const struct file_spec[]){__VA_ARGS__},          \
	       array_size(((const struct file_spec[]){__VA_ARGS__})))
#define refuse_one(state, diff, words) refuse(state, (const char *[]){diff}, 1, words)

/* The base files that most tests leave alone. */
#define MAKEFILE F("Makefile", "all:\n\ttrue\n")
#define EMPTY	 F("lib/empty", "")
#define LINK	 L("lib/link", "../Makefile")
#define A_C	 F("mm/a.c", "1\n2\n3\n4\n5\n6\n7\n8\n9\n")
#define RUN_SH	 X("mm/run.sh", "#!/bin/sh\n")
#define B_C	 F("mm-x/b.c", "b\n")

#define unit(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

#endif
