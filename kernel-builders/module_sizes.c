// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel-builders/module_sizes.h"

#include "base/cleanup.h"
#include "base/json.h"
#include "base/str.h"
#include "kernel-builders/touched.h"

#define HEAD	      "firn-module-sizes 1"
#define MODULES_SHOWN 20
#define SYMBOLS_SHOWN 5
#define NAMES_MAX     20000

void module_sizes_begin(FILE *to)
{
	fprintf(to, "%s\n", HEAD);
}

/* Names come out of files of strangers' making; a line ends where we say. */
static void name_write(FILE *to, const char *name)
{
	for (; *name; name++)
		fputc((unsigned char)*name < ' ' || *name == 0x7f ? '?' : *name, to);
	fputc('\n', to);
}

static void list_write(FILE *to, char letter, const struct size_list *l)
{
	for (size_t i = 0; i < l->n; i++) {
		fprintf(to, "%c %lld ", letter, l->item[i].size);
		name_write(to, l->item[i].name);
	}
}

void module_sizes_add(FILE *to, const char *name, const struct sizes *s)
{
	fputs("m ", to);
	name_write(to, name);
	list_write(to, 's', &s->sections);
	list_write(to, 'f', &s->symbols);
}

/* A file, one module at a time. */
struct reader {
	FILE *file;
	char *line; /* the next one, not yet used; without its end */
	size_t cap;
	bool at_end;
	char *name; /* of the module; NULL: there are no more */
	struct sizes sizes;
	long long total;
};

static void reader_done(struct reader *r)
{
	if (r->file)
		fclose(r->file);
	free(r->line);
	free(r->name);
	sizes_done(&r->sizes);
}
#define auto_reader __attribute__((cleanup(reader_done)))

static void line_next(struct reader *r)
{
	ssize_t n = getline(&r->line, &r->cap, r->file);

	r->at_end = n < 0;
	if (n > 0 && r->line[n - 1] == '\n')
		r->line[n - 1] = '\0';
}

static void row_read(struct reader *r)
{
	char *end;
	long long size = strtoll(r->line + 2, &end, 10);

	if (*end != ' ')
		return;
	size_list_add(r->line[0] == 's' ? &r->sizes.sections : &r->sizes.symbols, end + 1, size);
	r->total += r->line[0] == 's' ? size : 0;
}

static void reader_next(struct reader *r)
{
	free(take(r->name));
	sizes_done(&r->sizes);
	r->total = 0;
	if (r->at_end || !str_starts(r->line, "m "))
		return;
	r->name = xstrdup(r->line + 2);
	for (line_next(r); !r->at_end && !str_starts(r->line, "m "); line_next(r))
		if (str_starts(r->line, "s ") || str_starts(r->line, "f "))
			row_read(r);
	size_list_sort(&r->sizes.sections);
	size_list_sort(&r->sizes.symbols);
}

static int reader_open(const char *path, struct reader *ret, struct err *err)
{
	ret->file = fopen(path, "re");
	if (!ret->file)
		return err_sys(err, ERR_INFRA, "cannot open %s", path);
	line_next(ret);
	if (ret->at_end || strcmp(ret->line, HEAD) != 0)
		return err_set(err, ERR_INPUT, "%s has no sizes of modules", path);
	line_next(ret);
	reader_next(ret);
	return 0;
}

struct change {
	json_t *row; /* a reference */
	long long by;
};

struct changes {
	struct change *item;
	size_t n, cap;
	json_int_t base, patched, grown, shrunk, added, removed;
};

static void changes_done(struct changes *c)
{
	for (size_t i = 0; i < c->n; i++)
		json_decref(c->item[i].row);
	free(c->item);
}
#define auto_changes __attribute__((cleanup(changes_done)))

