// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel-builders/stale.h"

#include "base/fs.h"
#include "base/json.h"
#include "kernel-builders/touched.h"
#include "kernel-builders/tree_diff.h"
#include "kernel-builders/words.h"

/* Which tree was built here last. */
#define LAST "built_tree"

/* Does it say what is built? */
static bool is_recipe(const char *path)
{
	static const char *const beginnings[] = {"Makefile", "Kbuild", "Kconfig", "Platform"};
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;

	for (size_t i = 0; i < array_size(beginnings); i++)
		if (str_starts(name, beginnings[i]))
			return true;
	return str_starts(path, "scripts/") || str_ends(name, ".config") ||
	       str_ends(name, "defconfig") || str_ends(name, ".mk");
}

/* Does such a file differ from that tree? When it is not known, yes. */
static bool may_leave_out(const struct build *b)
{
	auto_tree_changes struct tree_changes changes = {0};
	struct err ignored = ERR_INIT;
	git_oid last;

	if (git_oid_fromstr(&last, json_get_str(b->objects.state, LAST, "")) < 0 ||
	    tree_diff(b->req->repo, &last, &b->tree, &changes, &ignored) < 0)
		return true;
	for (size_t i = 0; i < changes.n; i++)
		if (is_recipe(changes.item[i].path))
			return true;
	return false;
}

/* What make would have to make again: "CC mm/memory.o" and "CHECK mm/memory.c" are mm/memory.o.
 * NULL: the name is not one to hand on. The caller frees. */
static char *target_of(const char *unit)
{
	const char *path = strchr(unit, ' ');
	size_t n = path ? strlen(++path) : 0;

	if (!n || !touched_is_plain(path))
		return NULL;
	return str_starts(unit, "CHECK ") && str_ends(path, ".c")
		       ? xasprintf("%.*s.o", (int)n - 2, path)
		       : xstrdup(path);
}

/* Takes the warnings that are to be forgotten out. */
static void targets_take(struct build *b, struct words *w)
{
	const struct builder *row = b->req->builder;
	json_t *kept = objects_warnings(&b->objects), *list;
	const char *unit;
	void *next;

	json_object_foreach_safe(kept, next, unit, list)
	{
		auto_free char *target = target_of(unit),
			       *path = target ? xasprintf("%s/%s", b->objects.dir, target) : NULL;

		/* Of other series' objects nothing is asked. */
		if (!path || !fs_exists(path) ||
		    (row->touched && b->req->touched && !touched_has_unit(b->req->touched, unit)))
			continue;
		words_add(w, target);
		json_object_del(kept, unit);
	}
}

int stale_remove(struct build *b, struct err *err)
{
	auto_words struct words w = {0};
	char hex[GIT_OID_HEXSZ + 1];
	size_t before;
	int rc = 0;

	words_add(&w, "rm");
	words_add(&w, "-f");
	words_add(&w, "--");
	before = w.n;
	if (may_leave_out(b))
		targets_take(b, &w);
	if (w.n > before)
		rc = build_command(b, &w, err);
	if (rc < 0)
		return rc;
	git_oid_tostr(hex, sizeof(hex), &b->tree);
	json_object_set_new(b->objects.state, LAST, json_string(hex));
	return 0;
}
