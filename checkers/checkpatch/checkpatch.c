// SPDX-License-Identifier: GPL-2.0-or-later
/* The native checker: reads a patch into a view and shows it to the rules. */
#include "checkers/checkpatch/checkpatch.h"

#include "checkers/checkpatch/new_only.h"
#include "checkers/checkpatch/rule.h"
#include "checkers/checkpatch_pl.h"

/* By line of the patch; those without one last. The order of the rules decides among equals. */
struct ordered {
	struct finding finding;
	size_t at;
};

static int ordered_cmp(const void *pa, const void *pb)
{
	const struct ordered *a = pa, *b = pb;
	unsigned la = a->finding.patch_line - 1, lb = b->finding.patch_line - 1;

	if (la != lb)
		return la < lb ? -1 : 1;
	if (a->finding.level != b->finding.level)
		return a->finding.level < b->finding.level ? -1 : 1;
	return (a->at > b->at) - (a->at < b->at);
}

static void findings_sort(struct check_result *r)
{
	auto_free struct ordered *o = xreallocarray(NULL, r->n + 1, sizeof(*o));

	for (size_t i = 0; i < r->n; i++)
		o[i] = (struct ordered){r->finding[i], i};
	qsort(o, r->n, sizeof(*o), ordered_cmp);
	for (size_t i = 0; i < r->n; i++)
		r->finding[i] = o[i].finding;
}

static void view_make(struct view *v, const struct checkpatch_options *o, const char *text,
		      size_t n)
{
	if (o->is_source)
		view_read_source(v, o->path ? o->path : "", text, n);
	else
		view_read(v, text, n);
	if (o->first_line)
		v->first_line = o->first_line;
}

int checkpatch_text(const struct check_env *env, const struct checkpatch_options *o,
		    const char *text, size_t n, struct check_result *ret, struct err *err)
{
	struct rule_run *run;
	struct view v;
	int rc = 0;

	view_make(&v, o, text, n);
	run = rule_run_new(env, o, &v, ret);
	rule_run_all(run);
	rule_run_free(run);
	findings_sort(ret);
	if (o->new_only)
		rc = new_only_apply(env, o, &v, ret, err);
	ret->lines_checked = v.lines_checked;
	if (v.fuel == 0)
		check_result_add(ret, FINDING_NOTE, "TOO_LONG", NULL, 0, 0,
				 "statements near the end of this patch were not looked at");
	check_result_totals(ret);
	view_done(&v);
	return rc;
}

static int checkpatch_run(const struct check_env *env, const struct patch *patch,
			  struct check_result *ret, struct err *err)
{
	const struct checkpatch_options options = {
		.strict = true,
		.new_only = true,
		.ignore = env->style_ignore,
	};
	auto_free char *text = NULL;
	size_t n;
	int rc;

	if (!patch->diff) {
		check_result_reason(ret, OUTCOME_SKIP, "the diff cannot be read: %s",
				    patch->diff_error ? patch->diff_error : "there is none");
		return 0;
	}
	text = check_patch_text(patch, &n);
	rc = checkpatch_text(env, &options, text, n, ret, err);
	rc = rc ? rc : script_commits_settle(ret, env, err);
	if (rc == 0)
		check_result_totals(ret);
	return rc;
}

const struct checker checker_checkpatch = {
	.name = "checkpatch",
	.summary =
		"checkpatch's rules in C, for what the script did not see or where there is none",
	.run = checkpatch_run,
};
