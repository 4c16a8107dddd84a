// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel-builders/worktree.h"

#include "base/fs.h"
#include "base/json.h"
#include "kernel-builders/builder.h"
#include "kernel-builders/checkout.h"
#include <fcntl.h>
#include <sys/stat.h>

/* What state.json says the folder holds. False when that is not to be relied on: never written, or
 * a move that did not end, or the folder or the tree are gone. */
static bool state_read(const struct worktree *w, git_repository *repo, json_t **ret_state,
		       git_oid *ret_tree)
{
	auto_free char *path = xasprintf("%s/state.json", w->dir);
	auto_git(tree) git_tree *tree = NULL;
	auto_json json_t *state = NULL;
	struct err ignored = ERR_INIT;

	if (json_read(path, ERR_INPUT, &state, &ignored) < 0 ||
	    json_get_bool(state, "moving", true) ||
	    git_oid_fromstr(ret_tree, json_get_str(state, "tree", "")) < 0)
		return false;
	if (git_tree_lookup(&tree, repo, ret_tree) < 0 || !fs_exists(w->src))
		return false;
	*ret_state = take(state);
	return true;
}

static int state_write(const struct worktree *w, const git_oid *tree, const json_t *times,
		       bool moving, struct err *err)
{
	auto_free char *path = xasprintf("%s/state.json", w->dir);
	auto_json json_t *state = json_pack("{s:s, s:b, s:o}", "tree", git_oid_tostr_s(tree),
					    "moving", (int)moving, "times", json_deep_copy(times));

	return json_write(path, state, err);
}

static int folder_restart(const struct worktree *w, struct err *err)
{
	int rc = fs_rmtree(w->src, err);

	return rc < 0 ? rc : fs_mkdirs(w->src, err);
}

/* Between the two states. */
static int move_files(struct worktree *w, git_repository *repo, const struct tree_changes *changes,
		      const json_t *before, const json_t *times, struct err *err)
{
	auto_checkout struct checkout c = CHECKOUT_INIT;
	int rc = checkout_init(&c, repo, w->src, err);

	c.on_progress = w->on_progress;
	c.ctx = w->ctx;
	if (rc == 0)
		rc = checkout_apply(&c, changes, err);
	if (rc == 0)
		rc = checkout_times(&c, before, times, err);
	return rc;
}

static int move_locked(struct worktree *w, git_repository *repo, const git_oid *tree,
		       const json_t *times, struct err *err)
{
	auto_json json_t *state = NULL;
	auto_tree_changes struct tree_changes changes = {0};
	git_oid now = {0};
	bool known = state_read(w, repo, &state, &now);
	const json_t *before = known ? json_object_get(state, "times") : NULL;
	int rc = tree_diff(repo, known ? &now : NULL, tree, &changes, err);

	if (rc < 0 || (known && changes.n == 0 && json_equal(before, times)))
		return rc;
	rc = state_write(w, tree, times, true, err);
	if (rc == 0 && !known)
		rc = folder_restart(w, err);
	if (rc == 0)
		rc = move_files(w, repo, &changes, before, times, err);
	return rc < 0 ? rc : state_write(w, tree, times, false, err);
}

int worktree_move(struct worktree *w, git_repository *repo, const git_oid *tree,
		  const json_t *times, struct err *err)
{
	/* The build user reads it. */
	mode_t before = umask(022);
	auto_json json_t *none = json_object();
	int rc = move_locked(w, repo, tree, times ?: none, err);

	umask(before);
	return rc < 0 ? err_wrap(err, "cannot check out tree %.12s", git_oid_tostr_s(tree)) : 0;
}

char *worktree_repo_name(git_repository *repo)
{
	auto_free char *path = xstrdup(git_repository_path(repo));
	size_t n = strlen(path);
	const char *name;

	while (n > 1 && path[n - 1] == '/')
		path[--n] = '\0';
	/* A work tree's own: NAME/.git */
	if (str_ends(path, "/.git"))
		path[n -= 5] = '\0';
	else if (str_ends(path, ".git"))
		path[n -= 4] = '\0';
	name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	return xstrdup(*name && *name != '.' ? name : "tree");
}

int worktree_open(git_repository *repo, const char *cache_dir, struct worktree *ret,
		  struct err *err)
{
	auto_free char *name = worktree_repo_name(repo);
	auto_worktree struct worktree w = {.lock = -1};
	auto_free char *lock = NULL;
	int rc;

	w.dir = xasprintf("%s/worktrees/%s", cache_dir, name);
	w.src = xasprintf("%s/src", w.dir);
	lock = xasprintf("%s/lock", w.dir);
	rc = fs_mkdirs(w.dir, err);
	if (rc == 0)
		rc = fs_lock(lock, &w.lock, err);
	if (rc < 0)
		return rc;
	*ret = w;
	w = (struct worktree)WORKTREE_INIT;
	return 0;
}

void worktree_close(struct worktree *w)
{
	free(w->dir);
	free(w->src);
	fd_cleanup(&w->lock);
	*w = (struct worktree)WORKTREE_INIT;
}

static int commit_tree(git_repository *repo, const git_oid *id, git_oid *ret_tree, struct err *err)
{
	auto_git(commit) git_commit *commit = NULL;

	if (git_commit_lookup(&commit, repo, id) < 0)
		return err_git(err, ERR_INFRA, "cannot read commit %.12s", git_oid_tostr_s(id));
	git_oid_cpy(ret_tree, git_commit_tree_id(commit));
	return 0;
}

int worktree_at(git_repository *repo, const git_oid *commit, const char *cache_dir, char **ret_dir,
		struct err *err)
{
	auto_worktree struct worktree w = WORKTREE_INIT;
	git_oid tree;
	int rc = commit_tree(repo, commit, &tree, err);

	if (rc == 0)
		rc = worktree_open(repo, cache_dir, &w, err);
	if (rc == 0)
		rc = worktree_move(&w, repo, &tree, NULL, err);
	if (rc == 0)
		*ret_dir = take(w.src);
	return rc;
}
