// SPDX-License-Identifier: GPL-2.0-or-later
#include "testbeds/bench/sampler_state.h"

#include <search.h>

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void *rows_find(const struct rows *r, const char *name)
{
	void *const *found = tfind(&name, (void *const *)&r->tree, by_name);

	return found ? *found : NULL;
}

void *rows_get(struct rows *r, const char *name, size_t size)
{
	char **row = rows_find(r, name);

	if (row)
		return row;
	if (r->n == r->max) {
		r->dropped++;
		return NULL;
	}
	row = xcalloc(1, size);
	*row = xstrdup(name);
	if (!tsearch(row, &r->tree, by_name))
		abort(); /* no memory, as in xmalloc() */
	arr_grow(r->row, r->n, r->cap);
	r->row[r->n++] = row;
	return row;
}

static void node_keep(void *row)
{
	(void)row; /* the array has it too */
}

void rows_done(struct rows *r, void (*done)(void *row))
{
	tdestroy(r->tree, node_keep);
	for (size_t i = 0; i < r->n; i++) {
		free(*(char **)r->row[i]);
		if (done)
			done(r->row[i]);
		free(r->row[i]);
	}
	free(r->row);
	*r = (struct rows){0};
}

void lines_add(struct lines *l, const char *text, size_t n, size_t max)
{
	if (l->n >= max)
		return;
	l->line = xreallocarray(l->line, l->n + 1, sizeof(*l->line));
	l->line[l->n++] = xmemdup(text, n);
}

void lines_done(struct lines *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->line[i]);
	free(l->line);
	*l = (struct lines){0};
}
