// SPDX-License-Identifier: GPL-2.0-or-later
/* One file of a patch: what must be there before, and what is there after. The rules are those of
 * git-apply(1). */
#include "series/apply_run.h"

#include <sys/stat.h>

/* Before the first file of a patch: git lets a file take a place that a later one of the same patch
 * vacates. */
static int files_announce(struct apply_run *run, const struct diff *d, struct err *err)
{
	for (size_t i = 0; i < d->n_files; i++) {
		const struct diff_file *f = &d->file[i];
		struct path_file *old;
		int rc;

		if (f->op != DIFF_DELETE && f->op != DIFF_RENAME)
			continue;
		rc = path_tree_get(run->tree, f->old_path, &old, err);
		if (rc)
			return rc;
		old->fate = PATH_DOOMED;
	}
	return 0;
}

/* A file of the patch with what was found out about it. */
struct file_job {
	const struct diff_file *f;
	enum diff_op op;	     /* f->op, but for f->may_create */
	struct path_file *src, *dst; /* NULL: created; deleted */
	bool before;		     /* src is read as it was before the patch */
	uint32_t src_mode, mode;
	struct bytes old;
};

static bool is_same_type(uint32_t a, uint32_t b)
{
	return (a & S_IFMT) == (b & S_IFMT);
}

static int src_check(const struct file_job *job, const struct path_version *v, struct err *err)
{
	const char *path = job->f->old_path;

	if (v->mode == MODE_SUBMODULE || job->f->old_mode == MODE_SUBMODULE ||
	    job->f->new_mode == MODE_SUBMODULE)
		return err_set(err, ERR_PATCH, "%s is a submodule, which firn does not change",
			       path);
	if (job->f->old_mode && !is_same_type(job->f->old_mode, v->mode))
		return err_set(err, ERR_PATCH, "%s has mode %o in the tree, but %o in the patch",
			       path, v->mode, job->f->old_mode);
	return 0;
}

/*
 * Renames and copies read their source as it was before the patch; other changes go on from what
 * earlier diffs of the patch left, but for a file that a later one deletes: there the deletion has
 * not happened yet.
 */
static int src_find(struct apply_run *run, struct file_job *job, struct err *err)
{
	const struct path_version *v;
	int rc;

	if (job->op == DIFF_CREATE)
		return 0;
	rc = path_tree_get(run->tree, job->f->old_path, &job->src, err);
	if (rc)
		return rc;
	job->before =
		job->op == DIFF_RENAME || job->op == DIFF_COPY || job->src->fate == PATH_DOOMED;
	if (!job->before && job->src->fate == PATH_GONE)
		return err_set(err, ERR_PATCH,
			       "%s was deleted or renamed earlier in the same patch",
			       job->src->path);
	v = job->before ? &job->src->before : &job->src->now;
	if (!v->exists && job->f->may_create) {
		job->op = DIFF_CREATE;
		job->src = NULL;
		return 0;
	}
	if (!v->exists)
		return err_set(err, ERR_PATCH, "%s does not exist in the tree", job->src->path);
	job->src_mode = v->mode;
	rc = src_check(job, v, err);
	return rc ? rc : path_tree_read(run->tree, job->src, job->before, &job->old, err);
}

/* Somebody applied the patch already, perhaps: then the file has what the patch would create. */
static bool has_same(struct apply_run *run, const struct file_job *job)
{
	struct err ignored = ERR_INIT;
	struct bytes is;
	auto_str struct str want;

	str_init(&want, OBJECT_FILE_MAX);
	/* A hunk of its own that fails would leave its traces in the result. */
	if (job->op != DIFF_CREATE || job->f->n_hunks > 1)
		return false;
	return content_patch(run, job->f, job->old, &want, &ignored) == 0 &&
	       path_tree_read(run->tree, job->dst, false, &is, &ignored) == 0 &&
	       is.len == want.len && memcmp(is.data, want.buf, want.len) == 0;
}

static int dst_find(struct apply_run *run, struct file_job *job, struct err *err)
{
	int rc;

	if (job->op == DIFF_DELETE)
		return 0;
	rc = path_tree_get(run->tree, job->f->new_path, &job->dst, err);
	if (rc || job->op == DIFF_MODIFY)
		return rc;
	if (!job->dst->before.exists || job->dst->fate == PATH_DOOMED ||
	    job->dst->fate == PATH_GONE)
		return 0;
	return err_set(err, ERR_PATCH, "%s already exists in the tree%s", job->dst->path,
		       has_same(run, job) ? ", just as the patch would create it" : "");
}

/* As git keeps it: of the permissions only the owner's x counts. */
static uint32_t mode_canon(uint32_t mode)
{
	if (S_ISLNK(mode))
		return S_IFLNK;
	return S_IFREG | (mode & 0100 ? 0755 : 0644);
}

static int mode_find(struct file_job *job, struct err *err)
{
	uint32_t mode = job->f->new_mode ? job->f->new_mode : job->src_mode;

	if (mode == MODE_SUBMODULE)
		return err_set(err, ERR_PATCH, "%s is a submodule, which firn does not change",
			       diff_file_path(job->f));
	if (job->src && job->dst && !is_same_type(mode, job->src_mode))
		return err_set(err, ERR_PATCH,
			       "the new mode %o of %s is another kind of file than %o", mode,
			       job->dst->path, job->src_mode);
	job->mode = mode_canon(mode);
	return 0;
}

static int file_write(struct apply_run *run, const struct file_job *job, struct err *err)
{
	auto_str struct str new;
	int rc;

	str_init(&new, OBJECT_FILE_MAX);
	rc = content_patch(run, job->f, job->old, &new, err);
	if (rc)
		return rc;
	if (job->op == DIFF_DELETE && new.len)
		return err_set(err, ERR_PATCH, "the patch deletes %s but leaves %zu bytes of it",
			       job->src->path, new.len);
	if (job->op == DIFF_DELETE || job->op == DIFF_RENAME)
		path_tree_remove(job->src);
	return job->dst ? path_tree_put(run->tree, job->dst, job->mode, &new, err) : 0;
}

/* A rename, a copy or a new mode, and the contents as they were: a hundred thousand of these in a
 * mail cost no memory. */
static void file_move(const struct file_job *job)
{
	if (job->op == DIFF_RENAME)
		path_tree_remove(job->src);
	path_tree_put_same(job->dst, job->mode, job->src);
}

static int file_finish(struct apply_run *run, const struct file_job *job, struct err *err)
{
	if (job->f->is_binary || job->f->n_hunks || !job->src || !job->dst)
		return file_write(run, job, err);
	file_move(job);
	return 0;
}

static int file_apply(struct apply_run *run, const struct diff_file *f, struct err *err)
{
	struct file_job job = {.f = f, .op = f->op, .old = {"", 0}};
	int rc = src_find(run, &job, err);

	if (!rc)
		rc = dst_find(run, &job, err);
	if (!rc)
		rc = mode_find(&job, err);
	if (!rc)
		rc = file_finish(run, &job, err);
	if (rc == ERR_PATCH && !run->ret->failed_path)
		run->ret->failed_path = xstrdup(diff_file_path(f));
	return rc;
}

int apply_files(struct apply_run *run, const struct diff *d, struct err *err)
{
	int rc = files_announce(run, d, err);

	for (size_t i = 0; !rc && i < d->n_files; i++)
		rc = file_apply(run, &d->file[i], err);
	return rc;
}
