// SPDX-License-Identifier: GPL-2.0-or-later
#include "intake/lore_epoch.h"

#include "base/clock.h"
#include "base/fault.h"
#include "base/fs.h"
#include "base/proc.h"

#define MASTER	    "refs/heads/master"
#define SHALLOW_MAX ((size_t)1 << 20)
/* Mails are not quite in the order of their dates: so many old ones in a row are the past. */
#define OLD_IN_A_ROW 16

/* What a fetch left that was killed. */
static void leftovers_remove(const char *pack_dir)
{
	auto_dir DIR *dir = opendir(pack_dir);
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		auto_free char *path = xasprintf("%s/%s", pack_dir, entry->d_name);

		if (str_starts(entry->d_name, "pack_git2_"))
			unlink(path);
	}
}

static int repo_make(struct lore_epoch *e, struct err *err)
{
	int rc = fs_rmtree(e->path, err);

	if (rc == 0 && git_repository_init(&e->repo, e->path, 1) < 0)
		rc = err_git(err, ERR_INFRA, "cannot make %s", e->path);
	return rc;
}

static int shallow_read(struct lore_epoch *e, struct err *err)
{
	auto_free char *path = xasprintf("%s/shallow", e->path);
	auto_str struct str text;
	git_oid id;

	str_init(&text, SHALLOW_MAX);
	if (!fs_exists(path))
		return 0;
	if (fs_read(path, SHALLOW_MAX, ERR_INFRA, &text, err) < 0)
		return err->kind;
	for (const char *p = text.buf; git_oid_fromstrn(&id, p, strnlen(p, GIT_OID_HEXSZ)) == 0;
	     p += GIT_OID_HEXSZ + 1) {
		oids_add(&e->shallow, &id);
		if (strlen(p) <= GIT_OID_HEXSZ)
			break;
	}
	return 0;
}

int epoch_shallow_keep(const struct lore_epoch *e, struct err *err)
{
	auto_free char *path = xasprintf("%s/shallow", e->path);
	auto_str struct str text;
	char hex[GIT_OID_HEXSZ + 1];

	str_init(&text, SHALLOW_MAX);
	for (size_t i = 0; i < e->shallow.n; i++)
		str_addf(&text, "%s\n", git_oid_tostr(hex, sizeof(hex), &e->shallow.item[i]));
	if (e->shallow.n)
		return fs_write_atomic(path, text.buf, text.len, err);
	/* git takes an empty file for a damaged one. */
	if (unlink(path) < 0 && errno != ENOENT)
		return err_sys(err, ERR_INFRA, "cannot delete %s", path);
	return 0;
}

int epoch_open(const struct lore_list *list, unsigned number, struct lore_epoch *ret,
	       struct err *err)
{
	const char *slash = str_ends(list->url, "/") ? "" : "/";
	struct lore_epoch e = {.list = list, .number = number};
	int rc = 0;

	e.path = xasprintf("%s/%u.git", list->dir, number);
	e.pack_dir = xasprintf("%s/objects/pack", e.path);
	e.url = xasprintf("%s%sgit/%u.git", list->url, slash, number);
	leftovers_remove(e.pack_dir);
	if (git_repository_open_bare(&e.repo, e.path) < 0)
		rc = repo_make(&e, err);
	if (rc == 0 && git_repository_odb(&e.odb, e.repo) < 0)
		rc = err_git(err, ERR_INFRA, "cannot open %s", e.path);
	if (rc == 0)
		rc = shallow_read(&e, err);
	if (rc < 0) {
		epoch_done(&e);
		return rc;
	}
	*ret = e;
	return 0;
}

void epoch_done(struct lore_epoch *e)
{
	git_odb_free(e->odb);
	git_repository_free(e->repo);
	oids_done(&e->shallow);
	free(e->path);
	free(e->pack_dir);
	free(e->url);
	*e = (struct lore_epoch){};
}

bool epoch_tip(const struct lore_epoch *e, git_oid *ret_tip)
{
	return git_reference_name_to_id(ret_tip, e->repo, MASTER) == 0;
}

