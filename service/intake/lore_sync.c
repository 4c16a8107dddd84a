// SPDX-License-Identifier: GPL-2.0-or-later
#include "intake/lore_epoch.h"
#include "intake/lore_fetch.h"

/* How much of a history is fetched at first; then four times as much, until it suffices. */
#define DEPTH_FIRST 1024
#define DEPTH_TIMES 4
/* An epoch of lore holds some 100,000 mails. */
#define DEPTH_MAX (1024 << 16)

static int fetch(struct lore_epoch *e, struct http *http, struct lore_want *want, struct err *err)
{
	want->pack_dir = e->pack_dir;
	want->shallow = &e->shallow;
	if (lore_fetch_pack(http, e->url, want, err) < 0)
		return err->kind;
	if (git_odb_refresh(e->odb) < 0)
		return err_git(err, ERR_INFRA, "cannot read %s", e->path);
	return epoch_shallow_keep(e, err);
}

/* Where the history that is fetched must reach to. */
struct goal {
	struct oids known; /* sorted */
	int64_t since;
};

static int fetch_back(struct lore_epoch *e, struct http *http, const struct lore_tip *tip,
		      const struct goal *goal, struct err *err)
{
	struct chain_stop stop = {.known = &goal->known, .since = goal->since};
	bool is_cut = tip->can_cut && (goal->since || goal->known.n);
	struct lore_want want = {.tip = &tip->oid, .depth = is_cut ? DEPTH_FIRST : 0};
	enum chain_end end = CHAIN_CUT;
	int rc = 0;

	while (rc == 0 && end == CHAIN_CUT) {
		auto_oids struct oids chain = {};

		if (want.depth > DEPTH_MAX)
			return err_set(err, ERR_INFRA, "%s: the history does not end", e->url);
		rc = fetch(e, http, &want, err);
		if (rc == 0)
			rc = epoch_chain(e, &tip->oid, &stop, &chain, &end, err);
		want.have = &tip->oid;
		want.depth *= DEPTH_TIMES;
	}
	return rc;
}

/* History was rewritten so far back that the archive does not have our newest commit any more: all
 * that we have is compared. */
static int goal_rewritten(struct lore_epoch *e, const git_oid *local, struct goal *goal,
			  struct err *err)
{
	const struct chain_stop all = {};
	enum chain_end end;
	struct epoch_entry first;
	int rc = epoch_chain(e, local, &all, &goal->known, &end, err);

	if (rc == 0)
		rc = epoch_entry(e, &goal->known.item[goal->known.n - 1], &first, err);
	if (rc == 0 && end == CHAIN_CUT)
		goal->since = first.date;
	oids_sort(&goal->known);
	return rc;
}

static int fetch_anew(struct lore_epoch *e, struct http *http, const struct lore_tip *tip,
		      struct goal *goal, struct err *err)
{
	struct oids before = e->shallow;
	int rc;

	/* Where the old history begins is nothing to the server; we still want to walk over it. */
	e->shallow = (struct oids){};
	rc = fetch_back(e, http, tip, goal, err);
	for (size_t i = 0; i < before.n; i++)
		oids_add(&e->shallow, &before.item[i]);
	oids_done(&before);
	return rc < 0 ? rc : epoch_shallow_keep(e, err);
}

static int fetch_more(struct lore_epoch *e, struct http *http, const struct lore_tip *tip,
		      const git_oid *local, struct err *err)
{
	struct lore_want want = {.tip = &tip->oid, .have = local};
	struct goal goal = {};
	bool knows = false;
	int rc = lore_fetch_knows(http, e->url, &tip->oid, local, &knows, err);

	if (rc == 0 && knows)
		return fetch(e, http, &want, err);
	if (rc == 0)
		rc = goal_rewritten(e, local, &goal, err);
	if (rc == 0)
		rc = fetch_anew(e, http, tip, &goal, err);
	oids_done(&goal.known);
	return rc;
}

static int fetch_first(struct lore_epoch *e, struct http *http, const struct lore_tip *tip,
		       const git_oid *cursor, int64_t since, struct err *err)
{
	struct goal goal = {.since = cursor ? 0 : since};
	int rc;

	if (cursor)
		oids_add(&goal.known, cursor);
	oids_done(&e->shallow);
	rc = fetch_anew(e, http, tip, &goal, err);
	oids_done(&goal.known);
	return rc;
}

int epoch_sync(struct lore_epoch *e, struct http *http, const git_oid *cursor, int64_t since,
	       bool *ret_exists, struct err *err)
{
	struct lore_tip tip;
	git_oid local;
	bool is_here = epoch_tip(e, &local);
	int rc = lore_fetch_tip(http, e->url, &tip, err);

	if (rc < 0)
		return rc;
	*ret_exists = tip.exists;
	if (!tip.has_mail || (is_here && git_oid_equal(&local, &tip.oid)))
		return 0;
	if (!is_here)
		rc = fetch_first(e, http, &tip, cursor, since, err);
	else if (!git_odb_exists(e->odb, &tip.oid))
		rc = fetch_more(e, http, &tip, &local, err);
	return rc < 0 ? rc : epoch_tip_set(e, &tip.oid, err);
}
