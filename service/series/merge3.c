// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The 3-way merge of `git am -3`. The blobs that the index lines name make a tree of only the files
 * that the patch touches (git calls it a fake ancestor). The patch is applied to that, and what it
 * does there is merged into the tree that we have, file by file: git-merge(1)'s rules, with renames
 * on either side.
 */
#include "series/merge3_file.h"
#include "series/relocate.h"
#include "series/tree_walk.h"

struct merge3 {
	struct apply_run *run;
	const struct diff *diff;
	struct path_tree *theirs; /* the fake ancestor before, the patch's result now */
	struct path_file **file;  /* what the patch changes there */
	size_t n;
	bool *done;	       /* of `file`: a rename took care of it */
	struct tree_walk ours; /* our files that the ancestor does not have; made when needed */
	size_t *moved;	       /* of `file`: to which of `ours` it went; NULL: not known yet */
};

/* What a path is in the ancestor; for a change of the mode or name alone, whatever it is here. */
static int ancestor_blob(struct merge3 *m, const struct diff_file *f, git_oid *ret_id,
			 struct err *err)
{
	struct path_file *here;
	int rc;

	if (f->old_mode == MODE_SUBMODULE)
		return err_set(err, ERR_PATCH, "%s is a submodule", f->old_path);
	if (objects_find_blob(m->run->objects, f->old_id, ret_id))
		return 0;
	if (f->n_hunks || f->is_binary)
		return f->old_id[0] ? err_set(err, ERR_PATCH, "the repository has no blob %s of %s",
					      f->old_id, f->old_path)
				    : err_set(err, ERR_PATCH, "the diff has no index line for %s",
					      f->old_path);
	rc = path_tree_get(m->run->tree, f->old_path, &here, err);
	if (!rc && !here->now.exists)
		rc = err_set(err, ERR_PATCH, "%s does not exist in the tree", f->old_path);
	if (rc)
		return rc;
	*ret_id = here->now.id;
	return 0;
}

static int ancestor_make(struct merge3 *m, const struct diff *d, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < d->n_files; i++) {
		const struct diff_file *f = &d->file[i];
		struct path_file *file;
		git_oid id;

		if (f->op == DIFF_CREATE)
			continue;
		rc = ancestor_blob(m, f, &id, err);
		if (!rc)
			rc = path_tree_get(m->theirs, f->old_path, &file, err);
		if (rc)
			return rc;
		path_tree_point(file, f->old_mode ? f->old_mode : 0100644, &id);
		path_tree_settled(file);
	}
	return rc;
}

static int theirs_make(struct merge3 *m, const struct diff *d, struct err *err)
{
	struct apply_result ignored = {0};
	struct apply_run side = {.repo = m->run->repo,
				 .objects = m->run->objects,
				 .tree = m->theirs,
				 .budget = m->run->budget,
				 .ret = &ignored};
	int rc = ancestor_make(m, d, err);

	if (!rc) {
		rc = apply_files(&side, d, err);
		if (rc == ERR_PATCH)
			rc = err_wrap(err, "the patch does not fit its own index lines");
	}
	m->run->budget = side.budget;
	m->run->now.hunks = side.now.hunks;
	m->run->now.offset_hunks = side.now.offset_hunks;
	apply_result_done(&ignored);
	return rc ? rc : path_tree_changes(m->theirs, &m->file, &m->n, err);
}

/* The files of the ancestor that are not in their place here. */
static int lost_list(struct merge3 *m, struct relocate_file *lost, size_t *at, size_t *ret_n,
		     struct err *err)
{
	size_t n = 0;
	int rc = 0;

	for (size_t i = 0; !rc && i < m->n; i++) {
		const struct path_file *f = m->file[i];
		struct path_file *here;

		rc = path_tree_get(m->run->tree, f->path, &here, err);
		if (rc || here->before.exists || !f->before.exists)
			continue;
		at[n] = i;
		lost[n++] = (struct relocate_file){f->path, f->before.mode, f->before.id, false};
	}
	*ret_n = n;
	return rc;
}

