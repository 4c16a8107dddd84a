// SPDX-License-Identifier: GPL-2.0-or-later
/* What is kept of a posting for who looks at it: files, cover letter, what changed since the
 * version before. */
#include "serve/intake.h"

#include "trial/since.h"

static int files_write(const struct around *a, int64_t posting, const struct series *s,
		       struct err *err)
{
	const char **path = NULL;
	size_t n = 0, cap = 0;
	int rc;

	for (size_t i = 0; i < s->n_patches; i++) {
		const struct diff *d = s->patch[i].diff;

		for (size_t k = 0; d && k < d->n_files; k++) {
			arr_grow(path, n, cap);
			path[n++] = diff_file_path(&d->file[k]);
		}
	}
	rc = store_posting_files(a->st->store, posting, path, n, err);
	free(path);
	return rc;
}

/* Of a patch alone its message, without the subject that the page has as its title. */
static const char *cover_of(const struct series *s)
{
	const char *body;

	if (s->cover)
		return s->cover->text;
	if (s->total != 1 || s->n_patches != 1)
		return "";
	body = strstr(s->patch[0].message, "\n\n");
	return body ? body + 2 : "";
}

int posting_texts(const struct around *a, int64_t posting, const struct series *s, struct err *err)
{
	int rc = files_write(a, posting, s, err);

	return rc < 0 ? rc : store_posting_cover(a->st->store, posting, cover_of(s), err);
}

int posting_since(const struct around *a, int64_t posting, const struct series *older,
		  const struct series *newer, struct err *err)
{
	auto_free char *text = NULL;
	struct range_diff rd = {0};
	int rc = range_diff_make(older, newer, &rd, err);

	if (rc < 0)
		return rc;
	json_t *since = since_json(&rd, older, newer);

	text = json_dumps(since, JSON_COMPACT);
	json_decref(since);
	range_diff_done(&rd);
	return text ? store_posting_since(a->st->store, posting, text, err) : 0;
}
