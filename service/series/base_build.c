// SPDX-License-Identifier: GPL-2.0-or-later
/* An index in the making: what was kept, what is new, and the order of it all. */
#include "series/base_index_run.h"

void base_build_done(struct base_build *b)
{
	git_odb_free(b->odb);
	free(b->map.slot);
	free(b->commit);
	free(b->parent_id);
	free(b->parent);
	free(b->entry);
}

/* Positions of the old index become numbers as they are. */
static void old_take(struct base_build *b, const struct base_index *old)
{
	const struct base_index_facts *f = &old->facts;

	b->n_old = b->n_commits = b->commits_cap = f->commits;
	b->commit = xreallocarray(NULL, f->commits + 1, sizeof(*b->commit));
	memcpy(b->commit, old->commit, f->commits * sizeof(*b->commit));
	for (size_t i = 0; i < f->commits; i++) {
		base_map_add(&b->map, b->commit, (uint32_t)i);
		b->n_parents += b->commit[i].n_parents;
	}
	b->parent = xreallocarray(NULL, b->n_parents + 1, sizeof(*b->parent));
	memcpy(b->parent, old->parent, b->n_parents * sizeof(*b->parent));
	b->n_old_entries = b->n_entries = b->entries_cap = f->entries;
	b->entry = xreallocarray(NULL, f->entries + 1, sizeof(*b->entry));
	for (size_t i = 0; i < f->entries; i++)
		b->entry[i] = (struct base_entry){old->key[i], old->holder[i]};
}

/* The ids of the fresh ones' parents become numbers. */
static void parents_resolve(struct base_build *b)
{
	size_t n = b->n_parents;

	b->parent = xreallocarray(b->parent, n + b->n_parent_ids + 1, sizeof(*b->parent));
	for (size_t i = 0; i < b->n_parent_ids; i++)
		b->parent[n + i] = base_map_get(&b->map, b->commit, &b->parent_id[i]);
	for (size_t i = b->n_old; i < b->n_commits; i++)
		b->commit[i].parents += (uint32_t)n;
	b->n_parents = n + b->n_parent_ids;
}

/* A parent that has no order yet; else BASE_NONE, and `*ret_latest` is the latest of them. */
static uint32_t unordered_parent(const struct base_build *b, const struct base_commit *c,
				 int64_t *ret_latest)
{
	int64_t latest = -1;

	for (size_t i = 0; i < c->n_parents; i++) {
		uint32_t p = b->parent[c->parents + i];

		if (p == BASE_NONE)
			continue;
		if (b->commit[p].order < 0)
			return p;
		if (b->commit[p].order > latest)
			latest = b->commit[p].order;
	}
	*ret_latest = latest;
	return BASE_NONE;
}

/* Committers' clocks differ, but a child is always newer than its parents. */
static void order_set(struct base_build *b)
{
	uint32_t *stack = xreallocarray(NULL, b->n_commits + 1, sizeof(*stack));
	size_t n = 0;

	for (size_t i = b->n_old; i < b->n_commits; i++) {
		if (b->commit[i].order < 0)
			stack[n++] = (uint32_t)i;
		while (n) {
			struct base_commit *c = &b->commit[stack[n - 1]];
			int64_t latest = -1;
			uint32_t p = unordered_parent(b, c, &latest);

			if (p != BASE_NONE) {
				stack[n++] = p;
				continue;
			}
			c->order = c->time > latest ? c->time : latest + 1;
			n--;
		}
	}
	free(stack);
}

/* A branch may have been rewound or dropped: what no ref holds any more is left out. */
static unsigned char *held(const struct base_build *b, const git_oid *tip, size_t n_tips)
{
	unsigned char *mark = xcalloc(b->n_commits + 1, 1);
	uint32_t *stack = xreallocarray(NULL, b->n_commits + 1, sizeof(*stack));
	size_t n = 0;

	for (size_t i = 0; i < n_tips; i++) {
		uint32_t t = base_map_get(&b->map, b->commit, &tip[i]);

		if (t != BASE_NONE && !mark[t]) {
			mark[t] = 1;
			stack[n++] = t;
		}
	}
	while (n) {
		const struct base_commit *c = &b->commit[stack[--n]];

		for (size_t i = 0; i < c->n_parents; i++) {
			uint32_t p = b->parent[c->parents + i];

			if (p != BASE_NONE && !mark[p]) {
				mark[p] = 1;
				stack[n++] = p;
			}
		}
	}
	free(stack);
	return mark;
}