static int moved_find(struct merge3 *m, struct err *err)
{
	auto_free struct relocate_file *lost = xcalloc(m->n + 1, sizeof(*lost));
	auto_free size_t *at = xcalloc(m->n + 1, sizeof(*at));
	auto_free size_t *to = xcalloc(m->n + 1, sizeof(*to));
	struct relocate where = {.objects = m->run->objects, .budget = &m->run->budget};
	size_t n;
	int rc = lost_list(m, lost, at, &n, err);

	if (!rc)
		rc = tree_walk_without(&m->ours, m->run->objects, path_tree_root(m->run->tree),
				       m->theirs, err);
	where.candidate = m->ours.file;
	where.n = m->ours.n;
	if (!rc)
		rc = relocate_find(&where, lost, n, to, err);
	if (rc)
		return rc;
	m->moved = xcalloc(m->n + 1, sizeof(*m->moved));
	for (size_t k = 0; k < n; k++)
		m->moved[at[k]] = to[k];
	return 0;
}

/* Where git would say that our side has moved a file that is not in its place. `*ret_file` is NULL
 * when it is gone. */
static int ours_moved(struct merge3 *m, size_t i, struct path_file **ret_file, struct err *err)
{
	int rc = m->moved ? 0 : moved_find(m, err);

	if (rc)
		return rc;
	*ret_file = NULL;
	return m->moved[i] == RELOCATE_NONE
		       ? 0
		       : path_tree_get(m->run->tree, m->ours.file[m->moved[i]].path, ret_file, err);
}

static int missing_merge(struct merge3 *m, size_t i, struct err *err)
{
	const struct path_file *f = m->file[i];
	struct sides s = {.base = f->before, .theirs = f->now};
	int rc = ours_moved(m, i, &s.into, err);

	if (rc)
		return rc;
	/* Both sides have deleted it. */
	if (!s.into && !f->now.exists)
		return 0;
	if (!s.into)
		return err_set(err, ERR_PATCH, "%s is not in the tree any more", f->path);
	if (!f->now.exists)
		return err_set(err, ERR_PATCH, "%s was moved to %s, and the patch deletes it",
			       f->path, s.into->path);
	s.ours = s.into->before;
	return merge3_contents(m->run, &s, err);
}

static int created_merge(struct merge3 *m, struct path_file *here, const struct path_file *f,
			 struct err *err)
{
	if (!here->now.exists)
		merge3_put(m->run, here, f->now.mode, &f->now.id);
	else if (!path_version_same(&here->now, &f->now))
		return err_set(err, ERR_PATCH, "%s exists in the tree, with other contents",
			       f->path);
	return 0;
}

static int file_merge(struct merge3 *m, size_t i, struct err *err)
{
	const struct path_file *f = m->file[i];
	struct path_file *here;
	int rc = path_tree_get(m->run->tree, f->path, &here, err);

	if (rc)
		return rc;
	m->run->now.merged_files += !path_version_same(&here->before, &f->before);
	if (!f->before.exists)
		return created_merge(m, here, f, err);
	if (!here->before.exists)
		return missing_merge(m, i, err);
	if (f->now.exists)
		return merge3_contents(m->run,
				       &(struct sides){f->before, here->before, f->now, here}, err);
	if (!path_version_same(&here->before, &f->before))
		return err_set(err, ERR_PATCH, "the patch deletes %s, which has changed since",
			       f->path);
	path_tree_remove(here);
	return 0;
}

/* The patch moves file `i` to `k`; what we have of it goes along. */
static int renamed_merge(struct merge3 *m, size_t i, size_t k, struct err *err)
{
	const struct path_file *from = m->file[i], *to = m->file[k];
	struct sides s = {.base = from->before, .theirs = to->now};
	struct path_file *here, *moved;
	int rc = path_tree_get(m->run->tree, from->path, &here, err);

	if (!rc)
		rc = path_tree_get(m->run->tree, to->path, &s.into, err);
	if (rc)
		return rc;
	m->run->now.merged_files += !path_version_same(&here->before, &from->before);
	if (here->before.exists) {
		if (s.into->before.exists && !path_version_same(&s.into->before, &to->now))
			return err_set(err, ERR_PATCH, "%s exists in the tree already", to->path);
		path_tree_remove(here);
		s.ours = here->before;
		return s.into->before.exists ? 0 : merge3_contents(m->run, &s, err);
	}
	rc = ours_moved(m, i, &moved, err);
	if (rc)
		return rc;
	if (moved != s.into)
		return err_set(err, ERR_PATCH, "%s is not in the tree any more", from->path);
	s.ours = moved->before;
	return merge3_contents(m->run, &s, err);
}

static int by_path(const void *a, const void *b)
{
	return strcmp((*(struct path_file *const *)a)->path, (*(struct path_file *const *)b)->path);
}

