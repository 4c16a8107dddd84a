// SPDX-License-Identifier: GPL-2.0-or-later
#include "serve/evict.h"

#include "base/clock.h"
#include "base/fault.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/str.h"
#include "series/repo.h"
#include "serve/evict_disk.h"
#include "serve/trial_child.h"
#include "trial/sweep.h"

#define DAY_S	  (24 * 3600)
#define AT_ONCE	  256
#define SLOT_NAME "trial-"
/* Somebody may be about to boot it. */
#define FRESH_S 3600

static void alive(const struct evict *e)
{
	if (e->alive)
		e->alive(e->ctx);
}

/* 0: it is no number. */
static int64_t trial_number(const char *name)
{
	char *end;
	long long id = strtoll(name, &end, 10);

	return *name >= '1' && *name <= '9' && *end == '\0' ? id : 0;
}

/* refs/firn/trial-12 and what begins like it and goes on with "-". */
static void refs_drop(git_repository *repo, int64_t id)
{
	auto_free char *name = xasprintf("refs/firn/" SLOT_NAME "%lld", (long long)id);
	auto_free char *glob = xasprintf("%s-*", name);
	git_reference_iterator *it = NULL;
	const char *found;

	git_reference_remove(repo, name);
	if (git_reference_iterator_glob_new(&it, repo, glob) < 0)
		return;
	while (git_reference_next_name(&found, it) == 0)
		git_reference_remove(repo, found);
	git_reference_iterator_free(it);
}

/* A ref that cannot be removed costs a few bytes, and is tried no more. */
static void refs_drop_everywhere(const struct evict *e, int64_t id)
{
	auto_free char *path = xasprintf("%s/repos", e->cache_dir);
	auto_dir DIR *dir = opendir(path);
	const struct dirent *d;

	repo_setup();
	while (dir && (d = readdir(dir))) {
		auto_free char *at = xasprintf("%s/%s", path, d->d_name);
		auto_git(repository) git_repository *repo = NULL;

		if (d->d_name[0] != '.' && git_repository_open_bare(&repo, at) == 0)
			refs_drop(repo, id);
	}
}

/* The folder first: a crash after it leaves a row whose folder is gone, which is forgotten the next
 * time. */
static int trial_drop(const struct evict *e, int64_t id, struct err *err)
{
	auto_free char *dir = trial_child_dir(e->data_dir, id);
	int rc = fs_rmtree(dir, err);

	fault_point("trial-dropped");
	refs_drop_everywhere(e, id);
	return rc < 0 ? rc : store_queue_forget(e->store, id, err);
}

static int64_t keep_since(const struct evict *e)
{
	return clock_wall() - (int64_t)conf_int(e->conf, CONF_SERVE_KEEP) * DAY_S;
}

static int drop_expired(const struct evict *e, struct err *err)
{
	int64_t ids[AT_ONCE];
	size_t n = 0;
	int rc = store_queue_expired(e->store, keep_since(e), AT_ONCE, ids, &n, err);

	for (size_t i = 0; rc == 0 && i < n; i++) {
		alive(e);
		rc = trial_drop(e, ids[i], err);
	}
	return rc;
}

/* Folders that no row names: of cancelled trials, and of trials that never came to a report. */
static int drop_nameless(const struct evict *e, struct err *err)
{
	auto_free char *path = xasprintf("%s/trials", e->data_dir);
	struct disk_list list = {0};
	int rc = 0;

	disk_list(path, &list);
	for (size_t i = 0; rc == 0 && i < list.n; i++) {
		auto_store_trial struct store_trial t = {0};
		struct err missing = ERR_INIT;
		int64_t id = trial_number(list.entry[i].name);

		if (!id || list.entry[i].last_usage >= keep_since(e))
			continue;
		if (store_trial_get(e->store, id, &t, &missing) == ERR_INPUT ||
		    (!missing.kind && !t.work_dir &&
		     (t.state == STORE_TRIAL_CANCELLED || t.state == STORE_TRIAL_FINISHED)))
			rc = trial_drop(e, id, err);
	}
	disk_list_done(&list);
	return rc;
}

static int64_t measure(const struct evict *e)
{
	static const char *const parts[] = {"kernels", "slots", "objects", "worktrees", "runs"};
	auto_free char *trials = xasprintf("%s/trials", e->data_dir);
	int64_t used = disk_used(trials, e->alive, e->ctx);

	for (size_t i = 0; i < array_size(parts); i++) {
		auto_free char *path = xasprintf("%s/%s", e->cache_dir, parts[i]);

		used += disk_used(path, e->alive, e->ctx);
	}
	return used;
}

/* Paths of kernels that trials under way have built: their next steps boot them. */
static void artifacts_of(const char *trial_dir, json_t *used)
{
	auto_free char *path = xasprintf("%s/jobs", trial_dir);
	auto_dir DIR *dir = opendir(path);
	const struct dirent *d;

	while (dir && (d = readdir(dir))) {
		auto_free char *file = xasprintf("%s/%s/result.json", path, d->d_name);
		auto_json json_t *result = NULL;
		struct err ignored = ERR_INIT;

		if (d->d_name[0] == '.' || json_read(file, ERR_INPUT, &result, &ignored) < 0)
			continue;
		json_object_set_new(used,
				    json_get_str(json_object_get(result, "data"), "artifact", ""),
				    json_true());
	}
}

static int artifacts_in_use(const struct evict *e, json_t *used, struct err *err)
{
	struct store_queue_list list = {0};
	int rc = store_queue_list(e->store, UINT16_MAX, &list, err);

	for (size_t i = 0; rc == 0 && i < list.n; i++) {
		auto_free char *dir = trial_child_dir(e->data_dir, list.trial[i].id);

		artifacts_of(dir, used);
	}
	store_queue_list_done(&list);
	return rc;
}

/* Until the budget is kept. Takes from `e->used`. */
static int drop_oldest(struct evict *e, const char *part, int64_t before, const json_t *keep,
		       struct err *err)
{
	int64_t budget = (int64_t)conf_int(e->conf, CONF_SERVE_DISK) << 30;
	auto_free char *path = xasprintf("%s/%s", e->cache_dir, part);
	struct disk_list list = {0};
	int rc = 0;

	if (e->used > budget)
		disk_list(path, &list);
	for (size_t i = 0; rc == 0 && i < list.n && e->used > budget; i++) {
		const struct disk_entry *old = &list.entry[i];

		alive(e);
		if (old->last_usage >= before || json_object_get(keep, old->path))
			continue;
		rc = fs_rmtree(old->path, err);
		e->used -= rc == 0 ? old->used : 0;
	}
	disk_list_done(&list);
	return rc;
}

static int keep_budget(struct evict *e, struct err *err)
{
	auto_json json_t *used = json_object();
	int rc = artifacts_in_use(e, used, err);

	e->used = measure(e);
	if (rc == 0)
		rc = drop_oldest(e, "runs", keep_since(e), used, err);
	if (rc == 0)
		rc = drop_oldest(e, "kernels", clock_wall() - FRESH_S, used, err);
	e->over = e->used > (int64_t)conf_int(e->conf, CONF_SERVE_DISK) << 30;
	return rc;
}

int evict_run(struct evict *e, struct err *err)
{
	int rc = sweep_cache(e->cache_dir, err);

	if (rc == 0)
		rc = drop_expired(e, err);
	if (rc == 0)
		rc = drop_nameless(e, err);
	return rc < 0 ? rc : keep_budget(e, err);
}
