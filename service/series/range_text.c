// SPDX-License-Identifier: GPL-2.0-or-later
#include "series/range_text.h"

#include <git2.h>

/* What libgit2 compares has 32-bit sizes; a mail is smaller. */
#define TEXT_MAX ((size_t)128 << 20)

static void heading_add(struct str *out, const struct diff_file *f)
{
	str_addf(out, " ## %s", diff_file_path(f));
	if (f->op == DIFF_CREATE)
		str_adds(out, " (new)");
	else if (f->op == DIFF_DELETE)
		str_adds(out, " (deleted)");
	else if (f->op == DIFF_RENAME)
		str_addf(out, " (was %s)", f->old_path);
	if (f->old_mode && f->new_mode && f->old_mode != f->new_mode)
		str_addf(out, " (mode change %06o => %06o)", f->old_mode, f->new_mode);
	str_adds(out, " ##\n");
}

/* Line numbers move with every other patch of the series, and are left out. */
static void hunk_add(struct str *out, const struct diff_file *f, const struct diff_hunk *h)
{
	str_adds(out, "@@");
	if (h->section_len)
		str_addf(out, " %s: %.*s", diff_file_path(f), (int)h->section_len, h->section);
	str_addc(out, '\n');
	for (size_t i = 0; i < h->n_lines; i++) {
		str_addc(out, h->line[i].kind);
		str_add(out, h->line[i].text, h->line[i].len);
		str_adds(out, h->line[i].no_newline ? "\n \\ No newline at end of file\n" : "\n");
	}
}

static uint64_t bytes_hash(const char *p, size_t n)
{
	uint64_t h = 0xcbf29ce484222325u; /* FNV-1a */

	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)p[i]) * 0x100000001b3u;
	return h;
}

static void binary_add(struct str *out, const struct diff_file *f)
{
	if (f->forward.present)
		str_addf(out, " Binary data, %zu bytes, %016llx\n", f->forward.len,
			 (unsigned long long)bytes_hash(f->forward.data, f->forward.len));
	else
		str_adds(out, " Binary files differ\n");
}

static void diff_add(struct str *out, const struct patch *p)
{
	if (!p->diff) { /* could not be parsed: as it came */
		str_add(out, p->diff_text ? p->diff_text : "", p->diff_len);
		return;
	}
	for (size_t i = 0; i < p->diff->n_files; i++) {
		const struct diff_file *f = &p->diff->file[i];

		if (i)
			str_addc(out, '\n');
		heading_add(out, f);
		if (f->is_binary)
			binary_add(out, f);
		for (size_t h = 0; h < f->n_hunks; h++)
			hunk_add(out, f, &f->hunk[h]);
	}
}

static int hash_cmp(const void *pa, const void *pb)
{
	const uint64_t *a = pa, *b = pb;

	return (*a > *b) - (*a < *b);
}

static void bag_fill(struct range_text *t)
{
	const char *p = range_text_diff(t), *end = p + range_text_diff_len(t);
	size_t n = 0, files = 0;

	for (const char *q = p; q < end; q++)
		t->lines += *q == '\n';
	t->bag = xcalloc(t->lines, sizeof(*t->bag));
	for (const char *nl; (nl = memchr(p, '\n', (size_t)(end - p))); p = nl + 1) {
		files += nl == p; /* the line between two files counts for nothing */
		t->bag[n++] = bytes_hash(p, (size_t)(nl - p));
	}
	qsort(t->bag, n, sizeof(*t->bag), hash_cmp);
	t->lines = n;
	t->weight = n - files;
}

void range_text_make(const struct patch *p, struct range_text *ret)
{
	struct range_text t = {.message = p->message ? p->message : ""};
	struct str out;

	str_init(&out, TEXT_MAX);
	t.author = xasprintf("%s <%s>", p->author.name ? p->author.name : "",
			     p->author.email ? p->author.email : "");
	str_addf(&out, " ## Metadata ##\nAuthor: %s\n\n ## Commit message ##\n", t.author);
	str_adds(&out, t.message);
	str_addc(&out, '\n');
	t.diff_at = out.len;
	diff_add(&out, p);
	t.whole_len = out.len;
	t.whole = str_take(&out);
	bag_fill(&t);
	*ret = t;
}

