// SPDX-License-Identifier: GPL-2.0-or-later
/* Complaints as a list without repetition, as text, and as JSON. */
#include "kernel-builders/diagnostic.h"

#include "base/json.h"
#include "base/str.h"

#define SLOTS (4u * 1024) /* a power of two, well over DIAGNOSTICS_MAX */
_Static_assert(SLOTS >= 2 * DIAGNOSTICS_MAX, "the hash table is too full");

void diagnostic_done(struct diagnostic *d)
{
	free(d->tool);
	free(d->path);
	free(d->function);
	free(d->option);
	free(d->text);
	free(d->excerpt);
	free(d->unit);
	*d = (struct diagnostic){0};
}

void diagnostics_done(struct diagnostics *d)
{
	for (size_t i = 0; i < d->n; i++)
		diagnostic_done(&d->item[i]);
	free(d->item);
	free(d->slot);
	free(d->linked);
	free(d->make_failed);
	free(d->infra);
	free(d->unit);
	free(d->function);
	free(d->function_path);
	json_decref(d->units);
	json_decref(d->failed);
	*d = (struct diagnostics){0};
}

/* FNV-1a. */
static unsigned text_hash(unsigned h, const char *s)
{
	for (; s && *s; s++)
		h = (h ^ (unsigned char)*s) * 16777619u;
	return h;
}

static bool is_same(const struct diagnostic *a, const struct diagnostic *b)
{
	return strcmp(a->excerpt, b->excerpt) == 0 &&
	       (a->unit && b->unit ? strcmp(a->unit, b->unit) == 0 : a->unit == b->unit);
}

/* The place in the table that has this one, or the free one that it would get. A complaint about a
 * header comes from several units. */
static unsigned *slot_of(const struct diagnostics *d, const struct diagnostic *item)
{
	unsigned i = text_hash(text_hash(2166136261u, item->unit), item->excerpt) & (SLOTS - 1);

	while (d->slot[i] && !is_same(&d->item[d->slot[i] - 1], item))
		i = (i + 1) & (SLOTS - 1);
	return &d->slot[i];
}

void diagnostics_add(struct diagnostics *d, struct diagnostic *item)
{
	unsigned *slot;

	if (!d->slot)
		d->slot = xcalloc(SLOTS, sizeof(*d->slot));
	slot = slot_of(d, item);
	if (*slot || d->n == DIAGNOSTICS_MAX) {
		d->cut = d->cut || !*slot;
		diagnostic_done(item);
		return;
	}
	arr_grow(d->item, d->n, d->cap);
	d->item[d->n++] = *item;
	*slot = (unsigned)d->n;
	*item = (struct diagnostic){0};
}

void diagnostics_truncate(struct diagnostics *d, size_t n)
{
	while (d->n > n)
		diagnostic_done(&d->item[--d->n]);
	if (!d->slot)
		return;
	memset(d->slot, 0, SLOTS * sizeof(*d->slot));
	for (size_t i = 0; i < d->n; i++)
		*slot_of(d, &d->item[i]) = (unsigned)i + 1;
}

void diagnostics_sort(struct diagnostics *d)
{
	struct diagnostic *sorted = xcalloc(d->n ? d->n : 1, sizeof(*sorted));
	size_t n = 0;

	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < d->n; i++) {
			if (d->item[i].is_error == (pass == 0))
				sorted[n++] = d->item[i];
		}
	}
	free(d->item);
	d->item = sorted;
	d->cap = d->n ? d->n : 1;
}

char *diagnostic_text(const struct diagnostic *d)
{
	const char *what = d->is_error ? "error" : "warning";

	if (!d->path)
		return xasprintf("%s: %s", what, d->text);
	return d->line ? xasprintf("%s:%u: %s: %s", d->path, d->line, what, d->text)
		       : xasprintf("%s: %s: %s", d->path, what, d->text);
}

json_t *diagnostic_to_json(const struct diagnostic *d)
{
	json_t *obj = json_object();

	json_object_set_new(obj, "is_error", json_boolean(d->is_error));
	json_object_set_new(obj, "tool", json_text(d->tool));
	json_object_set_new(obj, "path", json_text(d->path));
	json_object_set_new(obj, "line", json_integer(d->line));
	json_object_set_new(obj, "function", json_text(d->function));
	json_object_set_new(obj, "option", json_text(d->option));
	json_object_set_new(obj, "text", json_text(d->text));
	json_object_set_new(obj, "excerpt", json_text(d->excerpt));
	json_object_set_new(obj, "unit", json_text(d->unit));
	return obj;
}

static char *text_of(const json_t *obj, const char *key)
{
	const char *value = json_get_str(obj, key, NULL);

	return value ? xstrdup(value) : NULL;
}

void diagnostic_from_json(const json_t *obj, struct diagnostic *ret)
{
	*ret = (struct diagnostic){
		.is_error = json_get_bool(obj, "is_error", false),
		.tool = text_of(obj, "tool"),
		.path = text_of(obj, "path"),
		.line = (unsigned)json_get_num(obj, "line", 0),
		.function = text_of(obj, "function"),
		.option = text_of(obj, "option"),
		.text = xstrdup(json_get_str(obj, "text", "")),
		.excerpt = xstrdup(json_get_str(obj, "excerpt", "")),
		.unit = text_of(obj, "unit"),
	};
}
