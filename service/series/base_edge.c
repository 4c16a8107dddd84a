// SPDX-License-Identifier: GPL-2.0-or-later
/* What each commit has in the place of its first parent's files. */
#include "series/base_index_run.h"

#include "base/proc.h"
#include "series/tree_raw.h"

/* A change of more files than this is not entered; its parent is then looked at in each search, as
 * the tips are. Merges of a whole release are few, and each would cost thousands of entries. */
#define WIDE_FILES 512
/* No folder of a real tree is so deep. */
#define DEPTH_MAX 128

/* Commits from one word to the observer to the next. */
#define TELL_EACH 256

/* Trees that were read, by a part of their id. Most of a commit's are its parent's. */
#define CACHE_SLOTS 16384u

enum edge_end { EDGE_DONE, EDGE_WIDE };

struct edge {
	struct base_build *b;
	git_odb_object **cache;
	uint32_t holder;
	size_t n_files;
};

/* The caller frees the object, which the cache may drop meanwhile. NULL when the repository cannot
 * read it (a partial clone). */
static git_odb_object *tree_read(struct edge *e, const git_oid *id)
{
	git_odb_object **slot = &e->cache[base_blob_key(id) % CACHE_SLOTS], *kept;

	if (*slot && git_oid_equal(git_odb_object_id(*slot), id)) {
		if (git_odb_object_dup(&kept, *slot) < 0)
			return NULL;
		return kept;
	}
	if (git_odb_read(&kept, e->b->odb, id) < 0)
		return NULL;
	git_odb_object_free(*slot);
	if (git_odb_object_dup(slot, kept) < 0)
		*slot = NULL;
	return kept;
}

static enum edge_end enter(struct edge *e, uint64_t key)
{
	struct base_build *b = e->b;

	if (++e->n_files > WIDE_FILES)
		return EDGE_WIDE;
	arr_grow(b->entry, b->n_entries, b->entries_cap);
	b->entry[b->n_entries++] = (struct base_entry){key, e->holder};
	return EDGE_DONE;
}

static enum edge_end edge_trees(struct edge *e, const git_oid *old, const git_oid *new,
				uint64_t path, unsigned depth);

/* One name: `old` and `new` have it, or one of them does (the other's mode is 0). */
static enum edge_end edge_name(struct edge *e, const struct tree_entry *old,
			       const struct tree_entry *new, uint64_t path, unsigned depth)
{
	const struct tree_entry *any = old->mode ? old : new;

	if (old->mode && new->mode && git_oid_equal(&old->id, &new->id))
		return EDGE_DONE;
	if (any->mode != TREE_MODE_FOLDER && old->mode)
		return enter(e, base_blob_key(&old->id));
	path = base_path_key(path, any->name, any->len);
	if (any->mode != TREE_MODE_FOLDER)
		return enter(e, path);
	return edge_trees(e, old->mode ? &old->id : NULL, new->mode ? &new->id : NULL,
			  base_path_key(path, "/", 1), depth + 1);
}

static enum edge_end edge_bytes(struct edge *e, struct bytes old, struct bytes new, uint64_t path,
				unsigned depth)
{
	static const struct tree_entry none = {0};
	struct tree_entry a = none, b = none;
	enum edge_end end = EDGE_DONE;

	for (;;) {
		int c;

		if (!a.mode && !tree_next(&old, &a))
			a = none;
		if (!b.mode && !tree_next(&new, &b))
			b = none;
		if ((!a.mode && !b.mode) || end != EDGE_DONE)
			return end;
		c = !a.mode ? 1 : !b.mode ? -1 : tree_entry_cmp(&a, &b);
		end = edge_name(e, c <= 0 ? &a : &none, c >= 0 ? &b : &none, path, depth);
		if (c <= 0)
			a = none;
		if (c >= 0)
			b = none;
	}
}

static struct bytes object_bytes(git_odb_object *o)
{
	return o ? (struct bytes){git_odb_object_data(o), git_odb_object_size(o)}
		 : (struct bytes){"", 0};
}

/* NULL for a tree that is not on that side. */
static enum edge_end edge_trees(struct edge *e, const git_oid *old, const git_oid *new,
				uint64_t path, unsigned depth)
{
	git_odb_object *a = NULL, *b = NULL;
	enum edge_end end = EDGE_WIDE;

	if (old && new &&git_oid_equal(old, new))
		return EDGE_DONE;
	if (depth > DEPTH_MAX || (old && !(a = tree_read(e, old))))
		return EDGE_WIDE;
	if (!new || (b = tree_read(e, new)))
		end = edge_bytes(e, object_bytes(a), object_bytes(b), path, depth);
	git_odb_object_free(b);
	git_odb_object_free(a);
	return end;
}

static void edge_commit(struct edge *e, struct base_commit *c)
{
	struct base_build *b = e->b;
	uint32_t parent = c->n_parents ? b->parent[c->parents] : BASE_NONE;
	size_t before = b->n_entries;

	if (parent == BASE_NONE)
		return;
	e->holder = parent;
	e->n_files = 0;
	if (edge_trees(e, &b->commit[parent].tree, &c->tree, BASE_PATH_SEED, 0) == EDGE_DONE)
		return;
	c->flags |= BASE_WIDE;
	b->n_entries = before;
}

int base_edges(struct base_build *b, struct err *err)
{
	struct edge e = {.b = b, .cache = xcalloc(CACHE_SLOTS, sizeof(git_odb_object *))};
	int rc = 0;

	/* Numbers go from the tips back: in reverse, the parent's trees were read just before. */
	for (size_t i = b->n_commits; i-- > b->n_old && !rc;) {
		if (cancel_requested())
			rc = err_cancelled(err);
		else
			edge_commit(&e, &b->commit[i]);
		if (b->request->tell && (b->n_commits - i) % TELL_EACH == 0)
			b->request->tell(b->request->ctx, (unsigned)(b->n_commits - i),
					 (unsigned)(b->n_commits - b->n_old));
	}
	for (size_t i = 0; i < CACHE_SLOTS; i++)
		git_odb_object_free(e.cache[i]);
	free(e.cache);
	return rc;
}
