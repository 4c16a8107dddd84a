// SPDX-License-Identifier: GPL-2.0-or-later
#include "trial/rows.h"

#include "base/cleanup.h"
#include "base/conf_section.h"
#include "base/str.h"

#define ALL	 "all"
#define NATIVE	 "native"
#define PACKAGES "make gcc flex bison bc libc6-dev"

static const struct {
	enum conf_section_id key;
	size_t at;
} strings[] = {
	{CONF_BUILDER_ARCH, offsetof(struct builder, arch)},
	{CONF_BUILDER_CROSS, offsetof(struct builder, cross_compile)},
	{CONF_BUILDER_COMPILER, offsetof(struct builder, compiler)},
	{CONF_BUILDER_CONFIG, offsetof(struct builder, config)},
	{CONF_BUILDER_FRAGMENTS, offsetof(struct builder, fragments)},
	{CONF_BUILDER_TARGETS, offsetof(struct builder, targets)},
	{CONF_BUILDER_WARNINGS, offsetof(struct builder, warnings)},
	{CONF_BUILDER_CHECK, offsetof(struct builder, check)},
	{CONF_BUILDER_PACKAGES, offsetof(struct builder, packages)},
};

/* What the section says goes over what the row has. */
static void row_change(const struct conf_section *s, struct builder *row)
{
	for (size_t i = 0; i < array_size(strings); i++) {
		const char *value = conf_section_str(s, strings[i].key);

		if (value)
			*(const char **)(void *)((char *)row + strings[i].at) = value;
	}
	/* What somebody's configuration leaves out is not known here. */
	if (conf_section_str(s, CONF_BUILDER_CONFIG) ||
	    conf_section_str(s, CONF_BUILDER_FRAGMENTS) || conf_section_str(s, CONF_BUILDER_ARCH))
		row->areas = AREA_ALL;
	if (conf_section_str(s, CONF_BUILDER_TOUCHED))
		row->touched = conf_section_bool(s, CONF_BUILDER_TOUCHED);
	if (conf_section_str(s, CONF_BUILDER_BOOTS))
		row->boots = conf_section_bool(s, CONF_BUILDER_BOOTS);
	if (row->cross_compile && strcmp(row->cross_compile, NATIVE) == 0)
		row->cross_compile = "";
	/* "gcc" is what is there without asking. */
	if (row->compiler && strcmp(row->compiler, "gcc") == 0)
		row->compiler = NULL;
}

static bool row_begin(const struct conf_section *s, const char *name, struct builder *row,
		      char **ret_mistake)
{
	const char *like = conf_section_str(s, CONF_BUILDER_LIKE);
	const struct builder *from = builder_find(like ?: name);

	if (like && !from) {
		if (ret_mistake)
			*ret_mistake = xasprintf("[builder \"%s\"] is like \"%s\", which is no "
						 "shipped row",
						 name, like);
		return false;
	}
	*row = from ? *from
		    : (struct builder){
			      .cross_compile = "", .areas = AREA_ALL, .packages = PACKAGES};
	row->name = s->name;
	if (!from)
		row->summary = "a row of the configuration";
	return true;
}

bool row_find(const struct conf *conf, const char *name, struct builder *ret, char **ret_mistake)
{
	const struct conf_section *s = conf_section_find(conf, CONF_SECTION_BUILDER, name);
	const struct builder *shipped = builder_find(name);
	struct builder row;

	if (!s && shipped) {
		*ret = *shipped;
		return true;
	}
	if (!s) {
		if (ret_mistake)
			*ret_mistake = xasprintf("no builder \"%s\"", name);
		return false;
	}
	if (!row_begin(s, name, &row, ret_mistake))
		return false;
	row_change(s, &row);
	if (!row.arch || !row.config) {
		if (ret_mistake)
			*ret_mistake = xasprintf("[builder \"%s\"] has no %s", name,
						 row.arch ? "config" : "arch");
		return false;
	}
	*ret = row;
	return true;
}

static void name_add(struct str *list, const struct conf *conf, const char *name)
{
	auto_free char *known = xasprintf(",%s", list->buf), *one = xasprintf(",%s,", name);

	if (strcmp(name, conf_str(conf, CONF_BUILD_BUILDER)) != 0 && !strstr(known, one))
		str_addf(list, "%s,", name);
}

/* A row for a benchmark is built when that runs. */
static void names_all(struct str *list, const struct conf *conf)
{
	const struct conf_section *s;

	for (const struct builder *const *b = builders; *b; b++)
		if (strcmp((*b)->name, "ppc64le-lean-net") != 0)
			name_add(list, conf, (*b)->name);
	for (size_t i = 0; (s = conf_section_nth(conf, CONF_SECTION_BUILDER, i)); i++)
		name_add(list, conf, s->name);
}

char **row_names(const struct conf *conf)
{
	const char *words = conf_str(conf, CONF_BUILD_ROWS) ?: "";
	auto_str struct str list;
	size_t n = 0;
	char **names, *p;

	str_init(&list, 0);
	for (size_t len; *words; words += len + (words[len] == ',')) {
		len = strcspn(words, ",");
		auto_free char *word = xmemdup(words, len);

		if (strcmp(word, ALL) == 0)
			names_all(&list, conf);
		else
			name_add(&list, conf, word);
	}
	for (size_t i = 0; i < list.len; i++)
		n += list.buf[i] == ',';
	names = xmalloc((n + 1) * sizeof(*names) + list.len + 1);
	p = (char *)(names + n + 1);
	memcpy(p, list.buf, list.len + 1);
	n = 0;
	for (char *save = NULL, *w = strtok_r(p, ",", &save); w; w = strtok_r(NULL, ",", &save))
		names[n++] = w;
	names[n] = NULL;
	return names;
}

char *row_mistake(const struct conf *conf)
{
	auto_free char **names = row_names(conf);
	const struct conf_section *s;
	struct builder row;
	char *mistake = NULL;

	for (size_t i = 0; names[i]; i++)
		if (!row_find(conf, names[i], &row, &mistake))
			return mistake;
	for (size_t i = 0; (s = conf_section_nth(conf, CONF_SECTION_BUILDER, i)); i++)
		if (!row_find(conf, s->name, &row, &mistake))
			return mistake;
	return NULL;
}

bool row_is_shipped(const struct builder *row)
{
	const struct builder *shipped = builder_find(row->name);
	auto_json json_t *ours = builder_to_json(row),
			 *theirs = shipped ? builder_to_json(shipped) : NULL;

	return json_equal(ours, theirs);
}
