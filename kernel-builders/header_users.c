// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel-builders/header_users.h"

#include "base/cleanup.h"
#include "base/json.h"
#include "base/str.h"
#include "kernel-builders/header.h"
#include "kernel-builders/touched.h"

#define SOURCES_MAX 300000 /* Linux has 60,000 */
#define SOURCE_MAX  ((size_t)1 << 20)
#define FOLDERS_MAX 64 /* in each other */
/* A header that only headers include: those are followed so often, and so many of them. */
#define ROUNDS_MAX 3
/* Of what may be read for a header, as much in each round at most. */
#define ROUND_SHARE 4
#define TARGETS_MAX USERS_OF_ONE /* they share an array */

struct source {
	char *path;
	git_oid id;
	bool is_header;
	char *includes; /* NULL: not read yet */
};

struct search {
	const struct builder *row;
	git_repository *repo;
	git_odb *odb;
	struct source *item; /* sorted by path */
	size_t n, cap;
	size_t bytes; /* that may still be read */
};

static void search_done(struct search *s)
{
	for (size_t i = 0; i < s->n; i++) {
		free(s->item[i].path);
		free(s->item[i].includes);
	}
	free(s->item);
	git_odb_free(s->odb);
}

/* Would the row make an object of it? A header is taken as if it were a source. */
static bool is_buildable(const struct builder *row, const char *path, bool is_header)
{
	size_t n = strlen(path);
	auto_free char *source = is_header ? xasprintf("%.*s.c", (int)n - 2, path) : xstrdup(path);
	auto_free char *object = touched_object(source);

	return object && (builder_path_areas(row->arch, path) & row->areas);
}

static int tree_entry(const char *folder, const git_tree_entry *e, void *ctx)
{
	static const char *const without[] = {"Documentation", "tools", "scripts", "samples"};
	struct search *s = ctx;
	const char *name = git_tree_entry_name(e);
	bool is_header = str_ends(name, ".h");
	auto_free char *path = NULL;

	for (size_t i = 0; !*folder && i < array_size(without); i++)
		if (strcmp(name, without[i]) == 0)
			return 1;
	if (git_tree_entry_type(e) == GIT_OBJECT_TREE) {
		size_t depth = 0;

		for (const char *p = folder; *p; p++)
			depth += *p == '/';
		return depth >= FOLDERS_MAX;
	}
	if (git_tree_entry_type(e) != GIT_OBJECT_BLOB ||
	    git_tree_entry_filemode(e) == GIT_FILEMODE_LINK || s->n >= SOURCES_MAX ||
	    (!is_header && !str_ends(name, ".c") && !str_ends(name, ".S")))
		return 0;
	path = xasprintf("%s%s", folder, name);
	if (!is_buildable(s->row, path, is_header))
		return 0;
	arr_grow(s->item, s->n, s->cap);
	s->item[s->n] = (struct source){.path = take(path), .is_header = is_header};
	git_oid_cpy(&s->item[s->n++].id, git_tree_entry_id(e));
	return 0;
}

static int source_compare(const void *a, const void *b)
{
	return strcmp(((const struct source *)a)->path, ((const struct source *)b)->path);
}

static int search_open(const git_oid *tree_id, struct search *s, struct err *err)
{
	auto_git(tree) git_tree *tree = NULL;

	if (git_repository_odb(&s->odb, s->repo) < 0 ||
	    git_tree_lookup(&tree, s->repo, tree_id) < 0 ||
	    git_tree_walk(tree, GIT_TREEWALK_PRE, tree_entry, s) < 0)
		return err_git(err, ERR_INFRA, "cannot read the tree for users of headers");
	if (s->n)
		qsort(s->item, s->n, sizeof(*s->item), source_compare);
	return 0;
}

/* A file; or with a slash at the end a folder with sources. */
static bool search_has(void *ctx, const char *path)
{
	const struct search *s = ctx;
	size_t low = 0, high = s->n, n = strlen(path);

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (strcmp(s->item[mid].path, path) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == s->n)
		return false;
	return n && path[n - 1] == '/' ? str_starts(s->item[low].path, path)
				       : strcmp(s->item[low].path, path) == 0;
}

/* NULL: it is not read, since enough has been. */
static const char *includes_of(struct search *s, struct source *source, size_t *room)
{
	auto_git(blob) git_blob *blob = NULL;
	git_object_t type;
	size_t n = 0;

	if (source->includes)
		return source->includes;
	if (git_odb_read_header(&n, &type, s->odb, &source->id) < 0 || n > SOURCE_MAX) {
		source->includes = xstrdup("");
		return source->includes;
	}
	if (n > s->bytes || n > *room || git_blob_lookup(&blob, s->repo, &source->id) < 0)
		return NULL;
	s->bytes -= n;
	*room -= n;
	source->includes = header_includes(git_blob_rawcontent(blob), n);
	return source->includes;
}

struct place {
	unsigned distance;
	unsigned index;
};

