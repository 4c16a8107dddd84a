// SPDX-License-Identifier: GPL-2.0-or-later
/* What history says of a patch that does not apply: whether it is in already, and which commit came
 * in between. For people only: the verdict does not depend on it. */
#include "series/apply_run.h"
#include "series/history.h"

#define SUBJECT_MAX 80

/* 'abc123def456 ("mm: change it", 2024-02-29)'. The caller frees. */
static char *commit_name(git_commit *c)
{
	const char *subject = git_commit_summary(c);
	time_t when = git_commit_time(c);
	char hex[13], day[16] = "";
	struct tm tm;

	if (gmtime_r(&when, &tm))
		strftime(day, sizeof(day), "%Y-%m-%d", &tm);
	return xasprintf("%s (\"%.*s\", %s)", git_oid_tostr(hex, sizeof(hex), git_commit_id(c)),
			 SUBJECT_MAX, subject ? subject : "", day);
}

static char *id_name(git_repository *repo, const git_oid *id)
{
	auto_git(commit) git_commit *c = NULL;

	return git_commit_lookup(&c, repo, id) < 0 ? xstrdup("?") : commit_name(c);
}

/* All paths of the patch, both sides of renames; those past the first few do not count. */
static size_t paths_of(const struct diff *d, const char *path[static HISTORY_PATHS_MAX])
{
	size_t n = 0;

	for (size_t i = 0; i < d->n_files && n < HISTORY_PATHS_MAX; i++) {
		const struct diff_file *f = &d->file[i];

		if (f->old_path && f->op != DIFF_COPY)
			path[n++] = f->old_path;
		if (f->new_path && n < HISTORY_PATHS_MAX &&
		    (!f->old_path || strcmp(f->old_path, f->new_path) != 0))
			path[n++] = f->new_path;
	}
	return n;
}

/* Commits that are tried out. */
#define TRIES_MAX 64

struct in_search {
	struct apply_run *run;
	const struct diff *diff;
	const struct history_query *query;
	uint64_t budget;
	unsigned tries;
	git_oid found;
};

/* What the patch made of the parent's files is what the commit has there. */
static bool gives_commit(struct apply_run *trial, const git_oid *tree, struct err *err)
{
	struct path_tree *want = path_tree_new(trial->objects, tree);
	struct path_file **file, *is;
	size_t n;
	bool same = path_tree_changes(trial->tree, &file, &n, err) == 0 && n;

	for (size_t i = 0; same && i < n; i++)
		same = path_tree_get(want, file[i]->path, &is, err) == 0 &&
		       path_version_same(&is->now, &file[i]->now);
	path_tree_free(want);
	return same;
}

/* More than a patch-id can say: it applies to the parent, and gives the commit's files. */
static bool is_the_patch(struct in_search *s, const struct history_change *c)
{
	struct apply_result ignored = {0};
	struct err err = ERR_INIT;
	struct apply_run trial = {
		.objects = s->run->objects,
		.tree = path_tree_new(s->run->objects, git_commit_tree_id(c->parent)),
		.budget = s->budget,
		.ret = &ignored};
	bool same;

	objects_aside(trial.objects, true);
	same = apply_files(&trial, s->diff, &err) == 0 &&
	       gives_commit(&trial, git_commit_tree_id(c->commit), &err);
	objects_aside(trial.objects, false);
	s->budget = trial.budget;
	path_tree_free(trial.tree);
	apply_result_done(&ignored);
	return same;
}

static bool in_search_step(const struct history_change *c, void *arg)
{
	struct in_search *s = arg;

	if (git_commit_parentcount(c->commit) != 1)
		return false;
	for (size_t i = 0; i < s->query->n_paths; i++) {
		if (c->before[i].mode == c->after[i].mode &&
		    git_oid_equal(&c->before[i].id, &c->after[i].id))
			return false;
	}
	if (is_the_patch(s, c)) {
		s->found = *git_commit_id(c->commit);
		return true;
	}
	return ++s->tries == TRIES_MAX;
}

