// SPDX-License-Identifier: GPL-2.0-or-later
#include "series/base_want.h"

#include <limits.h>
#include <search.h>

static int path_cmp(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void keep(void *path)
{
	(void)path; /* belongs to the series */
}

/* False when it was in already. */
static bool paths_add(void **paths, const char *path)
{
	bool was_in = tfind(path, paths, path_cmp);

	if (!was_in && !tsearch(path, paths, path_cmp))
		abort(); /* no memory */
	return !was_in;
}

static bool id_parse(const char *hex, struct base_want *w)
{
	w->hex = hex;
	w->n_hex = strlen(hex);
	return w->n_hex >= BASE_HEX_MIN && git_oid_fromstrn(&w->prefix, hex, w->n_hex) == 0;
}

static bool id_null(const char *hex)
{
	return *hex && hex[strspn(hex, "0")] == '\0';
}

/* What the file of the diff was; false when it says nothing of use. */
static bool want_make(const struct diff_file *f, struct base_want *ret)
{
	struct base_want w = {.path = f->op == DIFF_CREATE ? f->new_path : f->old_path};

	if (!w.path || strlen(w.path) >= PATH_MAX)
		return false;
	if (f->op == DIFF_CREATE)
		w.kind = BASE_WANT_ABSENT;
	else if (f->may_create)
		return false;
	else if (id_null(f->old_id) || !id_parse(f->old_id, &w))
		w.kind = BASE_WANT_FILE;
	*ret = w;
	return true;
}

/* `seen`: what this patch and earlier ones have wanted; `made`: what earlier ones have changed. */
static void patch_wants(const struct diff *d, void **seen, void *const *made, struct base_wants *ws)
{
	for (size_t i = 0; i < d->n_files && ws->n < BASE_WANTS_MAX; i++) {
		struct base_want w;

		if (!want_make(&d->file[i], &w) || tfind(w.path, made, path_cmp) ||
		    !paths_add(seen, w.path))
			continue;
		arr_grow(ws->want, ws->n, ws->cap);
		ws->want[ws->n++] = w;
		ws->n_blobs += w.kind == BASE_WANT_BLOB;
	}
}

static void patch_made(const struct diff *d, void **made)
{
	for (size_t i = 0; i < d->n_files; i++) {
		if (d->file[i].old_path)
			paths_add(made, d->file[i].old_path);
		if (d->file[i].new_path)
			paths_add(made, d->file[i].new_path);
	}
}

static uint32_t node_add(struct base_wants *ws, uint32_t parent, uint32_t before,
			 const struct tree_entry *part)
{
	uint32_t at = (uint32_t)ws->n_nodes;

	arr_grow(ws->node, ws->n_nodes, ws->nodes_cap);
	ws->node[ws->n_nodes++] = (struct base_node){
		.part = *part, .parent = parent, .slot = ws->node[parent].n_kids};
	if (before)
		ws->node[before].sibling = at;
	else
		ws->node[parent].first = at;
	ws->node[parent].n_kids++;
	return at;
}

static bool part_same(const struct tree_entry *a, const struct tree_entry *b)
{
	return a->mode == b->mode && a->len == b->len && memcmp(a->name, b->name, a->len) == 0;
}

/* Paths come sorted, so a folder that is known is the last one of its parent: `last`, one for each
 * node. */
static uint32_t path_nodes(struct base_wants *ws, const char *path, uint32_t **last,
			   size_t *last_cap)
{
	uint32_t at = 0;

	for (;;) {
		const char *slash = strchrnul(path, '/');
		struct tree_entry part = {.mode = *slash ? TREE_MODE_FOLDER : 0100644,
					  .name = path,
					  .len = (size_t)(slash - path)};
		uint32_t kid = (*last)[at];

		if (!kid || !part_same(&ws->node[kid].part, &part)) {
			kid = node_add(ws, at, kid, &part);
			while (ws->n_nodes > *last_cap) {
				*last = xreallocarray(*last, *last_cap * 2, sizeof(**last));
				memset(*last + *last_cap, 0, *last_cap * sizeof(**last));
				*last_cap *= 2;
			}
			(*last)[at] = kid;
		}
		at = kid;
		if (!*slash)
			return at;
		path = slash + 1;
	}
}

static int want_cmp(const void *a, const void *b)
{
	return strcmp(((const struct base_want *)a)->path, ((const struct base_want *)b)->path);
}

static void wants_index(struct base_wants *ws)
{
	size_t last_cap = 64;
	uint32_t *last = xcalloc(last_cap, sizeof(*last));

	if (ws->n)
		qsort(ws->want, ws->n, sizeof(*ws->want), want_cmp);
	ws->node = xcalloc(1, sizeof(*ws->node));
	ws->n_nodes = ws->nodes_cap = 1;
	for (size_t i = 0; i < ws->n; i++)
		ws->want[i].node = path_nodes(ws, ws->want[i].path, &last, &last_cap);
	free(last);
}

void base_wants_make(const struct series *series, struct base_wants *ret_wants)
{
	void *seen = NULL, *made = NULL;
	struct base_wants ws = {0};

	for (size_t i = 0; i < series->n_patches; i++) {
		const struct patch *p = &series->patch[i];

		if (!p->diff || (series->total > 1 && p->subject.number != i + 1))
			break;
		patch_wants(p->diff, &seen, &made, &ws);
		if (ws.n >= BASE_WANTS_MAX)
			break;
		patch_made(p->diff, &made);
	}
	tdestroy(seen, keep);
	tdestroy(made, keep);
	wants_index(&ws);
	*ret_wants = ws;
}

void base_wants_done(struct base_wants *w)
{
	free(w->want);
	free(w->node);
	*w = (struct base_wants){0};
}
