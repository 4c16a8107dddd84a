// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel-builders/objects.h"

#include "base/fs.h"
#include "base/json.h"
#include "kernel-builders/tree_diff.h"
#include "sandbox/sandbox.h"
#include <assert.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>

/* Copying or removing a few hundred megabytes. */
#define FILES_TIMEOUT_S 600

void objects_close(struct objects *o)
{
	free(o->dir);
	free(o->state_path);
	json_decref(o->state);
	*o = (struct objects){0};
}

/* A file tool on folders that strangers wrote to: in the sandbox it can't be led elsewhere, and it
 * is the owner. */
static int run_files(const struct sandbox_spec *spec, const char *what, const char *dir,
		     struct err *err)
{
	auto_proc_result struct proc_result r = {0};
	auto_free char *end = NULL;
	int rc = sandbox_run(spec, &r, err);

	if (rc < 0)
		return err_wrap(err, "cannot %s %s", what, dir);
	if (r.end == PROC_EXITED && r.code == 0)
		return 0;
	end = proc_end_text(&r);
	return err_set(err, ERR_INFRA, "cannot %s %s: %s, %.*s", what, dir, end,
		       (int)strcspn(r.output.buf, "\n"), r.output.buf);
}

int objects_wipe(const char *dir, struct err *err)
{
	static const char *const argv[] = {
		"sh", "-c", "chmod -R u+rwX . 2>/dev/null; exec find . -mindepth 1 -delete", NULL};
	const struct sandbox_spec spec = {.argv = argv,
					  .bind = {{dir, "/wipe", true}},
					  .chdir = "/wipe",
					  .cleaning = true, /* also on the way out */
					  .timeout_s = FILES_TIMEOUT_S};

	if (!fs_exists(dir))
		return 0;
	/* What is built in it may have locked it up; where it is, is ours. */
	if (chmod(dir, 0755) < 0)
		return err_sys(err, ERR_INFRA, "cannot empty %s", dir);
	return run_files(&spec, "empty", dir, err);
}

static int objects_copy(const struct objects *from, const char *to, struct err *err)
{
	static const char *const argv[] = {"cp", "-a", "--reflink=auto", "/from/.", "/to/.", NULL};
	const struct sandbox_spec spec = {.argv = argv,
					  .bind = {{from->dir, "/from", false}, {to, "/to", true}},
					  .timeout_s = FILES_TIMEOUT_S};

	return run_files(&spec, "copy objects to", to, err);
}

/* With nothing in it. */
static int objects_restart(struct objects *o, json_t *state, struct err *err)
{
	int rc;

	json_decref(o->state);
	o->state = state;
	rc = json_write(o->state_path, o->state, err);
	if (rc == 0)
		rc = objects_wipe(o->dir, err);
	return rc < 0 ? rc : sandbox_own(o->dir, err);
}

static void state_load(struct objects *o)
{
	struct err ignored = ERR_INIT;

	if (json_read(o->state_path, ERR_INPUT, &o->state, &ignored) < 0)
		o->state = json_object();
}

static bool is_ready(const struct objects *o)
{
	return json_get_bool(o->state, "ready", false) && fs_exists(o->dir);
}

static bool state_says(const struct objects *o, const char *key, const char *value)
{
	const char *said = json_get_str(o->state, key, NULL);

	return said && strcmp(said, value) == 0;
}

int objects_open(const char *cache_dir, const char *repo, const char *builder,
		 const char *toolchain, struct objects *ret, struct err *err)
{
	auto_objects struct objects o = {0};
	auto_free char *parent = xasprintf("%s/objects/%s", cache_dir, repo);
	int rc = fs_mkdirs(parent, err);

	o.dir = xasprintf("%s/%s", parent, builder);
	o.state_path = xasprintf("%s.json", o.dir);
	state_load(&o);
	if (rc == 0 && (!is_ready(&o) || !state_says(&o, "toolchain", toolchain)))
		rc = objects_restart(
			&o,
			json_pack("{s:b, s:s, s:s}", "ready", 0, "toolchain", toolchain, "id", ""),
			err);
	if (rc < 0)
		return rc;
	*ret = o;
	o = (struct objects){0};
	return 0;
}

/* Changes when the machine is started anew: random(4). "" when that can't be read. */
static const char *boot_id(void)
{
	static char id[64];
	auto_fd int fd = id[0] ? -1 : open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, id, sizeof(id) - 1);

	if (n > 0)
		id[strcspn(id, "\n")] = '\0';
	return id;
}

