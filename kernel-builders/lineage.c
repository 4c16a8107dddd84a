// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel-builders/lineage.h"

/* Longer series are not applied. */
#define COMMITS_MAX 10000

void lineage_done(struct lineage *l)
{
	free(l->tree);
	*l = (struct lineage){0};
}

static int not_descended(const git_oid *base, const git_oid *commit, struct err *err)
{
	char from[GIT_OID_HEXSZ + 1], to[GIT_OID_HEXSZ + 1];

	return err_set(err, ERR_INPUT, "%.12s does not descend from its base %.12s",
		       git_oid_tostr(to, sizeof(to), commit),
		       git_oid_tostr(from, sizeof(from), base));
}

int lineage_read(git_repository *repo, const git_oid *base, const git_oid *commit,
		 struct lineage *ret, struct err *err)
{
	git_oid at = *commit;

	if (git_oid_is_zero(base))
		return 0;
	for (unsigned i = 0; i < COMMITS_MAX && !git_oid_equal(&at, base); i++) {
		auto_git(commit) git_commit *c = NULL;

		if (git_commit_lookup(&c, repo, &at) < 0)
			return err_git(err, ERR_INFRA, "cannot read commit %.12s",
				       git_oid_tostr_s(&at));
		if (i > 0) {
			arr_grow(ret->tree, ret->n, ret->cap);
			git_oid_cpy(&ret->tree[ret->n++], git_commit_tree_id(c));
		}
		if (git_commit_parentcount(c) == 0)
			return not_descended(base, commit, err);
		git_oid_cpy(&at, git_commit_parent_id(c, 0));
	}
	return git_oid_equal(&at, base) ? 0 : not_descended(base, commit, err);
}

void lineage_describe(const struct lineage *l, struct str *s)
{
	for (size_t i = 0; i < l->n; i++)
		str_addf(s, "after %s\n", git_oid_tostr_s(&l->tree[i]));
}

static bool has(const struct lineage *l, const char *hex)
{
	git_oid id;

	if (!hex || git_oid_fromstr(&id, hex) < 0)
		return false;
	for (size_t i = 0; i < l->n; i++)
		if (git_oid_equal(&l->tree[i], &id))
			return true;
	return false;
}

/* Were only these, and `tree`, built there? */
static bool is_clean(const struct lineage *l, const char *tree, const json_t *built)
{
	const json_t *id;
	size_t i;

	json_array_foreach (built, i, id) {
		const char *hex = json_string_value(id);

		if (!has(l, hex) && (!hex || strcmp(hex, tree) != 0))
			return false;
	}
	return true;
}

int lineage_enter(const struct lineage *l, const git_oid *tree, const struct objects *kept,
		  struct objects *slot, struct err *err)
{
	char hex[GIT_OID_HEXSZ + 1];
	json_t *built;
	int rc = 0;

	git_oid_tostr(hex, sizeof(hex), tree);
	if (!is_clean(l, hex, json_object_get(slot->state, "built")))
		rc = objects_refill(slot, kept, err);
	if (rc < 0)
		return rc;
	built = json_object_get(slot->state, "built");
	if (!built) {
		built = json_array();
		json_object_set_new(slot->state, "built", built);
	}
	json_array_append_new(built, json_string(hex));
	return 0;
}
