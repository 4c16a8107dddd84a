// SPDX-License-Identifier: GPL-2.0-or-later
#include "series/tree_walk.h"

#include "series/tree_raw.h"
#include <sys/stat.h>

/* PATH_MAX: a deeper tree cannot be checked out. */
#define WALK_PATH_MAX 4096

struct walk {
	struct tree_walk *list;
	struct objects *objects;
	const struct path_tree *known;
	struct str path;
};

static void file_add(struct walk *w, const struct tree_entry *e)
{
	struct tree_walk *list = w->list;

	if ((!S_ISREG(e->mode) && !S_ISLNK(e->mode)) || path_tree_had(w->known, w->path.buf))
		return;
	arr_grow(list->file, list->n, list->cap);
	list->file[list->n++] = (struct relocate_file){xstrdup(w->path.buf), e->mode, e->id, false};
}

static void path_cut(struct str *path, size_t len)
{
	path->len = len;
	path->buf[len] = '\0';
}

static int folder_walk(struct walk *w, const git_oid *tree, struct err *err)
{
	struct tree_entry e;
	struct bytes rest;
	int rc = objects_read(w->objects, tree, GIT_OBJECT_TREE, &rest, err);

	while (!rc && tree_next(&rest, &e)) {
		size_t len = w->path.len;

		str_add(&w->path, e.name, e.len);
		if (e.mode == TREE_MODE_FOLDER && str_addc(&w->path, '/'))
			rc = folder_walk(w, &e.id, err);
		else if (!w->path.truncated)
			file_add(w, &e);
		path_cut(&w->path, len);
		w->path.truncated = false;
	}
	return rc;
}

int tree_walk_without(struct tree_walk *list, struct objects *o, const git_oid *tree,
		      const struct path_tree *known, struct err *err)
{
	struct walk w = {.list = list, .objects = o, .known = known};
	int rc;

	str_init(&w.path, WALK_PATH_MAX);
	/* An empty string has no memory to be cut in. */
	str_addc(&w.path, '/');
	str_drop(&w.path, 1);
	rc = folder_walk(&w, tree, err);
	str_done(&w.path);
	return rc;
}

void tree_walk_done(struct tree_walk *w)
{
	for (size_t i = 0; i < w->n; i++)
		free((char *)w->file[i].path);
	free(w->file);
	*w = (struct tree_walk){0};
}
