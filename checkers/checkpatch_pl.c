// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs the tree's own scripts/checkpatch.pl, in the sandbox: the script is part of the tree, and a
 * patch may change it.
 */
#include "checkers/checkpatch_pl.h"

#include "base/fs.h"
#include "base/hash.h"
#include "sandbox/sandbox.h"

#define SCRIPT	   "scripts/checkpatch.pl"
#define SCRIPT_MAX ((size_t)8 << 20)
#define TIMEOUT_S  60.0

/* Where the names for CAMELCASE are kept between runs: by the base's include/ and the script. NULL
 * when there is no place. The caller frees. */
static char *seeds_path(const struct check_env *env)
{
	auto_free char *script_path = xasprintf("%s/" SCRIPT, env->source_dir);
	auto_git(object) git_object *include = NULL;
	struct err ignored = ERR_INIT;
	auto_str struct str script;
	char spec[GIT_OID_HEXSZ + 16], oid[GIT_OID_HEXSZ + 1], key[HASH_HEX_MAX];

	str_init(&script, 0);
	if (!env->cache_dir || !env->repo || git_oid_is_zero(&env->base) ||
	    fs_read(script_path, SCRIPT_MAX, ERR_INFRA, &script, &ignored) < 0)
		return NULL;
	git_oid_tostr(oid, sizeof(oid), &env->base);
	snprintf(spec, sizeof(spec), "%s:include", oid);
	if (git_revparse_single(&include, env->repo, spec) < 0)
		return NULL;
	str_adds(&script, git_oid_tostr(oid, sizeof(oid), git_object_id(include)));
	return xasprintf("%s/camelcase/%s", env->cache_dir, hash_hex(script.buf, script.len, key));
}

static void seeds_load(const char *path, struct str *ret_seeds)
{
	struct err ignored = ERR_INIT;

	if (path && fs_exists(path) && fs_read(path, 0, ERR_INFRA, ret_seeds, &ignored) < 0)
		str_reset(ret_seeds);
}

static int seeds_save(const char *dir, const char *path, const char *cache_dir, struct err *err)
{
	auto_free char *folder = xasprintf("%s/camelcase", cache_dir);
	auto_str struct str seeds;
	int rc;

	str_init(&seeds, 0);
	script_dir_seeds(dir, &seeds);
	if (!seeds.len)
		return 0;
	rc = fs_mkdirs(folder, err);
	return rc ? rc : fs_write_atomic(path, seeds.buf, seeds.len, err);
}

static int script_run(const char *dir, const char *source_dir, bool read_headers,
		      struct proc_result *ret, struct err *err)
{
	const char *const argv[] = {"perl",	     "/src/" SCRIPT,
				    "--strict",	     "--show-types",
				    "--color=never", read_headers ? "--root=/src" : "--root=.",
				    "patch",	     NULL};
	const struct sandbox_spec spec = {
		.argv = argv,
		.bind = {{source_dir, "/src", false}, {dir, "/check", true}},
		.chdir = "/check",
		.timeout_s = TIMEOUT_S,
		.memory_bytes = 2UL << 30,
		.total_bytes = 2UL << 30,
		.file_bytes = 64UL << 20,
		.disk_bytes = 256UL << 20,
	};

	return sandbox_run(&spec, ret, err);
}

/* The script's output; twice when it turns out to want the headers' names and they are not known.
 */
static int script_run_seeded(const char *dir, const struct check_env *env,
			     const struct patch *patch, struct proc_result *ret, struct err *err)
{
	auto_free char *kept = seeds_path(env);
	auto_free char *wanted = xasprintf("%s/" SCRIPT_SEEDS_PREFIX SCRIPT_SEEDS, dir);
	auto_str struct str seeds;
	int rc;

	str_init(&seeds, 0);
	seeds_load(kept, &seeds);
	rc = script_dir_make(dir, env, patch, &seeds, err);
	rc = rc ? rc : script_run(dir, env->source_dir, false, ret, err);
	if (rc || seeds.len || !fs_exists(wanted))
		return rc;
	proc_result_done(ret);
	*ret = (struct proc_result){0};
	rc = script_dir_make(dir, env, patch, NULL, err);
	rc = rc ? rc : script_run(dir, env->source_dir, true, ret, err);
	return rc || !kept ? rc : seeds_save(dir, kept, env->cache_dir, err);
}

/* The last line that says something, for a run that went wrong. */
static char *last_words(const struct str *output)
{
	const char *end = output->buf + output->len, *s;

	while (end > output->buf && (end[-1] == '\n' || end[-1] == ' '))
		end--;
	s = memrchr(output->buf, '\n', (size_t)(end - output->buf));
	s = s ? s + 1 : output->buf;
	return xmemdup(s, (size_t)(end - s));
}

static void result_broken(struct check_result *r, const struct proc_result *run)
{
	auto_free char *end = proc_end_text(run);
	auto_free char *words = last_words(&run->output);

	check_result_done(r);
	check_result_reason(r, OUTCOME_ERROR, SCRIPT " did not finish: %s%s%s%s",
			    run->output.truncated ? "too much output, " : "", end,
			    *words ? "; its last line: " : "", words);
}

static int result_read(struct check_result *r, const struct proc_result *run,
		       const struct check_env *env, const struct patch *patch, struct err *err)
{
	size_t n;
	auto_free char *text = check_patch_text(patch, &n);
	bool whole = script_output_read(&run->output, text, n, r);
	int rc = script_commits_settle(r, env, err);

	if (whole && run->end == PROC_EXITED && (run->code == 0 || run->code == 1))
		check_result_totals(r);
	else
		result_broken(r, run);
	return rc;
}

static int script_check(const struct check_env *env, const struct patch *patch,
			struct check_result *ret, struct err *err)
{
	auto_free char *dir = xasprintf("%s/checkpatch-pl", env->scratch_dir);
	auto_proc_result struct proc_result run = {0};
	struct err ignored = ERR_INIT;
	int rc = script_run_seeded(dir, env, patch, &run, err), removed;

	if (rc == 0)
		rc = result_read(ret, &run, env, patch, err);
	removed = fs_rmtree(dir, rc ? &ignored : err);
	return rc ? rc : removed;
}

static int checkpatch_pl_run(const struct check_env *env, const struct patch *patch,
			     struct check_result *ret, struct err *err)
{
	auto_free char *script = xasprintf("%s/" SCRIPT, env->source_dir ? env->source_dir : "");

	if (!env->source_dir) {
		check_result_reason(ret, OUTCOME_SKIP, "no tree is checked out");
		return 0;
	}
	if (!fs_exists(script)) {
		check_result_reason(ret, OUTCOME_SKIP, "the tree has no " SCRIPT);
		return 0;
	}
	if (access("/usr/bin/perl", X_OK) < 0)
		return err_set(err, ERR_CONFIG,
			       "checkpatch-pl: perl is missing: apt-get install perl");
	return script_check(env, patch, ret, err);
}

const struct checker checker_checkpatch_pl = {
	.name = "checkpatch-pl",
	.summary = "the tree's own scripts/checkpatch.pl",
	.run = checkpatch_pl_run,
};
