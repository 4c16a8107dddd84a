// SPDX-License-Identifier: GPL-2.0-or-later
#include "checkers/history.h"

int commit_find(git_repository *repo, const char *id, enum found *ret_found,
		git_commit **ret_commit, struct err *err)
{
	git_oid oid;
	size_t n = strlen(id);
	int rc = n < 4 || git_oid_fromstrn(&oid, id, n) < 0
			 ? GIT_ENOTFOUND
			 : git_commit_lookup_prefix(ret_commit, repo, &oid, n);

	/* An object of another type is not found either. */
	if (rc == GIT_ENOTFOUND)
		*ret_found = FOUND_NONE;
	else if (rc == GIT_EAMBIGUOUS)
		*ret_found = FOUND_SEVERAL;
	else if (rc < 0)
		return err_git(err, ERR_INFRA, "look up commit %s", id);
	else
		*ret_found = FOUND;
	return 0;
}

/* How many commits the base has behind it, counted up to HISTORY_MIN. A shallow clone ends in a
 * parent that is not there: what was counted until then. */
size_t history_count(const struct check_env *env)
{
	git_revwalk *walk = NULL;
	size_t n = 0;
	git_oid id;

	if (!env->repo || git_oid_is_zero(&env->base) || git_revwalk_new(&walk, env->repo) < 0)
		return 0;
	if (git_revwalk_push(walk, &env->base) == 0)
		while (n < HISTORY_MIN && git_revwalk_next(&id, walk) == 0)
			n++;
	git_revwalk_free(walk);
	return n;
}

void finding_unknown_commit(struct check_result *r, const struct check_env *env, const char *id,
			    unsigned patch_line)
{
	size_t n = history_count(env);

	if (n < HISTORY_MIN)
		check_result_add(
			r, FINDING_NOTE, "UNKNOWN_COMMIT_ID", NULL, 0, patch_line,
			"commit %s cannot be verified: the tree has no history (%zu commit%s)", id,
			n, n == 1 ? "" : "s");
	else
		check_result_add(r, FINDING_WARNING, "UNKNOWN_COMMIT_ID", NULL, 0, patch_line,
				 "commit %s is not in the tree", id);
}
