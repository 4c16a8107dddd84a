// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/local_names.h"

#include "base/cleanup.h"
#include "base/conf_section.h"
#include "base/json.h"
#include "base/str.h"

void local_names_done(struct local_names *l)
{
	for (size_t i = 0; i < l->n; i++) {
		free(l->row[i].path);
		free(l->row[i].name);
	}
	free(take(l->row));
	l->n = l->cap = 0;
}

static int longest_first(const void *a, const void *b)
{
	size_t n = strlen(((const struct local_name *)a)->path),
	       k = strlen(((const struct local_name *)b)->path);

	return (n < k) - (n > k);
}

static void row_add(struct local_names *l, const char *path, const char *name)
{
	size_t n = path ? strlen(path) : 0;

	while (n && path[n - 1] == '/')
		n--;
	if (!n || path[0] != '/')
		return;
	arr_grow(l->row, l->n, l->cap);
	l->row[l->n++] = (struct local_name){.path = xmemdup(path, n), .name = xstrdup(name)};
	qsort(l->row, l->n, sizeof(*l->row), longest_first);
}

void local_names_add(struct local_names *l, const char *path, const char *name)
{
	auto_free char *real = path && path[0] == '/' ? realpath(path, NULL) : NULL;

	row_add(l, path, name);
	if (real && strcmp(real, path) != 0)
		row_add(l, real, name);
}

void local_names_add_base(struct local_names *l, const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;

	if (slash && slash[1])
		local_names_add(l, path, slash + 1);
}

char *testbed_label(const char *name)
{
	return xmemdup(name, strcspn(name, ":"));
}

void local_names_conf(struct local_names *l, const struct conf *conf, const char *data_dir,
		      const char *cache_dir)
{
	const char *testbed = conf ? conf_str(conf, CONF_TESTBED_NAME) : NULL;
	const struct conf_section *tree;

	local_names_add(l, data_dir, "DATA");
	local_names_add(l, cache_dir, "CACHE");
	local_names_add(l, conf ? conf->path : NULL, "CONFIG");
	for (size_t i = 0; conf && (tree = conf_section_nth(conf, CONF_SECTION_TREE, i)); i++)
		local_names_add(l, conf_section_str(tree, CONF_TREE_PATH), tree->name);
	if (testbed && strchr(testbed, ':')) {
		auto_free char *label = testbed_label(testbed);

		local_names_add(l, strchr(testbed, ':') + 1, label);
	}
}

/* A part of a name. */
static bool is_inside(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '-' || c == '.';
}

/* The row whose path stands at `at`: no part of a longer name before or behind it. A dot behind it
 * may end a sentence. */
static const struct local_name *row_find(const struct local_names *l, const char *text,
					 const char *at)
{
	if (at > text && (is_inside(at[-1]) || at[-1] == '/'))
		return NULL;
	for (size_t i = 0; i < l->n; i++) {
		size_t n = strlen(l->row[i].path);

		if (strncmp(at, l->row[i].path, n) != 0)
			continue;
		if (!is_inside(at[n]) || (at[n] == '.' && !is_inside(at[n + 1])))
			return &l->row[i];
	}
	return NULL;
}

/* "replay:DIR" is its name alone, not "replay:replay": how much of what stands before stays. */
static size_t before_length(const char *from, const char *at, const char *name)
{
	size_t n = (size_t)(at - from), n_name = strlen(name) + 1;

	if (n >= n_name && at[-1] == ':' && strncmp(at - n_name, name, n_name - 1) == 0)
		n -= n_name;
	return n;
}

char *local_names_text(const struct local_names *l, const char *text)
{
	const char *from = text;
	struct str out;

	str_init(&out, 0);
	for (const char *at = strchr(text, '/'); at; at = strchr(at, '/')) {
		const struct local_name *row = row_find(l, text, at);

		if (!row) {
			at++;
			continue;
		}
		str_add(&out, from, before_length(from, at, row->name));
		str_adds(&out, row->name);
		at += strlen(row->path);
		from = at;
	}
	str_adds(&out, from);
	return str_take(&out);
}

/* NULL: it is as it is to be. Strings with a NUL have no path of ours. */
static json_t *string_named(const struct local_names *l, const json_t *value)
{
	const char *text = json_string_value(value);

	if (!text || !strchr(text, '/') || strlen(text) != json_string_length(value))
		return NULL;
	auto_free char *named = local_names_text(l, text);
	return strcmp(named, text) == 0 ? NULL : json_text(named);
}

void local_names_json(const struct local_names *l, json_t *value)
{
	json_t *item, *named;
	const char *key;
	size_t i;

	json_array_foreach (value, i, item) {
		named = string_named(l, item);
		if (named)
			json_array_set_new(value, i, named);
		else
			local_names_json(l, item);
	}
	json_object_foreach (value, key, item) {
		named = string_named(l, item);
		if (named)
			json_object_set_new(value, key, named);
		else
			local_names_json(l, item);
	}
}