int objects_refill(struct objects *slot, const struct objects *base, struct err *err)
{
	json_t *state = json_deep_copy(base->state);
	int rc;

	json_object_set_new(state, "from", json_string(json_get_str(base->state, "id", "")));
	json_object_set_new(state, "ready", json_false());
	json_object_set_new(state, "boot", json_string(boot_id()));
	rc = objects_restart(slot, state, err);
	if (rc == 0 && is_ready(base))
		rc = objects_copy(base, slot->dir, err);
	return rc;
}

int objects_open_slot(const char *cache_dir, const char *slot, const char *builder,
		      const struct objects *base, struct objects *ret, struct err *err)
{
	auto_objects struct objects o = {0};
	auto_free char *parent = xasprintf("%s/slots/%s", cache_dir, slot);
	int rc;

	assert(*slot && *slot != '.' && !strchr(slot, '/'));
	rc = fs_mkdirs(parent, err);

	o.dir = xasprintf("%s/%s", parent, builder);
	o.state_path = xasprintf("%s.json", o.dir);
	state_load(&o);
	if (rc == 0 && (!is_ready(&o) || !state_says(&o, "boot", boot_id()) ||
			!state_says(&o, "from", json_get_str(base->state, "id", ""))))
		rc = objects_refill(&o, base, err);
	if (rc < 0)
		return rc;
	*ret = o;
	o = (struct objects){0};
	return 0;
}

/* Later than anything built in this folder, even if the clock was set back. */
static struct timespec time_now(const struct objects *o)
{
	const json_t *ended = json_object_get(o->state, "ended");
	struct timespec now, last = {.tv_sec = (time_t)json_integer_value(json_array_get(ended, 0)),
				     .tv_nsec = (long)json_integer_value(json_array_get(ended, 1))};

	clock_gettime(CLOCK_REALTIME, &now);
	if (now.tv_sec > last.tv_sec || (now.tv_sec == last.tv_sec && now.tv_nsec > last.tv_nsec))
		return now;
	return (struct timespec){.tv_sec = last.tv_sec + 1};
}

/* make saw `path` as `id` ("" when it is not there) last, or sees it now for the first time. */
static void times_touch(json_t *times, const char *path, const char *id, const struct timespec *now)
{
	const char *known = json_string_value(json_array_get(json_object_get(times, path), 0));

	if (!known || strcmp(known, id) != 0)
		json_object_set_new(times, path,
				    json_pack("[s, I, I]", id, (json_int_t)now->tv_sec,
					      (json_int_t)now->tv_nsec));
}

/* Files that differed from the first tree at some time and don't now. */
static int times_of_restored(json_t *times, const json_t *differ, const git_tree *first,
			     const struct timespec *now, struct err *err)
{
	const char *path;
	json_t *entry;
	void *next;

	json_object_foreach_safe(times, next, path, entry)
	{
		git_tree_entry *e = NULL;
		int rc;

		if (json_object_get(differ, path))
			continue;
		rc = git_tree_entry_bypath(&e, first, path);
		if (rc < 0 && rc != GIT_ENOTFOUND)
			return err_git(err, ERR_INFRA, "cannot look up %s", path);
		times_touch(times, path, e ? git_oid_tostr_s(git_tree_entry_id(e)) : "", now);
		git_tree_entry_free(e);
	}
	return 0;
}

/* Symlinks that are for people, or that no kernel is built through. */
static bool is_aside(const char *path)
{
	return str_starts(path, "Documentation/") || str_starts(path, "tools/testing/");
}

/* make looks at the time of what a symlink leads to, so that it does not see that it leads
 * elsewhere. */
static bool has_symlink(const struct tree_changes *changes)
{
	for (size_t i = 0; i < changes->n; i++) {
		const struct tree_change *c = &changes->item[i];

		if ((c->old_mode == GIT_FILEMODE_LINK || c->new_mode == GIT_FILEMODE_LINK) &&
		    !is_aside(c->path))
			return true;
	}
	return false;
}

