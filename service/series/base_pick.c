// SPDX-License-Identifier: GPL-2.0-or-later
#include "series/base_pick.h"

#include "base/str.h"
#include "series/repo.h"

/* Fewer digits name too many commits by chance; git's own short form has seven. */
#define HEX_MIN 7

void base_choice_done(struct base_choice *c)
{
	free(c->subject);
	free(c->why);
	free(c->warning);
	*c = (struct base_choice){0};
}

/* Fills commit, tree and subject. The reason is the caller's. */
static void choice_set(git_commit *commit, struct base_choice *c)
{
	const char *subject = git_commit_summary(commit);

	c->commit = *git_commit_id(commit);
	c->tree = *git_commit_tree_id(commit);
	c->subject = xstrdup(subject ? subject : "");
}

static int pick_given(git_repository *user, const char *rev, struct base_choice *c, struct err *err)
{
	auto_git(object) git_object *found = NULL, *commit = NULL;

	if (git_revparse_single(&found, user, rev) < 0)
		return err_git(err, ERR_CONFIG, "--base %s: the tree %s has no such revision", rev,
			       git_repository_path(user));
	if (git_object_peel(&commit, found, GIT_OBJECT_COMMIT) < 0)
		return err_git(err, ERR_CONFIG, "--base %s is not a commit", rev);
	choice_set((git_commit *)commit, c);
	c->why = xasprintf("--base %s", rev);
	return 0;
}

/* The trailer was written by a stranger: hex digits only, never revision syntax. */
static bool pick_named(git_repository *user, const char *hex, struct base_choice *c)
{
	auto_git(commit) git_commit *commit = NULL;
	size_t n = strlen(hex);
	git_oid id;

	if (n < HEX_MIN || n > GIT_OID_HEXSZ || git_oid_fromstrn(&id, hex, n) < 0 ||
	    git_commit_lookup_prefix(&commit, user, &id, n) < 0)
		return false;
	choice_set(commit, c);
	c->why = xstrdup("the series names it (base-commit:)");
	return true;
}

static char *head_reason(git_repository *user, const git_reference *head, bool names_none)
{
	const char *rest =
		names_none ? "the series names no base" : "the series' own base is not here";

	if (git_repository_head_detached(user) == 1)
		return xasprintf("HEAD of the tree, which is on no branch; %s", rest);
	return xasprintf("head of %s; %s", git_reference_shorthand(head), rest);
}

static int pick_head(git_repository *user, bool names_none, struct base_choice *c, struct err *err)
{
	auto_git(object) git_object *commit = NULL;
	git_reference *head;
	int rc = git_repository_head(&head, user);

	if (rc == GIT_EUNBORNBRANCH || rc == GIT_ENOTFOUND)
		return err_set(err, ERR_CONFIG,
			       "%s has no commit on its branch yet: commit the tree, or give one "
			       "with --base",
			       git_repository_path(user));
	if (rc < 0)
		return err_git(err, ERR_CONFIG, "cannot read HEAD of %s",
			       git_repository_path(user));
	rc = git_reference_peel(&commit, head, GIT_OBJECT_COMMIT);
	if (rc == 0) {
		choice_set((git_commit *)commit, c);
		c->why = head_reason(user, head, names_none);
	}
	git_reference_free(head);
	if (rc < 0)
		return err_git(err, ERR_CONFIG, "cannot read the head commit of %s",
			       git_repository_path(user));
	return 0;
}

int base_pick(git_repository *user, const struct series *series, const char *given,
	      struct base_choice *ret_choice, struct err *err)
{
	struct base_choice c = {0};
	int rc;

	repo_setup();
	if (given) {
		rc = pick_given(user, given, &c, err);
	} else if (series->base_commit && pick_named(user, series->base_commit, &c)) {
		rc = 0;
	} else {
		if (series->base_commit)
			c.warning = xasprintf(
				"the series names base-commit: %.40s, which the tree does not "
				"have; what follows is on another base",
				series->base_commit);
		rc = pick_head(user, !series->base_commit, &c, err);
	}
	if (rc) {
		base_choice_done(&c);
		return rc;
	}
	*ret_choice = c;
	return 0;
}