bool explain_find_commit(struct apply_run *run, const struct diff *d, git_oid *ret_id)
{
	const char *path[HISTORY_PATHS_MAX];
	struct history_query q = {.repo = run->repo, .tip = run->base, .path = path};
	struct in_search s = {.run = run, .diff = d, .query = &q, .budget = PLACE_BUDGET / 10};

	q.n_paths = paths_of(d, path);
	q.fn = in_search_step;
	q.arg = &s;
	if (!q.n_paths || !history_walk(&q) || git_oid_is_zero(&s.found))
		return false;
	*ret_id = s.found;
	return true;
}

struct move_search {
	struct apply_run *run;
	const struct diff_file *file;
	const struct diff_hunk *hunk; /* NULL: it is about whether the file is there */
	uint64_t budget;
	git_oid found;
};

static bool hunk_fits(struct move_search *s, const git_oid *blob)
{
	struct err ignored = ERR_INIT;
	struct bytes text;
	struct image img;
	struct place place;
	bool fits;

	if (objects_read(s->run->objects, blob, GIT_OBJECT_BLOB, &text, &ignored))
		return false;
	image_init(&img, text, 0, &s->budget);
	fits = place_find(&img, s->hunk, false, &place) == PLACE_FOUND;
	image_done(&img);
	return fits;
}

/* Could this part of the patch be done on that version? */
static bool version_fits(struct move_search *s, const struct history_version *v)
{
	if (!s->hunk)
		return (v->mode != 0) == (s->file->op != DIFF_CREATE);
	return v->mode && hunk_fits(s, &v->id);
}

static bool move_search_step(const struct history_change *c, void *arg)
{
	struct move_search *s = arg;

	if (!version_fits(s, c->before))
		return !s->budget;
	s->found = *git_commit_id(c->commit);
	return true;
}

static const struct diff_file *failed_file(const struct apply_result *r, const struct diff *d)
{
	for (size_t i = 0; i < d->n_files; i++) {
		if (strcmp(diff_file_path(&d->file[i]), r->failed_path) == 0)
			return &d->file[i];
	}
	return NULL;
}

/* The newest commit of the base that the patch does not know. */
static void moved_by(struct apply_run *run, const struct diff_file *f)
{
	struct apply_result *r = run->ret;
	const char *path = f->op == DIFF_CREATE ? f->new_path : f->old_path;
	struct move_search s = {.run = run, .file = f, .budget = PLACE_BUDGET / 10};
	struct history_query q = {.repo = run->repo, .tip = run->base, .path = &path, .n_paths = 1};

	if (r->failed_hunk)
		s.hunk = &f->hunk[r->failed_hunk - 1];
	q.fn = move_search_step;
	q.arg = &s;
	if (!history_walk(&q) || git_oid_is_zero(&s.found))
		return;
	r->moved_by = s.found;
	auto_free char *name = id_name(run->repo, &s.found);
	evidence_say(r, "%s was last changed there by %s: rebase on or after it", path, name);
}

static void blob_known(struct apply_run *run, const struct diff_file *f)
{
	git_oid id;

	if (f->op != DIFF_CREATE && f->old_id[0] &&
	    !objects_find_blob(run->objects, f->old_id, &id))
		evidence_say(run->ret,
			     "the repository has no blob %.12s, which is %s that the patch was "
			     "made on: it was made on another tree, or on patches before it",
			     f->old_id, f->old_path);
}

static bool already_in(struct apply_run *run, const struct diff *d, struct err *err)
{
	auto_free char *why = xstrdup(err->msg);

	if (!explain_find_commit(run, d, &run->ret->in_as))
		return false;
	auto_free char *name = id_name(run->repo, &run->ret->in_as);
	err_set(err, ERR_PATCH, "it is already in, as %s: %s", name, why);
	return true;
}

void explain_refusal(struct apply_run *run, const struct diff *d, struct err *err)
{
	const struct diff_file *f = run->ret->failed_path ? failed_file(run->ret, d) : NULL;

	if (!f || already_in(run, d, err))
		return;
	blob_known(run, f);
	moved_by(run, f);
}