/* For one header: what includes it, or what includes that. */
struct hunt {
	struct search *s;
	const char *path;
	struct header target[TARGETS_MAX];
	size_t n_targets;
	size_t share, room; /* bytes that may be read in a round; that are left of it */
};

static int place_compare(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return x->distance != y->distance
		       ? (x->distance > y->distance) - (x->distance < y->distance)
		       : (x->index > y->index) - (x->index < y->index);
}

/* Where a header is at home whose folder says nothing: where a source is that is named like it, as
 * mm/memory_hotplug.c is for include/linux/memory_hotplug.h. The caller frees. */
static char *home_of(const struct hunt *h)
{
	const struct search *s = h->s;
	auto_free char *home = header_home(h->path, search_has, h->s);

	for (size_t i = 0; i < s->n && !*home; i++) {
		const char *path = s->item[i].path, *slash = strrchr(path, '/');

		if (!s->item[i].is_header && slash && header_is_namesake(h->path, path))
			return xmemdup(path, (size_t)(slash - path) + 1);
	}
	return take(home);
}

/* Headers, or others, the nearest first. Headers are near to those beside them. The caller frees.
 */
static struct place *places_make(const struct hunt *h, bool headers, size_t *ret_n)
{
	const struct search *s = h->s;
	const char *slash = strrchr(h->path, '/');
	auto_free char *home =
		headers ? xmemdup(h->path, (size_t)(slash - h->path) + 1) : home_of(h);
	struct place *place = xcalloc(s->n + 1, sizeof(*place));
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		if (s->item[i].is_header == headers)
			place[n++] = (struct place){header_distance(h->path, home, s->item[i].path),
						    (unsigned)i};
	if (n)
		qsort(place, n, sizeof(*place), place_compare);
	*ret_n = n;
	return place;
}

static bool includes_any(struct hunt *h, struct source *source)
{
	const char *includes = includes_of(h->s, source, &h->room);

	for (size_t i = 0; includes && i < h->n_targets; i++)
		if (header_is_included(&h->target[i], source->path, includes, search_has, h->s))
			return true;
	return false;
}

/* At most `most` that include one of the targets; headers or others. Indexes of sources. */
static size_t hunt_round(struct hunt *h, bool headers, size_t most, unsigned *ret)
{
	size_t n = 0, n_places = 0;
	auto_free struct place *place = places_make(h, headers, &n_places);

	h->room = h->share;
	for (size_t i = 0; i < n_places && n < most; i++)
		if (includes_any(h, &h->s->item[place[i].index]))
			ret[n++] = place[i].index;
	return n;
}

static json_t *hunt_sources(struct hunt *h, size_t most)
{
	json_t *list = json_array();
	unsigned found[USERS_OF_ONE];
	size_t n = 0;

	for (unsigned round = 0; round < ROUNDS_MAX; round++) {
		/* The last round has what the ones before left. */
		n = hunt_round(h, false, most, found);
		if (n)
			break;
		h->n_targets = hunt_round(h, true, TARGETS_MAX, found);
		for (size_t i = 0; i < h->n_targets; i++)
			h->target[i] = header_of(h->s->item[found[i]].path);
	}
	for (size_t i = 0; i < n; i++)
		json_array_append_new(list, json_text(h->s->item[found[i]].path));
	return list;
}

/* Of so many headers in all; with this one so many are `left`. */
static json_t *users_of(struct search *s, const char *path, size_t n_headers, size_t left)
{
	size_t share = USERS_OF_ALL / n_headers;
	struct hunt h = {.s = s,
			 .path = path,
			 .target = {header_of(path)},
			 .n_targets = 1,
			 .share = s->bytes / left / ROUND_SHARE};

	return share ? hunt_sources(&h, share < USERS_OF_ONE ? share : USERS_OF_ONE) : json_array();
}

static bool is_wanted(struct search *s, const char *path)
{
	return str_ends(path, ".h") && search_has(s, path);
}

int header_users_find(const struct builder *b, git_repository *repo, const git_oid *tree,
		      const char *const *paths, json_t **ret, struct err *err)
{
	__attribute__((cleanup(search_done))) struct search s = {
		.row = b, .repo = repo, .bytes = USERS_BYTES};
	json_t *list;
	size_t n = 0;
	bool any = false;

	for (const char *const *p = paths; *p && !any; p++)
		any = str_ends(*p, ".h");
	if (any) {
		int rc = search_open(tree, &s, err);

		if (rc < 0)
			return rc;
	}
	for (const char *const *p = paths; *p; p++)
		n += is_wanted(&s, *p);
	list = json_array();
	for (const char *const *p = paths; *p; p++) {
		size_t left = n - json_array_size(list);

		if (is_wanted(&s, *p))
			json_array_append_new(list,
					      json_pack("{s:o, s:o}", "header", json_text(*p),
							"sources", users_of(&s, *p, n, left)));
	}
	*ret = list;
	return 0;
}
