// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/fs.h"
#include "intake/lore_fetch.h"
#include "intake/lore_manifest.h"
#include "intake/lore_walk.h"

/* One look at a list. */
struct follow {
	const struct lore_list *list;
	struct http *http;
	struct lore_walk walk;
	bool todo[LORE_EPOCHS_MAX]; /* epochs with something to tell */
};

/* Compacts when all that is here was passed on. */
static int epoch_ready(struct follow *f, unsigned number, struct lore_epoch *ret, struct err *err)
{
	const git_oid *place = cursor_get(&f->walk.at, number);
	git_oid tip;
	int rc = epoch_open(f->list, number, ret, err);

	if (rc < 0 || !place || !epoch_tip(ret, &tip) || !git_oid_equal(place, &tip))
		return rc;
	rc = epoch_compact(ret, err);
	epoch_done(ret); /* the packs are others now */
	return rc < 0 ? rc : epoch_open(f->list, number, ret, err);
}

/* Fetches an epoch. `*ret_end` says how far back it reaches; CHAIN_CUT when there is no mail in it.
 */
static int sync_one(struct follow *f, unsigned number, bool *ret_exists, enum chain_end *ret_end,
		    struct err *err)
{
	struct chain_stop stop = {.since = f->walk.since};
	auto_epoch struct lore_epoch e = {};
	auto_oids struct oids chain = {};
	git_oid tip;
	int rc = epoch_ready(f, number, &e, err);

	if (rc == 0)
		rc = epoch_sync(&e, f->http, cursor_get(&f->walk.at, number), f->walk.since,
				ret_exists, err);
	f->todo[number] = rc == 0 && *ret_exists;
	*ret_end = CHAIN_CUT;
	if (rc < 0 || !*ret_exists || !epoch_tip(&e, &tip) || !stop.since)
		return rc;
	return epoch_chain(&e, &tip, &stop, &chain, ret_end, err);
}

/* Whether there is such an epoch, for servers without a manifest. */
static int probe(struct follow *f, unsigned number, bool *ret_exists, struct err *err)
{
	auto_free char *url = xasprintf("%s%sgit/%u.git", f->list->url,
					str_ends(f->list->url, "/") ? "" : "/", number);
	struct lore_tip tip;
	int rc = lore_fetch_tip(f->http, url, &tip, err);

	if (rc == 0)
		*ret_exists = tip.exists;
	return rc;
}

/* The number behind the newest epoch's, from `n` on. */
static int count_on(struct follow *f, unsigned *n, struct err *err)
{
	bool exists = true;
	int rc = 0;

	while (rc == 0 && exists && *n < LORE_EPOCHS_MAX) {
		rc = probe(f, *n, &exists, err);
		*n += rc == 0 && exists;
	}
	return rc;
}

/* From the newest epoch back, until they reach far enough. */
static int sync_first(struct follow *f, const struct lore_manifest *m, struct err *err)
{
	unsigned n = m->n ? m->epoch[m->n - 1].number + 1 : 0;
	enum chain_end end = CHAIN_CUT;
	bool exists = false;
	int rc = m->n ? 0 : count_on(f, &n, err);

	if (rc == 0 && n == 0)
		return err_set(err, ERR_CONFIG,
			       "%s: there is no list here, or none of public-inbox's version 2",
			       f->list->url);
	while (rc == 0 && n > 0 && end != CHAIN_OLD)
		rc = sync_one(f, --n, &exists, &end, err);
	return rc;
}

/* What is new in an epoch that the manifest names. */
static int sync_listed(struct follow *f, const struct lore_manifest_epoch *row, struct err *err)
{
	const git_oid *place = cursor_get(&f->walk.at, row->number);
	unsigned newest = f->walk.at.place[f->walk.at.n - 1].epoch;
	enum chain_end end;
	bool exists = false;

	if (place ? manifest_is_at(row, place) : row->number < newest)
		return 0;
	return sync_one(f, row->number, &exists, &end, err);
}

static int sync_more(struct follow *f, const struct lore_manifest *m, struct err *err)
{
	unsigned newest = f->walk.at.place[f->walk.at.n - 1].epoch, n = newest + 1;
	enum chain_end end;
	bool exists = false;
	int rc = 0;

	for (size_t i = 0; i < m->n && rc == 0; i++)
		rc = sync_listed(f, &m->epoch[i], err);
	if (m->n)
		return rc;
	rc = count_on(f, &n, err);
	for (size_t i = 0; i < f->walk.at.n && rc == 0; i++)
		rc = sync_one(f, f->walk.at.place[i].epoch, &exists, &end, err);
	for (unsigned i = newest + 1; i < n && rc == 0; i++)
		rc = sync_one(f, i, &exists, &end, err);
	return rc;
}

static int walk_all(struct follow *f, struct err *err)
{
	int rc = 0;

	for (unsigned i = 0; i < LORE_EPOCHS_MAX && rc == 0; i++) {
		auto_epoch struct lore_epoch e = {};

		if (!f->todo[i])
			continue;
		rc = epoch_open(f->list, i, &e, err);
		if (rc == 0)
			rc = walk_epoch(&f->walk, &e, err);
	}
	return rc;
}

static int follow_locked(struct follow *f, struct err *err)
{
	auto_manifest struct lore_manifest m = {};
	int rc = manifest_get(f->http, f->list->url, &m, err);

	if (rc < 0)
		return rc;
	/* Of an epoch that began after the first time everything is new. */
	f->walk.since = f->walk.at.n ? 0 : f->list->since;
	rc = f->walk.at.n ? sync_more(f, &m, err) : sync_first(f, &m, err);
	return rc < 0 ? rc : walk_all(f, err);
}

int lore_follow(const struct lore_list *list, struct http *http, const char *cursor,
		lore_event_fn *on_event, void *ctx, char **ret_cursor, struct err *err)
{
	struct follow f = {.list = list, .http = http, .walk = {.on_event = on_event, .ctx = ctx}};
	auto_free char *lock_path = xasprintf("%s/lock", list->dir);
	auto_fd int lock = -1;
	int rc = fs_mkdirs(list->dir, err);

	git_libgit2_init(); /* counted; a first one that is never undone */
	if (rc == 0)
		rc = fs_lock(lock_path, &lock, err);
	if (rc == 0)
		rc = cursor_read(cursor, &f.walk.at, err);
	if (rc == 0)
		rc = follow_locked(&f, err);
	if (rc == 0)
		*ret_cursor = cursor_text(&f.walk.at);
	cursor_done(&f.walk.at);
	return rc < 0 ? err_wrap(err, "following %s", list->url) : 0;
}
