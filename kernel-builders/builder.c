// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel-builders/builder.h"

#include "base/clock.h"
#include "base/fs.h"
#include "kernel-builders/build.h"
#include <dirent.h>

extern const struct builder builder_ppc64le_lean, builder_ppc64le_lean_net;

const struct builder *const builders[] = {
	&builder_ppc64le_lean,
	&builder_ppc64le_lean_net,
	NULL,
};

const struct builder *builder_find(const char *name)
{
	for (const struct builder *const *b = builders; *b; b++) {
		if (strcmp((*b)->name, name) == 0)
			return *b;
	}
	return NULL;
}

void build_result_done(struct build_result *r)
{
	for (size_t i = 0; i < r->n_diagnostics; i++)
		diagnostic_done(&r->diagnostic[i]);
	for (size_t i = 0; i < r->n_modules_failed; i++) {
		free(r->module_failed[i].name);
		free(r->module_failed[i].error);
	}
	free(r->module_failed);
	free(r->diagnostic);
	free(r->key);
	free(r->artifact_dir);
	free(r->reason);
	*r = (struct build_result){0};
}

static void build_done(struct build *b)
{
	inputs_done(&b->inputs);
	free(b->toolchain);
	free(b->artifact_dir);
	free(b->stage_dir);
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
	if (!req->is_base)
		return objects_open_slot(req->cache_dir, req->slot, req->builder->name, &kept,
					 &b->objects, err);
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
	return rc;
}

/* A base also gets the warnings of earlier builds: its own build printed only those of the files
 * that it rebuilt, and an old warning must not look new in a patched file. */
static void warnings_complete(struct build *b)
{
	struct diagnostics *found = &b->log.found;
	json_t *all = objects_warnings(&b->objects), *value;
	const char *key;

	if (!b->req->is_base)
		return;
	for (size_t i = 0; i < found->n; i++) {
		auto_free char *text = diagnostic_text(&found->item[i]);

		if (!found->item[i].is_error && utf8_valid(text, strlen(text)))
			json_object_set_new(all, text, diagnostic_to_json(&found->item[i]));
	}
	json_object_foreach (all, key, value) {
		struct diagnostic d;

		diagnostic_from_json(value, &d);
		diagnostics_add(found, &d);
	}
}

static void result_take_diagnostics(struct build *b)
{
	struct diagnostics *found = &b->log.found;

	diagnostics_sort(found);
	b->ret->diagnostic = take(found->item);
	b->ret->n_diagnostics = found->n;
	found->n = found->cap = 0;
}

static int build_finish(struct build *b, struct err *err)
{
	char span[CLOCK_SPAN_MAX];

	warnings_complete(b);
	result_take_diagnostics(b);
	b->ret->seconds = clock_mono() - b->started;
	if (b->ret->outcome != OUTCOME_PASS)
		return 0;
	b->ret->reason = xasprintf("built in %s", clock_span(b->ret->seconds, span));
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
		rc = gcc_build(b, err);
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
	__attribute__((cleanup(build_cleanup))) struct build b = {
		.req = req, .ret = &result, .worktree = WORKTREE_INIT, .started = clock_mono()};
	int rc = build_log_open(req, &b.log, err);

	if (rc == 0)
		rc = build_identify(&b, err);
	if (rc == 0 && !artifact_load(&b))
		rc = build_uncached(&b, err);
	if (rc < 0) {
		build_result_done(&result);
		return err_wrap(err, "build of %.12s", git_oid_tostr_s(&req->commit));
	}
	result.seconds = clock_mono() - b.started;
	if (result.cached)
		build_log_note(&b.log, "%s: %s", result.reason, result.artifact_dir);
	*ret = result;
	return 0;
}

int build_drop_slot(const char *cache_dir, const char *slot, struct err *err)
{
	auto_free char *path = xasprintf("%s/slots/%s", cache_dir, slot);
	auto_dir DIR *dir = opendir(path);
	const struct dirent *e;
	int rc = 0;

	if (!dir && errno != ENOENT)
		return err_sys(err, ERR_INFRA, "cannot remove %s", path);
	while (dir && rc == 0 && (e = readdir(dir))) {
		auto_free char *objects = xasprintf("%s/%s", path, e->d_name);

		if (e->d_name[0] != '.' && !str_ends(e->d_name, ".json"))
			rc = objects_wipe(objects, err);
	}
	return rc < 0 ? rc : fs_rmtree(path, err);
}
