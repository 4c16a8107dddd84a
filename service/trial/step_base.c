// SPDX-License-Identifier: GPL-2.0-or-later
/* The commit to try a series on: in one tree, or in the first of several where it has a place. */
#include "trial/run.h"

#include "series/repo.h"

/* A base that was found, and where. */
struct place {
	git_repository *repo, *user;
	const struct trial_tree *tree;
	struct base_choice base;
	char *name; /* tree and branch; NULL */
};

static void place_done(struct place *p)
{
	git_repository_free(p->repo);
	git_repository_free(p->user);
	base_choice_done(&p->base);
	free(p->name);
	*p = (struct place){0};
}

static void tell_history(void *ctx, unsigned done, unsigned total)
{
	trial_progress(ctx, "reading the history", done, total);
}

static int place_pick(struct trial *t, const char *given, struct place *p, struct err *err)
{
	const struct base_request request = {.series = t->series,
					     .given = given,
					     .user = p->user,
					     .ours = p->repo,
					     .tell = tell_history,
					     .ctx = t};
	struct base_choice choice = {0};
	int rc = base_pick(&request, &choice, err);

	if (rc < 0)
		return rc;
	base_choice_done(&p->base);
	p->base = choice;
	return 0;
}

/* Does the series apply there? Nothing is written. */
static int place_fits(const struct trial *t, const struct place *p, bool *ret_fits, struct err *err)
{
	struct apply_result r = {0};
	struct err why = ERR_INIT;
	int rc = apply_series(p->repo, &p->base.commit, t->series, NULL, &r, &why);

	apply_result_done(&r);
	if (rc < 0 && rc != ERR_PATCH)
		return err_set(err, why.kind, "%s", why.msg);
	*ret_fits = rc == 0;
	return 0;
}

/* The branch of which the base is the head; NULL: none. */
static const char *place_branch(const struct place *p)
{
	const char *const *branch = p->tree->branches;

	for (size_t i = 0; branch && branch[i]; i++) {
		auto_git(object) git_object *found = NULL, *commit = NULL;

		if (git_revparse_single(&found, p->user, branch[i]) == 0 &&
		    git_object_peel(&commit, found, GIT_OBJECT_COMMIT) == 0 &&
		    git_oid_equal(git_object_id(commit), &p->base.commit))
			return branch[i];
	}
	return NULL;
}

static void place_name(struct place *p)
{
	const char *branch = place_branch(p);

	if (!p->tree->name)
		return;
	free(p->name);
	p->name = branch ? xasprintf("%s/%s", p->tree->name, branch) : xstrdup(p->tree->name);
}

/* Nothing says where the series belongs: the branches in turn, the first one when it applies to
 * none. */
static int place_branches(struct trial *t, struct place *p, bool *ret_fits, struct err *err)
{
	const char *const *branch = p->tree->branches;
	const char *chosen = branch[0];
	int rc = 0;

	*ret_fits = false;
	for (size_t i = 0; rc == 0 && branch[i] && !*ret_fits; i++) {
		rc = place_pick(t, branch[i], p, err);
		if (rc == 0)
			rc = place_fits(t, p, ret_fits, err);
		if (*ret_fits)
			chosen = branch[i];
	}
	if (rc == 0 && !*ret_fits && branch[1])
		rc = place_pick(t, chosen, p, err);
	if (rc < 0)
		return rc;
	free(p->base.why);
	p->base.why = xasprintf("head of %s, a branch of %s that the series %s", chosen,
				p->tree->name, *ret_fits ? "applies to" : "does not apply to");
	place_name(p);
	return 0;
}

/* `*ret_good`: the series has its place here. */
static int place_find(struct trial *t, struct place *p, bool *ret_good, struct err *err)
{
	const char *given = t->opt->base;
	int rc = repo_open(p->tree->path, t->opt->cache_dir, &p->repo, &p->user, err);

	bool branches = p->tree->branches && p->tree->branches[0];

	if (rc < 0)
		return rc;
	rc = place_pick(t, given, p, err);
	/* A repository whose HEAD leads nowhere has branches all the same. */
	if (rc == ERR_CONFIG && !given && branches)
		return place_branches(t, p, ret_good, err);
	if (rc < 0)
		return rc;
	place_name(p);
	*ret_good = p->base.reason != BASE_BRANCH;
	if (given && t->opt->why) {
		free(p->base.why);
		p->base.why = xstrdup(t->opt->why);
	}
	if (!*ret_good && branches)
		return place_branches(t, p, ret_good, err);
	return *ret_good ? 0 : place_fits(t, p, ret_good, err);
}

/* Keeps the first good one, else the first. A tree that cannot be used is an error only when no
 * other can; so is a revision that it does not have. */
static int places_find(struct trial *t, const struct trial_tree *trees, struct place *ret,
		       struct err *err)
{
	struct err first = ERR_INIT;
	bool good = false;

	for (size_t i = 0; trees[i].path && !good; i++) {
		struct place p = {.tree = &trees[i]};
		int rc = place_find(t, &p, &good, err);

		if (rc == 0 && (good || !ret->tree)) {
			place_done(ret);
			*ret = p;
			p = (struct place){0};
		}
		place_done(&p);
		if (rc < 0 && rc != ERR_CONFIG)
			return rc;
		if (rc < 0 && !first.kind)
			first = *err;
	}
	if (ret->tree)
		return 0;
	return first.kind ? err_set(err, first.kind, "%s", first.msg)
			  : err_set(err, ERR_CONFIG, "no tree to try the series on");
}

static int base_find(struct trial *t, struct place *ret, struct err *err)
{
	int rc;

	if (t->opt->trees)
		return places_find(t, t->opt->trees, ret, err);
	rc = repo_open(t->opt->tree, t->opt->cache_dir, &ret->repo, &ret->user, err);
	if (rc == 0)
		rc = place_pick(t, t->opt->base, ret, err);
	return rc;
}

int step_base(struct trial *t, struct step_result *ret, struct err *err)
{
	struct place p = {0};
	char hex[13];
	int rc = base_find(t, &p, err);

	if (rc < 0) {
		place_done(&p);
		return rc;
	}
	t->repo = p.repo;
	t->user_repo = p.user;
	t->tree = t->opt->trees ? p.tree->path : t->opt->tree;
	t->base_name = p.name;
	t->base = p.base;
	t->has_base = true;
	t->start = t->base.commit;
	git_oid_tostr(hex, sizeof(hex), &t->base.commit);
	step_result_set(ret, t->base.warning ? OUTCOME_WARN : OUTCOME_PASS, "%s (\"%s\"): %s%s%s",
			hex, t->base.subject, t->base.why, t->base.warning ? "; " : "",
			t->base.warning ? t->base.warning : "");
	for (size_t i = 0; i < t->base.n_tried; i++)
		step_result_line(ret, t->base.tried[i]);
	return 0;
}