void range_text_done(struct range_text *t)
{
	free(t->author);
	free(t->whole);
	free(t->bag);
	*t = (struct range_text){};
}

size_t range_text_bound(const struct range_text *a, const struct range_text *b)
{
	size_t i = 0, j = 0, common = 0;

	while (i < a->lines && j < b->lines) {
		bool same = a->bag[i] == b->bag[j];
		bool step = a->bag[i] <= b->bag[j];

		common += same;
		j += same || !step;
		i += step;
	}
	return a->lines + b->lines - 2 * common;
}

static int count_hunk(const git_diff_delta *delta, const git_diff_hunk *hunk, void *payload)
{
	(void)delta, (void)hunk;
	++*(size_t *)payload;
	return 0;
}

static int count_line(const git_diff_delta *delta, const git_diff_hunk *hunk,
		      const git_diff_line *line, void *payload)
{
	(void)delta, (void)hunk, (void)line;
	++*(size_t *)payload;
	return 0;
}

static const git_diff_options options = {
	.version = GIT_DIFF_OPTIONS_VERSION,
	.flags = GIT_DIFF_FORCE_TEXT,
	.context_lines = 3,
};

ssize_t range_text_cost(const struct range_text *a, const struct range_text *b)
{
	size_t n = 0;

	if (git_diff_buffers(range_text_diff(a), range_text_diff_len(a), NULL, range_text_diff(b),
			     range_text_diff_len(b), NULL, &options, NULL, NULL, count_hunk,
			     count_line, &n) < 0)
		return -1;
	return (ssize_t)n;
}

/* A diff on its way into a text. `at` and `line` are how far the older side was read for headings.
 */
struct writer {
	struct str out;
	const char *at;
	int line;
	const char *heading;
	size_t heading_len;
};

/* The last " ## file ##" or "@@" line before this line of the older side. */
static void heading_seek(struct writer *w, int line)
{
	for (const char *nl; w->line < line && (nl = strchr(w->at, '\n')); w->line++) {
		if (str_starts(w->at, " ## ") || str_starts(w->at, "@@ ")) {
			w->heading = w->at + (*w->at == ' ' ? 1 : 3);
			w->heading_len = (size_t)(nl - w->heading);
		}
		w->at = nl + 1;
	}
}

static int write_hunk(const git_diff_delta *delta, const git_diff_hunk *hunk, void *payload)
{
	struct writer *w = payload;

	(void)delta;
	heading_seek(w, hunk->old_start);
	str_addf(&w->out, "@@ %.*s\n", (int)w->heading_len, w->heading);
	return w->out.truncated ? GIT_EUSER : 0;
}

static int write_line(const git_diff_delta *delta, const git_diff_hunk *hunk,
		      const git_diff_line *line, void *payload)
{
	struct writer *w = payload;

	(void)delta, (void)hunk;
	if (line->origin != ' ' && line->origin != '+' && line->origin != '-')
		return 0;
	str_addc(&w->out, line->origin);
	str_add(&w->out, line->content, line->content_len);
	if (!line->content_len || line->content[line->content_len - 1] != '\n')
		str_addc(&w->out, '\n');
	return w->out.truncated ? GIT_EUSER : 0;
}

char *range_text_compare(const struct range_text *a, const struct range_text *b, size_t max)
{
	struct writer w = {.at = a->whole, .line = 1, .heading = ""};
	int rc;

	str_init(&w.out, max);
	rc = git_diff_buffers(a->whole, a->whole_len, NULL, b->whole, b->whole_len, NULL, &options,
			      NULL, NULL, write_hunk, write_line, &w);
	if (rc < 0 && rc != GIT_EUSER) {
		str_done(&w.out);
		return NULL;
	}
	return str_take(&w.out);
}
