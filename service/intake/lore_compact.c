// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/fault.h"
#include "base/fs.h"
#include "intake/lore_epoch.h"

#define PACKS_MAX 50
/* What is kept to compare rewritten history with: about two months of linuxppc-dev. */
#define MAILS_KEPT 8192

DEFINE_CLEANUP(git_packbuilder *, git_packbuilder, git_packbuilder_free)

static unsigned packs_count(const struct lore_epoch *e)
{
	auto_dir DIR *dir = opendir(e->pack_dir);
	struct dirent *entry;
	unsigned n = 0;

	while (dir && (entry = readdir(dir)))
		n += str_ends(entry->d_name, ".pack");
	return n;
}

/* All but the one whose name has `keep` in it. */
static int packs_remove(const struct lore_epoch *e, const char *keep, struct err *err)
{
	auto_dir DIR *dir = opendir(e->pack_dir);
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		auto_free char *path = xasprintf("%s/%s", e->pack_dir, entry->d_name);

		if (entry->d_name[0] != '.' && !strstr(entry->d_name, keep) && unlink(path) < 0)
			return err_sys(err, ERR_INFRA, "cannot delete %s", path);
	}
	return 0;
}

static int pack_one(struct lore_epoch *e, git_packbuilder *pb, const git_oid *id, struct err *err)
{
	auto_git(commit) git_commit *commit = NULL;
	struct epoch_entry entry;
	int rc = epoch_tick(e, err);

	if (rc == 0)
		rc = epoch_entry(e, id, &entry, err);
	if (rc < 0)
		return rc;
	if (git_commit_lookup(&commit, e->repo, id) < 0 ||
	    git_packbuilder_insert(pb, id, NULL) < 0 ||
	    git_packbuilder_insert(pb, git_commit_tree_id(commit), NULL) < 0 ||
	    (entry.found && git_packbuilder_insert(pb, &entry.blob, "m") < 0))
		return err_git(err, ERR_INFRA, "cannot pack %s", e->path);
	return 0;
}

static int pack_progress(int stage, uint32_t now, uint32_t total, void *ctx)
{
	struct err cancelled = ERR_INIT;

	(void)stage;
	(void)now;
	(void)total;
	return epoch_tick(ctx, &cancelled);
}

static int pack_write(struct lore_epoch *e, const struct oids *chain, char **ret_name,
		      struct err *err)
{
	auto_cleanup(git_packbuilder) git_packbuilder *pb = NULL;
	int rc = 0;

	if (git_packbuilder_new(&pb, e->repo) < 0)
		return err_git(err, ERR_INFRA, "cannot pack %s", e->path);
	git_packbuilder_set_callbacks(pb, pack_progress, e);
	for (size_t i = 0; i < chain->n && rc == 0; i++)
		rc = pack_one(e, pb, &chain->item[i], err);
	if (rc < 0)
		return rc;
	fault_point("compact");
	if (git_packbuilder_write(pb, e->pack_dir, 0, NULL, NULL) < 0)
		return err_git(err, ERR_INFRA, "cannot pack %s", e->path);
	*ret_name = xstrdup(git_packbuilder_name(pb));
	fault_point("compacted");
	return 0;
}

int epoch_compact(struct lore_epoch *e, struct err *err)
{
	auto_oids struct oids chain = {};
	auto_free char *name = NULL;
	const struct chain_stop all = {};
	enum chain_end end;
	git_oid tip;
	int rc;

	if (packs_count(e) <= PACKS_MAX || !epoch_tip(e, &tip))
		return 0;
	rc = epoch_chain(e, &tip, &all, &chain, &end, err);
	if (rc == 0 && (chain.n > MAILS_KEPT || end == CHAIN_CUT)) {
		chain.n = chain.n < MAILS_KEPT ? chain.n : MAILS_KEPT;
		oids_done(&e->shallow);
		oids_add(&e->shallow, &chain.item[chain.n - 1]);
	}
	if (rc == 0)
		rc = pack_write(e, &chain, &name, err);
	if (rc == 0)
		rc = epoch_shallow_keep(e, err);
	return rc < 0 ? rc : packs_remove(e, name, err);
}
