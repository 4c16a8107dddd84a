// SPDX-License-Identifier: GPL-2.0-or-later
/* Which warnings a patch brings: sets of warnings, with lines as the patches move them. */
#include "trial/build_row.h"

#include "kernel-builders/diagnostic.h"

/* Warnings of one kernel. */
struct set {
	struct diagnostic *item;
	size_t n;
};

static void set_done(struct set *s)
{
	for (size_t i = 0; i < s->n; i++)
		diagnostic_done(&s->item[i]);
	free(s->item);
	*s = (struct set){0};
}
#define auto_set __attribute__((cleanup(set_done)))

static void set_read(const json_t *list, struct set *ret)
{
	const json_t *row;
	size_t i;

	ret->item = xcalloc(json_array_size(list) + 1, sizeof(*ret->item));
	json_array_foreach (list, i, row)
		if (!json_get_bool(row, "is_error", false))
			diagnostic_from_json(row, &ret->item[ret->n++]);
}

/* Only of what was built: of a kernel that was not, most is not known. */
static bool is_known(const struct row_run *run, size_t k)
{
	return run->at[k].data && trial_built(run->at[k].data);
}

static void set_of(const struct row_run *run, size_t k, struct set *ret)
{
	set_read(json_object_get(run->at[k].data, "diagnostics"), ret);
}

static bool is_cut(const struct row_run *run, size_t k)
{
	return json_get_bool(run->at[k].data, "diagnostics_cut", false);
}

int row_run_tree(const struct trial *t, size_t k, git_oid *ret, struct err *err)
{
	auto_git(commit) git_commit *commit = NULL;

	if (k) {
		git_oid_cpy(ret, &t->applied.commit[k - 1].tree);
		return 0;
	}
	if (git_commit_lookup(&commit, t->repo, &t->start) < 0)
		return err_git(err, ERR_INFRA, "cannot read commit %.12s",
			       git_oid_tostr_s(&t->start));
	git_oid_cpy(ret, git_commit_tree_id(commit));
	return 0;
}

/* What patches from+1 to `to` give new names. The caller frees. */
static struct line_rename *renames_of(const struct trial *t, size_t from, size_t to, size_t *ret_n)
{
	struct line_rename *list = NULL;
	size_t n = 0, cap = 0;

	for (size_t k = from; k < to && k < t->series->n_patches; k++) {
		const struct diff *d = t->series->patch[k].diff;

		for (size_t i = 0; d && i < d->n_files; i++) {
			if (d->file[i].op != DIFF_RENAME)
				continue;
			arr_grow(list, n, cap);
			list[n++] = (struct line_rename){d->file[i].old_path, d->file[i].new_path};
		}
	}
	*ret_n = n;
	return list;
}

static int map_of(const struct trial *t, size_t from, size_t to, struct line_map *ret,
		  struct err *err)
{
	struct line_map_spec spec = {.repo = t->repo};
	auto_free struct line_rename *renames = renames_of(t, from, to, &spec.n_renames);
	int rc = row_run_tree(t, from, &spec.old_tree, err);

	spec.rename = renames;
	if (rc == 0)
		rc = row_run_tree(t, to, &spec.new_tree, err);
	return rc < 0 ? rc : line_map_make(&spec, ret, err);
}

/* Flags of the warnings of `now`, the kernel after `to` patches, that the one after `from` does not
 * have. */
static int compare(struct trial *t, const struct row_run *run, size_t from, size_t to,
		   const struct set *now, bool *ret_new, struct err *err)
{
	auto_set struct set old = {0};
	auto_line_map struct line_map map = {0};
	int rc = map_of(t, from, to, &map, err);

	if (rc < 0)
		return rc;
	set_of(run, from, &old);
	new_warnings(&(struct warning_set){old.item, old.n},
		     &(struct warning_set){now->item, now->n}, &map, ret_new, NULL);
	return 0;
}

/* Flags of the warnings of `now`, the kernel after `k` patches, that the last kernel has too. */
static int lasting(struct trial *t, const struct row_run *run, size_t k, const struct set *now,
		   bool *ret_gone, struct err *err)
{
	auto_set struct set last = {0};
	auto_line_map struct line_map map = {0};
	int rc = map_of(t, k, run->n, &map, err);

	if (rc < 0)
		return rc;
	set_of(run, run->n, &last);
	new_warnings(&(struct warning_set){now->item, now->n},
		     &(struct warning_set){last.item, last.n}, &map, NULL, ret_gone);
	return 0;
}