static json_t *change_row(const char *name, const struct sizes *base, const struct sizes *patched)
{
	json_t *row = sizes_compare(base, patched), *symbols = json_object_get(row, "symbols");
	static const char *const of_symbols[] = {"sections", "grown", "shrunk", "added", "removed"};

	for (size_t i = 0; i < array_size(of_symbols); i++)
		json_object_del(row, of_symbols[i]);
	while (json_array_size(symbols) > SYMBOLS_SHOWN)
		json_array_remove(symbols, json_array_size(symbols) - 1);
	json_object_set_new(row, "name", json_text(name));
	return row;
}

/* Either may be NULL: it came, or went. */
static void change_add(struct changes *c, const struct reader *base, const struct reader *patched)
{
	static const struct sizes none;
	long long before = base ? base->total : 0, now = patched ? patched->total : 0;

	c->base += before;
	c->patched += now;
	c->added += !base;
	c->removed += !patched;
	c->grown += base && patched && now > before;
	c->shrunk += base && patched && now < before;
	if (base && patched && before == now)
		return;
	arr_grow(c->item, c->n, c->cap);
	c->item[c->n++] =
		(struct change){change_row((base ?: patched)->name, base ? &base->sizes : &none,
					   patched ? &patched->sizes : &none),
				llabs(now - before)};
}

static int change_compare(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	return x->by != y->by
		       ? (x->by < y->by) - (x->by > y->by)
		       : strcmp(json_get_str(x->row, "name", ""), json_get_str(y->row, "name", ""));
}

static json_t *changes_json(struct changes *c)
{
	json_t *list = json_array();

	if (c->n)
		qsort(c->item, c->n, sizeof(*c->item), change_compare);
	for (size_t i = 0; i < c->n && i < MODULES_SHOWN; i++)
		json_array_append(list, c->item[i].row);
	return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:o}", "base", c->base, "patched",
			 c->patched, "grown", c->grown, "shrunk", c->shrunk, "added", c->added,
			 "removed", c->removed, "modules", list);
}

int module_sizes_compare(const char *base, const char *patched, json_t **ret, struct err *err)
{
	auto_reader struct reader a = {0}, b = {0};
	auto_changes struct changes c = {0};
	int rc = reader_open(base, &a, err);

	if (rc == 0)
		rc = reader_open(patched, &b, err);
	while (rc == 0 && (a.name || b.name)) {
		int order = !a.name ? 1 : !b.name ? -1 : strcmp(a.name, b.name);

		change_add(&c, order <= 0 ? &a : NULL, order >= 0 ? &b : NULL);
		if (order <= 0)
			reader_next(&a);
		if (order >= 0)
			reader_next(&b);
	}
	if (rc == 0)
		*ret = changes_json(&c);
	return rc;
}

static int name_compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* "drivers/net/dummy.ko"; NULL: no module's. */
static char *name_of(const char *line, size_t n)
{
	auto_free char *name = xmemdup(line, n);

	if (!touched_is_plain(name) || !(str_ends(name, ".ko") || str_ends(name, ".o")))
		return NULL;
	return str_ends(name, ".ko") ? take(name) : xasprintf("%.*s.ko", (int)n - 2, name);
}

char **module_names(const char *order, size_t *ret_n)
{
	char **list = xcalloc(NAMES_MAX + 1, sizeof(*list));
	size_t n = 0, kept = 0;

	for (size_t len; *order && n < NAMES_MAX; order += len + (order[len] == '\n')) {
		len = strcspn(order, "\n");
		list[n] = len < PATH_MAX ? name_of(order, len) : NULL;
		n += list[n] != NULL;
	}
	if (n)
		qsort(list, n, sizeof(*list), name_compare);
	for (size_t i = 0; i < n; i++) {
		if (kept && strcmp(list[kept - 1], list[i]) == 0)
			free(list[i]);
		else
			list[kept++] = list[i];
	}
	list[kept] = NULL;
	*ret_n = kept;
	return list;
}

void module_names_done(char **names)
{
	for (char **p = names; p && *p; p++)
		free(*p);
	free(names);
}
