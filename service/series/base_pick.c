// SPDX-License-Identifier: GPL-2.0-or-later
/* The order of the ways to find a base. */
#include "series/base_pick_run.h"

#include "base/str.h"
#include "series/repo.h"
#include <stdarg.h>

/* Fewer digits name too many commits by chance; git's own short form has seven. */
#define HEX_MIN 7

void base_choice_done(struct base_choice *c)
{
	free(c->subject);
	free(c->why);
	free(c->warning);
	for (size_t i = 0; i < c->n_tried; i++)
		free(c->tried[i]);
	free(c->tried);
	*c = (struct base_choice){0};
}

__attribute__((format(printf, 1, 0))) static char *text_make(const char *fmt, va_list ap)
{
	struct str text;

	str_init(&text, ERR_MSG_MAX);
	str_vaddf(&text, fmt, ap);
	return str_take(&text);
}

void base_tried(struct base_pick_run *r, const char *fmt, ...)
{
	va_list ap;

	r->c.tried = xreallocarray(r->c.tried, r->c.n_tried + 1, sizeof(*r->c.tried));
	va_start(ap, fmt);
	r->c.tried[r->c.n_tried++] = text_make(fmt, ap);
	va_end(ap);
}

void base_warn(struct base_pick_run *r, const char *fmt, ...)
{
	auto_free char *more = NULL, *before = r->c.warning;
	va_list ap;

	va_start(ap, fmt);
	more = text_make(fmt, ap);
	va_end(ap);
	r->c.warning = before ? xasprintf("%s; %s", before, more) : take(more);
}

bool base_choice_set(struct base_pick_run *r, const git_oid *id, enum base_reason reason)
{
	auto_git(commit) git_commit *commit = NULL;
	struct base_score score = {0};
	const char *subject;

	if (git_commit_lookup(&commit, r->rq->user, id) < 0)
		return false;
	subject = git_commit_summary(commit);
	r->c.commit = *id;
	r->c.tree = *git_commit_tree_id(commit);
	r->c.reason = reason;
	free(r->c.subject);
	r->c.subject = xstrdup(subject ? subject : "");
	base_search_tree(r->search, &r->c.tree, &score);
	r->c.n_blobs = r->wants.n_blobs;
	r->c.n_matched = score.blobs;
	return true;
}

/* The reason, and how well it fits when the series lets us know. */
static void why_set(struct base_pick_run *r, const char *reason)
{
	r->c.why = r->c.n_blobs ? xasprintf("%s; matches %zu of %zu blob%s", reason, r->c.n_matched,
					    r->c.n_blobs, r->c.n_blobs == 1 ? "" : "s")
				: xstrdup(reason);
}

static int pick_given(struct base_pick_run *r, struct err *err)
{
	auto_git(object) git_object *found = NULL, *commit = NULL;
	const char *rev = r->rq->given;
	auto_free char *reason = xasprintf("--base %s", rev);

	if (git_revparse_single(&found, r->rq->user, rev) < 0)
		return err_git(err, ERR_CONFIG, "--base %s: the tree %s has no such revision", rev,
			       git_repository_path(r->rq->user));
	if (git_object_peel(&commit, found, GIT_OBJECT_COMMIT) < 0)
		return err_git(err, ERR_CONFIG, "--base %s is not a commit", rev);
	if (!base_choice_set(r, git_object_id(commit), BASE_GIVEN))
		return err_git(err, ERR_CONFIG, "--base %s cannot be read", rev);
	why_set(r, reason);
	return 0;
}

/* The trailer was written by a stranger: hex digits only, never revision syntax. */
static bool pick_named(struct base_pick_run *r)
{
	auto_git(commit) git_commit *commit = NULL;
	const char *hex = r->rq->series->base_commit;
	size_t n = strlen(hex);
	git_oid id;

	if (n < HEX_MIN || n > GIT_OID_HEXSZ || git_oid_fromstrn(&id, hex, n) < 0 ||
	    git_commit_lookup_prefix(&commit, r->rq->user, &id, n) < 0 ||
	    !base_choice_set(r, git_commit_id(commit), BASE_NAMED)) {
		base_warn(r,
			  "the series names base-commit: %.40s, which the tree does not have; "
			  "what follows is on another base",
			  hex);
		base_tried(r, "base-commit: %.40s is not in the tree", hex);
		return false;
	}
	why_set(r, "the series names it (base-commit:)");
	return true;
}

static int pick(struct base_pick_run *r, struct err *err)
{
	int rc;

	if (r->rq->given)
		return pick_given(r, err);
	if (r->rq->series->base_commit && pick_named(r))
		return 0;
	base_hint_find(r->rq->user, r->rq->series, &r->hint);
	rc = base_guess(r, err);
	if (rc == 0)
		rc = base_branch(r, err);
	return rc < 0 ? rc : 0;
}

int base_pick(const struct base_request *request, struct base_choice *ret_choice, struct err *err)
{
	struct base_pick_run r = {.rq = request};
	int rc;

	repo_setup();
	base_wants_make(request->series, &r.wants);
	rc = base_search_new(request->user, NULL, &r.wants, &r.search, err);
	if (!rc)
		rc = pick(&r, err);
	base_search_free(r.search);
	base_hint_done(&r.hint);
	base_wants_done(&r.wants);
	if (rc) {
		base_choice_done(&r.c);
		return rc;
	}
	*ret_choice = r.c;
	return 0;
}
