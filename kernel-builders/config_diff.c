// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel-builders/config_diff.h"

#include "base/cleanup.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/str.h"

#define CONFIG_MAX  ((size_t)4 << 20)
#define CHANGES_MAX 500

struct option {
	const char *name, *value;
	size_t name_len, value_len;
};

struct options {
	struct option *item;
	size_t n, cap;
};

static void option_add(struct options *o, const struct option *option)
{
	arr_grow(o->item, o->n, o->cap);
	o->item[o->n++] = *option;
}

/* "CONFIG_X=value" and "# CONFIG_X is not set" */
static void line_read(struct options *o, const char *line, size_t n)
{
	static const char is_not_set[] = " is not set";
	size_t not_set = strlen(is_not_set);
	const char *equals;

	if (n > 2 + not_set && str_starts(line, "# CONFIG_") &&
	    strncmp(line + n - not_set, is_not_set, not_set) == 0) {
		option_add(o, &(struct option){line + 2, "n", n - 2 - not_set, 1});
		return;
	}
	equals = memchr(line, '=', n);
	if (str_starts(line, "CONFIG_") && equals)
		option_add(o, &(struct option){line, equals + 1, (size_t)(equals - line),
					       n - (size_t)(equals + 1 - line)});
}

static int name_compare(const struct option *a, const struct option *b)
{
	size_t n = a->name_len < b->name_len ? a->name_len : b->name_len;
	int order = memcmp(a->name, b->name, n);

	return order ? order : (a->name_len > b->name_len) - (a->name_len < b->name_len);
}

static int option_compare(const void *a, const void *b)
{
	return name_compare(a, b);
}

static void options_read(struct options *o, const char *text)
{
	for (size_t n; *text; text += n + (text[n] == '\n')) {
		n = strcspn(text, "\n");
		line_read(o, text, n);
	}
	if (o->n)
		qsort(o->item, o->n, sizeof(*o->item), option_compare);
}

static bool is_n(const struct option *o)
{
	return o->value_len == 1 && *o->value == 'n';
}

static const char *word_of(const struct option *base, const struct option *patched)
{
	if (!base)
		return is_n(patched) ? "new" : "on";
	if (!patched)
		return is_n(base) ? "gone" : "off";
	return is_n(base) ? "on" : is_n(patched) ? "off" : "changed";
}

static void change_add(json_t *list, const struct option *base, const struct option *patched)
{
	const struct option *any = base ?: patched;
	json_t *row;

	if (base && patched && base->value_len == patched->value_len &&
	    memcmp(base->value, patched->value, base->value_len) == 0)
		return;
	if (json_array_size(list) >= CHANGES_MAX)
		return;
	row = json_object();
	json_object_set_new(row, "option", json_text_n(any->name, any->name_len));
	json_object_set_new(row, "base",
			    base ? json_text_n(base->value, base->value_len) : json_null());
	json_object_set_new(row, "patched",
			    patched ? json_text_n(patched->value, patched->value_len)
				    : json_null());
	json_object_set_new(row, "word", json_string(word_of(base, patched)));
	json_array_append_new(list, row);
}

json_t *config_diff(const char *base, const char *patched)
{
	struct options a = {0}, b = {0};
	json_t *list = json_array();
	size_t i = 0, k = 0;

	options_read(&a, base);
	options_read(&b, patched);
	while (i < a.n || k < b.n) {
		int order = i == a.n ? 1 : k == b.n ? -1 : name_compare(&a.item[i], &b.item[k]);

		change_add(list, order <= 0 ? &a.item[i] : NULL, order >= 0 ? &b.item[k] : NULL);
		i += order <= 0;
		k += order >= 0;
	}
	free(a.item);
	free(b.item);
	return list;
}

int config_diff_files(const char *base, const char *patched, json_t **ret_list, struct err *err)
{
	auto_str struct str a, b;
	int rc;

	str_init(&a, CONFIG_MAX);
	str_init(&b, CONFIG_MAX);
	rc = fs_read(base, CONFIG_MAX, ERR_INFRA, &a, err);
	if (rc == 0)
		rc = fs_read(patched, CONFIG_MAX, ERR_INFRA, &b, err);
	if (rc == 0)
		*ret_list = config_diff(a.buf, b.buf);
	return rc;
}
