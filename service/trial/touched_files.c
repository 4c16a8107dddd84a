// SPDX-License-Identifier: GPL-2.0-or-later
#include "trial/touched_files.h"

#include "series/diff.h"

struct paths {
	const char **item;
	size_t n, cap;
};

static void path_add(struct paths *p, const char *path)
{
	if (!path)
		return;
	arr_grow(p->item, p->n, p->cap);
	p->item[p->n++] = path;
}

static int path_compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

const char **touched_files(const struct series *series)
{
	struct paths p = {0};
	size_t n = 0;

	for (size_t i = 0; i < series->n_patches; i++) {
		const struct diff *d = series->patch[i].diff;

		for (size_t f = 0; d && f < d->n_files; f++) {
			path_add(&p, d->file[f].old_path);
			path_add(&p, d->file[f].new_path);
		}
	}
	if (p.n)
		qsort(p.item, p.n, sizeof(*p.item), path_compare);
	for (size_t i = 0; i < p.n; i++)
		if (!n || strcmp(p.item[n - 1], p.item[i]) != 0)
			p.item[n++] = p.item[i];
	p.n = n;
	arr_grow(p.item, p.n, p.cap);
	p.item[p.n] = NULL;
	return p.item;
}
