// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel-builders/good.h"

#include "base/fs.h"
#include "base/json.h"
#include "base/str.h"
#include "kernel-builders/worktree.h"

#define GOOD_MAX 200
/* Commits that are looked at: more than a year of Linux. */
#define WALK_MAX 150000

static char *good_path(git_repository *repo, const char *cache_dir, const char *builder)
{
	auto_free char *name = worktree_repo_name(repo);

	return xasprintf("%s/objects/%s/%s.good.json", cache_dir, name, builder);
}

static json_t *good_read(const char *path)
{
	json_t *obj = NULL;
	struct err ignored = ERR_INIT;

	if (!fs_exists(path) || json_read(path, ERR_INPUT, &obj, &ignored) < 0)
		obj = json_object();
	if (!json_is_array(json_object_get(obj, "commits")))
		json_object_set_new(obj, "commits", json_array());
	return obj;
}

static bool is_known(const json_t *list, const char *hex)
{
	const json_t *item;
	size_t i;

	json_array_foreach (list, i, item)
		if (json_is_string(item) && strcmp(json_string_value(item), hex) == 0)
			return true;
	return false;
}

void build_good_add(const struct build_request *req)
{
	auto_free char *path = good_path(req->repo, req->cache_dir, req->builder->name);
	auto_json json_t *obj = good_read(path);
	json_t *list = json_object_get(obj, "commits");
	struct err ignored = ERR_INIT;
	char hex[GIT_OID_HEXSZ + 1];

	git_oid_tostr(hex, sizeof(hex), &req->commit);
	if (is_known(list, hex))
		return;
	if (json_array_size(list) == GOOD_MAX)
		json_array_remove(list, 0);
	json_array_append_new(list, json_string(hex));
	if (json_write(path, obj, &ignored) < 0)
		return;
}

/* One walk back through the history, not one for each that is known: newest first, as `git log`
 * has it. To ask libgit2 for an order would have it read the whole history beforehand. */
bool build_last_good(git_repository *repo, const char *cache_dir, const char *builder,
		     const git_oid *before, git_oid *ret_commit)
{
	auto_free char *path = good_path(repo, cache_dir, builder);
	auto_json json_t *obj = good_read(path);
	const json_t *list = json_object_get(obj, "commits");
	auto_git(revwalk) git_revwalk *walk = NULL;
	git_oid id;

	if (!json_array_size(list) || git_revwalk_new(&walk, repo) < 0 ||
	    git_revwalk_push(walk, before) < 0)
		return false;
	for (unsigned i = 0; i < WALK_MAX && git_revwalk_next(&id, walk) == 0; i++) {
		if (git_oid_equal(&id, before) || !is_known(list, git_oid_tostr_s(&id)))
			continue;
		git_oid_cpy(ret_commit, &id);
		return true;
	}
	return false;
}
