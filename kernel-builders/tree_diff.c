// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel-builders/tree_diff.h"

#include "base/str.h"
#include <limits.h>
#include <strings.h>

/* The deepest file of Linux is 12 folders down. */
#define DEPTH_MAX 64

struct walk {
	git_repository *repo;
	struct str path; /* folder that is being compared, with a slash at the end unless it is the
			    root */
	unsigned depth;
	struct tree_changes *changes;
};

static int walk_trees(struct walk *w, const git_tree *old, const git_tree *new, struct err *err);

void tree_changes_done(struct tree_changes *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->item[i].path);
	free(c->item);
	*c = (struct tree_changes){0};
}

/* git itself refuses these on checkout; libgit2 hands them out as they are in the object. */
static int name_check(const struct walk *w, const char *name, struct err *err)
{
	if (!*name || strlen(name) > NAME_MAX || strchr(name, '/') || strcmp(name, ".") == 0 ||
	    strcmp(name, "..") == 0 || strcasecmp(name, ".git") == 0 ||
	    !utf8_valid(name, strlen(name)))
		return err_set(err, ERR_INPUT,
			       "the tree has an entry \"%s\" in \"%s\" that is not checked out",
			       name, w->path.buf);
	return 0;
}

static bool is_tree(const git_tree_entry *e)
{
	return e && git_tree_entry_type(e) == GIT_OBJECT_TREE;
}

static void change_add(struct walk *w, const char *name, const git_tree_entry *old,
		       const git_tree_entry *new)
{
	struct tree_changes *c = w->changes;
	struct tree_change *change;

	arr_grow(c->item, c->n, c->cap);
	change = &c->item[c->n++];
	*change = (struct tree_change){.path = xasprintf("%s%s", w->path.buf, name),
				       .old_mode = old ? git_tree_entry_filemode(old) : 0,
				       .new_mode = new ? git_tree_entry_filemode(new) : 0};
	if (new)
		git_oid_cpy(&change->new_id, git_tree_entry_id(new));
}

static int subtree(struct walk *w, const git_tree_entry *e, git_tree **ret, struct err *err)
{
	if (is_tree(e) && git_tree_lookup(ret, w->repo, git_tree_entry_id(e)) < 0)
		return err_git(err, ERR_INFRA, "cannot read folder %s%s", w->path.buf,
			       git_tree_entry_name(e));
	return 0;
}

static int walk_into(struct walk *w, const char *name, const git_tree_entry *old,
		     const git_tree_entry *new, struct err *err)
{
	auto_git(tree) git_tree *old_tree = NULL, *new_tree = NULL;
	size_t len = w->path.len;
	int rc = subtree(w, old, &old_tree, err);

	if (rc == 0)
		rc = subtree(w, new, &new_tree, err);
	if (rc == 0 && w->depth == DEPTH_MAX)
		rc = err_set(err, ERR_INPUT, "the tree has more than %u folders in each other",
			     DEPTH_MAX);
	if (rc < 0)
		return rc;
	w->depth++;
	str_addf(&w->path, "%s/", name);
	rc = walk_trees(w, old_tree, new_tree, err);
	w->path.len = len;
	w->path.buf[len] = '\0';
	w->depth--;
	return rc;
}

/* Either may be NULL. A file that becomes a folder is a file that goes and files that come. */
static int walk_pair(struct walk *w, const git_tree_entry *old, const git_tree_entry *new,
		     struct err *err)
{
	const char *name = git_tree_entry_name(new ? new : old);
	int rc = 0;

	if (old && new &&git_oid_equal(git_tree_entry_id(old), git_tree_entry_id(new)) &&
	    git_tree_entry_filemode(old) == git_tree_entry_filemode(new))
		return 0;
	if (new)
		rc = name_check(w, name, err);
	if (rc == 0 && ((old && !is_tree(old)) || (new && !is_tree(new))))
		change_add(w, name, is_tree(old) ? NULL : old, is_tree(new) ? NULL : new);
	if (rc == 0 && (is_tree(old) || is_tree(new)))
		rc = walk_into(w, name, old, new, err);
	return rc;
}

static int walk_trees(struct walk *w, const git_tree *old, const git_tree *new, struct err *err)
{
	size_t n_old = old ? git_tree_entrycount(old) : 0,
	       n_new = new ? git_tree_entrycount(new) : 0;
	int rc = 0;

	for (size_t i = 0; i < n_new && rc == 0; i++) {
		const git_tree_entry *e = git_tree_entry_byindex(new, i);

		rc = walk_pair(w, old ? git_tree_entry_byname(old, git_tree_entry_name(e)) : NULL,
			       e, err);
	}
	for (size_t i = 0; i < n_old && rc == 0; i++) {
		const git_tree_entry *e = git_tree_entry_byindex(old, i);

		if (!new || !git_tree_entry_byname(new, git_tree_entry_name(e)))
			rc = walk_pair(w, e, NULL, err);
	}
	return rc;
}

int tree_diff(git_repository *repo, const git_oid *old_tree, const git_oid *new_tree,
	      struct tree_changes *ret, struct err *err)
{
	auto_git(tree) git_tree *old = NULL, *new = NULL;
	struct walk w = {.repo = repo, .changes = ret};
	int rc;

	if (old_tree && !git_oid_is_zero(old_tree) && git_tree_lookup(&old, repo, old_tree) < 0)
		return err_git(err, ERR_INFRA, "cannot read tree %s", git_oid_tostr_s(old_tree));
	if (git_tree_lookup(&new, repo, new_tree) < 0)
		return err_git(err, ERR_INFRA, "cannot read tree %s", git_oid_tostr_s(new_tree));
	str_init(&w.path, 0);
	rc = walk_trees(&w, old, new, err);
	str_done(&w.path);
	return rc;
}
