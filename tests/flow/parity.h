/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mails next to the real git: what `git am -3` makes of the folder "mails" on branch main of the
 * repository "w", and what apply_series() does, both in a scratch folder. Both refuse, or both make
 * the same trees with the same authors, dates and messages.
 */
#ifndef FIRN_TESTS_FLOW_PARITY_H
#define FIRN_TESTS_FLOW_PARITY_H

#include "../unit/series/apply_help.h"

#include "base/proc.h"
#include "intake/source.h"

#define SKIPPED 77

static char *scratch;

/* Runs a script in the scratch folder; its output, or NULL when it failed. */
static __attribute__((unused)) char *sh(const char *script)
{
	const char *const argv[] = {"sh", "-ec", script, NULL};
	struct proc_spec spec = {.argv = argv, .cwd = scratch, .timeout_s = 60};
	struct proc_result result;
	struct err err = ERR_INIT;
	char *out = NULL;

	assert_ok(proc_run(&spec, &result, &err), &err);
	if (result.end == PROC_EXITED && result.code == 0)
		out = xmemdup(result.output.buf, result.output.len);
	str_done(&result.output);
	return out;
}

static __attribute__((unused)) void sh_must(const char *script)
{
	auto_free char *out = sh(script);

	if (!out)
		fail_msg("failed: %s", script);
}

#define LOG "git log --reverse --format='%T%n%an <%ae> %ad%n%B' --date=raw"

/* What git am makes of the mails: a line of each commit; NULL when it refuses. */
static __attribute__((unused)) char *by_git(void)
{
	return sh("cd w; git branch -f base; set --\n"
		  "for f in ../mails/*; do case $f in *0000-cover*) ;; *) set -- \"$@\" \"$f\";; "
		  "esac; done\n"
		  "git am -q -3 \"$@\" > /dev/null 2>&1; " LOG " base..main");
}

static __attribute__((unused)) int apply_mails(git_repository *ours, git_repository *user,
					       struct apply_result *ret, struct err *err)
{
	auto_free char *spec = xasprintf("%s/mails", scratch);
	struct mail_list mails = {0};
	struct series_set set = {0};
	git_oid base;
	int rc;

	assert_int_equal(git_reference_name_to_id(&base, user, "refs/heads/base"), 0);
	assert_ok(source_read(spec, &mails, err), err);
	assert_ok(collate(&mails, &set, err), err);
	assert_int_equal(set.n_series, 1);
	assert_int_equal(set.series[0].n_missing, 0);
	rc = apply_series(ours, &base, &set.series[0], "refs/firn/parity", ret, err);
	series_set_done(&set);
	mail_list_done(&mails);
	return rc;
}

/* The same of firn's. */
static __attribute__((unused)) char *by_firn(struct err *err)
{
	auto_free char *tree = xasprintf("%s/w", scratch), *cache = xasprintf("%s/cache", scratch);
	auto_free char *script = NULL;
	auto_git(repository) git_repository *ours = NULL, *user = NULL;
	struct apply_result result = {0};
	char base[GIT_OID_HEXSZ + 1];
	git_oid id;
	int rc;

	assert_ok(repo_open(tree, cache, &ours, &user, err), err);
	rc = apply_mails(ours, user, &result, err);
	apply_result_done(&result);
	if (rc) {
		assert_int_equal(rc, ERR_PATCH);
		return NULL;
	}
	assert_int_equal(git_reference_name_to_id(&id, user, "refs/heads/base"), 0);
	git_oid_tostr(base, sizeof(base), &id);
	script = xasprintf("export GIT_DIR=%s\ngit fsck --strict --no-dangling > /dev/null 2>&1\n"
			   "%s %s..refs/firn/parity",
			   git_repository_path(ours), LOG, base);
	return sh(script);
}

/* NULL when both agree, else what differs. */
static __attribute__((unused)) char *compare(void)
{
	struct err err = ERR_INIT;
	auto_free char *git = by_git(), *firn = by_firn(&err);

	if (!git && !firn)
		return NULL;
	if (!git)
		return xstrdup("git am refuses, firn applies");
	if (!firn)
		return xasprintf("git am applies, firn refuses: %s", err.msg);
	return strcmp(git, firn) == 0 ? NULL : xasprintf("git am:\n%s\nfirn:\n%s", git, firn);
}

/* A git of its own: the user's configuration has no say. */
static __attribute__((unused)) void environment_set(void)
{
	setenv("HOME", scratch, 1);
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	setenv("GIT_AUTHOR_NAME", "Wilma Example", 1);
	setenv("GIT_AUTHOR_EMAIL", "wilma@example.org", 1);
	setenv("GIT_COMMITTER_NAME", "Carl Committer", 1);
	setenv("GIT_COMMITTER_EMAIL", "carl@example.org", 1);
	setenv("LC_ALL", "C.UTF-8", 1);
	setenv("GIT_CONFIG_COUNT", "2", 1);
	setenv("GIT_CONFIG_KEY_0", "core.fsync", 1);
	setenv("GIT_CONFIG_VALUE_0", "none", 1);
	setenv("GIT_CONFIG_KEY_1", "gc.auto", 1);
	setenv("GIT_CONFIG_VALUE_1", "0", 1);
}

/* Runs the tests in a scratch folder of their own; skips them where there is no git. */
#define parity_main(tests)                                                                         \
	do {                                                                                       \
		int rc_ = SKIPPED;                                                                 \
                                                                                                   \
		scratch = scratch_new();                                                           \
		environment_set();                                                                 \
		auto_free char *version_ = sh("git --version");                                    \
		if (version_)                                                                      \
			rc_ = cmocka_run_group_tests(tests, NULL, NULL);                           \
		else                                                                               \
			printf("SKIP: there is no git to compare with\n");                         \
		scratch_drop(scratch);                                                             \
		return rc_;                                                                        \
	} while (0)

#endif
