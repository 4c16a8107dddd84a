// SPDX-License-Identifier: GPL-2.0-or-later
#include "series/merge3_file.h"

#include <sys/stat.h>

static bool is_binary(struct bytes b)
{
	/* As much as git looks at (buffer_is_binary()). */
	return b.len && memchr(b.data, '\0', b.len < 8000 ? b.len : 8000);
}

static int sides_read(struct apply_run *run, const struct sides *s, struct bytes ret[static 3],
		      struct err *err)
{
	const git_oid *id[] = {&s->base.id, &s->ours.id, &s->theirs.id};
	int rc = 0;

	for (size_t i = 0; !rc && i < array_size(id); i++)
		rc = objects_read(run->objects, id[i], GIT_OBJECT_BLOB, &ret[i], err);
	return rc;
}

static int text_merge(struct apply_run *run, const struct sides *s, struct str *out,
		      struct err *err)
{
	git_merge_file_input in[3];
	git_merge_file_result merged = {0};
	struct bytes text[3];
	int rc = sides_read(run, s, text, err);

	if (rc)
		return rc;
	for (size_t i = 0; i < array_size(in); i++) {
		if (is_binary(text[i]))
			return err_set(err, ERR_PATCH, "%s is binary and has changed since",
				       s->into->path);
		in[i] = (git_merge_file_input){.version = GIT_MERGE_FILE_INPUT_VERSION,
					       .ptr = text[i].data,
					       .size = text[i].len};
	}
	if (git_merge_file(&merged, &in[0], &in[1], &in[2], NULL) < 0)
		return err_git(err, ERR_PATCH, "cannot merge %s", s->into->path);
	if (!merged.automergeable)
		rc = err_set(err, ERR_PATCH, "%s has changed in the same lines", s->into->path);
	else
		str_add(out, merged.ptr, merged.len);
	git_merge_file_result_free(&merged);
	return rc;
}

/* The side that changed it wins; when both did, they must agree. */
static int mode_merge(const struct sides *s, uint32_t *ret_mode, struct err *err)
{
	uint32_t a = s->ours.mode, o = s->base.mode, b = s->theirs.mode;

	if (a != b && a != o && b != o)
		return err_set(err, ERR_PATCH, "the mode of %s has changed, too", s->into->path);
	*ret_mode = a == o ? b : a;
	return 0;
}

void merge3_put(struct apply_run *run, struct path_file *into, uint32_t mode, const git_oid *id)
{
	objects_keep(run->objects, id);
	path_tree_point(into, mode, id);
}

int merge3_contents(struct apply_run *run, const struct sides *s, struct err *err)
{
	auto_str struct str text;
	uint32_t mode = 0;
	int rc = mode_merge(s, &mode, err);

	str_init(&text, OBJECT_FILE_MAX);
	if (rc)
		return rc;
	if (git_oid_equal(&s->ours.id, &s->base.id) || git_oid_equal(&s->ours.id, &s->theirs.id)) {
		merge3_put(run, s->into, mode, &s->theirs.id);
		return 0;
	}
	if (git_oid_equal(&s->theirs.id, &s->base.id)) {
		merge3_put(run, s->into, mode, &s->ours.id);
		return 0;
	}
	if (!S_ISREG(s->ours.mode) || !S_ISREG(s->base.mode) || !S_ISREG(s->theirs.mode))
		return err_set(err, ERR_PATCH, "%s is a link that has changed since",
			       s->into->path);
	rc = text_merge(run, s, &text, err);
	if (!rc && text.truncated)
		rc = err_set(err, ERR_PATCH, "%s would be larger than %zu MiB", s->into->path,
			     OBJECT_FILE_MAX >> 20);
	return rc ? rc : path_tree_put(run->tree, s->into, mode, &text, err);
}
