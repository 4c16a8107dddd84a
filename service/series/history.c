// SPDX-License-Identifier: GPL-2.0-or-later
#include "series/history.h"

#include "base/str.h"
#include <glib.h>

/* The paths in a commit. */
struct snapshot {
	git_commit *commit;
	struct history_version version[HISTORY_PATHS_MAX];
};

struct walk {
	const struct history_query *q;
	GTree *todo;	  /* of struct snapshot, newest first */
	GHashTable *seen; /* of git_oid */
	size_t looked, changes;
};

static guint oid_hash(gconstpointer p)
{
	guint h;

	memcpy(&h, ((const git_oid *)p)->id, sizeof(h));
	return h;
}

static gboolean oid_equal(gconstpointer a, gconstpointer b)
{
	return git_oid_equal(a, b);
}

static gint newest_first(gconstpointer a, gconstpointer b, gpointer unused)
{
	const struct snapshot *x = a, *y = b;
	git_time_t tx = git_commit_time(x->commit), ty = git_commit_time(y->commit);

	(void)unused;
	if (tx != ty)
		return tx > ty ? -1 : 1;
	return git_oid_cmp(git_commit_id(x->commit), git_commit_id(y->commit));
}

static void snapshot_free(gpointer p)
{
	struct snapshot *s = p;

	git_commit_free(s->commit);
	free(s);
}

/* Takes `commit` over. NULL when its tree cannot be read. */
static struct snapshot *snapshot_new(const struct history_query *q, git_commit *commit)
{
	struct snapshot *s = xcalloc(1, sizeof(*s));
	auto_git(tree) git_tree *tree = NULL;

	s->commit = commit;
	if (git_commit_tree(&tree, commit) < 0) {
		snapshot_free(s);
		return NULL;
	}
	for (size_t i = 0; i < q->n_paths; i++) {
		git_tree_entry *e;

		if (git_tree_entry_bypath(&e, tree, q->path[i]) < 0)
			continue;
		s->version[i] = (struct history_version){(uint32_t)git_tree_entry_filemode_raw(e),
							 *git_tree_entry_id(e)};
		git_tree_entry_free(e);
	}
	return s;
}

static bool version_same(const struct history_version *a, const struct history_version *b)
{
	return a->mode == b->mode && git_oid_equal(&a->id, &b->id);
}

static bool snapshot_same(const struct walk *w, const struct snapshot *a, const struct snapshot *b)
{
	for (size_t i = 0; i < w->q->n_paths; i++) {
		if (!version_same(&a->version[i], &b->version[i]))
			return false;
	}
	return true;
}

static void todo_add(struct walk *w, struct snapshot *s)
{
	const git_oid *id = git_commit_id(s->commit);

	if (g_hash_table_contains(w->seen, id)) {
		snapshot_free(s);
		return;
	}
	g_hash_table_add(w->seen, xmemdup((const char *)id, sizeof(*id)));
	g_tree_insert(w->todo, s, s);
}

/* The parents that could be read; returns how many. */
static unsigned parents_read(struct walk *w, const struct snapshot *s, struct snapshot **ret)
{
	unsigned n = git_commit_parentcount(s->commit), read = 0;

	for (unsigned i = 0; i < n; i++) {
		git_commit *commit;

		w->looked++;
		if (git_commit_parent(&commit, s->commit, i) < 0)
			continue;
		ret[read] = snapshot_new(w->q, commit);
		read += ret[read] != NULL;
	}
	return read;
}

/* Leaves only a parent that agrees with the commit, when there is one. */
static bool parents_narrow(const struct walk *w, const struct snapshot *s, struct snapshot **parent,
			   unsigned *n)
{
	for (unsigned i = 0; i < *n; i++) {
		struct snapshot *same = parent[i];

		if (!snapshot_same(w, s, same))
			continue;
		for (unsigned k = 0; k < *n; k++) {
			if (k != i)
				snapshot_free(parent[k]);
		}
		parent[0] = same;
		*n = 1;
		return true;
	}
	return false;
}

/* One commit; true when the walk ends there. */
static bool step(struct walk *w, const struct snapshot *s)
{
	unsigned n = git_commit_parentcount(s->commit);
	auto_free struct snapshot **parent = xcalloc(n + 1, sizeof(struct snapshot *));
	bool end = false;

	n = parents_read(w, s, parent);
	if (n && !parents_narrow(w, s, parent, &n)) {
		struct history_change change = {s->commit, parent[0]->commit, parent[0]->version,
						s->version};

		w->changes++;
		end = w->q->fn(&change, w->q->arg);
	}
	for (unsigned i = 0; i < n; i++)
		todo_add(w, parent[i]);
	return end;
}

static struct snapshot *todo_take(struct walk *w)
{
	GTreeNode *node = g_tree_node_first(w->todo);
	struct snapshot *s = node ? g_tree_node_value(node) : NULL;

	if (s)
		g_tree_steal(w->todo, s);
	return s;
}

static bool walk_run(struct walk *w, git_commit *tip)
{
	struct snapshot *s = snapshot_new(w->q, tip);
	bool end = false;

	if (s)
		todo_add(w, s);
	while (!end && w->looked < HISTORY_COMMITS_MAX && w->changes < HISTORY_CHANGES_MAX &&
	       (s = todo_take(w))) {
		end = step(w, s);
		snapshot_free(s);
	}
	return end;
}

bool history_walk(const struct history_query *q)
{
	struct walk w = {.q = q};
	git_commit *tip;
	bool end;

	if (git_commit_lookup(&tip, q->repo, &q->tip) < 0)
		return false;
	w.todo = g_tree_new_full(newest_first, NULL, NULL, snapshot_free);
	w.seen = g_hash_table_new_full(oid_hash, oid_equal, free, NULL);
	end = walk_run(&w, tip);
	g_tree_unref(w.todo);
	g_hash_table_unref(w.seen);
	return end;
}
