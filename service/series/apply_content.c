// SPDX-License-Identifier: GPL-2.0-or-later
#include "series/apply_run.h"
#include "series/binary.h"

static bool hunk_adds(const struct diff_hunk *h)
{
	for (size_t i = 0; i < h->n_lines; i++) {
		if (h->line[i].kind == '+')
			return true;
	}
	return false;
}

/* Says so when the new side of the hunk is in the file: the patch, or another like it, was applied
 * before. */
static int hunk_explain(const struct image *img, const struct diff_hunk *h, struct err *err)
{
	auto_free char *what = xstrdup(err->msg);
	struct place there;

	if (!h->new_count || place_find(img, h, true, &there) != PLACE_FOUND)
		return ERR_PATCH;
	if (hunk_adds(h))
		return err_set(err, ERR_PATCH, "%s: its change is already there, at line %zu", what,
			       there.line + 1);
	return err_set(err, ERR_PATCH, "%s: what it removes is not there", what);
}

static int hunk_failed(struct apply_run *run, const struct image *img, const struct diff_file *f,
		       const struct diff_hunk *h, struct err *err)
{
	struct apply_result *ret = run->ret;

	ret->failed_path = xstrdup(diff_file_path(f));
	ret->failed_hunk = (unsigned)(h - f->hunk) + 1;
	evidence_hunk(ret, img, h);
	err_set(err, ERR_PATCH, "hunk %u of %s does not apply at line %u", ret->failed_hunk,
		ret->failed_path, h->old_start);
	return hunk_explain(img, h, err);
}

static int hunk_apply(struct apply_run *run, struct image *img, const struct diff_file *f,
		      const struct diff_hunk *h, struct err *err)
{
	struct place place;

	switch (place_find(img, h, false, &place)) {
	case PLACE_FOUND: break;
	case PLACE_NOWHERE: return hunk_failed(run, img, f, h, err);
	case PLACE_GAVE_UP:
		return err_set(err, ERR_PATCH, "%s: finding where the hunks go takes too long",
			       diff_file_path(f));
	}
	run->now.hunks++;
	run->now.offset_hunks += place.moved;
	place_apply(img, h, place.line);
	return 0;
}

static size_t lines_added(const struct diff_file *f)
{
	size_t n = 0;

	for (size_t i = 0; i < f->n_hunks; i++)
		n += f->hunk[i].n_lines;
	return n;
}

static int text_patch(struct apply_run *run, const struct diff_file *f, struct bytes old,
		      struct str *ret_new, struct err *err)
{
	struct image img;
	int rc = 0;

	image_init(&img, old, lines_added(f), &run->budget);
	for (size_t i = 0; !rc && i < f->n_hunks; i++)
		rc = hunk_apply(run, &img, f, &f->hunk[i], err);
	if (!rc)
		image_text(&img, ret_new);
	image_done(&img);
	if (!rc && ret_new->truncated)
		return err_set(err, ERR_PATCH, "%s would be larger than %zu MiB", diff_file_path(f),
			       ret_new->max >> 20);
	return rc;
}

static bool is_id(struct bytes data, const char *hex)
{
	char is[GIT_OID_HEXSZ + 1];
	git_oid id;

	return git_odb_hash(&id, data.data, data.len, GIT_OBJECT_BLOB) == 0 &&
	       strcmp(git_oid_tostr(is, sizeof(is), &id), hex) == 0;
}

/* The data of the patch, or the object itself when it is known by its id; it must come out as the
 * index line says. */
static int binary_new(struct apply_run *run, const struct diff_file *f, struct bytes old,
		      struct str *ret_new, struct err *err)
{
	struct bytes known;
	git_oid id;
	int rc;

	if (git_oid_fromstr(&id, f->new_id) == 0 && objects_has_blob(run->objects, &id)) {
		rc = objects_read(run->objects, &id, GIT_OBJECT_BLOB, &known, err);
		if (!rc)
			str_add(ret_new, known.data, known.len);
		return rc;
	}
	if (!f->forward.present)
		return err_set(err, ERR_PATCH,
			       "%s is binary, and the mail does not have its contents",
			       diff_file_path(f));
	if (!binary_apply(&f->forward, old, ret_new))
		return err_set(err, ERR_PATCH, "the binary patch of %s does not apply",
			       diff_file_path(f));
	if (!is_id((struct bytes){ret_new->buf, ret_new->len}, f->new_id))
		return err_set(err, ERR_PATCH, "the binary patch of %s does not give blob %s",
			       diff_file_path(f), f->new_id);
	return 0;
}

static int binary_patch(struct apply_run *run, const struct diff_file *f, struct bytes old,
			struct str *ret_new, struct err *err)
{
	static const char null_id[] = "0000000000000000000000000000000000000000";

	if (strlen(f->old_id) != GIT_OID_HEXSZ || strlen(f->new_id) != GIT_OID_HEXSZ)
		return err_set(err, ERR_PATCH,
			       "%s is binary, and its index line has no full ids (git format-patch "
			       "--binary "
			       "writes them)",
			       diff_file_path(f));
	if (f->old_path && !is_id(old, f->old_id))
		return err_set(err, ERR_PATCH,
			       "%s is not the blob %.12s that the binary patch is against",
			       f->old_path, f->old_id);
	if (strcmp(f->new_id, null_id) == 0)
		return 0;
	return binary_new(run, f, old, ret_new, err);
}

int content_patch(struct apply_run *run, const struct diff_file *f, struct bytes old,
		  struct str *ret_new, struct err *err)
{
	if (f->is_binary)
		return binary_patch(run, f, old, ret_new, err);
	return text_patch(run, f, old, ret_new, err);
}
