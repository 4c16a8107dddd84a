// SPDX-License-Identifier: GPL-2.0-or-later
#include "series/apply.h"

#include "base/proc.h"
#include "series/apply_run.h"
#include "series/repo.h"

void apply_result_done(struct apply_result *r)
{
	evidence_drop(r);
	free(r->commit);
	*r = (struct apply_result){0};
}

/* The hunks did not apply: `err` and run->ret say why, and do so still when the merge fails, too.
 */
static int diff_merge(struct apply_run *run, const struct diff *d, struct err *err)
{
	struct err why = ERR_INIT;
	int rc;

	path_tree_revert(run->tree);
	run->now = (struct apply_commit){0};
	rc = merge3_patch(run, d, &why);
	if (rc == ERR_PATCH) {
		evidence_say(run->ret, "3-way merge: %s", why.msg);
		return rc;
	}
	if (rc)
		*err = why;
	evidence_drop(run->ret);
	return rc;
}

static int diff_apply(struct apply_run *run, const struct diff *d, struct err *err)
{
	git_oid before = *path_tree_root(run->tree);
	int rc = apply_files(run, d, err);

	if (rc == ERR_PATCH)
		rc = diff_merge(run, d, err);
	if (!rc)
		rc = path_tree_write(run->tree, &run->now.tree, err);
	if (rc)
		return rc;
	run->now.already_in = run->now.merged_files && git_oid_equal(&before, &run->now.tree);
	return 0;
}

static int commit_make(struct apply_run *run, const struct patch *p, const git_oid *parent,
		       struct err *err)
{
	struct commit_spec spec = {.tree = run->now.tree,
				   .parent = *parent,
				   .author = &p->author,
				   .message = p->message};
	auto_str struct str text;
	size_t len;

	str_init(&text, 0);
	commit_text(&text, &spec);
	len = text.len;
	return objects_add(run->objects, GIT_OBJECT_COMMIT, str_take(&text), len, &run->now.commit,
			   err);
}

static int patch_apply(struct apply_run *run, const struct patch *p, const git_oid *parent,
		       struct err *err)
{
	int rc;

	if (cancel_requested())
		return err_cancelled(err);
	if (!p->diff)
		return err_set(err, ERR_PATCH, "the diff is broken: %s",
			       p->diff_error ? p->diff_error : "it cannot be read");
	if (!p->diff->n_files)
		return err_set(err, ERR_PATCH, "the mail has no diff");
	/* git am stops there too. */
	if (!*p->author.name && !*p->author.email)
		return err_set(err, ERR_PATCH,
			       "its From: names nobody: the commit would have no author");
	run->now = (struct apply_commit){0};
	rc = diff_apply(run, p->diff, err);
	if (rc == ERR_PATCH)
		explain_refusal(run, p->diff, err);
	if (rc == ERR_PATCH && p->damage)
		evidence_say(run->ret, "%s", p->damage);
	if (rc)
		return rc;
	if (!run->now.already_in)
		return commit_make(run, p, parent, err);
	run->now.commit = *parent;
	explain_find_commit(run, p->diff, &run->now.in_as);
	return 0;
}

static int patch_wrap(const struct series *s, const struct patch *p, struct err *err)
{
	const char *text = p->subject.text ? p->subject.text : "";

	if (s->n_patches == 1 && s->total <= 1)
		return err_wrap(err, "patch \"%.200s\"", text);
	return err_wrap(err, "patch %u/%u \"%.200s\"", p->subject.number, s->total, text);
}

static int patches_apply(struct apply_run *run, const struct series *s, const git_oid *base,
			 struct err *err)
{
	struct apply_result *ret = run->ret;
	git_oid parent = *base;

	ret->commit = xcalloc(s->n_patches, sizeof(*ret->commit));
	for (size_t i = 0; i < s->n_patches; i++) {
		if (patch_apply(run, &s->patch[i], &parent, err)) {
			ret->failed_patch = i;
			return patch_wrap(s, &s->patch[i], err);
		}
		ret->commit[ret->n_commits++] = run->now;
		parent = run->now.commit;
	}
	return 0;
}

static int ref_point(git_repository *repo, const char *name, const git_oid *to, struct err *err)
{
	git_reference *ref;

	if (git_reference_create(&ref, repo, name, to, 1, NULL) < 0)
		return err_git(err, ERR_INFRA, "cannot point %s at the result", name);
	git_reference_free(ref);
	return 0;
}

static int result_write(struct apply_run *run, git_repository *repo, const char *ref,
			struct err *err)
{
	const git_oid *last = &run->ret->commit[run->ret->n_commits - 1].commit;
	int rc = objects_write_pack(run->objects, repo, err);

	return rc ? rc : ref_point(repo, ref, last, err);
}

static int base_tree(git_repository *repo, const git_oid *base, git_oid *ret_tree, struct err *err)
{
	auto_git(commit) git_commit *commit = NULL;
	char hex[GIT_OID_HEXSZ + 1];

	if (git_commit_lookup(&commit, repo, base) < 0)
		return err_git(err, ERR_INFRA, "cannot read the base commit %s",
			       git_oid_tostr(hex, sizeof(hex), base));
	*ret_tree = *git_commit_tree_id(commit);
	return 0;
}

int apply_series(git_repository *repo, const git_oid *base, const struct series *series,
		 const char *ref, struct apply_result *ret, struct err *err)
{
	struct apply_run run = {.repo = repo, .base = *base, .budget = PLACE_BUDGET, .ret = ret};
	git_oid tree;
	int rc;

	repo_setup();
	if (!series->n_patches)
		return err_set(err, ERR_PATCH, "the series has no patches");
	rc = base_tree(repo, base, &tree, err);
	if (!rc)
		rc = objects_new(repo, &run.objects, err);
	if (rc)
		return rc;
	run.tree = path_tree_new(run.objects, &tree);
	rc = patches_apply(&run, series, base, err);
	if (!rc && ref)
		rc = result_write(&run, repo, ref, err);
	path_tree_free(run.tree);
	objects_free(run.objects);
	return rc;
}
