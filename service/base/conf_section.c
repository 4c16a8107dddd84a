// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/conf_section.h"

#include "base/str.h"
#include <ctype.h>
#include <git2.h>

const struct conf_section_key conf_section_keys[CONF_SECTION_N] = {
#define X(id, section, key, type, dflt, least, most, help)                                         \
	[CONF_##id] = {CONF_SECTION_##section, {key, CONF_TYPE_##type, dflt, least, most, help}},
	CONF_SECTION_KEYS(X)
#undef X
};

static const struct {
	const char *word, *help;
} kinds[] = {
#define X(id, word, help) [CONF_SECTION_##id] = {word, help},
	CONF_SECTIONS(X)
#undef X
};

const char *conf_section_word(enum conf_section_kind kind)
{
	return kinds[kind].word;
}

const char *conf_section_help(enum conf_section_kind kind)
{
	return kinds[kind].help;
}

const struct conf_section *conf_section_nth(const struct conf *conf, enum conf_section_kind kind,
					    size_t n)
{
	for (size_t i = 0; i < conf->n_sections; i++)
		if (conf->section[i].kind == kind && n-- == 0)
			return &conf->section[i];
	return NULL;
}

static struct conf_section *find(const struct conf *conf, enum conf_section_kind kind,
				 const char *name, size_t n)
{
	for (size_t i = 0; i < conf->n_sections; i++) {
		struct conf_section *s = &conf->section[i];

		if (s->kind == kind && strlen(s->name) == n && strncmp(s->name, name, n) == 0)
			return s;
	}
	return NULL;
}

const struct conf_section *conf_section_find(const struct conf *conf, enum conf_section_kind kind,
					     const char *name)
{
	return find(conf, kind, name, strlen(name));
}

const char *conf_section_str(const struct conf_section *s, enum conf_section_id id)
{
	return s->value[id] ? s->value[id] : conf_section_keys[id].key.dflt;
}

long conf_section_int(const struct conf_section *s, enum conf_section_id id)
{
	return strtol(conf_section_str(s, id), NULL, 10);
}

bool conf_section_bool(const struct conf_section *s, enum conf_section_id id)
{
	int value = 0;

	return git_config_parse_bool(&value, conf_section_str(s, id)) == 0 && value;
}

char **conf_section_words(const struct conf_section *s, enum conf_section_id id)
{
	const char *text = conf_section_str(s, id);
	size_t n = 0, len = text ? strlen(text) : 0;
	char **list, *p;

	for (size_t i = 0; i < len; i++)
		n += text[i] == ',';
	list = xmalloc((n + 2) * sizeof(*list) + len + 1);
	p = (char *)(list + n + 2);
	memcpy(p, text ? text : "", len + 1);
	n = 0;
	for (char *save = NULL, *w = strtok_r(p, ",", &save); w; w = strtok_r(NULL, ",", &save))
		list[n++] = w;
	list[n] = NULL;
	return list;
}

static bool kind_parse(const char *word, size_t n, enum conf_section_kind *ret)
{
	for (size_t i = 0; i < array_size(kinds); i++) {
		if (strlen(kinds[i].word) == n && strncasecmp(kinds[i].word, word, n) == 0) {
			*ret = (enum conf_section_kind)i;
			return true;
		}
	}
	return false;
}

static bool name_is_good(const char *name, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isalnum((unsigned char)name[i]) && !strchr("._-", name[i]))
			return false;
	return n > 0;
}

static struct conf_section *section_get(struct conf *conf, enum conf_section_kind kind,
					const char *name, size_t n, unsigned line)
{
	struct conf_section *s = find(conf, kind, name, n);

	if (s)
		return s;
	arr_grow(conf->section, conf->n_sections, conf->sections_cap);
	s = &conf->section[conf->n_sections++];
	*s = (struct conf_section){.kind = kind, .name = xmemdup(name, n), .line = line};
	return s;
}

static int key_find(enum conf_section_kind kind, const char *key)
{
	for (int i = 0; i < CONF_SECTION_N; i++)
		if (conf_section_keys[i].section == kind &&
		    strcasecmp(conf_section_keys[i].key.key, key) == 0)
			return i;
	return -1;
}

static char *entry_set(struct conf_section *s, const char *key, const char *value, unsigned line)
{
	int id = key_find(s->kind, key);
	struct err err = ERR_INIT;

	if (id < 0)
		return xasprintf("unknown key %s in [%s \"%s\"]", key, kinds[s->kind].word,
				 s->name);
	/* A key without "=" is true: git-config(1). */
	if (!value)
		value = conf_section_keys[id].key.type == CONF_TYPE_BOOL ? "true" : "";
	s->value_line[id] = line;
	if (conf_value_check(&conf_section_keys[id].key, value, &err) < 0)
		return xasprintf("[%s \"%s\"] %s", kinds[s->kind].word, s->name, err.msg);
	free(s->value[id]);
	s->value[id] = xstrdup(value);
	return NULL;
}

bool conf_section_entry(struct conf *conf, const char *name, const char *value, unsigned line,
			char **ret_mistake)
{
	const char *dot = strchr(name, '.'), *last = strrchr(name, '.');
	enum conf_section_kind kind;

	if (!dot || !kind_parse(name, (size_t)(dot - name), &kind))
		return false;
	if (dot == last)
		*ret_mistake = xasprintf("[%s] needs a name: [%s \"NAME\"]", kinds[kind].word,
					 kinds[kind].word);
	else if (!name_is_good(dot + 1, (size_t)(last - dot) - 1))
		*ret_mistake = xasprintf("the name in [%s \"%.*s\"] may have letters, digits and "
					 "._- only",
					 kinds[kind].word, (int)(last - dot) - 1, dot + 1);
	else
		*ret_mistake =
			entry_set(section_get(conf, kind, dot + 1, (size_t)(last - dot) - 1, line),
				  last + 1, value, line);
	return true;
}

void conf_sections_done(struct conf *conf)
{
	for (size_t i = 0; i < conf->n_sections; i++) {
		for (size_t k = 0; k < CONF_SECTION_N; k++)
			free(conf->section[i].value[k]);
		free(conf->section[i].name);
	}
	free(conf->section);
	conf->section = NULL;
	conf->n_sections = conf->sections_cap = 0;
}
