// SPDX-License-Identifier: GPL-2.0-or-later
#include "series/tree_write.h"

#include "base/str.h"
#include "series/tree_raw.h"
#include <stdlib.h>

/* By path, a folder's files right behind a file of its name: '/' counts as the lowest character. */
static int by_path(const void *a, const void *b)
{
	const char *p = (*(struct path_file *const *)a)->path;
	const char *q = (*(struct path_file *const *)b)->path;

	while (*p && *p == *q) {
		p++;
		q++;
	}
	if (*p == *q || !*p || !*q)
		return (*p != '\0') - (*q != '\0');
	if (*p == '/' || *q == '/')
		return *p == '/' ? -1 : 1;
	return (unsigned char)*p - (unsigned char)*q;
}

/* The next part of the paths of a level, and what becomes of it. */
struct group {
	const char *name;
	size_t len;
	struct path_file *file;	  /* whose path ends here; NULL */
	struct path_file **below; /* files in the folder of this name */
	size_t n_below;
	struct tree_entry old, new; /* mode 0: nothing */
};

/* Sorted files whose paths agree in the first `depth` bytes, which name a folder. */
struct level {
	struct path_file **file;
	size_t n, depth;
};

/* `*ret_group` belongs to the caller. It grows with what is there, not with the files: thousands of
 * these may be under way at a time, one in another. */
static size_t level_split(const struct level *l, struct group **ret_group)
{
	struct group *group = NULL;
	size_t n = 0, cap = 0;

	for (size_t i = 0; i < l->n; i++) {
		const char *name = l->file[i]->path + l->depth;
		size_t len = strcspn(name, "/");
		struct group *g = n ? &group[n - 1] : NULL;

		if (!g || g->len != len || memcmp(g->name, name, len) != 0) {
			arr_grow(group, n, cap);
			g = &group[n++];
			*g = (struct group){.name = name, .len = len, .below = &l->file[i]};
		}
		if (name[len]) {
			g->n_below++;
		} else {
			g->file = l->file[i];
			g->below = &l->file[i + 1];
		}
	}
	*ret_group = group;
	return n;
}

struct group_key {
	const char *name;
	size_t len;
};

static int group_cmp(const void *key, const void *elem)
{
	const struct group_key *k = key;
	const struct group *g = elem;
	int c = memcmp(k->name, g->name, k->len < g->len ? k->len : g->len);

	return c ? c : (k->len > g->len) - (k->len < g->len);
}

static struct group *group_find(struct group *group, size_t n, const struct tree_entry *e)
{
	struct group_key key = {e->name, e->len};

	return bsearch(&key, group, n, sizeof(*group), group_cmp);
}

static int level_write(struct objects *o, const struct level *l, const git_oid *tree,
		       struct tree_entry *ret_entry, struct err *err);

/* The folder of this group after the changes in it; mode 0 when nothing is left. */
static int group_folder(struct objects *o, const struct level *l, const struct group *g,
			struct tree_entry *ret_entry, struct err *err)
{
	bool had = g->old.mode == TREE_MODE_FOLDER;
	struct level sub = {g->below, g->n_below, l->depth + g->len + 1};

	*ret_entry = had ? g->old : (struct tree_entry){0};
	return g->n_below ? level_write(o, &sub, had ? &g->old.id : NULL, ret_entry, err) : 0;
}

static struct tree_entry group_file(const struct group *g)
{
	struct tree_entry none = {0};

	if (g->file)
		return (struct tree_entry){.mode = g->file->now.mode, .id = g->file->now.id};
	return g->old.mode == TREE_MODE_FOLDER ? none : g->old;
}

static int group_resolve(struct objects *o, const struct level *l, struct group *g, struct err *err)
{
	struct tree_entry file = group_file(g), folder = {0};
	int rc = group_folder(o, l, g, &folder, err);

	if (rc)
		return rc;
	if (file.mode && folder.mode)
		return err_set(err, ERR_PATCH, "%.*s would be both a file and a folder",
			       (int)(l->depth + g->len),
			       g->file ? g->file->path : g->below[0]->path);
	g->new = file.mode ? file : folder;
	g->new.name = g->name;
	g->new.len = g->len;
	return 0;
}

static int by_entry(const void *a, const void *b)
{
	return tree_entry_cmp(&((const struct group *)a)->new, &((const struct group *)b)->new);
}

/* The old entries without those of the groups, and the groups' new ones, in git's order. */
static void level_merge(struct bytes old, struct group *group, size_t n, struct str *out)
{
	auto_free struct group *add = xcalloc(n, sizeof(*add));
	struct tree_entry e;
	size_t n_add = 0, i = 0;

	for (size_t k = 0; k < n; k++) {
		if (group[k].new.mode)
			add[n_add++] = group[k];
	}
	qsort(add, n_add, sizeof(*add), by_entry);
	while (tree_next(&old, &e)) {
		if (group_find(group, n, &e))
			continue;
		for (; i < n_add && tree_entry_cmp(&add[i].new, &e) < 0; i++)
			tree_entry_add(out, &add[i].new);
		tree_entry_add(out, &e);
	}
	for (; i < n_add; i++)
		tree_entry_add(out, &add[i].new);
}

static int level_resolve(struct objects *o, const struct level *l, struct bytes old,
			 struct group *group, size_t n, struct err *err)
{
	struct tree_entry e;
	int rc = 0;

	while (tree_next(&old, &e)) {
		struct group *g = group_find(group, n, &e);

		if (g)
			g->old = e;
	}
	if (old.len)
		return err_set(err, ERR_INFRA, "the base has a broken tree object above %s",
			       l->file[0]->path);
	for (size_t i = 0; !rc && i < n; i++)
		rc = group_resolve(o, l, &group[i], err);
	return rc;
}

/* Writes the folder of a level; `tree` is what it was, or NULL. `*ret_entry` gets mode 0 when it is
 * empty. */
static int level_write(struct objects *o, const struct level *l, const git_oid *tree,
		       struct tree_entry *ret_entry, struct err *err)
{
	auto_free struct group *group = NULL;
	size_t n = level_split(l, &group), len;
	struct bytes old = {"", 0};
	auto_str struct str out;
	int rc = tree ? objects_read(o, tree, GIT_OBJECT_TREE, &old, err) : 0;

	str_init(&out, OBJECT_FILE_MAX);
	if (!rc)
		rc = level_resolve(o, l, old, group, n, err);
	if (rc)
		return rc;
	level_merge(old, group, n, &out);
	ret_entry->mode = out.len ? TREE_MODE_FOLDER : 0;
	len = out.len;
	/* The root is a tree even when it is empty. */
	if (!len && l->depth)
		return 0;
	return objects_add(o, GIT_OBJECT_TREE, str_take(&out), len, &ret_entry->id, err);
}

int tree_write(struct objects *o, struct path_file **file, size_t n, git_oid *tree, struct err *err)
{
	struct tree_entry root = {0};
	struct level top = {.file = file, .n = n};
	int rc;

	qsort(file, n, sizeof(struct path_file *), by_path);
	rc = level_write(o, &top, tree, &root, err);
	if (rc)
		return rc;
	*tree = root.id;
	return 0;
}