/* `*ret_good`: times can say all that differs. */
static int times_update(struct objects *o, const git_tree *first, const git_oid *tree,
			bool *ret_good, struct err *err)
{
	auto_tree_changes struct tree_changes changes = {0};
	auto_json json_t *differ = json_object();
	const struct timespec now = time_now(o);
	json_t *times = json_object_get(o->state, "times");
	int rc = tree_diff(git_tree_owner(first), git_tree_id(first), tree, &changes, err);

	*ret_good = rc == 0 && !has_symlink(&changes);
	if (!*ret_good)
		return rc;
	for (size_t i = 0; i < changes.n; i++) {
		const struct tree_change *c = &changes.item[i];

		json_object_set_new(differ, c->path, json_true());
		times_touch(times, c->path, c->new_mode ? git_oid_tostr_s(&c->new_id) : "", &now);
	}
	return times_of_restored(times, differ, first, &now, err);
}

/* The tree that the folder began with. NULL when it is empty, or the repository does not have that
 * tree any more. */
static git_tree *first_tree(const struct objects *o, git_repository *repo)
{
	git_tree *tree = NULL;
	git_oid id;

	if (git_oid_fromstr(&id, json_get_str(o->state, "tree", "")) < 0 ||
	    git_tree_lookup(&tree, repo, &id) < 0)
		return NULL;
	return tree;
}

/* As of an empty folder that `tree` is built in. */
static void state_begin(struct objects *o, const git_oid *tree)
{
	static const char *const of_what_was_there[] = {"units", "warnings", "warnings_cut",
							"configured"};

	for (size_t i = 0; i < array_size(of_what_was_there); i++)
		json_object_del(o->state, of_what_was_there[i]);
	json_object_set_new(o->state, "tree", json_string(git_oid_tostr_s(tree)));
	json_object_set_new(o->state, "times", json_object());
}

int objects_begin(struct objects *o, git_repository *repo, const git_oid *tree,
		  const json_t **ret_times, struct err *err)
{
	auto_git(tree) git_tree *first = first_tree(o, repo);
	bool good = false, filled = json_object_get(o->state, "tree");
	int rc = first ? times_update(o, first, tree, &good, err) : 0;

	if (rc == 0 && !good)
		state_begin(o, tree);
	json_object_set_new(o->state, "ready", json_false());
	if (rc == 0)
		rc = json_write(o->state_path, o->state, err);
	if (rc == 0 && !good && filled)
		rc = objects_wipe(o->dir, err);
	if (rc == 0)
		*ret_times = json_object_get(o->state, "times");
	return rc;
}

int objects_end(struct objects *o, struct err *err)
{
	auto_fd int fd = open(o->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	auto_free char *id = NULL;
	struct timespec now;

	/* make believes in the time of an object, even if a power cut took its contents. Slots do
	 * not outlive the boot, and spare the wait. */
	if (!json_object_get(o->state, "boot") && (fd < 0 || syncfs(fd) < 0))
		return err_sys(err, ERR_INFRA, "cannot write out %s", o->dir);
	clock_gettime(CLOCK_REALTIME, &now);
	id = xasprintf("%s %s %lld.%09ld", o->dir, json_get_str(o->state, "tree", ""),
		       (long long)now.tv_sec, now.tv_nsec);
	json_object_set_new(o->state, "id", json_string(id));
	json_object_set_new(o->state, "ended",
			    json_pack("[I, I]", (json_int_t)now.tv_sec, (json_int_t)now.tv_nsec));
	json_object_set_new(o->state, "ready", json_true());
	return json_write(o->state_path, o->state, err);
}

/* Folders of firn 0.1 have them by their text; their units are not known. */
static json_t *warnings_of_old(const json_t *old)
{
	json_t *warnings = json_object(), *list = json_array(), *value;
	const char *text;

	json_object_foreach ((json_t *)old, text, value)
		json_array_append(list, value);
	json_object_set_new(warnings, "earlier", list);
	return warnings;
}

json_t *objects_warnings(struct objects *o)
{
	const json_t *old = json_object_get(o->state, "warnings");
	json_t *warnings = json_object_get(o->state, "units");

	if (!warnings) {
		warnings = old ? warnings_of_old(old) : json_object();
		json_object_set_new(o->state, "units", warnings);
		json_object_del(o->state, "warnings");
	}
	return warnings;
}

bool objects_warnings_cut(struct objects *o, bool now)
{
	if (now)
		json_object_set_new(o->state, "warnings_cut", json_true());
	return json_get_bool(o->state, "warnings_cut", false);
}