int row_run_is_noisy(struct trial *t, struct row_run *run, size_t good, size_t k, struct err *err)
{
	auto_set struct set now = {0};
	auto_free bool *of_base = NULL, *of_good = NULL, *gone = NULL;
	bool any = false;
	int rc;

	if (!is_known(run, k) || is_cut(run, 0) || is_cut(run, good))
		return 0;
	set_of(run, k, &now);
	of_base = xcalloc(now.n + 1, sizeof(*of_base));
	of_good = xcalloc(now.n + 1, sizeof(*of_good));
	gone = xcalloc(now.n + 1, sizeof(*gone));
	rc = compare(t, run, 0, k, &now, of_base, err);
	if (rc == 0)
		rc = compare(t, run, good, k, &now, of_good, err);
	if (rc == 0 && !is_cut(run, run->n))
		rc = lasting(t, run, k, &now, gone, err);
	for (size_t i = 0; i < now.n; i++)
		any = any || (of_base[i] && of_good[i] && !gone[i]);
	return rc < 0 ? rc : any;
}

/* What patch `k` brings: neither the base has it, nor the kernel before. Where not every patch was
 * built, whose it is is known of those that last. */
static int news_find(struct trial *t, struct row_run *run, size_t previous, size_t k,
		     struct err *err)
{
	auto_set struct set now = {0};
	auto_free bool *of_base = NULL, *of_previous = NULL, *gone = NULL;
	int rc;

	set_of(run, k, &now);
	of_base = xcalloc(now.n + 1, sizeof(*of_base));
	of_previous = xcalloc(now.n + 1, sizeof(*of_previous));
	gone = xcalloc(now.n + 1, sizeof(*gone));
	run->at[k].news = json_array();
	rc = compare(t, run, 0, k, &now, of_base, err);
	if (rc == 0 && previous)
		rc = compare(t, run, previous, k, &now, of_previous, err);
	if (rc == 0 && !run->each && is_known(run, run->n) && !is_cut(run, run->n))
		rc = lasting(t, run, k, &now, gone, err);
	for (size_t i = 0; rc == 0 && i < now.n; i++)
		if (of_base[i] && (!previous || of_previous[i]) && !gone[i])
			json_array_append_new(run->at[k].news, diagnostic_to_json(&now.item[i]));
	return rc;
}

/* Which warnings of patch `k` the kernel after `later` does not have. */
static int news_mend(struct trial *t, struct row_run *run, size_t k, size_t later, struct err *err)
{
	auto_set struct set brought = {0}, now = {0};
	auto_line_map struct line_map map = {0};
	auto_free bool *gone = NULL;
	json_t *row;
	size_t i;
	int rc = map_of(t, k, later, &map, err);

	if (rc < 0)
		return rc;
	set_read(run->at[k].news, &brought);
	set_of(run, later, &now);
	gone = xcalloc(brought.n + 1, sizeof(*gone));
	new_warnings(&(struct warning_set){brought.item, brought.n},
		     &(struct warning_set){now.item, now.n}, &map, NULL, gone);
	json_array_foreach (run->at[k].news, i, row)
		if (gone[i] && !json_object_get(row, "mended"))
			json_object_set_new(
				row, "mended",
				json_integer(t->series->patch[later - 1].subject.number));
	return 0;
}

static int mend_all(struct trial *t, struct row_run *run, size_t k, struct err *err)
{
	const json_t *row;
	size_t i;
	int rc = 0;

	if (!json_array_size(run->at[k].news))
		return 0;
	for (size_t later = k + 1; rc == 0 && later <= run->n; later++)
		if (is_known(run, later) && !is_cut(run, later))
			rc = news_mend(t, run, k, later, err);
	json_array_foreach (run->at[k].news, i, row)
		run->at[k].n_news += !json_object_get(row, "mended");
	return rc;
}

/* What is known of a kernel with too many warnings is new all the same, where the base does not
 * have it. Only what comes after such a kernel can't be compared with it. */
int row_run_compare(struct trial *t, struct row_run *run, struct err *err)
{
	size_t previous = 0;
	int rc = 0;

	for (size_t k = 0; k <= run->n; k++)
		run->uncompared = run->uncompared || is_cut(run, k);
	for (size_t k = 1; rc == 0 && k <= run->n && !is_cut(run, 0); k++) {
		if (!is_known(run, k))
			continue;
		if (!is_cut(run, previous))
			rc = news_find(t, run, previous, k, err);
		previous = k;
	}
	for (size_t k = 1; rc == 0 && k <= run->n; k++)
		rc = mend_all(t, run, k, err);
	return rc;
}
