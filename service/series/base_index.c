// SPDX-License-Identifier: GPL-2.0-or-later
/* Is the index that was kept still good? Else it is added to, or made. */
#include "series/base_index_run.h"

#include "base/fs.h"
#include "series/repo.h"

/* Below what was asked for, so that a somewhat older mail does not mean a new index. */
#define ROOM_BELOW ((int64_t)180 * 24 * 3600)

/* What the refs point at, as they say it: tags are not looked into. */
struct refs {
	git_oid *id;
	size_t n, cap;
};

static int id_cmp(const void *a, const void *b)
{
	return git_oid_cmp(a, b);
}

static void refs_add(struct refs *r, const git_oid *id)
{
	arr_grow(r->id, r->n, r->cap);
	r->id[r->n++] = *id;
}

static bool ref_counts(const char *name)
{
	return str_starts(name, "refs/heads/") || str_starts(name, "refs/remotes/") ||
	       str_starts(name, "refs/tags/");
}

static void refs_add_head(git_repository *user, struct refs *r)
{
	git_reference *head;

	if (git_repository_head(&head, user) < 0)
		return;
	if (git_reference_target(head))
		refs_add(r, git_reference_target(head));
	git_reference_free(head);
}

static int refs_read(git_repository *user, struct refs *r, struct err *err)
{
	git_reference_iterator *it;
	git_reference *ref;
	int rc = git_reference_iterator_new(&it, user);

	if (rc < 0)
		return err_git(err, ERR_CONFIG, "cannot list the refs of %s",
			       git_repository_path(user));
	while ((rc = git_reference_next(&ref, it)) == 0) {
		/* A symbolic one points to another in the list. */
		if (ref_counts(git_reference_name(ref)) && git_reference_target(ref))
			refs_add(r, git_reference_target(ref));
		git_reference_free(ref);
	}
	git_reference_iterator_free(it);
	if (rc != GIT_ITEROVER)
		return err_git(err, ERR_CONFIG, "cannot read the refs of %s",
			       git_repository_path(user));
	refs_add_head(user, r);
	if (r->n)
		qsort(r->id, r->n, sizeof(*r->id), id_cmp);
	return 0;
}

static int refs_digest(const struct refs *r, git_oid *ret_digest, struct err *err)
{
	if (git_odb_hash(ret_digest, r->n ? (const void *)r->id : "", r->n * sizeof(*r->id),
			 GIT_OBJECT_BLOB) < 0)
		return err_git(err, ERR_INFRA, "cannot hash the refs");
	return 0;
}

/* Tags become commits. The few that are none (a tagged tree or key) are left out, and so are refs
 * to what is not there. */
static void refs_peel(git_repository *user, struct refs *r)
{
	size_t kept = 0;

	for (size_t i = 0; i < r->n; i++) {
		auto_git(object) git_object *any = NULL, *commit = NULL;

		if (git_object_lookup(&any, user, &r->id[i], GIT_OBJECT_ANY) == 0 &&
		    git_object_peel(&commit, any, GIT_OBJECT_COMMIT) == 0)
			r->id[kept++] = *git_object_id(commit);
	}
	r->n = kept;
}

/* A cache that cannot be written is no reason not to use what was found. */
static void index_keep(struct base_index *ix, const char *file)
{
	struct err ignored = ERR_INIT;

	if (file)
		ix->facts.unsaved = fs_write_atomic(file, ix->image, ix->len, &ignored) < 0;
}

static int index_build(struct base_build *b, const struct base_index *old, struct refs *refs,
		       struct base_index **ret_index, struct err *err)
{
	int rc;

	refs_peel(b->repo, refs);
	rc = base_build(b, old, refs->id, refs->n, err);
	if (rc)
		return rc;
	*ret_index = base_image_make(b);
	(*ret_index)->facts.fresh = b->n_fresh;
	(*ret_index)->facts.rebuilt = !old;
	return 0;
}

/* Too short, or so long that there is little room for what is new. */
static bool index_useless(const struct base_index *ix, int64_t from)
{
	return ix->facts.since > from || ix->facts.commits > BASE_COMMITS_MAX / 2;
}

static int index_refresh(const struct base_index_request *rq, struct base_index *old,
			 struct refs *refs, struct base_index **ret_index, struct err *err)
{
	struct base_build b = {.request = rq, .repo = rq->user};
	int rc = refs_digest(refs, &b.refs, err);

	if (rc)
		return rc;
	if (old && old->facts.since <= rq->from && git_oid_equal(&old->refs, &b.refs)) {
		*ret_index = old;
		return 0;
	}
	if (old && index_useless(old, rq->from))
		old = NULL;
	b.floor = old ? old->facts.since : rq->from - ROOM_BELOW;
	rc = index_build(&b, old, refs, ret_index, err);
	base_build_done(&b);
	if (!rc)
		index_keep(*ret_index, rq->file);
	return rc;
}

int base_index_open(const struct base_index_request *request, struct base_index **ret_index,
		    struct err *err)
{
	struct base_index *old = NULL, *ix = NULL;
	struct refs refs = {0};
	int rc;

	repo_setup();
	rc = refs_read(request->user, &refs, err);
	if (!rc) {
		old = request->file ? base_image_load(request->file) : NULL;
		rc = index_refresh(request, old, &refs, &ix, err);
	}
	if (old != ix)
		base_index_free(old);
	free(refs.id);
	if (rc)
		return rc;
	*ret_index = ix;
	return 0;
}

const struct base_index_facts *base_index_facts(const struct base_index *ix)
{
	return &ix->facts;
}
