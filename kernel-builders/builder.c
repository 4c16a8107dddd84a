// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel-builders/builder.h"

#include "base/clock.h"
#include "base/fs.h"
#include "kernel-builders/build.h"
#include "kernel-builders/good.h"
#include "kernel-builders/stale.h"
#include "kernel-builders/warnings.h"

static void modules_done(struct build_module *m, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(m[i].name);
		free(m[i].error);
	}
	free(m);
}

void build_result_done(struct build_result *r)
{
	for (size_t i = 0; i < r->n_diagnostics; i++)
		diagnostic_done(&r->diagnostic[i]);
	modules_done(r->module_failed, r->n_modules_failed);
	modules_done(r->object_failed, r->n_objects_failed);
	free(r->diagnostic);
	free(r->key);
	free(r->artifact_dir);
	free(r->targets);
	free(r->reason);
	*r = (struct build_result){0};
}

static void build_done(struct build *b)
{
	inputs_done(&b->inputs);
	lineage_done(&b->lineage);
	free(b->toolchain);
	free(b->artifact_dir);
	free(b->stage_dir);
	fd_cleanup(&b->slot_lock);
	objects_close(&b->objects);
	worktree_close(&b->worktree);
	build_log_close(&b->log);
}

static inline void build_cleanup(struct build *b)
{
	build_done(b);
}

/* Everything that the key is made of. */
static int build_identify(struct build *b, struct err *err)
{
	auto_git(commit) git_commit *commit = NULL;
	int rc;

	if (git_commit_lookup(&commit, b->req->repo, &b->req->commit) < 0)
		return err_git(err, ERR_INFRA, "cannot read commit %.12s",
			       git_oid_tostr_s(&b->req->commit));
	git_oid_cpy(&b->tree, git_commit_tree_id(commit));
	rc = b->req->is_base
		     ? 0
		     : lineage_read(b->req->repo, &b->req->base, &b->req->commit, &b->lineage, err);
	if (rc == 0)
		rc = inputs_read(b->req, &b->inputs, err);
	if (rc == 0)
		rc = toolchain_describe(b->req->builder, &b->toolchain, err);
	if (rc == 0)
		artifact_key(b);
	return rc;
}

/* The folder of objects to build in: the kept one, or this trial's copy of it. */
static int build_open_objects(struct build *b, struct err *err)
{
	const struct build_request *req = b->req;
	auto_free char *repo = worktree_repo_name(req->repo);
	auto_objects struct objects kept = {0};
	int rc = objects_open(req->cache_dir, repo, req->builder->name, b->toolchain, &kept, err);

	if (rc < 0)
		return rc;
	if (!req->is_base) {
		rc = build_hold_slot(req->cache_dir, req->slot, &b->slot_lock, err);
		if (rc == 0)
			rc = objects_open_slot(req->cache_dir, req->slot, req->builder->name, &kept,
					       &b->objects, err);
		return rc < 0 ? rc : lineage_enter(&b->lineage, &b->tree, &kept, &b->objects, err);
	}
	b->objects = kept;
	kept = (struct objects){0};
	return 0;
}

static int build_prepare(struct build *b, struct err *err)
{
	const json_t *times = NULL;
	int rc = build_open_objects(b, err);

	b->stage_dir = xasprintf("%s/stage", b->worktree.dir);
	if (rc == 0)
		rc = inputs_stage(&b->inputs, b->stage_dir, err);
	if (rc == 0)
		rc = objects_begin(&b->objects, b->req->repo, &b->tree, &times, err);
	if (rc == 0)
		rc = worktree_move(&b->worktree, b->req->repo, &b->tree, times, err);
	return rc < 0 ? rc : stale_remove(b, err);
}

/* A build prints the warnings of what it made; the result has those of all that there is. */
static void all_warnings(struct build *b)
{
	const struct warnings_spec spec = {.src = b->worktree.src,
					   .touched = b->req->builder->touched ? b->req->touched
									       : NULL};
	bool cut = objects_warnings_cut(&b->objects, b->log.found.cut);

	warnings_complete(&b->log.found, objects_warnings(&b->objects), &spec);
	b->ret->diagnostics_cut = cut || b->log.found.cut;
}

