// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel-builders/line_map.h"

#include "base/cleanup.h"
#include "base/str.h"
#include "kernel-builders/tree_diff.h"

void line_map_done(struct line_map *m)
{
	for (size_t i = 0; i < m->n; i++) {
		free(m->file[i].old_path);
		free(m->file[i].new_path);
		free(m->file[i].hunk);
	}
	free(m->file);
	*m = (struct line_map){0};
}

static struct line_file *file_add(struct line_map *m, const char *old_path, const char *new_path)
{
	struct line_file *f;

	arr_grow(m->file, m->n, m->cap);
	f = &m->file[m->n++];
	*f = (struct line_file){.old_path = old_path ? xstrdup(old_path) : NULL,
				.new_path = new_path ? xstrdup(new_path) : NULL};
	return f;
}

static void hunk_add(struct line_file *f, const struct line_hunk *hunk)
{
	arr_grow(f->hunk, f->n, f->cap);
	f->hunk[f->n++] = *hunk;
}

static bool same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

void line_map_add(struct line_map *m, const char *old_path, const char *new_path,
		  const struct line_hunk *hunk)
{
	struct line_file *f = m->n ? &m->file[m->n - 1] : NULL;

	if (!f || !same(f->old_path, old_path) || !same(f->new_path, new_path))
		f = file_add(m, old_path, new_path);
	if (hunk)
		hunk_add(f, hunk);
}

static int on_hunk(const git_diff_delta *delta, const git_diff_hunk *h, void *payload)
{
	const struct line_hunk hunk = {
		.old_start = (unsigned)h->old_start,
		.old_count = (unsigned)h->old_lines,
		.new_start = (unsigned)h->new_start,
		.new_count = (unsigned)h->new_lines,
	};

	(void)delta;
	hunk_add(payload, &hunk);
	return 0;
}

static git_blob *blob_at(git_repository *repo, const git_tree *tree, const char *path)
{
	git_tree_entry *e = NULL;
	git_blob *blob = NULL;

	if (path && git_tree_entry_bypath(&e, tree, path) == 0 &&
	    git_tree_entry_type(e) == GIT_OBJECT_BLOB &&
	    git_blob_lookup(&blob, repo, git_tree_entry_id(e)) < 0)
		blob = NULL;
	git_tree_entry_free(e);
	return blob;
}

struct trees {
	git_repository *repo;
	git_tree *old, *new;
};

static int file_map(struct line_map *m, const struct trees *t, const char *old_path,
		    const char *new_path, struct err *err)
{
	auto_git(blob) git_blob *old = blob_at(t->repo, t->old, old_path);
	auto_git(blob) git_blob *new = blob_at(t->repo, t->new, new_path);
	struct line_file *f = file_add(m, old ? old_path : NULL, new ? new_path : NULL);
	git_diff_options opt;

	if (!old || !new)
		return 0;
	if (git_diff_options_init(&opt, GIT_DIFF_OPTIONS_VERSION) < 0)
		return err_git(err, ERR_INFRA, "cannot compare %s", new_path);
	opt.context_lines = 0;
	if (git_diff_blobs(old, NULL, new, NULL, &opt, NULL, NULL, on_hunk, NULL, f) < 0)
		return err_git(err, ERR_INFRA, "cannot compare %s", new_path);
	return 0;
}

static const struct line_rename *rename_of(const struct line_map_spec *spec, const char *path,
					   bool is_new)
{
	for (size_t i = 0; i < spec->n_renames; i++)
		if (same(is_new ? spec->rename[i].new_path : spec->rename[i].old_path, path))
			return &spec->rename[i];
	return NULL;
}

static int changes_map(const struct line_map_spec *spec, const struct trees *t,
		       struct line_map *ret, struct err *err)
{
	auto_tree_changes struct tree_changes changes = {0};
	int rc = tree_diff(spec->repo, &spec->old_tree, &spec->new_tree, &changes, err);

	for (size_t i = 0; rc == 0 && i < changes.n; i++) {
		const struct tree_change *c = &changes.item[i];
		const struct line_rename *r =
			c->old_mode && c->new_mode ? NULL : rename_of(spec, c->path, c->new_mode);

		if (r && !c->new_mode)
			continue; /* with its new name */
		rc = file_map(ret, t, r ? r->old_path : c->path, c->path, err);
	}
	return rc;
}

int line_map_make(const struct line_map_spec *spec, struct line_map *ret, struct err *err)
{
	auto_git(tree) git_tree *old = NULL, *new = NULL;

	if (git_tree_lookup(&old, spec->repo, &spec->old_tree) < 0 ||
	    git_tree_lookup(&new, spec->repo, &spec->new_tree) < 0)
		return err_git(err, ERR_INFRA, "cannot read the trees to compare");
	return changes_map(spec, &(struct trees){spec->repo, old, new}, ret, err);
}

/* A hunk that only adds stands behind old_start: git-diff(1). */
static unsigned line_forward(const struct line_file *f, unsigned line)
{
	long moved = 0;

	for (size_t i = 0; i < f->n; i++) {
		const struct line_hunk *h = &f->hunk[i];
		unsigned first = h->old_count ? h->old_start : h->old_start + 1;

		if (line < first)
			break;
		if (line < first + h->old_count)
			return 0;
		moved += (long)h->new_count - (long)h->old_count;
	}
	return (unsigned)((long)line + moved);
}

unsigned line_map_forward(const struct line_map *m, const char *path, unsigned line,
			  const char **ret_path)
{
	for (size_t i = 0; i < m->n; i++) {
		const struct line_file *f = &m->file[i];

		if (!same(f->old_path, path))
			continue;
		*ret_path = f->new_path;
		return line && f->new_path ? line_forward(f, line) : 0;
	}
	*ret_path = path;
	return line;
}
