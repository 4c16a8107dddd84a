// SPDX-License-Identifier: GPL-2.0-or-later
/* What is wrong with sections as a whole, and between them. */
#include "base/conf_section.h"

#include "base/str.h"

static char *says(const struct conf_section *s, const char *what)
{
	return xasprintf("[%s \"%s\"] %s", conf_section_word(s->kind), s->name, what);
}

static bool names_section(const struct conf *conf, enum conf_section_kind kind, const char *name,
			  char **ret_what)
{
	if (conf_section_find(conf, kind, name))
		return true;
	*ret_what = xasprintf("names the %s \"%s\", and there is no [%s \"%s\"]",
			      conf_section_word(kind), name, conf_section_word(kind), name);
	return false;
}

static char *list_refers(const struct conf *conf, const struct conf_section *s, unsigned *ret_line)
{
	const char *server = conf_section_str(s, CONF_LIST_PATCHWORK);
	auto_free char **trees = conf_section_words(s, CONF_LIST_TREE);
	char *what = NULL;

	*ret_line = s->value_line[CONF_LIST_PATCHWORK];
	if (server && !names_section(conf, CONF_SECTION_PATCHWORK, server, &what))
		return what;
	*ret_line = s->value_line[CONF_LIST_TREE];
	for (size_t i = 0; trees[i]; i++)
		if (!names_section(conf, CONF_SECTION_TREE, trees[i], &what))
			return what;
	return NULL;
}

static char *list_lacks(const struct conf_section *s)
{
	bool lore = conf_section_str(s, CONF_LIST_LORE),
	     server = conf_section_str(s, CONF_LIST_PATCHWORK),
	     project = conf_section_str(s, CONF_LIST_PROJECT);
	const char *dkim = conf_section_str(s, CONF_LIST_DKIM);

	if (!lore && !server)
		return xstrdup("has no source: neither lore nor patchwork");
	if (server != project)
		return xstrdup("patchwork and project go together");
	if (!conf_section_str(s, CONF_LIST_TREE))
		return xstrdup("has no tree");
	if (conf_section_bool(s, CONF_LIST_MAIL_LIST) && !conf_section_str(s, CONF_LIST_ADDRESS))
		return xstrdup("mail-list needs address");
	if (strcmp(dkim, "results") == 0 && !conf_section_str(s, CONF_LIST_AUTHSERV))
		return xstrdup("dkim = results needs authserv");
	return NULL;
}

/* "-" and "." at the front would lead elsewhere, as a folder's name. */
static char *builder_lacks(const struct conf_section *s)
{
	if (s->name[0] == '.' || s->name[0] == '-' || strcmp(s->name, "all") == 0)
		return xstrdup("can't be a builder's name");
	return NULL;
}

static char *section_check(const struct conf *conf, const struct conf_section *s,
			   unsigned *ret_line)
{
	char *what = NULL;

	*ret_line = s->line;
	switch (s->kind) {
	case CONF_SECTION_LIST:
		what = list_lacks(s);
		return what ? what : list_refers(conf, s, ret_line);
	case CONF_SECTION_TREE:
		return conf_section_str(s, CONF_TREE_PATH) ? NULL : xstrdup("has no path");
	case CONF_SECTION_PATCHWORK:
		return conf_section_str(s, CONF_PATCHWORK_URL) ? NULL : xstrdup("has no url");
	case CONF_SECTION_BUILDER: return builder_lacks(s);
	case CONF_SECTION_KINDS: break;
	}
	return NULL;
}

char *conf_section_mistake(const struct conf *conf, size_t *pos, unsigned *ret_line)
{
	while (*pos < conf->n_sections) {
		const struct conf_section *s = &conf->section[(*pos)++];
		auto_free char *what = section_check(conf, s, ret_line);

		if (what)
			return says(s, what);
	}
	return NULL;
}
