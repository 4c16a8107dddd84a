// SPDX-License-Identifier: GPL-2.0-or-later
#include "series/objects.h"

#include "base/str.h"
#include "series/pack.h"
#include <glib.h>

struct object {
	git_oid id;
	git_object_t type;
	struct bytes bytes;
	char *own;		/* new: these are ours */
	bool aside;		/* see objects_aside() */
	git_odb_object *stored; /* read from the repository */
};

struct objects {
	git_odb *odb;
	GHashTable *table; /* of struct object, by id */
	GTree *order;	   /* of the new ones, by id: for abbreviations */
	bool aside;
	struct object **added; /* the new ones, in order */
	size_t n_added, cap_added;
	size_t total; /* bytes of the new ones */
};

static guint id_hash(gconstpointer p)
{
	guint h;

	memcpy(&h, ((const git_oid *)p)->id, sizeof(h));
	return h;
}

static gboolean id_equal(gconstpointer a, gconstpointer b)
{
	return git_oid_equal(a, b);
}

static gint id_cmp(gconstpointer a, gconstpointer b)
{
	return git_oid_cmp(a, b);
}

static void object_free(gpointer p)
{
	struct object *obj = p;

	free(obj->own);
	git_odb_object_free(obj->stored);
	free(obj);
}

int objects_new(git_repository *repo, struct objects **ret_objects, struct err *err)
{
	git_odb *odb;
	struct objects *o;

	if (git_repository_odb(&odb, repo) < 0)
		return err_git(err, ERR_INFRA, "cannot open the objects of %s",
			       git_repository_path(repo));
	o = xcalloc(1, sizeof(*o));
	o->odb = odb;
	o->table = g_hash_table_new_full(id_hash, id_equal, NULL, object_free);
	o->order = g_tree_new(id_cmp);
	*ret_objects = o;
	return 0;
}

void objects_free(struct objects *o)
{
	if (!o)
		return;
	g_tree_unref(o->order);
	g_hash_table_unref(o->table);
	git_odb_free(o->odb);
	free(o->added);
	free(o);
}

static int stored_header(struct objects *o, const git_oid *id, size_t *ret_size,
			 git_object_t *ret_type, struct err *err)
{
	char hex[GIT_OID_HEXSZ + 1];

	if (git_odb_read_header(ret_size, ret_type, o->odb, id) < 0)
		return err_git(err, ERR_INFRA, "cannot read object %s",
			       git_oid_tostr(hex, sizeof(hex), id));
	return 0;
}

static int stored_read(struct objects *o, const git_oid *id, git_odb_object **ret_stored,
		       struct err *err)
{
	char hex[GIT_OID_HEXSZ + 1];

	if (git_odb_read(ret_stored, o->odb, id) < 0)
		return err_git(err, ERR_INFRA, "cannot read object %s",
			       git_oid_tostr(hex, sizeof(hex), id));
	return 0;
}

static int object_load(struct objects *o, const git_oid *id, struct object **ret_object,
		       struct err *err)
{
	git_odb_object *stored;
	struct object *obj;
	int rc = stored_read(o, id, &stored, err);

	if (rc)
		return rc;
	obj = xcalloc(1, sizeof(*obj));
	obj->id = *id;
	obj->type = git_odb_object_type(stored);
	obj->bytes = (struct bytes){git_odb_object_data(stored), git_odb_object_size(stored)};
	obj->stored = stored;
	g_hash_table_insert(o->table, &obj->id, obj);
	*ret_object = obj;
	return 0;
}

/* A tree is never that large, and its header costs more to find than its few bytes. */
static int blob_is_small(struct objects *o, const git_oid *id, git_object_t type, struct err *err)
{
	size_t size = 0;
	int rc = 0;

	if (type == GIT_OBJECT_BLOB)
		rc = stored_header(o, id, &size, &type, err);
	if (!rc && type == GIT_OBJECT_BLOB && size > OBJECT_FILE_MAX)
		return err_set(err, ERR_PATCH, "the file is larger than %zu MiB",
			       OBJECT_FILE_MAX >> 20);
	return rc;
}

int objects_read(struct objects *o, const git_oid *id, git_object_t type, struct bytes *ret_bytes,
		 struct err *err)
{
	struct object *obj = g_hash_table_lookup(o->table, id);
	char hex[GIT_OID_HEXSZ + 1];
	int rc = 0;

	if (!obj) {
		rc = blob_is_small(o, id, type, err);
		if (!rc)
			rc = object_load(o, id, &obj, err);
	}
	if (rc)
		return rc;
	if (obj->type != type)
		return err_set(err, ERR_INFRA, "object %s is a %s, not a %s",
			       git_oid_tostr(hex, sizeof(hex), id),
			       git_object_type2string(obj->type), git_object_type2string(type));
	*ret_bytes = obj->bytes;
	return 0;
}

int objects_add(struct objects *o, git_object_t type, char *data, size_t len, git_oid *ret_id,
		struct err *err)
{
	auto_free char *own = data;
	struct object *obj;
	git_oid id;

