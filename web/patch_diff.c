// SPDX-License-Identifier: GPL-2.0-or-later
#include "web/patch_diff.h"

#include <stdlib.h>

struct reader {
	struct patch_lines *p;
	bool in_file;		     /* after the first line of the first file */
	bool in_head;		     /* between a file's first line and its first hunk */
	bool lost;		     /* in a file over PATCH_FILES_MAX */
	unsigned left_old, left_new; /* lines that the hunk still has */
	unsigned before, after;	     /* numbers of its next lines */
};

static bool begins(const char *s, size_t n, const char *prefix)
{
	size_t len = strlen(prefix);

	return n >= len && memcmp(s, prefix, len) == 0;
}

/* ",12" of "@@ -34,12 +34,13 @@"; 1 where it is left out. */
static bool take_range(const char **s, char sign, unsigned *ret_from, unsigned *ret_count)
{
	char *end;

	if (**s != sign)
		return false;
	*ret_from = (unsigned)strtoul(*s + 1, &end, 10);
	*ret_count = 1;
	if (end == *s + 1)
		return false;
	if (*end == ',')
		*ret_count = (unsigned)strtoul(end + 1, &end, 10);
	*s = end;
	return true;
}

/* The text ends in a NUL, so that strtoul() stops there. */
static bool hunk_begin(struct reader *r, const char *s, size_t n)
{
	unsigned old_n, new_n, old, new;

	if (!begins(s, n, "@@ -"))
		return false;
	s += strlen("@@ ");
	if (!take_range(&s, '-', &old, &old_n) || *s++ != ' ' ||
	    !take_range(&s, '+', &new, &new_n) || !str_starts(s, " @@"))
		return false;
	r->left_old = old_n;
	r->left_new = new_n;
	r->before = old;
	r->after = new;
	r->in_head = false;
	return true;
}

/* "a/mm/slab.c" and what a quilt or a plain diff writes before the first slash; without the time
 * stamp behind a tab. */
static char *path_of(const char *s, size_t n)
{
	const char *tab = memchr(s, '\t', n), *slash;

	if (tab)
		n = (size_t)(tab - s);
	while (n && (s[n - 1] == ' ' || s[n - 1] == '\r'))
		n--;
	slash = memchr(s, '/', n);
	if (slash && !begins(s, n, "/dev/null")) {
		n -= (size_t)(slash + 1 - s);
		s = slash + 1;
	}
	return xmemdup(s, n);
}

/* Of "diff --git a/x b/x", where the names may hold blanks: they are the same, but for renames,
 * which name them again. */
static char *path_of_git(const char *s, size_t n)
{
	size_t skip = strlen("diff --git ");
	size_t half = n > skip ? (n - skip) / 2 : 0;

	return half ? path_of(s + n - half, half) : xstrdup("");
}

static void file_begin(struct reader *r, char *path)
{
	struct patch_lines *p = r->p;

	r->in_file = r->in_head = true;
	if (p->n_files == PATCH_FILES_MAX) {
		r->lost = true;
		free(path);
		return;
	}
	arr_grow(p->file, p->n_files, p->files_cap);
	p->file[p->n_files++] = (struct patch_file){.path = path, .from = p->n};
}

static struct patch_file *file_now(const struct reader *r)
{
	return r->p->n_files && !r->lost ? &r->p->file[r->p->n_files - 1] : NULL;
}

static void file_rename(const struct reader *r, char *path)
{
	struct patch_file *f = file_now(r);

	if (!f || strcmp(path, "/dev/null") == 0) {
		free(path);
		return;
	}
	free(f->path);
	f->path = path;
}

static enum patch_line_kind hunk_line(struct reader *r, char c, struct patch_line *line)
{
	struct patch_file *f = file_now(r);

	if (c != '+' && r->left_old) {
		line->before = r->before++;
		r->left_old--;
	}
	if (c != '-' && r->left_new) {
		line->after = r->after++;
		r->left_new--;
	}
	if (f) {
		f->added += c == '+';
		f->removed += c == '-';
	}
	return c == '+' ? PATCH_ADDED : c == '-' ? PATCH_REMOVED : PATCH_CONTEXT;
}

