// SPDX-License-Identifier: GPL-2.0-or-later
#include "intake/lore_walk.h"

DEFINE_CLEANUP(git_odb_object *, git_odb_object, git_odb_object_free)

static int event_send(struct lore_walk *w, const struct lore_event *event, struct err *err)
{
	auto_free char *cursor = cursor_text(&w->at);

	return w->on_event(w->ctx, event, cursor, err);
}

static struct lore_event event_of(const struct lore_epoch *e, const git_oid *commit,
				  const struct epoch_entry *entry)
{
	struct lore_event event = {.kind = entry->removed ? LORE_REMOVED : LORE_MAIL,
				   .epoch = e->number,
				   .date = entry->date};

	git_oid_tostr(event.commit, sizeof(event.commit), commit);
	git_oid_tostr(event.blob, sizeof(event.blob), &entry->blob);
	return event;
}

static int mail_send(struct lore_walk *w, struct lore_epoch *e, const git_oid *commit,
		     const struct epoch_entry *entry, struct err *err)
{
	auto_git(odb_object) git_odb_object *mail = NULL;
	struct lore_event event = event_of(e, commit, entry);
	git_object_t type;

	if (git_odb_read_header(&event.n, &type, e->odb, &entry->blob) < 0)
		return err_git(err, ERR_INFRA, "%s: cannot read mail %s", e->path, event.blob);
	if (event.n == 0)
		return 0; /* what a purge leaves */
	if (event.n <= LORE_MAIL_MAX && git_odb_read(&mail, e->odb, &entry->blob) < 0)
		return err_git(err, ERR_INFRA, "%s: cannot read mail %s", e->path, event.blob);
	if (mail)
		event.data = git_odb_object_data(mail);
	return event_send(w, &event, err);
}

static int commit_send(struct lore_walk *w, struct lore_epoch *e, const git_oid *commit,
		       struct err *err)
{
	struct epoch_entry entry;
	int rc = epoch_tick(e, err);

	if (rc == 0)
		rc = epoch_entry(e, commit, &entry, err);
	if (rc < 0)
		return rc;
	cursor_put(&w->at, e->number, commit);
	if (!entry.found || entry.date < w->since)
		return 0;
	return mail_send(w, e, commit, &entry, err);
}

static int chain_send(struct lore_walk *w, struct lore_epoch *e, const struct oids *chain,
		      struct err *err)
{
	int rc = 0;

	for (size_t i = chain->n; i > 0 && rc == 0; i--)
		rc = commit_send(w, e, &chain->item[i - 1], err);
	return rc;
}

/* The blobs of the mails of a chain, sorted; how many are empty is what was purged. */
static int blobs_of(struct lore_epoch *e, const struct oids *chain, struct oids *ret,
		    size_t *ret_empty, struct err *err)
{
	static const char empty_blob[] = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";
	git_oid empty;
	int rc = git_oid_fromstr(&empty, empty_blob);

	for (size_t i = 0; i < chain->n && rc == 0; i++) {
		struct epoch_entry entry = {0};

		rc = epoch_tick(e, err);
		if (rc == 0)
			rc = epoch_entry(e, &chain->item[i], &entry, err);
		if (rc < 0 || !entry.found)
			continue;
		if (git_oid_equal(&entry.blob, &empty))
			++*ret_empty;
		else
			oids_add(ret, &entry.blob);
	}
	oids_sort(ret);
	return rc;
}

/* History before and after it was rewritten, the newest commits first. */
struct rewrite {
	struct oids old, old_sorted, now, now_blobs, gone; /* gone: commits of `old` */
	size_t n_empty;
};

static void rewrite_done(struct rewrite *r)
{
	oids_done(&r->old);
	oids_done(&r->old_sorted);
	oids_done(&r->now);
	oids_done(&r->now_blobs);
	oids_done(&r->gone);
}
#define auto_rewrite __attribute__((cleanup(rewrite_done)))

static int rewrite_read(struct lore_epoch *e, const git_oid *from, const git_oid *tip,
			struct rewrite *r, struct err *err)
{
	struct chain_stop stop = {.known = &r->old_sorted};
	const struct chain_stop all = {};
	struct epoch_entry first;
	enum chain_end end;
	int rc = epoch_chain(e, from, &all, &r->old, &end, err);

