// SPDX-License-Identifier: GPL-2.0-or-later
#include "trial/last_good.h"

static char *subject_of(git_repository *repo, const git_oid *id)
{
	auto_git(commit) git_commit *commit = NULL;
	const char *summary = NULL;

	if (git_commit_lookup(&commit, repo, id) == 0)
		summary = git_commit_summary(commit);
	return xstrdup(summary ?: "");
}

static void base_move(struct trial *t, const git_oid *good, const char *why)
{
	char bad[13];

	git_oid_tostr(bad, sizeof(bad), &t->base.commit);
	free(t->base.warning);
	t->base.warning = xasprintf(
		"%s, which was chosen, does not build (%s); this is the last commit before it that "
		"did",
		bad, why);
	free(t->base.subject);
	t->base.subject = subject_of(t->repo, good);
	git_oid_cpy(&t->base.commit, good);
	git_oid_cpy(&t->start, good);
}

int last_good_use(struct trial *t, const struct builder *row, const char *why, struct err *err)
{
	auto_free char *ref = xasprintf("refs/firn/%s", t->id);
	struct apply_result applied = {0};
	git_oid good;
	int rc;

	/* What the series needs was applied to the base, too. */
	if (!conf_bool(t->opt->conf, CONF_BUILD_LAST_GOOD) || t->plan.n_steps > 1 ||
	    !build_last_good(t->repo, t->opt->cache_dir, row->name, &t->base.commit, &good))
		return 0;
	rc = apply_series(t->repo, &good, t->series, ref, &applied, err);
	if (rc == 0) {
		apply_result_done(&t->applied);
		t->applied = applied;
		base_move(t, &good, why);
		return 1;
	}
	apply_result_done(&applied);
	return rc == ERR_PATCH ? 0 : rc;
}
