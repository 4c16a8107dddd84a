// SPDX-License-Identifier: GPL-2.0-or-later
#include "commands/kernels.h"

#include "base/fs.h"
#include "base/json.h"
#include "series/repo.h"
#include "trial/bench_args.h"
#include "trial/guest.h"
#include "trial/job.h"
#include "trial/launcher.h"

void kernel_done(struct kernel *k)
{
	free(k->artifact);
	free(k->vmlinux);
	free(k->initramfs);
	free(k->words);
	free(k->commit);
	free(k->subject);
	*k = (struct kernel){0};
}

/* Is it a folder with a kernel? A folder wins over a revision of that name. */
static char *artifact_folder(const char *what)
{
	auto_free char *vmlinux = xasprintf("%s/vmlinux", what);

	return fs_exists(vmlinux) ? realpath(what, NULL) : NULL;
}

static int revision_find(git_repository *user, const char *rev, git_oid *ret, char **ret_subject,
			 struct err *err)
{
	auto_git(object) git_object *found = NULL, *commit = NULL;
	const char *subject;

	if (git_revparse_single(&found, user, rev) < 0)
		return err_git(err, ERR_CONFIG,
			       "%s: neither a folder with a vmlinux nor a revision of %s", rev,
			       git_repository_path(user));
	if (git_object_peel(&commit, found, GIT_OBJECT_COMMIT) < 0)
		return err_git(err, ERR_CONFIG, "%s is not a commit", rev);
	git_oid_cpy(ret, git_object_id(commit));
	subject = git_commit_summary((git_commit *)commit);
	*ret_subject = xstrdup(subject ? subject : "");
	return 0;
}

/* The job's arguments are taken. */
static int build_run_job(const struct kernels *with, const char *name, json_t *args,
			 json_t **ret_data, struct err *err)
{
	auto_free char *dir = xasprintf("%s/%s-build", with->work_dir, name);
	struct launch launch = {.dir = dir,
				.timeout_s = build_job_timeout(with->conf),
				.on_progress = with->on_progress,
				.ctx = with->ctx};
	int rc = job_write(dir, "build", args, err);

	if (rc == 0)
		rc = launcher_local.run(&launch, err);
	return rc < 0 ? rc : job_result(dir, ret_data, err);
}

static int revision_build(const struct kernels *with, const char *name, struct build_job *build,
			  struct kernel *k, struct err *err)
{
	auto_free char *slot = xasprintf("%s-%ld", name, (long)getpid());
	auto_json json_t *data = NULL;
	struct err ignored = ERR_INIT;
	int rc, dropped;

	build->builder = with->builder->name;
	build->slot = slot;
	build->cache_dir = with->cache_dir;
	build->conf = with->conf;
	rc = build_run_job(with, name, build_job_args(build), &data, err);
	dropped = build_drop_slot(with->cache_dir, slot, &ignored);
	if (rc == 0 && dropped < 0)
		return err_set(err, ignored.kind, "%s", ignored.msg);
	if (rc < 0)
		return rc;
	if (strcmp(json_get_str(data, "outcome", ""), outcome_name(OUTCOME_PASS)) != 0)
		return err_set(err, build->is_base ? ERR_CONFIG : ERR_PATCH,
			       "%s does not build: %s", k->words, json_get_str(data, "reason", ""));
	k->artifact = xstrdup(json_get_str(data, "artifact", ""));
	return 0;
}

static int revision_prepare(const struct kernels *with, const char *rev, const char *name,
			    bool is_base, struct kernel *k, struct err *err)
{
	auto_git(repository) git_repository *ours = NULL, *user = NULL;
	char hex[GIT_OID_HEXSZ + 1];
	git_oid commit;
	int rc;

	if (!with->tree)
		return err_set(err, ERR_USAGE,
			       "--%s %s: not a folder with a vmlinux; a revision needs --tree TREE",
			       name, rev);
	rc = repo_open(with->tree, with->cache_dir, &ours, &user, err);
	if (rc == 0)
		rc = revision_find(user, rev, &commit, &k->subject, err);
	if (rc < 0)
		return rc;
	git_oid_tostr(hex, sizeof(hex), &commit);
	k->commit = xstrdup(hex);
	k->words =
		str_starts(hex, rev) ? xasprintf("%.12s", hex) : xasprintf("%s (%.12s)", rev, hex);

	struct build_job build = {.repo = ours, .commit = &commit, .is_base = is_base};
	return revision_build(with, name, &build, k, err);
}

/* What is there goes to the caller, or to nobody. */
static int kernel_finish(const struct kernels *with, const char *name, int rc, struct kernel *k,
			 struct kernel *ret, struct err *err)
{
	if (rc == 0) {
		k->initramfs = xasprintf("%s/%s.cpio", with->work_dir, name);
		rc = guest_prepare(k->artifact, with->cache_dir, k->initramfs, &k->vmlinux, err);
	}
	if (rc == 0)
		*ret = *k;
	else
		kernel_done(k);
	return rc;
}

int kernel_prepare(const struct kernels *with, const char *what, const char *name, bool is_base,
		   struct kernel *ret, struct err *err)
{
	struct kernel k = {.artifact = artifact_folder(what)};
	int rc = 0;

	if (k.artifact)
		k.words = xstrdup(what);
	else
		rc = revision_prepare(with, what, name, is_base, &k, err);
	return kernel_finish(with, name, rc, &k, ret, err);
}

int kernel_prepare_commit(const struct kernels *with, const struct kernel_commit *c,
			  struct kernel *ret, struct err *err)
{
	struct kernel k = {.words = xstrdup(c->words)};
	struct build_job build = {.repo = c->repo, .commit = c->commit};
	char hex[GIT_OID_HEXSZ + 1];
	int rc;

	k.commit = xstrdup(git_oid_tostr(hex, sizeof(hex), c->commit));
	rc = revision_build(with, c->name, &build, &k, err);
	return kernel_finish(with, c->name, rc, &k, ret, err);
}

int kernels_for_bench(const struct kernel *base, const struct kernel *patched,
		      struct bench_request *ret, struct err *err)
{
	bool same = false;
	int rc = guest_same_image(base->artifact, patched->artifact, &same, err);

	if (rc < 0)
		return rc;
	ret->base = (struct bench_kernel){
		.vmlinux = base->vmlinux, .initramfs = base->initramfs, .same_as_base = true};
	ret->patched = (struct bench_kernel){
		.vmlinux = patched->vmlinux, .initramfs = patched->initramfs, .same_as_base = same};
	return 0;
}

int kernels_request(const struct conf *conf, const struct bench *bench, struct bench_request *ret,
		    unsigned **ret_sizes, struct err *err)
{
	auto_json json_t *args = bench_args_make(conf, bench);
	const struct bench *ignored;
	unsigned *sizes = NULL;
	int rc = bench_args_read(args, &ignored, ret, &sizes, err);

	if (rc == 0) /* the string in `args` goes with it */
		ret->testbed = testbed_find(conf_str(conf, CONF_TESTBED_NAME), &ret->testbed_arg);
	if (rc == 0)
		rc = ret->testbed->probe(ret->testbed_arg, err);
	if (rc < 0)
		free(sizes);
	else
		*ret_sizes = sizes;
	return rc;
}
