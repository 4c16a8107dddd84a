// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The script runs without git, so it calls every commit id unknown. The repository knows better: an
 * id that is there is no finding, and a tree without history cannot say.
 */
#include "checkers/checkpatch_pl.h"
#include "checkers/history.h"
#include <ctype.h>

/* The least hex digits that the script takes for a commit id. */
#define ID_MIN 7

/* The first word of hex digits in the message that may be an id; "" when there is none. */
static void id_of_message(const char *message, char ret_id[static GIT_OID_HEXSZ + 1])
{
	size_t n;

	ret_id[0] = '\0';
	for (const char *p = message; *p; p += n ? n : 1) {
		n = strspn(p, "0123456789abcdefABCDEF");
		if (n < ID_MIN || n > GIT_OID_HEXSZ || isalnum((unsigned char)p[n]) ||
		    (p > message && isalnum((unsigned char)p[-1])))
			continue;
		memcpy(ret_id, p, n);
		ret_id[n] = '\0';
		return;
	}
}

/* What the repository says of the commit in finding `i`. */
static int commit_settle(struct check_result *r, size_t i, const struct check_env *env,
			 struct err *err)
{
	struct finding *f = &r->finding[i];
	char id[GIT_OID_HEXSZ + 1];
	git_commit *commit = NULL;
	enum found found = FOUND_SEVERAL;
	int rc = 0;

	id_of_message(f->message, id);
	if (*id)
		rc = commit_find(env->repo, id, &found, &commit, err);
	git_commit_free(commit);
	if (rc < 0)
		return rc;
	if (found == FOUND) {
		check_result_remove(r, i);
	} else if (found == FOUND_NONE && history_count(env) < HISTORY_MIN) {
		f->level = FINDING_NOTE;
		free(f->message);
		f->message = xasprintf("commit %s cannot be verified: the tree has no history", id);
	}
	return 0;
}

int script_commits_settle(struct check_result *r, const struct check_env *env, struct err *err)
{
	int rc = 0;

	for (size_t i = r->n; env->repo && i-- > 0 && rc == 0;)
		if (strcmp(r->finding[i].type, "UNKNOWN_COMMIT_ID") == 0)
			rc = commit_settle(r, i, env, err);
	return rc;
}
