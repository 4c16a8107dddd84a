// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * build-run [-kp] [-c CONFIG] [-m MODULE]... [-t TOUCHED]... [-j JOBS] REPO CACHE ROW COMMIT...
 *
 * Builds commits as a trial does: the first as the base, those after it, which descend from it, as
 * its series in a slot that is removed at the end (-k: not, the next call goes on in it). A line
 *each, with tabs:
 *
 *	COMMIT OUTCOME cached|built SECONDS ARTEFACT REASON
 *
 * The log of each is CACHE/COMMIT.log. -c: another configuration than the row's, an absolute path.
 *
 * build-run -p ...: prints what a report says repeats each of them by hand, and builds nothing.
 *
 * build-run sandbox SRC BUILD COMMAND...: a command in the sandbox that builds are run in.
 */
#include "base/clock.h"
#include "base/fs.h"
#include "base/json.h"
#include "kernel-builders/builder.h"
#include "sandbox/sandbox.h"
#include "series/repo.h"
#include <stdio.h>

#define LIST_MAX 64
#define SLOT	 "build-run"

struct run {
	git_repository *repo;
	const char *cache;
	struct builder row;
	const char *module[LIST_MAX + 1], *touched[LIST_MAX + 1];
	size_t n_modules, n_touched;
	unsigned jobs;
	bool keep, print;
	git_oid base;
};

static int build_one(const struct run *run, const git_oid *commit, bool is_base, struct err *err)
{
	auto_free char *log = xasprintf("%s/%s.log", run->cache, git_oid_tostr_s(commit));
	const struct build_request req = {
		.builder = &run->row,
		.repo = run->repo,
		.commit = *commit,
		.is_base = is_base,
		.base = run->base,
		.slot = SLOT,
		.cache_dir = run->cache,
		.log_path = log,
		.modules = run->module,
		.touched = run->row.touched ? run->touched : NULL,
		.jobs = run->jobs,
	};
	struct build_result r = {0};
	double began = clock_mono();
	int rc = build_run(&req, &r, err);

	if (rc < 0)
		return rc;
	printf("%s\t%s\t%s\t%.2f\t%s\t%s\n", git_oid_tostr_s(commit), outcome_name(r.outcome),
	       r.cached ? "cached" : "built", clock_mono() - began, r.artifact_dir ?: "-",
	       r.reason);
	fflush(stdout);
	build_result_done(&r);
	return 0;
}

static void commands_print(const struct run *run, const git_oid *commit)
{
	auto_json json_t *list =
		builder_commands(&run->row, commit, run->row.touched ? run->touched : NULL, NULL);
	const json_t *command;
	size_t i;

	json_array_foreach (list, i, command)
		printf("%s\n", json_string_value(command));
}

static int builds_go(struct run *run, const char *repo, char **commit, size_t n, struct err *err)
{
	int rc = 0;

	if (git_repository_open(&run->repo, repo) < 0)
		return err_git(err, ERR_USAGE, "cannot open %s", repo);
	for (size_t i = 0; i < n && rc == 0; i++) {
		auto_git(object) git_object *found = NULL;

		if (git_revparse_single(&found, run->repo, commit[i]) < 0)
			rc = err_git(err, ERR_USAGE, "cannot find %s", commit[i]);
		if (rc == 0 && i == 0)
			run->base = *git_object_id(found);
		if (rc == 0 && run->print)
			commands_print(run, git_object_id(found));
		else if (rc == 0)
			rc = build_one(run, git_object_id(found), i == 0, err);
	}
	return rc < 0 || run->keep || run->print ? rc : build_drop_slot(run->cache, SLOT, err);
}

static int sandbox_go(char **arg, struct err *err)
{
	const struct sandbox_spec spec = {
		.argv = (const char *const *)arg + 2,
		.bind = {{arg[0], "/src", false}, {arg[1], "/build", true}},
		.chdir = "/build",
		.tmp_bytes = 1UL << 30,
	};
	auto_proc_result struct proc_result r = {0};
	int rc = sandbox_run(&spec, &r, err);

	if (rc < 0)
		return rc;
	fwrite(r.output.buf, 1, r.output.len, stdout);
	return r.end == PROC_EXITED && r.code == 0 ? 0 : err_set(err, ERR_PATCH, "it failed");
}

static int usage(void)
{
	fprintf(stderr,
		"usage: build-run [-kp] [-c CONFIG] [-m MODULE]... [-t TOUCHED]... [-j JOBS] "
		"REPO CACHE ROW COMMIT...\n"
		"       build-run sandbox SRC BUILD COMMAND...\n");
	return 64;
}

static bool list_add(const char **list, size_t *n, const char *word)
{
	if (*n == LIST_MAX)
		return false;
	list[(*n)++] = word;
	return true;
}

/* False: not to be understood. */
static bool options_read(struct run *run, const char **config, int argc, char **argv)
{
	bool ok = true;
	int c;

	while (ok && (c = getopt(argc, argv, "+kpc:m:t:j:")) != -1) {
		if (c == 'k')
			run->keep = true;
		else if (c == 'p')
			run->print = true;
		else if (c == 'c')
			*config = optarg;
		else if (c == 'm')
			ok = list_add(run->module, &run->n_modules, optarg);
		else if (c == 't')
			ok = list_add(run->touched, &run->n_touched, optarg);
		else if (c == 'j')
			run->jobs = (unsigned)strtoul(optarg, NULL, 10);
		else
			ok = false;
	}
	return ok && argc - optind >= 4;
}

static int run_builds(int argc, char **argv, struct err *err)
{
	struct run run = {0};
	const char *config = NULL;
	const struct builder *row;
	int rc;

	if (!options_read(&run, &config, argc, argv))
		return usage();
	argv += optind;
	run.cache = argv[1];
	row = builder_find(argv[2]);
	if (!row)
		return err_set(err, ERR_USAGE, "no row \"%s\"", argv[2]);
	run.row = *row;
	if (config)
		run.row.config = config;
	rc = fs_mkdirs(run.cache, err);
	if (rc == 0)
		rc = builder_ready(&run.row, err);
	if (rc == 0)
		rc = builds_go(&run, argv[0], argv + 3, (size_t)(argc - optind - 3), err);
	git_repository_free(run.repo);
	return rc;
}

int main(int argc, char **argv)
{
	struct err err = ERR_INIT;
	int rc;

	repo_setup();
	if (argc > 4 && strcmp(argv[1], "sandbox") == 0)
		rc = sandbox_go(argv + 2, &err);
	else
		rc = run_builds(argc, argv, &err);
	if (rc < 0)
		fprintf(stderr, "build-run: %s\n", err.msg);
	return rc < 0 ? err_exit_code(err.kind) : rc;
}