int epoch_tip_set(const struct lore_epoch *e, const git_oid *tip, struct err *err)
{
	git_reference *ref = NULL;

	fault_point("tip");
	if (git_reference_create(&ref, e->repo, MASTER, tip, 1, NULL) < 0)
		return err_git(err, ERR_INFRA, "cannot write into %s", e->path);
	git_reference_free(ref);
	fault_point("tipped");
	return 0;
}

int epoch_tick(struct lore_epoch *e, struct err *err)
{
	double now = clock_mono();

	if (cancel_requested())
		return err_cancelled(err);
	if (e->list->on_tick && now >= e->ticked + 1) {
		e->list->on_tick(e->list->ctx);
		e->ticked = now;
	}
	return 0;
}

/* Objects that should be here and are not: our copy is damaged, or the archive sent a part. It is
 * cheaper to fetch it anew than to find out. */
static int damaged(const struct lore_epoch *e, const char *what, const git_oid *id, struct err *err)
{
	char hex[GIT_OID_HEXSZ + 1];
	struct err ignored = ERR_INIT;

	err_git(err, ERR_INFRA, "%s: %s %s is missing or damaged; it is fetched anew next time",
		e->path, what, git_oid_tostr(hex, sizeof(hex), id));
	if (fs_rmtree(e->path, &ignored) < 0)
		err_wrap(err, "%s", ignored.msg);
	return err->kind;
}

static bool is_cut(const struct lore_epoch *e, const git_oid *id)
{
	for (size_t i = 0; i < e->shallow.n; i++)
		if (git_oid_equal(&e->shallow.item[i], id))
			return true;
	return false;
}

/* An epoch is a line: what a merge would bring in is not looked at. */
static bool chain_step(const struct lore_epoch *e, git_commit *commit, git_oid *at,
		       enum chain_end *ret_end)
{
	if (is_cut(e, at) || git_commit_parentcount(commit) == 0) {
		*ret_end = is_cut(e, at) ? CHAIN_CUT : CHAIN_ROOT;
		return false;
	}
	*at = *git_commit_parent_id(commit, 0);
	return true;
}

int epoch_chain(struct lore_epoch *e, const git_oid *tip, const struct chain_stop *stop,
		struct oids *ret, enum chain_end *ret_end, struct err *err)
{
	git_oid at = *tip;
	unsigned old = 0;

	*ret_end = CHAIN_KNOWN;
	while (!stop->known || !oids_have(stop->known, &at)) {
		auto_git(commit) git_commit *commit = NULL;

		if (epoch_tick(e, err) < 0)
			return err->kind;
		if (git_commit_lookup(&commit, e->repo, &at) < 0)
			return damaged(e, "commit", &at, err);
		oids_add(ret, &at);
		old = git_commit_time(commit) < stop->since ? old + 1 : 0;
		if (old == OLD_IN_A_ROW) {
			*ret_end = CHAIN_OLD;
			break;
		}
		if (!chain_step(e, commit, &at, ret_end))
			break;
	}
	return 0;
}

int epoch_entry(struct lore_epoch *e, const git_oid *id, struct epoch_entry *ret, struct err *err)
{
	auto_git(commit) git_commit *commit = NULL;
	auto_git(tree) git_tree *tree = NULL;
	const git_tree_entry *entry;
	struct epoch_entry found = {};

	if (git_commit_lookup(&commit, e->repo, id) < 0 || git_commit_tree(&tree, commit) < 0)
		return damaged(e, "commit", id, err);
	found.date = git_commit_time(commit);
	entry = git_tree_entry_byname(tree, "m");
	if (!entry) {
		entry = git_tree_entry_byname(tree, "d");
		found.removed = entry != NULL;
	}
	found.found = entry && git_tree_entry_type(entry) == GIT_OBJECT_BLOB;
	if (found.found)
		found.blob = *git_tree_entry_id(entry);
	if (found.found && !git_odb_exists(e->odb, &found.blob))
		return damaged(e, "mail", &found.blob, err);
	*ret = found;
	return 0;
}
