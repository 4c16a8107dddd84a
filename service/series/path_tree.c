// SPDX-License-Identifier: GPL-2.0-or-later
#include "series/path_tree.h"

#include "base/str.h"
#include "series/tree_raw.h"
#include "series/tree_write.h"
#include <search.h>

struct path_tree {
	struct objects *objects;
	git_oid root; /* zero: empty */
	void *files;  /* tsearch(3): hostile names cannot make it slow, as they can a hash table */
	struct path_file **touched; /* asked for in this turn */
	size_t n_touched, cap_touched;
	uint64_t turn;
	size_t fresh; /* bytes written in this turn */
};

static void path_file_free(void *p)
{
	struct path_file *f = p;

	free(f->path);
	free(f->fresh);
	free(f);
}

static int path_file_cmp(const void *a, const void *b)
{
	return strcmp(((const struct path_file *)a)->path, ((const struct path_file *)b)->path);
}

struct path_tree *path_tree_new(struct objects *objects, const git_oid *tree)
{
	struct path_tree *t = xcalloc(1, sizeof(*t));

	t->objects = objects;
	if (tree)
		t->root = *tree;
	t->turn = 1;
	return t;
}

void path_tree_free(struct path_tree *t)
{
	if (!t)
		return;
	tdestroy(t->files, path_file_free);
	free(t->touched);
	free(t);
}

static int entry_find(struct path_tree *t, const git_oid *tree, const char *name, size_t len,
		      struct tree_entry *ret_entry, struct err *err)
{
	struct tree_entry e;
	struct bytes rest;
	int rc = objects_read(t->objects, tree, GIT_OBJECT_TREE, &rest, err);

	if (rc)
		return rc;
	ret_entry->mode = 0;
	while (tree_next(&rest, &e)) {
		if (e.len == len && memcmp(e.name, name, len) == 0) {
			*ret_entry = e;
			break;
		}
	}
	return 0;
}

/* What the tree has at `path`; mode stays 0 when that is nothing or a folder. */
static int path_find(struct path_tree *t, const char *path, struct path_version *ret,
		     struct err *err)
{
	bool empty = git_oid_is_zero(&t->root);
	struct tree_entry e = {.mode = empty ? 0 : TREE_MODE_FOLDER, .id = t->root};
	size_t n;
	int rc;

	for (; *path && e.mode == TREE_MODE_FOLDER; path += n + (path[n] == '/')) {
		git_oid tree = e.id;

		n = strcspn(path, "/");
		rc = entry_find(t, &tree, path, n, &e, err);
		if (rc)
			return rc;
	}
	*ret = (struct path_version){0};
	if (!*path && e.mode && e.mode != TREE_MODE_FOLDER)
		*ret = (struct path_version){.exists = true, .mode = e.mode, .id = e.id};
	return 0;
}

static int path_file_new(struct path_tree *t, const char *path, struct path_file **ret_file,
			 struct err *err)
{
	struct path_version now;
	struct path_file *f;
	int rc = path_find(t, path, &now, err);

	if (rc)
		return rc;
	f = xcalloc(1, sizeof(*f));
	f->path = xstrdup(path);
	f->now = now;
	if (!tsearch(f, &t->files, path_file_cmp))
		abort(); /* out of memory, as in xmalloc() */
	*ret_file = f;
	return 0;
}

int path_tree_get(struct path_tree *t, const char *path, struct path_file **ret_file,
		  struct err *err)
{
	struct path_file key = {.path = (char *)path},
			 **found = tfind(&key, &t->files, path_file_cmp);
	struct path_file *f = found ? *found : NULL;
	int rc = f ? 0 : path_file_new(t, path, &f, err);

	if (rc)
		return rc;
	if (f->turn != t->turn) {
		f->turn = t->turn;
		f->before = f->now;
		f->fate = PATH_KEPT;
		f->written = false;
		arr_grow(t->touched, t->n_touched, t->cap_touched);
		t->touched[t->n_touched++] = f;
	}
	*ret_file = f;
	return 0;
}

int path_tree_read(struct path_tree *t, const struct path_file *f, bool before,
		   struct bytes *ret_bytes, struct err *err)
{
	const struct path_version *v = before ? &f->before : &f->now;
	struct bytes bytes = {"", 0};
	int rc;

