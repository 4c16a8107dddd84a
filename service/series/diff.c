// SPDX-License-Identifier: GPL-2.0-or-later
#include "series/diff.h"

#include "series/diff_parse.h"

bool span_starts(struct span s, const char *prefix)
{
	size_t n = strlen(prefix);

	return s.n >= n && memcmp(s.p, prefix, n) == 0;
}

bool span_is(struct span s, const char *text)
{
	return s.n == strlen(text) && span_starts(s, text);
}

struct span span_after(struct span s, size_t n)
{
	return (struct span){s.p + n, s.n - n};
}

struct span reader_line(const struct diff_reader *r)
{
	size_t left = (size_t)(r->end - r->pos);
	const char *nl = left ? memchr(r->pos, '\n', left) : NULL;

	return (struct span){r->pos, nl ? (size_t)(nl - r->pos) : left};
}

bool reader_at_end(const struct diff_reader *r)
{
	return r->pos == r->end;
}

bool reader_line_ends(const struct diff_reader *r)
{
	return r->pos + reader_line(r).n < r->end;
}

void reader_next(struct diff_reader *r)
{
	struct span s = reader_line(r);

	r->pos = s.p + s.n;
	if (r->pos < r->end)
		r->pos++;
	r->line++;
}

static void diff_file_done(struct diff_file *f)
{
	for (size_t i = 0; i < f->n_hunks; i++)
		free(f->hunk[i].line);
	free(f->hunk);
	free(f->old_path);
	free(f->new_path);
	free(f->forward.data);
	free(f->reverse.data);
}

void diff_free(struct diff *d)
{
	if (!d)
		return;
	for (size_t i = 0; i < d->n_files; i++)
		diff_file_done(&d->file[i]);
	free(d->file);
	free(d);
}

const char *diff_file_path(const struct diff_file *f)
{
	return f->new_path ? f->new_path : f->old_path;
}

/* The reader is at "--- ", "+++ ", "@@ -": the plain form. Two of these lines alone may be prose.
 */
static bool plain_begins(const struct diff_reader *r)
{
	struct diff_reader ahead = *r;

	if (!span_starts(reader_line(&ahead), "--- "))
		return false;
	reader_next(&ahead);
	if (!span_starts(reader_line(&ahead), "+++ "))
		return false;
	reader_next(&ahead);
	return span_starts(reader_line(&ahead), "@@ -");
}

static void plain_sides(struct diff_file *f, struct span old_side, struct span new_side)
{
	auto_free char *old_name = NULL, *name = NULL;

	if (!name_is_null(old_side))
		old_name = name_of_plain(old_side, NULL);
	name = name_is_null(new_side) ? take(old_name) : name_of_plain(new_side, old_name);
	if (!name)
		name = take(old_name);
	if (!name)
		return;
	f->op = DIFF_MODIFY;
	if (name_is_null(old_side) || (!name_is_null(new_side) && name_has_epoch(old_side)))
		f->op = DIFF_CREATE;
	else if (name_is_null(new_side) || name_has_epoch(new_side))
		f->op = DIFF_DELETE;
	f->old_path = f->op == DIFF_CREATE ? NULL : xstrdup(name);
	f->new_path = f->op == DIFF_DELETE ? NULL : xstrdup(name);
}

static int plain_header_parse(struct diff_reader *r, struct diff_file *f, struct err *err)
{
	struct span old_side = span_after(reader_line(r), 4), new_side;

	f->patch_line = r->line;
	reader_next(r);
	new_side = span_after(reader_line(r), 4);
	plain_sides(f, old_side, new_side);
	if (!f->old_path && !f->new_path)
		return err_set(err, ERR_PATCH, "line %u: no file name that can be read",
			       f->patch_line);
	f->may_create = f->op == DIFF_MODIFY;
	reader_next(r);
	return 0;
}

