/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside intake/: one epoch as it is kept here: a bare repository, which git(1) can read too. */
#ifndef FIRN_INTAKE_LORE_EPOCH_H
#define FIRN_INTAKE_LORE_EPOCH_H

#include "intake/lore.h"
#include "intake/oids.h"

struct lore_epoch {
	const struct lore_list *list;
	unsigned number;
	char *path, *pack_dir, *url;
	git_repository *repo;
	git_odb *odb;
	struct oids shallow; /* commits whose parents were left where they are */
	double ticked;
};
/* Opens DIR/N.git, or makes it. One that is damaged is made anew. */
must_check int epoch_open(const struct lore_list *list, unsigned number, struct lore_epoch *ret,
			  struct err *err);
void epoch_done(struct lore_epoch *e);
#define auto_epoch __attribute__((cleanup(epoch_done)))

/* The newest commit that is here with all that belongs to it. */
bool epoch_tip(const struct lore_epoch *e, git_oid *ret_tip);
must_check int epoch_tip_set(const struct lore_epoch *e, const git_oid *tip, struct err *err);
/* Writes `shallow` down. */
must_check int epoch_shallow_keep(const struct lore_epoch *e, struct err *err);
/* Fetches what the epoch lacks. `cursor` (NULL) is a commit that history should reach back to;
 * without it, it should reach to `since`. */
must_check int epoch_sync(struct lore_epoch *e, struct http *http, const git_oid *cursor,
			  int64_t since, bool *ret_exists, struct err *err);

/* Where a walk back ends. */
enum chain_end {
	CHAIN_KNOWN, /* before one of `known` */
	CHAIN_ROOT,  /* at the first mail of the epoch */
	CHAIN_CUT,   /* where our copy begins */
	CHAIN_OLD,   /* at mails older than `since` */
};
struct chain_stop {
	const struct oids *known; /* sorted; NULL */
	int64_t since;		  /* 0: none */
};
/* Commits from `tip` back, the newest first. */
must_check int epoch_chain(struct lore_epoch *e, const git_oid *tip, const struct chain_stop *stop,
			   struct oids *ret, enum chain_end *ret_end, struct err *err);
/* What a commit is about. */
struct epoch_entry {
	bool found; /* false: neither a mail nor a removal */
	bool removed;
	git_oid blob;
	int64_t date; /* seconds since 1970 */
};
must_check int epoch_entry(struct lore_epoch *e, const git_oid *commit, struct epoch_entry *ret,
			   struct err *err);
/* Keeps the newest mails in one pack, when there are many packs. All of it must have been passed
 * on. */
must_check int epoch_compact(struct lore_epoch *e, struct err *err);
/* Calls the list's on_tick once a second; ERR_CANCELLED. */
must_check int epoch_tick(struct lore_epoch *e, struct err *err);

#endif
