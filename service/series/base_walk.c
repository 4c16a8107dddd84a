// SPDX-License-Identifier: GPL-2.0-or-later
/* From the tips into the past, the newest commit first. */
#include "series/base_index_run.h"

#include "base/proc.h"

/* Clocks go wrong: so many generations that are too old are followed before a line is given up. git
 * does the same (revision.c calls it slop). */
#define SLOP 5
/* The year 36812. Clocks go very wrong. */
#define TIME_MAX ((int64_t)1 << 40)

struct walk_item {
	int64_t time;
	uint32_t number;
	uint32_t slop;
};

/* The newest is on top. */
struct heap {
	struct walk_item *item;
	size_t n, cap;
};

static void heap_push(struct heap *h, struct walk_item it)
{
	size_t i = h->n;

	arr_grow(h->item, h->n, h->cap);
	for (h->n++; i && h->item[(i - 1) / 2].time < it.time; i = (i - 1) / 2)
		h->item[i] = h->item[(i - 1) / 2];
	h->item[i] = it;
}

static struct walk_item heap_pop(struct heap *h)
{
	struct walk_item top = h->item[0], last = h->item[--h->n];
	size_t i = 0;

	for (size_t kid; (kid = 2 * i + 1) < h->n; i = kid) {
		if (kid + 1 < h->n && h->item[kid + 1].time > h->item[kid].time)
			kid++;
		if (h->item[kid].time <= last.time)
			break;
		h->item[i] = h->item[kid];
	}
	h->item[i] = last;
	return top;
}

static int64_t time_sane(git_time_t t)
{
	return t < 0 ? 0 : t > TIME_MAX ? TIME_MAX : t;
}

static void commit_add(struct base_build *b, git_commit *commit)
{
	unsigned n = git_commit_parentcount(commit);
	struct base_commit c = {
		.id = *git_commit_id(commit),
		.tree = *git_commit_tree_id(commit),
		.time = time_sane(git_commit_time(commit)),
		.order = -1,
		.parents = (uint32_t)b->n_parent_ids,
		.n_parents = (uint16_t)(n < UINT16_MAX ? n : UINT16_MAX),
	};

	for (unsigned i = 0; i < c.n_parents; i++) {
		arr_grow(b->parent_id, b->n_parent_ids, b->parent_ids_cap);
		b->parent_id[b->n_parent_ids++] = *git_commit_parent_id(commit, i);
	}
	arr_grow(b->commit, b->n_commits, b->commits_cap);
	b->commit[b->n_commits++] = c;
	base_map_add(&b->map, b->commit, (uint32_t)b->n_commits - 1);
}

/* A commit that is not there is no error: shallow clones end so. */
static int visit(struct base_build *b, struct heap *h, const git_oid *id, uint32_t slop,
		 struct err *err)
{
	auto_git(commit) git_commit *commit = NULL;
	int rc;

	if (base_map_get(&b->map, b->commit, id) != BASE_NONE)
		return 0;
	rc = git_commit_lookup(&commit, b->repo, id);
	if (rc == GIT_ENOTFOUND)
		return 0;
	if (rc < 0)
		return err_git(err, ERR_CONFIG, "cannot read a commit of %s",
			       git_repository_path(b->repo));
	commit_add(b, commit);
	heap_push(h, (struct walk_item){b->commit[b->n_commits - 1].time,
					(uint32_t)b->n_commits - 1, slop});
	return 0;
}

static int visit_parents(struct base_build *b, struct heap *h, struct walk_item it, struct err *err)
{
	/* A copy: visit() may move the array. */
	const struct base_commit c = b->commit[it.number];
	uint32_t slop = c.time < b->floor ? it.slop + 1 : 0;

	if (slop > SLOP)
		return 0;
	for (size_t i = 0; i < c.n_parents; i++) {
		const git_oid id = b->parent_id[c.parents + i];
		int rc = visit(b, h, &id, slop, err);

		if (rc)
			return rc;
	}
	return 0;
}

int base_walk(struct base_build *b, const git_oid *tip, size_t n_tips, struct err *err)
{
	struct heap h = {0};
	int rc = 0;

	for (size_t i = 0; i < n_tips && !rc; i++)
		rc = visit(b, &h, &tip[i], 0, err);
	while (h.n && !rc) {
		if (b->n_commits >= BASE_COMMITS_MAX) {
			b->cut = true;
			break;
		}
		rc = cancel_requested() ? err_cancelled(err)
					: visit_parents(b, &h, heap_pop(&h), err);
	}
	free(h.item);
	return rc;
}
