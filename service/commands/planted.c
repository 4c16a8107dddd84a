// SPDX-License-Identifier: GPL-2.0-or-later
#include "commands/planted.h"

#include "series/apply.h"
#include "series/repo.h"

static int series_apply(git_repository *repo, const git_oid *base, const struct series_set *set,
			const char *name, git_oid *ret, struct err *err)
{
	auto_free char *ref = xasprintf("refs/firn/calibrate-%s", name);
	struct apply_result applied = {0};
	int rc;

	if (set->n_series != 1)
		return err_set(err, ERR_CONFIG, "the file holds no patch");
	rc = apply_series(repo, base, &set->series[0], ref, &applied, err);
	if (rc == 0)
		*ret = applied.commit[applied.n_commits - 1].commit;
	apply_result_done(&applied);
	return rc;
}

static int planted_apply(const struct calibrate_planted *p, git_repository *repo,
			 const git_oid *base, git_oid *ret, struct err *err)
{
	struct mail_list mails = {0};
	struct series_set set = {0};
	struct mail *mail = NULL;
	auto_str struct str text;
	int rc;

	str_init(&text, 0);
	rc = calibrate_planted_text(p, &text, err);
	if (rc == 0)
		rc = mail_parse(text.buf, text.len, p->file, &mail, err);
	if (rc == 0) {
		mail_list_add(&mails, mail);
		rc = collate(&mails, &set, err);
	}
	if (rc == 0)
		rc = series_apply(repo, base, &set, p->name, ret, err);
	series_set_done(&set);
	mail_list_done(&mails);
	return rc;
}

static int planted_build(const struct kernels *with, const struct calibrate_planted *p,
			 git_repository *repo, const git_oid *base, struct kernel *ret,
			 struct err *err)
{
	auto_free char *name = xstrdup(p->name);
	git_oid commit;
	struct kernel_commit from = {
		.repo = repo, .commit = &commit, .name = name, .words = p->name};
	int rc = planted_apply(p, repo, base, &commit, err);

	for (char *dot = name; (dot = strchr(dot, '.')) != NULL;)
		*dot = '-'; /* "slower-0.5": names of slots have no dots */
	if (rc == 0)
		rc = kernel_prepare_commit(with, &from, ret, err);
	if (rc == 0)
		return 0;
	if (rc == ERR_PATCH) /* nobody's who posted anything */
		err->kind = ERR_CONFIG;
	return err_wrap(err, "planted series %s", p->name);
}

int planted_prepare(const struct kernels *with, const char *base,
		    const struct calibrate_planted *planted, size_t n, struct kernel **ret_kernels,
		    struct err *err)
{
	auto_git(repository) git_repository *ours = NULL, *user = NULL;
	struct kernel *kernel = xcalloc(n + 1, sizeof(*kernel));
	git_oid commit;
	int rc = 0;

	if (n)
		rc = repo_open(with->tree, with->cache_dir, &ours, &user, err);
	if (n && rc == 0 && git_oid_fromstr(&commit, base) < 0)
		rc = err_git(err, ERR_INFRA, "%s", base);
	for (size_t i = 0; i < n && rc == 0; i++)
		rc = planted_build(with, &planted[i], ours, &commit, &kernel[i], err);
	if (rc == 0) {
		*ret_kernels = kernel;
		return 0;
	}
	for (size_t i = 0; i < n; i++)
		kernel_done(&kernel[i]);
	free(kernel);
	return rc;
}
