// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel-builders/warnings.h"

#include "base/fs.h"
#include "base/json.h"
#include "base/str.h"
#include "kernel-builders/touched.h"

/* What is printed before anything is made, by Kconfig and make, comes with every build. */
#define BEFORE ""

static const char *unit_key(const struct diagnostic *d)
{
	return d->unit && utf8_valid(d->unit, strlen(d->unit)) ? d->unit : BEFORE;
}

static void kept_forget(const struct diagnostics *found, json_t *kept)
{
	const char *unit;
	json_t *value;

	json_object_del(kept, BEFORE);
	json_object_foreach (found->units, unit, value)
		json_object_del(kept, unit);
}

static void kept_add(const struct diagnostics *found, json_t *kept)
{
	for (size_t i = 0; i < found->n; i++) {
		const struct diagnostic *d = &found->item[i];
		json_t *list = json_object_get(kept, unit_key(d));

		if (d->is_error)
			continue;
		if (!list) {
			list = json_array();
			json_object_set_new(kept, unit_key(d), list);
		}
		json_array_append_new(list, diagnostic_to_json(d));
	}
}

static bool is_there(const struct warnings_spec *spec, const struct diagnostic *d)
{
	auto_free char *path = d->path ? xasprintf("%s/%s", spec->src, d->path) : NULL;

	/* An object, or something generated, is not in the tree. */
	return !d->path || str_ends(d->path, ".o") || str_starts(d->path, "include/generated/") ||
	       !strchr(d->path, '/') || fs_exists(path);
}

static void found_add(struct diagnostics *found, const json_t *list,
		      const struct warnings_spec *spec)
{
	const json_t *row;
	size_t i;

	json_array_foreach (list, i, row) {
		struct diagnostic d;

		diagnostic_from_json(row, &d);
		if (is_there(spec, &d))
			diagnostics_add(found, &d);
		diagnostic_done(&d);
	}
}

/* Of other series' files a folder may have what is not true any more. */
static bool is_asked_for(const struct warnings_spec *spec, const char *unit)
{
	return !spec->touched || touched_has_unit(spec->touched, unit);
}

/* The same text from several units; the units are not told apart any more. */
static void found_unite(struct diagnostics *found, const struct warnings_spec *spec)
{
	struct diagnostics united = {.cut = found->cut};

	for (size_t i = 0; i < found->n; i++) {
		struct diagnostic *d = &found->item[i];

		if (!d->is_error && !is_asked_for(spec, unit_key(d))) {
			diagnostic_done(d);
			continue;
		}
		free(take(d->unit));
		diagnostics_add(&united, d);
	}
	free(found->item);
	free(found->slot);
	found->item = united.item;
	found->slot = united.slot;
	found->n = united.n;
	found->cap = united.cap;
	found->cut = united.cut;
}

void warnings_complete(struct diagnostics *found, json_t *kept, const struct warnings_spec *spec)
{
	const char *unit;
	json_t *list;

	kept_forget(found, kept);
	kept_add(found, kept);
	json_object_foreach (kept, unit, list)
		if (is_asked_for(spec, unit))
			found_add(found, list, spec);
	found_unite(found, spec);
}