static void result_take_diagnostics(struct build *b)
{
	struct diagnostics *found = &b->log.found;

	diagnostics_sort(found);
	b->ret->diagnostic = take(found->item);
	b->ret->n_diagnostics = found->n;
	found->n = found->cap = 0;
}

static char *good_reason(const struct build *b)
{
	auto_free char *left = NULL, *failed = NULL;
	char span[CLOCK_SPAN_MAX];
	unsigned made;

	clock_span(b->ret->seconds, span);
	if (!b->req->builder->touched)
		return xasprintf("built in %s", span);
	made = b->n_objects - b->n_left_out - (unsigned)b->ret->n_objects_failed;
	if (b->n_left_out)
		left = xasprintf(", %u not in this configuration", b->n_left_out);
	if (b->ret->n_objects_failed)
		failed = xasprintf(", %zu that do not build", b->ret->n_objects_failed);
	return xasprintf("%u object%s in %s%s%s", made, made == 1 ? "" : "s", span, left ?: "",
			 failed ?: "");
}

/* Something that can be installed at any time: then a base is tried again, and everybody is told.
 */
static void tell_lack(struct build *b)
{
	auto_free char *said = b->ret->reason;

	b->ret->reason = xasprintf("%s (is something missing on this machine? the row needs: %s)",
				   said, b->req->builder->packages);
}

static int build_failed(struct build *b, struct err *err)
{
	if (b->log.found.lacks) {
		tell_lack(b);
		return 0;
	}
	return b->req->is_base ? artifact_store_failed(b, err) : 0;
}

static int build_finish(struct build *b, struct err *err)
{
	all_warnings(b);
	result_take_diagnostics(b);
	b->ret->seconds = clock_mono() - b->started;
	if (b->ret->outcome != OUTCOME_PASS)
		return build_failed(b, err);
	b->ret->reason = good_reason(b);
	return artifact_store(b, err);
}

/* With the lock. */
static int build_locked(struct build *b, struct err *err)
{
	int rc;

	/* Somebody may have built it while we waited. */
	if (artifact_load(b))
		return 0;
	rc = build_prepare(b, err);
	if (rc == 0)
		rc = recipe_build(b, err);
	if (rc == 0)
		rc = build_finish(b, err);
	if (b->objects_good) {
		struct err ignored = ERR_INIT;
		int end = objects_end(&b->objects, rc < 0 ? &ignored : err);

		rc = rc < 0 ? rc : end;
	}
	build_log_note(&b->log, "%s", rc < 0 ? err->msg : b->ret->reason);
	return rc;
}

static int build_uncached(struct build *b, struct err *err)
{
	int rc = worktree_open(b->req->repo, b->req->cache_dir, &b->worktree, err);

	b->worktree.on_progress = b->req->on_progress;
	b->worktree.ctx = b->req->ctx;
	return rc < 0 ? rc : build_locked(b, err);
}

int build_run(const struct build_request *req, struct build_result *ret, struct err *err)
{
	struct build_result result = {0};
	__attribute__((cleanup(build_cleanup))) struct build b = {.req = req,
								  .ret = &result,
								  .worktree = WORKTREE_INIT,
								  .slot_lock = -1,
								  .started = clock_mono()};
	int rc = build_log_open(req, &b.log, err);

	b.log.found.compiler = builder_is_clang(req->builder) ? "clang" : "gcc";
	if (rc == 0)
		rc = build_identify(&b, err);
	if (rc == 0 && !artifact_load(&b) && !artifact_load_failed(&b))
		rc = build_uncached(&b, err);
	if (rc == 0 && req->is_base && result.outcome == OUTCOME_PASS)
		build_good_add(req);
	if (rc < 0) {
		build_result_done(&result);
		return err_wrap(err, "build of %.12s", git_oid_tostr_s(&req->commit));
	}
	result.seconds = clock_mono() - b.started;
	if (result.cached && result.artifact_dir)
		/* Others read the log: not where it is on this machine. */
		build_log_note(&b.log, "%s: artefact %s", result.reason,
			       strrchr(result.artifact_dir, '/') + 1);
	*ret = result;
	return 0;
}