static size_t changed_find(const struct merge3 *m, const char *path)
{
	struct path_file key = {.path = (char *)path}, *want = &key,
			 **found = bsearch(&want, m->file, m->n, sizeof(want), by_path);

	return found ? (size_t)(found - m->file) : SIZE_MAX;
}

/* Candidate `i` is file `i`; a NULL path is none. */
static struct relocate_file *created_list(const struct merge3 *m)
{
	struct relocate_file *list = xcalloc(m->n + 1, sizeof(*list));

	for (size_t i = 0; i < m->n; i++) {
		const struct path_file *f = m->file[i];

		if (!f->before.exists)
			list[i] = (struct relocate_file){f->path, f->now.mode, f->now.id, false};
	}
	return list;
}

static bool is_deleted(const struct merge3 *m, size_t i)
{
	return m->file[i]->before.exists && !m->file[i]->now.exists && !m->done[i];
}

static int pair_merge(struct merge3 *m, size_t from, size_t to, struct err *err)
{
	m->done[from] = m->done[to] = true;
	return renamed_merge(m, from, to, err);
}

/* A rename that the patch itself names is one to git, too, when the files are alike. */
static int rename_declared(struct merge3 *m, struct relocate_file *created,
			   const struct diff_file *f, struct err *err)
{
	size_t from = changed_find(m, f->old_path), to = changed_find(m, f->new_path), hit;
	struct relocate where = {m->run->objects, NULL, 1, &m->run->budget};
	struct relocate_file lost;
	int rc;

	if (from == SIZE_MAX || to == SIZE_MAX || !is_deleted(m, from))
		return 0;
	where.candidate = &created[to];
	lost = (struct relocate_file){f->old_path, m->file[from]->before.mode,
				      m->file[from]->before.id, false};
	rc = relocate_find(&where, &lost, 1, &hit, err);
	return rc || hit == RELOCATE_NONE ? rc : pair_merge(m, from, to, err);
}

/* Those that the patch does not name: git looks for itself. */
static int renames_found(struct merge3 *m, struct relocate_file *created, struct err *err)
{
	auto_free struct relocate_file *lost = xcalloc(m->n + 1, sizeof(*lost));
	auto_free size_t *from = xcalloc(m->n + 1, sizeof(*from));
	auto_free size_t *to = xcalloc(m->n + 1, sizeof(*to));
	struct relocate where = {m->run->objects, created, m->n, &m->run->budget};
	size_t n = 0;
	int rc;

	for (size_t i = 0; i < m->n; i++) {
		if (!is_deleted(m, i))
			continue;
		from[n] = i;
		lost[n++] = (struct relocate_file){m->file[i]->path, m->file[i]->before.mode,
						   m->file[i]->before.id, false};
	}
	rc = relocate_find(&where, lost, n, to, err);
	for (size_t k = 0; !rc && k < n; k++) {
		if (to[k] != RELOCATE_NONE)
			rc = pair_merge(m, from[k], to[k], err);
	}
	return rc;
}

static int renames_merge(struct merge3 *m, struct err *err)
{
	auto_free struct relocate_file *created = created_list(m);
	int rc = 0;

	for (size_t i = 0; !rc && i < m->diff->n_files; i++) {
		if (m->diff->file[i].op == DIFF_RENAME)
			rc = rename_declared(m, created, &m->diff->file[i], err);
	}
	return rc ? rc : renames_found(m, created, err);
}

static int files_merge(struct merge3 *m, struct err *err)
{
	int rc;

	/* In an order of git's, for renames: the first of two that fit is taken. */
	qsort(m->file, m->n, sizeof(struct path_file *), by_path);
	m->done = xcalloc(m->n + 1, sizeof(*m->done));
	rc = renames_merge(m, err);
	for (size_t i = 0; !rc && i < m->n; i++) {
		if (!m->done[i])
			rc = file_merge(m, i, err);
	}
	return rc;
}

int merge3_patch(struct apply_run *run, const struct diff *d, struct err *err)
{
	struct merge3 m = {.run = run, .diff = d, .theirs = path_tree_new(run->objects, NULL)};
	int rc;

	objects_aside(run->objects, true);
	rc = theirs_make(&m, d, err);
	objects_aside(run->objects, false);
	if (!rc)
		rc = files_merge(&m, err);
	tree_walk_done(&m.ours);
	path_tree_free(m.theirs);
	free(m.done);
	free(m.moved);
	return rc;
}