static int number_cmp(const void *a, const void *b, void *ctx)
{
	const struct base_commit *commit = ctx, *x = &commit[*(const uint32_t *)a],
				 *y = &commit[*(const uint32_t *)b];

	if (x->order != y->order)
		return x->order < y->order ? -1 : 1;
	return git_oid_cmp(&x->id, &y->id);
}

static int entry_cmp(const void *a, const void *b)
{
	const struct base_entry *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return (x->holder > y->holder) - (x->holder < y->holder);
}

/* Holders become positions; those that were left out are gone. Returns how many are left. */
static size_t entries_renumber(struct base_entry *entry, size_t n, const uint32_t *position)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		uint32_t at = position[entry[i].holder];

		if (at != BASE_NONE)
			entry[kept++] = (struct base_entry){entry[i].key, at};
	}
	return kept;
}

/* The old ones are in order: only the fresh ones are sorted, and merged in. */
static void entries_merge(struct base_build *b, const uint32_t *position)
{
	struct base_entry *fresh = b->entry ? b->entry + b->n_old_entries : NULL, *all;
	size_t n_fresh = entries_renumber(fresh, b->n_entries - b->n_old_entries, position);
	size_t n_old = entries_renumber(b->entry, b->n_old_entries, position), n = 0, i = 0, k = 0;

	if (n_fresh)
		qsort(fresh, n_fresh, sizeof(*fresh), entry_cmp);
	all = xreallocarray(NULL, n_fresh + n_old + 1, sizeof(*all));
	while (i < n_old || k < n_fresh) {
		bool old = k == n_fresh || (i < n_old && b->entry[i].key <= fresh[k].key);
		struct base_entry it = old ? b->entry[i++] : fresh[k++];

		if (!n || entry_cmp(&all[n - 1], &it))
			all[n++] = it;
	}
	free(b->entry);
	b->entry = all;
	b->n_entries = n;
}

static void commits_renumber(struct base_build *b, const uint32_t *number, size_t n,
			     const uint32_t *position)
{
	struct base_commit *commit = xreallocarray(NULL, n + 1, sizeof(*commit));
	uint32_t *parent = xreallocarray(NULL, b->n_parents + 1, sizeof(*parent));
	uint32_t n_parents = 0;

	for (size_t i = 0; i < n; i++) {
		const struct base_commit *c = &b->commit[number[i]];

		commit[i] = *c;
		commit[i].parents = n_parents;
		for (size_t k = 0; k < c->n_parents; k++) {
			uint32_t p = b->parent[c->parents + k];

			parent[n_parents++] = p == BASE_NONE ? p : position[p];
		}
	}
	free(b->commit);
	free(b->parent);
	b->commit = commit;
	b->n_commits = n;
	b->parent = parent;
	b->n_parents = n_parents;
}

static void build_sort(struct base_build *b, const git_oid *tip, size_t n_tips)
{
	auto_free unsigned char *mark = held(b, tip, n_tips);
	auto_free uint32_t *number = xreallocarray(NULL, b->n_commits + 1, sizeof(*number));
	auto_free uint32_t *position = xreallocarray(NULL, b->n_commits + 1, sizeof(*position));
	size_t n = 0;

	memset(position, 0xff, (b->n_commits + 1) * sizeof(*position));
	for (size_t i = 0; i < b->n_commits; i++) {
		if (mark[i])
			number[n++] = (uint32_t)i;
	}
	if (n)
		qsort_r(number, n, sizeof(*number), number_cmp, b->commit);
	for (size_t i = 0; i < n; i++)
		position[number[i]] = (uint32_t)i;
	entries_merge(b, position);
	commits_renumber(b, number, n, position);
}

static int build_read(struct base_build *b, const git_oid *tip, size_t n_tips, struct err *err)
{
	int rc = base_walk(b, tip, n_tips, err);

	if (rc)
		return rc;
	parents_resolve(b);
	order_set(b);
	b->n_fresh = b->n_commits - b->n_old;
	return base_edges(b, err);
}

int base_build(struct base_build *b, const struct base_index *old, const git_oid *tip,
	       size_t n_tips, struct err *err)
{
	int rc;

	if (git_repository_odb(&b->odb, b->repo) < 0)
		return err_git(err, ERR_CONFIG, "cannot open the objects of %s",
			       git_repository_path(b->repo));
	if (old)
		old_take(b, old);
	/* Commits are read once, and base_edges() keeps the trees that it needs again: libgit2
	 * would keep hundreds of megabytes of both. */
	git_libgit2_opts(GIT_OPT_ENABLE_CACHING, 0);
	rc = build_read(b, tip, n_tips, err);
	git_libgit2_opts(GIT_OPT_ENABLE_CACHING, 1);
	if (!rc)
		build_sort(b, tip, n_tips);
	return rc;
}
