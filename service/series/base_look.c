// SPDX-License-Identifier: GPL-2.0-or-later
#include "series/base_look.h"

/* What is at a node of the wanted paths in one folder; mode 0: nothing. */
struct found {
	git_oid id;
	uint32_t mode;
};

/* A folder that was read, and where its finds begin. */
struct folder {
	git_oid tree;
	uint32_t node; /* 0xffffffff: a free place */
	size_t found;
};
#define FREE UINT32_MAX

struct base_look {
	git_odb *odb; /* not ours */
	const struct base_wants *wants;
	struct folder *folder; /* a hash table */
	size_t n_folders, folders_cap;
	struct found *found;
	size_t n_found, found_cap;
};

static void folders_alloc(struct base_look *l, size_t cap)
{
	l->folder = xmalloc(cap * sizeof(*l->folder));
	l->folders_cap = cap;
	for (size_t i = 0; i < cap; i++)
		l->folder[i].node = FREE;
}

struct base_look *base_look_new(git_odb *odb, const struct base_wants *wants)
{
	struct base_look *l = xcalloc(1, sizeof(*l));

	l->odb = odb;
	l->wants = wants;
	folders_alloc(l, 1024);
	return l;
}

void base_look_free(struct base_look *l)
{
	if (!l)
		return;
	free(l->folder);
	free(l->found);
	free(l);
}

static struct folder *folder_slot(struct base_look *l, const git_oid *tree, uint32_t node)
{
	size_t i;

	memcpy(&i, tree->id, sizeof(i));
	for (i = (i ^ node) & (l->folders_cap - 1); l->folder[i].node != FREE;
	     i = (i + 1) & (l->folders_cap - 1)) {
		if (l->folder[i].node == node && git_oid_equal(&l->folder[i].tree, tree))
			break;
	}
	return &l->folder[i];
}

static void folders_grow(struct base_look *l)
{
	struct folder *old = l->folder;
	size_t n = l->folders_cap;

	folders_alloc(l, n * 2);
	for (size_t i = 0; i < n; i++) {
		if (old[i].node != FREE)
			*folder_slot(l, &old[i].tree, old[i].node) = old[i];
	}
	free(old);
}

/* Both the folder and the wanted names are in git's order: one pass. */
static void folder_scan(const struct base_wants *w, uint32_t node, struct bytes rest,
			struct found *found)
{
	uint32_t kid = w->node[node].first;
	struct tree_entry e;

	while (kid && tree_next(&rest, &e)) {
		int c;

		while (kid && (c = tree_entry_cmp(&w->node[kid].part, &e)) < 0)
			kid = w->node[kid].sibling;
		if (!kid || c > 0)
			continue;
		found[w->node[kid].slot] = (struct found){e.id, e.mode};
		kid = w->node[kid].sibling;
	}
}

/* Where the finds of this folder begin. */
static size_t folder_read(struct base_look *l, const git_oid *tree, uint32_t node)
{
	size_t kids = l->wants->node[node].n_kids, at = l->n_found;
	git_odb_object *object = NULL;

	while (l->n_found + kids > l->found_cap) {
		l->found_cap = l->found_cap ? l->found_cap * 2 : 1024;
		l->found = xreallocarray(l->found, l->found_cap, sizeof(*l->found));
	}
	memset(l->found + at, 0, kids * sizeof(*l->found));
	l->n_found += kids;
	if (git_odb_read(&object, l->odb, tree) == 0 &&
	    git_odb_object_type(object) == GIT_OBJECT_TREE)
		folder_scan(
			l->wants, node,
			(struct bytes){git_odb_object_data(object), git_odb_object_size(object)},
			l->found + at);
	git_odb_object_free(object);
	return at;
}

static size_t folder_get(struct base_look *l, const git_oid *tree, uint32_t node)
{
	struct folder *f = folder_slot(l, tree, node);

	if (f->node != FREE)
		return f->found;
	*f = (struct folder){*tree, node, folder_read(l, tree, node)};
	if (++l->n_folders * 2 > l->folders_cap) {
		size_t found = f->found;

		folders_grow(l);
		return found;
	}
	return f->found;
}

/* As deep as the path, which base_wants_make() has capped. */
static struct found node_get(struct base_look *l, const git_oid *root, uint32_t node)
{
	const struct base_node *n = &l->wants->node[node];
	struct found folder = {*root, TREE_MODE_FOLDER};
	size_t at;

	if (n->parent)
		folder = node_get(l, root, n->parent);
	if (folder.mode != TREE_MODE_FOLDER)
		return (struct found){0};
	at = folder_get(l, &folder.id, n->parent); /* may move `found` */
	return l->found[at + n->slot];
}

bool base_look_has(struct base_look *l, const git_oid *tree, const struct base_want *w)
{
	struct found f = node_get(l, tree, w->node);

	if (w->kind == BASE_WANT_BLOB)
		return f.mode && git_oid_ncmp(&f.id, &w->prefix, w->n_hex) == 0;
	return (f.mode != 0) == (w->kind == BASE_WANT_FILE);
}