	for (size_t i = 0; i < r->old.n; i++)
		oids_add(&r->old_sorted, &r->old.item[i]);
	oids_sort(&r->old_sorted);
	if (rc == 0)
		rc = epoch_entry(e, &r->old.item[r->old.n - 1], &first, err);
	/* What was before our copy begins was passed over then, and is now. */
	if (rc == 0 && end == CHAIN_CUT)
		stop.since = first.date;
	if (rc == 0)
		rc = epoch_chain(e, tip, &stop, &r->now, &end, err);
	/* Only what was after the place where they part can have changed. */
	if (rc == 0 && end == CHAIN_KNOWN) {
		git_commit *last = NULL;
		git_oid base = *tip;

		if (r->now.n &&
		    git_commit_lookup(&last, e->repo, &r->now.item[r->now.n - 1]) == 0) {
			base = *git_commit_parent_id(last, 0);
			git_commit_free(last);
		}
		for (size_t i = 0; i < r->old.n; i++)
			if (git_oid_equal(&r->old.item[i], &base))
				r->old.n = i;
	}
	return rc < 0 ? rc : blobs_of(e, &r->now, &r->now_blobs, &r->n_empty, err);
}

static int rewrite_gone(struct lore_epoch *e, struct rewrite *r, struct err *err)
{
	int rc = 0;

	for (size_t i = r->old.n; i > 0 && rc == 0; i--) {
		struct epoch_entry entry = {0};

		rc = epoch_entry(e, &r->old.item[i - 1], &entry, err);
		if (rc == 0 && entry.found && !oids_have(&r->now_blobs, &entry.blob))
			oids_add(&r->gone, &r->old.item[i - 1]);
	}
	return rc;
}

static int gone_send(struct lore_walk *w, struct lore_epoch *e, const struct rewrite *r,
		     struct err *err)
{
	int rc = 0;

	/* A purge leaves an empty mail for each that it takes. More are missing where an archive
	 * was set back, from a backup: these mails come again, and nobody wanted them gone. */
	if (r->gone.n > r->n_empty)
		return 0;
	for (size_t i = 0; i < r->gone.n && rc == 0; i++) {
		struct lore_event event;
		struct epoch_entry entry = {0};

		rc = epoch_entry(e, &r->gone.item[i], &entry, err);
		if (rc < 0)
			break;
		event = event_of(e, &r->gone.item[i], &entry);
		event.kind = LORE_PURGED;
		rc = event_send(w, &event, err);
	}
	return rc;
}

static int walk_rewritten(struct lore_walk *w, struct lore_epoch *e, const git_oid *from,
			  const git_oid *tip, struct err *err)
{
	auto_rewrite struct rewrite r = {};
	int rc = rewrite_read(e, from, tip, &r, err);

	if (rc == 0)
		rc = rewrite_gone(e, &r, err);
	if (rc == 0)
		rc = gone_send(w, e, &r, err);
	return rc < 0 ? rc : chain_send(w, e, &r.now, err);
}

/* The first time, or when our copy was lost and the archive does not know our place any more. */
static int walk_since(struct lore_walk *w, struct lore_epoch *e, const git_oid *tip, int64_t since,
		      struct err *err)
{
	struct chain_stop stop = {.since = since};
	auto_oids struct oids chain = {};
	enum chain_end end;
	int rc = epoch_chain(e, tip, &stop, &chain, &end, err);

	return rc < 0 ? rc : chain_send(w, e, &chain, err);
}

static int walk_on(struct lore_walk *w, struct lore_epoch *e, const git_oid *from,
		   const git_oid *tip, struct err *err)
{
	struct oids known = {.item = (git_oid[]){*from}, .n = 1};
	struct chain_stop stop = {.known = &known};
	auto_oids struct oids chain = {};
	enum chain_end end;
	int rc;

	if (!git_odb_exists(e->odb, from))
		return walk_since(w, e, tip, e->list->since, err);
	rc = epoch_chain(e, tip, &stop, &chain, &end, err);
	if (rc < 0)
		return rc;
	return end == CHAIN_KNOWN ? chain_send(w, e, &chain, err)
				  : walk_rewritten(w, e, from, tip, err);
}

int walk_epoch(struct lore_walk *w, struct lore_epoch *e, struct err *err)
{
	const git_oid *place = cursor_get(&w->at, e->number);
	git_oid tip, from;
	int rc;

	if (!epoch_tip(e, &tip))
		return 0;
	if (place)
		from = *place; /* `place` moves */
	/* Each object is read once or twice: libgit2 would keep hundreds of megabytes of them. */
	git_libgit2_opts(GIT_OPT_ENABLE_CACHING, 0);
	rc = place ? walk_on(w, e, &from, &tip, err) : walk_since(w, e, &tip, w->since, err);
	git_libgit2_opts(GIT_OPT_ENABLE_CACHING, 1);
	if (rc == 0)
		cursor_put(&w->at, e->number, &tip);
	return rc;
}
