// SPDX-License-Identifier: GPL-2.0-or-later
/* HEAD and the other branches, when nothing else says where a series belongs. */
#include "series/base_pick_run.h"

/* Branches that are looked at. */
#define BRANCHES_MAX 200

static char *head_name(git_repository *user, const git_reference *head)
{
	if (git_repository_head_detached(user) == 1)
		return xstrdup("HEAD of the tree, which is on no branch");
	return xasprintf("head of %s", git_reference_shorthand(head));
}

int base_head_get(git_repository *user, struct base_head *ret_head, struct err *err)
{
	auto_git(object) git_object *commit = NULL;
	const char *path = git_repository_path(user);
	git_reference *head;
	int rc = git_repository_head(&head, user);

	if (rc == GIT_EUNBORNBRANCH || rc == GIT_ENOTFOUND)
		return err_set(err, ERR_CONFIG,
			       "%s has no commit on its branch yet: commit the tree, or give one "
			       "with --base",
			       path);
	if (rc < 0)
		return err_git(err, ERR_CONFIG, "cannot read HEAD of %s", path);
	rc = git_reference_peel(&commit, head, GIT_OBJECT_COMMIT);
	if (rc == 0)
		*ret_head = (struct base_head){*git_object_id(commit), head_name(user, head)};
	git_reference_free(head);
	if (rc < 0)
		return err_git(err, ERR_CONFIG, "cannot read the head commit of %s", path);
	return 0;
}

static bool files_of(struct base_pick_run *r, const git_oid *id, size_t *ret_files)
{
	auto_git(commit) git_commit *commit = NULL;
	struct base_score score;

	if (git_commit_lookup(&commit, r->rq->user, id) < 0)
		return false;
	base_search_tree(r->search, git_commit_tree_id(commit), &score);
	*ret_files = score.others;
	return true;
}

/* The first branch that has more of the series' files than `*best`. */
static void branch_better(struct base_pick_run *r, struct base_head *best, size_t files)
{
	git_branch_iterator *it;
	git_reference *ref;
	git_branch_t type;

	if (git_branch_iterator_new(&it, r->rq->user, GIT_BRANCH_ALL) < 0)
		return;
	for (size_t i = 0; i < BRANCHES_MAX && git_branch_next(&ref, &type, it) == 0; i++) {
		const git_oid *id = git_reference_target(ref);
		size_t n;

		if (id && files_of(r, id, &n) && n > files) {
			files = n;
			free(best->name);
			*best = (struct base_head){
				*id, xasprintf("head of %s", git_reference_shorthand(ref))};
		}
		git_reference_free(ref);
	}
	git_branch_iterator_free(it);
}

static char *rest_words(const struct base_pick_run *r)
{
	if (r->rq->series->base_commit)
		return xstrdup("the series' own base is not here");
	if (!r->wants.n_blobs)
		return xstrdup("the series names no base");
	return xasprintf("none of the series' %zu blob%s is in a commit known here",
			 r->wants.n_blobs, r->wants.n_blobs == 1 ? "" : "s");
}

int base_branch(struct base_pick_run *r, struct err *err)
{
	size_t n_others = r->wants.n - r->wants.n_blobs, files = 0;
	struct base_head head = {0}, best;
	auto_free char *rest = rest_words(r);
	int rc = base_head_get(r->rq->user, &head, err);

	if (rc)
		return rc;
	best = (struct base_head){head.commit, xstrdup(head.name)};
	if (files_of(r, &head.commit, &files) && files < n_others) {
		branch_better(r, &best, files);
		base_tried(r, "%s has %zu of %zu files as the series must find them", head.name,
			   files, n_others);
	}
	if (base_choice_set(r, &best.commit, BASE_BRANCH))
		r->c.why = xasprintf("%s; %s", best.name, rest);
	else
		rc = err_git(err, ERR_CONFIG, "cannot read the head commit of %s",
			     git_repository_path(r->rq->user));
	free(head.name);
	free(best.name);
	return rc;
}