static int hunks_parse(struct diff_reader *r, struct diff_file *f, struct err *err)
{
	uint64_t old_lines = 0, new_lines = 0;
	size_t cap = 0;
	int rc;

	while (span_starts(reader_line(r), "@@ -")) {
		arr_grow(f->hunk, f->n_hunks, cap);
		rc = hunk_parse(r, &f->hunk[f->n_hunks], err);
		if (rc)
			return rc;
		old_lines += f->hunk[f->n_hunks].old_count;
		new_lines += f->hunk[f->n_hunks].new_count;
		f->n_hunks++;
	}
	f->may_create = f->may_create && !old_lines && f->n_hunks == 1;
	if (f->op == DIFF_CREATE && old_lines)
		return err_set(err, ERR_PATCH, "line %u: the new file %.200s has old lines",
			       f->patch_line, f->new_path);
	if (f->op == DIFF_DELETE && new_lines)
		return err_set(err, ERR_PATCH, "line %u: the deleted file %.200s has new lines",
			       f->patch_line, f->old_path);
	return 0;
}

static bool is_binary_notice(struct span s)
{
	static const char differ[] = " differ";
	size_t n = sizeof(differ) - 1;

	return (span_starts(s, "Binary files ") || span_starts(s, "Files ")) && s.n > n &&
	       memcmp(s.p + s.n - n, differ, n) == 0;
}

static bool changes_metadata(const struct diff_file *f)
{
	return f->op != DIFF_MODIFY || (f->old_mode && f->new_mode && f->old_mode != f->new_mode);
}

static int file_body_parse(struct diff_reader *r, struct diff_file *f, struct err *err)
{
	int rc = hunks_parse(r, f, err);

	if (rc || f->n_hunks)
		return rc;
	if (span_is(reader_line(r), "GIT binary patch")) {
		f->is_binary = true;
		reader_next(r);
		return binary_parse(r, f, err);
	}
	if (is_binary_notice(reader_line(r))) {
		f->is_binary = true;
		reader_next(r);
		return 0;
	}
	if (!changes_metadata(f))
		return err_set(err, ERR_PATCH, "line %u: a diff of %.200s without a change",
			       f->patch_line, diff_file_path(f));
	return 0;
}

static int file_paths_check(const struct diff_file *f, struct err *err)
{
	const char *const path[] = {f->old_path, f->new_path};

	for (size_t i = 0; i < array_size(path); i++) {
		if (path[i] && name_check(path[i], err))
			return err_wrap(err, "line %u", f->patch_line);
	}
	return 0;
}

/* The diff that begins on the line at the reader, if one does; else moves on by that line. */
static int file_parse(struct diff_reader *r, struct diff_file *f, bool *ret_found, struct err *err)
{
	struct span line = reader_line(r);
	struct diff_hunk stray;
	int rc;

	*ret_found = false;
	if (span_starts(line, "diff --git ")) {
		rc = git_header_parse(r, f, ret_found, err);
	} else if (plain_begins(r)) {
		*ret_found = true;
		rc = plain_header_parse(r, f, err);
	} else if (reader_line_ends(r) && hunk_header_parse(line, &stray)) {
		return err_set(err, ERR_PATCH, "line %u: a hunk that belongs to no file", r->line);
	} else {
		reader_next(r);
		return 0;
	}
	if (rc || !*ret_found)
		return rc;
	rc = file_paths_check(f, err);
	return rc ? rc : file_body_parse(r, f, err);
}

int diff_parse(const char *text, size_t len, struct diff **ret_diff, struct err *err)
{
	struct diff_reader r = {.pos = text, .end = text + len, .line = 1};
	struct diff *d = xcalloc(1, sizeof(*d));
	size_t cap = 0;
	int rc = 0;

	while (!rc && !reader_at_end(&r)) {
		struct diff_file f = {0};
		bool found;

		rc = file_parse(&r, &f, &found, err);
		if (rc || !found) {
			diff_file_done(&f);
			continue;
		}
		arr_grow(d->file, d->n_files, cap);
		d->file[d->n_files++] = f;
		if (d->n_files > DIFF_FILES_MAX)
			rc = err_set(err, ERR_PATCH, "more than %u files in one patch",
				     DIFF_FILES_MAX);
	}
	if (rc) {
		diff_free(d);
		return rc;
	}
	*ret_diff = d;
	return 0;
}
