// SPDX-License-Identifier: GPL-2.0-or-later
#include "web/links.h"

#include "base/conf_section.h"

#define PATCHWORKS_MAX 4
#define ARCHIVES_MAX   8

bool link_is_web(const char *url)
{
	return str_starts(url, "https://") || str_starts(url, "http://");
}

char *link_lore(const struct request *q, const char *list, const char *message_id)
{
	const struct conf_section *section =
		q->opt->conf && *list ? conf_section_find(q->opt->conf, CONF_SECTION_LIST, list)
				      : NULL;
	const char *archive = section ? conf_section_str(section, CONF_LIST_LORE) : NULL;
	struct str url;

	if (!archive || !*message_id || !link_is_web(archive))
		return NULL;
	str_init(&url, 8192);
	str_addf(&url, "%s%s", archive, str_ends(archive, "/") ? "" : "/");
	percent_encode(&url, message_id, false);
	str_addc(&url, '/');
	return str_take(&url);
}

static void outside(struct str *out, const char *url, const char *name, const char *what)
{
	str_adds(out, "<a rel=\"external noreferrer\" href=\"");
	html_str(out, url);
	str_adds(out, "\">");
	html_str(out, name);
	html_str(out, what);
	str_adds(out, "</a> ");
}

bool links_archives(struct str *out, const struct request *q, const char *message_id)
{
	const struct conf_section *list;
	size_t before = out->len;

	for (size_t i = 0; q->opt->conf && i < ARCHIVES_MAX &&
			   (list = conf_section_nth(q->opt->conf, CONF_SECTION_LIST, i));
	     i++) {
		auto_free char *url = link_lore(q, list->name, message_id);

		if (url)
			outside(out, url, "archive of ", list->name);
	}
	return out->len > before;
}

bool links_write(struct str *out, const struct request *q, struct store *s, const char *list,
		 const char *message_id)
{
	auto_free char *lore = link_lore(q, list, message_id);
	struct store_patchwork_list l = {0};
	struct err ignored = ERR_INIT;
	size_t before = out->len;

	if (lore)
		outside(out, lore, "archive", "");
	if (store_patchwork_by_message(s, message_id, &l, &ignored) == 0)
		for (size_t i = 0; i < l.n && i < PATCHWORKS_MAX; i++)
			if (link_is_web(l.row[i].url))
				outside(out, l.row[i].url, "Patchwork ", l.row[i].server);
	store_patchwork_list_done(&l);
	return out->len > before;
}