/* Between hunks and before the first. */
static enum patch_line_kind file_line(struct reader *r, const char *s, size_t n)
{
	static const char *const metas[] = {"index ",
					    "old mode ",
					    "new mode ",
					    "new file mode ",
					    "deleted file mode ",
					    "similarity ",
					    "dissimilarity ",
					    "copy ",
					    "rename ",
					    "Binary files ",
					    "GIT binary patch"};

	if (begins(s, n, "+++ "))
		file_rename(r, path_of(s + 4, n - 4));
	if (begins(s, n, "rename to ") || begins(s, n, "copy to ")) {
		size_t skip = (size_t)((const char *)memchr(s, 't', n) - s) + strlen("to ");

		while (n > skip && s[n - 1] == '\r')
			n--;
		file_rename(r, xmemdup(s + skip, n - skip));
	}
	if (begins(s, n, "--- ") || begins(s, n, "+++ "))
		return PATCH_META;
	for (size_t i = 0; i < array_size(metas); i++)
		if (begins(s, n, metas[i]))
			return PATCH_META;
	return PATCH_WORDS;
}

/* A plain diff has no line before "--- old" and "+++ new". */
static bool is_plain_file(const char *s, size_t n, const char *end)
{
	const char *next = s + n + 1;

	return begins(s, n, "--- ") && next < end && begins(next, (size_t)(end - next), "+++ ");
}

static enum patch_line_kind classify(struct reader *r, struct patch_line *line, const char *end)
{
	const char *s = line->s;
	size_t n = line->n;
	char c = n ? *s : ' ';

	if ((r->left_old || r->left_new) && memchr("+- \t", c, 4))
		return hunk_line(r, c, line);
	if (r->in_file && c == '\\') /* no newline at the end: a hunk may go on after it */
		return PATCH_META;
	r->left_old = r->left_new = 0;
	if (begins(s, n, "diff --git ")) {
		file_begin(r, path_of_git(s, n));
		return PATCH_FILE;
	}
	if (!r->in_head && is_plain_file(s, n, end)) {
		file_begin(r, path_of(s + 4, n - 4));
		return PATCH_FILE;
	}
	if (!r->in_file)
		return PATCH_WORDS;
	return hunk_begin(r, s, n) ? PATCH_HUNK : file_line(r, s, n);
}

void patch_lines_read(const char *text, size_t n, struct patch_lines *ret)
{
	struct reader r = {.p = ret};
	const char *end = text + n, *next;

	for (const char *s = text; s < end; s = next) {
		const char *stop = memchr(s, '\n', (size_t)(end - s));

		stop = stop ? stop : end;
		next = stop + 1;
		if (ret->n == PATCH_LINES_MAX) {
			ret->left_out++;
			continue;
		}
		struct patch_line line = {.s = s, .n = (unsigned)(stop - s)};

		line.kind = classify(&r, &line, end);
		arr_grow(ret->line, ret->n, ret->cap);
		ret->line[ret->n++] = line;
	}
}

void patch_lines_done(struct patch_lines *p)
{
	for (size_t i = 0; i < p->n_files; i++)
		free(p->file[i].path);
	free(p->file);
	free(p->line);
	*p = (struct patch_lines){0};
}

static size_t file_end(const struct patch_lines *p, size_t i)
{
	return i + 1 < p->n_files ? p->file[i + 1].from : p->n;
}

bool patch_lines_find(const struct patch_lines *p, const char *path, unsigned number,
		      size_t *ret_index)
{
	for (size_t i = 0; i < p->n_files; i++) {
		if (strcmp(p->file[i].path, path) != 0)
			continue;
		for (size_t k = p->file[i].from; k < file_end(p, i); k++) {
			if (p->line[k].after == number && number) {
				*ret_index = k;
				return true;
			}
		}
	}
	return false;
}