	if (!before && f->fresh)
		bytes = (struct bytes){f->fresh, f->fresh_len};
	else if (v->exists) {
		rc = objects_read(t->objects, &v->id, GIT_OBJECT_BLOB, &bytes, err);
		if (rc)
			return err_wrap(err, "%s", f->path);
	}
	if (bytes.len > OBJECT_FILE_MAX)
		return err_set(err, ERR_PATCH, "%s is larger than %zu MiB", f->path,
			       OBJECT_FILE_MAX >> 20);
	*ret_bytes = bytes;
	return 0;
}

static void path_file_written(struct path_file *f, uint32_t mode)
{
	f->now.exists = true;
	f->now.mode = mode;
	f->written = true;
	f->fate = PATH_WRITTEN;
}

int path_tree_put(struct path_tree *t, struct path_file *f, uint32_t mode, struct str *data,
		  struct err *err)
{
	t->fresh += data->len;
	if (t->fresh > OBJECTS_MAX)
		return err_set(err, ERR_PATCH, "the patch writes more than %zu MiB of files",
			       OBJECTS_MAX >> 20);
	free(f->fresh);
	f->fresh_len = data->len;
	f->fresh = str_take(data);
	path_file_written(f, mode);
	return 0;
}

void path_tree_put_same(struct path_file *f, uint32_t mode, const struct path_file *src)
{
	if (f != src || src->fate == PATH_GONE) {
		free(f->fresh);
		f->fresh = NULL;
		f->now.id = src->before.id;
	}
	path_file_written(f, mode);
}

void path_tree_point(struct path_file *f, uint32_t mode, const git_oid *id)
{
	free(f->fresh);
	f->fresh = NULL;
	f->now.id = *id;
	path_file_written(f, mode);
}

void path_tree_settled(struct path_file *f)
{
	f->before = f->now;
	f->fate = PATH_KEPT;
	f->written = false;
}

void path_tree_remove(struct path_file *f)
{
	f->fate = PATH_GONE;
	if (!f->written)
		f->now = (struct path_version){0};
}

bool path_version_same(const struct path_version *a, const struct path_version *b)
{
	return a->exists == b->exists && a->mode == b->mode && git_oid_equal(&a->id, &b->id);
}

static void turn_end(struct path_tree *t)
{
	t->n_touched = 0;
	t->fresh = 0;
	t->turn++;
}

void path_tree_revert(struct path_tree *t)
{
	for (size_t i = 0; i < t->n_touched; i++) {
		struct path_file *f = t->touched[i];

		free(f->fresh);
		f->fresh = NULL;
		f->now = f->before;
	}
	turn_end(t);
}

int path_tree_changes(struct path_tree *t, struct path_file ***ret_files, size_t *ret_n,
		      struct err *err)
{
	size_t changed = 0;

	for (size_t i = 0; i < t->n_touched; i++) {
		struct path_file *f = t->touched[i];

		if (f->fresh) {
			int rc = objects_add(t->objects, GIT_OBJECT_BLOB, take(f->fresh),
					     f->fresh_len, &f->now.id, err);

			if (rc)
				return rc;
		}
		if (!path_version_same(&f->before, &f->now)) {
			t->touched[i] = t->touched[changed];
			t->touched[changed++] = f;
		}
	}
	*ret_files = t->touched;
	*ret_n = changed;
	return 0;
}

int path_tree_write(struct path_tree *t, git_oid *ret_tree, struct err *err)
{
	struct path_file **files;
	size_t changed;
	int rc = path_tree_changes(t, &files, &changed, err);

	if (!rc && changed)
		rc = tree_write(t->objects, files, changed, &t->root, err);
	if (rc)
		return rc;
	turn_end(t);
	*ret_tree = t->root;
	return 0;
}

const git_oid *path_tree_root(const struct path_tree *t)
{
	return &t->root;
}

bool path_tree_had(const struct path_tree *t, const char *path)
{
	struct path_file key = {.path = (char *)path},
			 **found = tfind(&key, &t->files, path_file_cmp);

	return found && (*found)->before.exists;
}
