// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Fixes: tags (Documentation/process/submitting-patches.rst, "Describe your changes") and the Cc:
 * to stable that goes with them (Documentation/process/stable-kernel-rules.rst).
 */
#include "checkers/checker.h"
#include "checkers/history.h"
#include "checkers/trailer.h"

#include <ctype.h>
#include <strings.h>

/* The least hex digits of a commit id in a tag. */
#define ID_MIN ((size_t)12)
#define ID_MAX ((size_t)GIT_OID_HEXSZ)
/* More tags than this are no help to anybody, and each may cost a walk through the history. */
#define FIXES_MAX 32

static const char stable_address[][24] = {"stable@vger.kernel.org", "stable@kernel.org"};

/* Fixes: ID ("SUBJECT") */
struct fixes {
	char id[ID_MAX + 1];
	char *subject; /* NULL when there is none */
	bool well_formed;
	unsigned patch_line;
};

static void fixes_cleanup(struct fixes *f)
{
	free(f->subject);
}

static void fixes_read(struct fixes *f, const struct trailer *t)
{
	size_t n = 0, len = t->len;
	const char *v = t->value;

	f->patch_line = CHECK_MESSAGE_LINE + t->line - 1;
	while (n < len && n < ID_MAX && isxdigit((unsigned char)v[n]))
		n++;
	/* "commit 1234..." and a URL are no ids: only a word of hex digits is. */
	if (n < len && isalnum((unsigned char)v[n]))
		n = 0;
	memcpy(f->id, v, n);
	f->id[n] = '\0';
	if (n + 5 < len && memcmp(v + n, " (\"", 3) == 0 && memcmp(v + len - 2, "\")", 2) == 0)
		f->subject = xmemdup(v + n + 3, len - n - 5);
	f->well_formed = n >= ID_MIN && f->subject;
}

static void finding_form(struct check_result *r, const struct fixes *f, git_commit *c)
{
	char id[ID_MIN + 1] = "123456789012";

	if (c)
		git_oid_tostr(id, sizeof(id), git_commit_id(c));
	check_result_add(r, FINDING_WARNING, "BAD_FIXES_TAG", NULL, 0, f->patch_line,
			 "not of the form: Fixes: %s (\"%s\")", id,
			 c ? git_commit_summary(c) : "subject of that commit");
}

static int check_ancestor(struct check_result *r, const struct check_env *env,
			  const struct fixes *f, const git_oid *id, struct err *err)
{
	int rc;

	if (git_oid_is_zero(&env->base) || git_oid_equal(&env->base, id))
		return 0;
	rc = git_graph_descendant_of(env->repo, &env->base, id);
	if (rc < 0)
		return err_git(err, ERR_INFRA, "is commit %s in the base", f->id);
	if (rc == 0)
		check_result_add(
			r, FINDING_WARNING, "FIXES_NOT_IN_BASE", NULL, 0, f->patch_line,
			"commit %s is in the repository and not in the base of this series", f->id);
	return 0;
}

static int check_commit(struct check_result *r, const struct check_env *env, const struct fixes *f,
			git_commit *c, struct err *err)
{
	const char *summary = git_commit_summary(c);

	if (!f->well_formed)
		finding_form(r, f, c);
	else if (!summary || strcmp(summary, f->subject) != 0)
		check_result_add(r, FINDING_WARNING, "BAD_FIXES_TAG", NULL, 0, f->patch_line,
				 "commit %.12s has another subject: (\"%s\")", f->id,
				 summary ? summary : "");
	return check_ancestor(r, env, f, git_commit_id(c), err);
}

static int check_fixes(struct check_result *r, const struct check_env *env, const struct fixes *f,
		       struct err *err)
{
	auto_git(commit) git_commit *c = NULL;
	enum found found = FOUND_NONE;
	int rc = 0;

	if (env->repo && *f->id)
		rc = commit_find(env->repo, f->id, &found, &c, err);
	if (rc < 0)
		return rc;
	if (found == FOUND)
		return check_commit(r, env, f, c, err);
	if (!f->well_formed)
		finding_form(r, f, NULL);
	else if (!env->repo)
		check_result_add(r, FINDING_NOTE, "UNKNOWN_COMMIT_ID", NULL, 0, f->patch_line,
				 "commit %s cannot be verified: no repository is at hand", f->id);
	else if (found == FOUND_SEVERAL)
		check_result_add(r, FINDING_WARNING, "BAD_FIXES_TAG", NULL, 0, f->patch_line,
				 "several commits of the tree begin with %s", f->id);
	else
		finding_unknown_commit(r, env, f->id, f->patch_line);
	return 0;
}

static int check_all_fixes(struct check_result *r, const struct check_env *env, const char *message,
			   unsigned *ret_n, struct err *err)
{
	struct trailer_iter it = {0};
	struct trailer t;
	unsigned n = 0;

	for (; n < FIXES_MAX && trailer_next(&it, message, "Fixes", &t); n++) {
		auto_cleanup(fixes) struct fixes f = {0};
		int rc;

		fixes_read(&f, &t);
		rc = check_fixes(r, env, &f, err);
		if (rc < 0)
			return rc;
	}
	if (n == FIXES_MAX)
		check_result_add(r, FINDING_NOTE, "TOO_MANY", NULL, 0, 0,
				 "only the first %d Fixes tags were looked at", FIXES_MAX);
	*ret_n = n;
	return 0;
}

static bool has_stable(const char *message)
{
	struct trailer_iter it = {0};
	struct trailer t;

	while (trailer_next(&it, message, "Cc", &t)) {
		auto_free char *name = NULL, *email = NULL;

		trailer_ident(&t, &name, &email);
		for (size_t i = 0; i < array_size(stable_address); i++)
			if (strncasecmp(email, stable_address[i], strlen(stable_address[i])) == 0)
				return true;
	}
	return false;
}

static void conclude(struct check_result *r, unsigned n_fixes, bool stable)
{
	unsigned warnings = 0;

	if (n_fixes && !stable)
		check_result_add(r, FINDING_WARNING, "NEEDS_STABLE", NULL, 0, 0,
				 "has a Fixes tag but no Cc: stable@vger.kernel.org");
	for (size_t i = 0; i < r->n; i++)
		warnings += r->finding[i].level == FINDING_WARNING;
	if (!n_fixes)
		check_result_reason(r, OUTCOME_PASS, "Patch has no Fixes tags");
	else if (warnings == 1 && !stable)
		check_result_reason(r, OUTCOME_WARN, "has a Fixes tag but no Cc: stable");
	else if (warnings)
		check_result_reason(r, OUTCOME_WARN, "%u warning%s about Fixes tags", warnings,
				    warnings == 1 ? "" : "s");
	else
		check_result_reason(r, OUTCOME_PASS, "has a Fixes tag and Cc: stable");
}

static int needs_stable_run(const struct check_env *env, const struct patch *patch,
			    struct check_result *ret, struct err *err)
{
	unsigned n = 0;
	int rc = check_all_fixes(ret, env, patch->message, &n, err);

	if (rc < 0)
		return err_wrap(err, "needs-stable");
	conclude(ret, n, has_stable(patch->message));
	return 0;
}

const struct checker checker_needs_stable = {
	.name = "needs-stable",
	.summary = "Fixes: tags name real commits and go to stable",
	.run = needs_stable_run,
};
