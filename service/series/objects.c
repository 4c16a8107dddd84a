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
	git_odb_object *stored; /* read from the repository */
};

struct objects {
	git_odb *odb;
	GHashTable *table;     /* of struct object, by id */
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
	*ret_objects = o;
	return 0;
}

void objects_free(struct objects *o)
{
	if (!o)
		return;
	g_hash_table_unref(o->table);
	git_odb_free(o->odb);
	free(o->added);
	free(o);
}

static int object_load(struct objects *o, const git_oid *id, struct object **ret_object,
		       struct err *err)
{
	char hex[GIT_OID_HEXSZ + 1];
	git_odb_object *stored;
	struct object *obj;

	if (git_odb_read(&stored, o->odb, id) < 0)
		return err_git(err, ERR_INFRA, "cannot read object %s",
			       git_oid_tostr(hex, sizeof(hex), id));
	obj = xcalloc(1, sizeof(*obj));
	obj->id = *id;
	obj->type = git_odb_object_type(stored);
	obj->bytes = (struct bytes){git_odb_object_data(stored), git_odb_object_size(stored)};
	obj->stored = stored;
	g_hash_table_insert(o->table, &obj->id, obj);
	*ret_object = obj;
	return 0;
}

int objects_read(struct objects *o, const git_oid *id, git_object_t type, struct bytes *ret_bytes,
		 struct err *err)
{
	struct object *obj = g_hash_table_lookup(o->table, id);
	char hex[GIT_OID_HEXSZ + 1];
	int rc = obj ? 0 : object_load(o, id, &obj, err);

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
	if (g_hash_table_contains(o->table, &id))
		return 0;
	/* Tiny objects cost more than their bytes. */
	o->total += len + sizeof(*obj) + 64;
	if (o->total > OBJECTS_MAX)
		return err_set(err, ERR_PATCH, "the series writes more than %zu MiB of files",
			       OBJECTS_MAX >> 20);
	obj = xcalloc(1, sizeof(*obj));
	*obj = (struct object){.id = id, .type = type, .bytes = {own, len}, .own = own};
	own = NULL;
	g_hash_table_insert(o->table, &obj->id, obj);
	arr_grow(o->added, o->n_added, o->cap_added);
	o->added[o->n_added++] = obj;
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
		if (!git_odb_exists_ext(o->odb, &obj->id, GIT_ODB_LOOKUP_NO_REFRESH))
			pick[n++] = (struct pack_object){obj->type, obj->bytes};
	}
	return n ? pack_write(repo, pick, n, err) : 0;
}