	if (git_odb_hash(&id, own, len, type) < 0)
		return err_git(err, ERR_INFRA, "cannot hash an object of %zu bytes", len);
	*ret_id = id;
	obj = g_hash_table_lookup(o->table, &id);
	if (obj) {
		obj->aside = obj->aside && o->aside;
		return 0;
	}
	/* Tiny objects cost more than their bytes. */
	o->total += len + sizeof(*obj) + 64;
	if (o->total > OBJECTS_MAX)
		return err_set(err, ERR_PATCH, "the series writes more than %zu MiB of files",
			       OBJECTS_MAX >> 20);
	obj = xcalloc(1, sizeof(*obj));
	*obj = (struct object){
		.id = id, .type = type, .bytes = {own, len}, .own = own, .aside = o->aside};
	own = NULL;
	g_hash_table_insert(o->table, &obj->id, obj);
	g_tree_insert(o->order, &obj->id, obj);
	arr_grow(o->added, o->n_added, o->cap_added);
	o->added[o->n_added++] = obj;
	return 0;
}

void objects_aside(struct objects *o, bool on)
{
	o->aside = on;
}

void objects_keep(struct objects *o, const git_oid *id)
{
	struct object *obj = g_hash_table_lookup(o->table, id);

	if (obj)
		obj->aside = false;
}

static const struct object *node_blob(GTreeNode *node, const git_oid *prefix, size_t n)
{
	const struct object *obj = node ? g_tree_node_value(node) : NULL;

	return obj && git_oid_ncmp(&obj->id, prefix, n) == 0 ? obj : NULL;
}

/* Of the new blobs: how many have the prefix, up to two. */
static size_t added_find(struct objects *o, const git_oid *prefix, size_t n, git_oid *ret_id)
{
	GTreeNode *node = g_tree_lower_bound(o->order, prefix);
	const struct object *obj;
	size_t found = 0;

	while (found < 2 && (obj = node_blob(node, prefix, n))) {
		if (obj->type == GIT_OBJECT_BLOB) {
			*ret_id = obj->id;
			found++;
		}
		node = g_tree_node_next(node);
	}
	return found;
}

bool objects_find_blob(struct objects *o, const char *hex, git_oid *ret_id)
{
	git_oid prefix = {{0}}, stored, added;
	size_t n = strlen(hex), ours;
	int rc;

	if (n < GIT_OID_MINPREFIXLEN || git_oid_fromstrn(&prefix, hex, n) < 0)
		return false;
	ours = added_find(o, &prefix, n, &added);
	rc = git_odb_exists_prefix(&stored, o->odb, &prefix, n);
	if (ours > 1 || rc == GIT_EAMBIGUOUS)
		return false;
	if (rc < 0)
		stored = added;
	if ((rc < 0 && !ours) || (ours && !git_oid_equal(&stored, &added)) ||
	    !objects_has_blob(o, &stored))
		return false;
	*ret_id = stored;
	return true;
}

int objects_size(struct objects *o, const git_oid *id, size_t *ret_size, struct err *err)
{
	const struct object *obj = g_hash_table_lookup(o->table, id);
	git_object_t type;

	if (!obj)
		return stored_header(o, id, ret_size, &type, err);
	*ret_size = obj->bytes.len;
	return 0;
}

int objects_visit(struct objects *o, const git_oid *id, void (*fn)(struct bytes bytes, void *arg),
		  void *arg, struct err *err)
{
	const struct object *obj = g_hash_table_lookup(o->table, id);
	git_odb_object *stored = NULL;
	int rc = obj ? 0 : stored_read(o, id, &stored, err);

	if (rc)
		return rc;
	fn(obj ? obj->bytes
	       : (struct bytes){git_odb_object_data(stored), git_odb_object_size(stored)},
	   arg);
	git_odb_object_free(stored);
	return 0;
}

bool objects_has_blob(struct objects *o, const git_oid *id)
{
	const struct object *obj = g_hash_table_lookup(o->table, id);
	git_object_t type = GIT_OBJECT_INVALID;
	size_t len;

	if (obj)
		return obj->type == GIT_OBJECT_BLOB;
	return git_odb_read_header(&len, &type, o->odb, id) == 0 && type == GIT_OBJECT_BLOB;
}

int objects_write_pack(struct objects *o, git_repository *repo, struct err *err)
{
	auto_free struct pack_object *pick = xcalloc(o->n_added, sizeof(*pick));
	size_t n = 0;

	for (size_t i = 0; i < o->n_added; i++) {
		const struct object *obj = o->added[i];

		/* Without looking at the folder again for each of them. */
		if (!obj->aside && !git_odb_exists_ext(o->odb, &obj->id, GIT_ODB_LOOKUP_NO_REFRESH))
			pick[n++] = (struct pack_object){obj->type, obj->bytes};
	}
	return n ? pack_write(repo, pick, n, err) : 0;
}
