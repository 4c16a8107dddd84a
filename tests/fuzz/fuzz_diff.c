// SPDX-License-Identifier: GPL-2.0-or-later
/* diff_parse() on any bytes: what it takes must add up. */
#include "fuzz.h"

#include "series/diff.h"

static void check(bool ok)
{
	if (!ok)
		abort();
}

static void hunk_check(const struct diff_hunk *h, const char *text, size_t size)
{
	size_t old = 0, new = 0;

	check(h->n_lines > 0);
	for (size_t i = 0; i < h->n_lines; i++) {
		const struct diff_line *l = &h->line[i];

		check(l->kind == ' ' || l->kind == '+' || l->kind == '-');
		check(l->text >= text && l->text + l->len <= text + size);
		check(!memchr(l->text, '\n', l->len));
		old += l->kind != '+';
		new += l->kind != '-';
	}
	check(old == h->old_count && new == h->new_count);
	check(h->section >= text && h->section + h->section_len <= text + size);
}

static void file_check(const struct diff_file *f, const char *text, size_t size)
{
	check(!f->old_path == (f->op == DIFF_CREATE));
	check(!f->new_path == (f->op == DIFF_DELETE));
	check(diff_file_path(f)[0] && diff_file_path(f)[0] != '/');
	check(f->n_hunks == 0 || !f->is_binary);
	for (size_t i = 0; i < f->n_hunks; i++)
		hunk_check(&f->hunk[i], text, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct err err = ERR_INIT;
	struct diff *d;
	int rc = diff_parse(text, size, &d, &err);

	if (rc) {
		check(rc == ERR_PATCH && err.kind == ERR_PATCH && err.msg[0]);
		return 0;
	}
	for (size_t i = 0; i < d->n_files; i++)
		file_check(&d->file[i], text, size);
	diff_free(d);
	return 0;
}
