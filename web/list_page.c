// SPDX-License-Identifier: GPL-2.0-or-later
/* /lists, and /list/NAME: the rules of a list, how its sources are, its series. */
#include "base/conf_section.h"
#include "web/links.h"
#include "web/series_table.h"
#include <microhttpd.h>

#define LIVES_S 5

static const struct conf_section *section_of(const struct request *q, const char *name)
{
	return q->opt->conf ? conf_section_find(q->opt->conf, CONF_SECTION_LIST, name) : NULL;
}

/* "lore NAME", "patchwork SERVER NAME" */
static bool is_of(const struct store_source *s, const char *list)
{
	auto_free char *end = xasprintf(" %s", list);

	return str_ends(s->name, end);
}

static void source_row(struct str *out, const struct store_source *s)
{
	str_adds(out, "<tr><td>");
	html_word(out, s->failures ? "warn" : "pass");
	str_adds(out, "</td><th scope=\"row\">");
	html_bdi(out, s->name);
	str_adds(out, "</th><td class=\"when\">");
	html_when(out, s->good);
	str_addf(out, "</td><td class=\"n\">%u</td><td>", s->failures);
	html_words(out, s->words, 300);
	str_adds(out, "</td></tr>\n");
}

/* `list` NULL: of all. */
static void source_table(struct str *out, const struct store_source_list *l, const char *list)
{
	size_t shown = 0;

	for (size_t i = 0; i < l->n; i++)
		shown += !list || is_of(&l->source[i], list);
	if (!shown) {
		str_adds(out, "<p class=\"empty\">None has been asked yet: <code>firn serve</code> "
			      "or <code>firn intake --once</code> does.</p>\n");
		return;
	}
	str_adds(out, "<div class=\"wide\"><table class=\"sources\">\n<thead><tr>"
		      "<th scope=\"col\">State</th><th scope=\"col\">Source</th>"
		      "<th scope=\"col\">Answered well</th>"
		      "<th scope=\"col\" class=\"n\">Failures since</th>"
		      "<th scope=\"col\">What it said</th></tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < l->n; i++)
		if (!list || is_of(&l->source[i], list))
			source_row(out, &l->source[i]);
	str_adds(out, "</tbody></table></div>\n");
}

/* What everybody may know of a list's rules. */
static const struct {
	enum conf_section_id id;
	const char *name;
} rules[] = {
	{CONF_LIST_ADDRESS, "Address"},
	{CONF_LIST_LORE, "Archive"},
	{CONF_LIST_PATCHWORK, "Patchwork"},
	{CONF_LIST_PROJECT, "Project there"},
	{CONF_LIST_TREE, "Trees"},
	{CONF_LIST_FILES, "Files that matter"},
	{CONF_LIST_SUBJECT, "Subject prefixes"},
	{CONF_LIST_ONLY, "Steps"},
	{CONF_LIST_BENCH, "Benchmarks"},
	{CONF_LIST_CHECKS, "Checks go to Patchwork"},
	{CONF_LIST_MAIL, "Answers by mail"},
	{CONF_LIST_COMMANDS, "Obeys commands in mails"},
};

static void rule_list(struct str *out, const struct conf_section *list)
{
	str_adds(out, "<dl class=\"facts\">\n");
	for (size_t i = 0; i < array_size(rules); i++) {
		const char *value = conf_section_str(list, rules[i].id);

		if (!value)
			continue;
		html_dt(out, rules[i].name);
		str_adds(out, "<dd>");
		if (rules[i].id == CONF_LIST_LORE && link_is_web(value)) {
			str_adds(out, "<a rel=\"external noreferrer\" href=\"");
			html_str(out, value);
			str_adds(out, "\">");
			html_str(out, value);
			str_adds(out, "</a>");
		} else {
			html_str(out, value);
		}
		str_adds(out, "</dd>\n");
	}
	str_adds(out, "</dl>\n");
}

static void list_link(struct str *out, const char *name, const struct conf_section *list)
{
	str_adds(out, "<tr><th scope=\"row\"><a href=\"");
	html_path(out, "/list/", name);
	str_adds(out, "\">");
	html_bdi(out, name);
	str_adds(out, "</a></th><td>");
	html_str(out, list ? conf_section_str(list, CONF_LIST_ADDRESS) : "");
	str_adds(out, "</td><td><a href=\"/ledger?list=");
	percent_encode(out, name, false);
	str_adds(out, "\">ledger</a></td></tr>\n");
}

/* Those of the configuration, then those that the store has postings of. */
static size_t list_links(struct str *out, const struct request *q, const struct view_paths *known)
{
	const struct conf_section *list;
	size_t n = 0;

	for (size_t i = 0;
	     q->opt->conf && (list = conf_section_nth(q->opt->conf, CONF_SECTION_LIST, i));
	     i++, n++)
		list_link(out, list->name, list);
	for (size_t i = 0; i < known->n; i++) {
		if (section_of(q, known->path[i]))
			continue;
		list_link(out, known->path[i], NULL);
		n++;
	}
	return n;
}

static void lists_write(struct str *out, const struct request *q, const struct view_paths *known,
			const struct store_source_list *sources)
{
	auto_str struct str rows;

	str_init(&rows, 0);
	page_begin(out, &(struct page){.title = "Lists", .section = PAGE_LISTS, .q = q});
	str_adds(out, "<h1>Lists</h1>\n");
	if (list_links(&rows, q, known))
		str_addf(out,
			 "<div class=\"wide\"><table class=\"lists\">\n<thead><tr>"
			 "<th scope=\"col\">List</th><th scope=\"col\">Address</th>"
			 "<th scope=\"col\">Mails</th></tr></thead>\n<tbody>\n%s</tbody></table>"
			 "</div>\n",
			 rows.buf);
	else
		str_adds(out, "<p class=\"empty\">No list is followed. A <code>[list \"NAME\"]"
			      "</code> section in the configuration of <code>firn serve</code> "
			      "makes one.</p>\n");
	str_adds(out, "<h2>Sources</h2>\n");
	source_table(out, sources, NULL);
	page_end(out, q);
}

void page_lists(const struct request *q, struct response *r)
{
	struct store_source_list sources = {0};
	struct view_paths known = {0};
	struct store *store = NULL;
	struct err err = ERR_INIT;
	int rc;

	if (respond_store(q, r, &store) < 0)
		return;
	rc = view_lists(store, &known, &err);
	if (rc == 0)
		rc = store_source_list(store, &sources, &err);
	r->lives_s = LIVES_S;
	if (rc == 0)
		lists_write(&r->body, q, &known, &sources);
	else
		respond_failure(q, r, &err, "The lists cannot be read.");
	store_source_list_done(&sources);
	view_paths_done(&known);
}

struct list {
	const char *name;
	const struct conf_section *section; /* NULL: not of the configuration any more */
	struct view_filter filter;
	struct store_source_list sources;
	struct view_series_list series;
};

static void list_done(struct list *l)
{
	store_source_list_done(&l->sources);
	view_series_list_done(&l->series);
}

static int list_read(struct store *s, struct list *l, struct err *err)
{
	int rc = store_source_list(s, &l->sources, err);

	if (rc < 0)
		return rc;
	return *l->filter.state ? view_verdicts(s, &l->filter, &l->series, err)
				: view_postings(s, &l->filter, &l->series, err);
}

static int64_t list_key(const struct list *l)
{
	const struct view_series *last;

	if (!l->series.more || !l->series.n)
		return 0;
	last = &l->series.row[l->series.n - 1];
	return *l->filter.state ? view_key(&l->filter, last) : last->posting;
}

static void list_head(struct str *out, const struct request *q, const struct list *l)
{
	auto_free char *feed = xasprintf("/list/%s/feed.atom", l->name);

	page_begin(out,
		   &(struct page){.title = l->name, .section = PAGE_LISTS, .q = q, .feed = feed});
	html_open(out, "h1", l->name);
	str_adds(out, "<p class=\"note\"><a href=\"/ledger?list=");
	percent_encode(out, l->name, false);
	str_addf(out, "\">Every mail of it</a> &#183; <a href=\"%s\">Atom feed</a></p>\n", feed);
}

static void list_write(struct str *out, const struct request *q, const struct list *l)
{
	auto_free char *path = xasprintf("/list/%s", l->name);

	list_head(out, q, l);
	str_adds(out, "<section id=\"series\">\n<h2>Series</h2>\n");
	series_form(out, &l->filter, path, l->name);
	series_table(out, &l->series);
	if (!l->series.n)
		str_addf(out, "<p class=\"empty\">%s</p>\n",
			 series_filtered(&l->filter) || l->filter.before
				 ? "Nothing is like that."
				 : "No series of this list has come yet.");
	html_pager(out, q, path, list_key(l));
	str_adds(out, "</section>\n<section id=\"sources\">\n<h2>Sources</h2>\n");
	source_table(out, &l->sources, l->name);
	str_adds(out, "</section>\n<section id=\"rules\">\n<h2>Rules</h2>\n");
	if (l->section)
		rule_list(out, l->section);
	else
		str_adds(out, "<p class=\"empty\">The configuration does not have this list: "
			      "nothing new comes.</p>\n");
	str_adds(out, "</section>\n");
	page_end(out, q);
}

void page_list(const struct request *q, struct response *r)
{
	__attribute__((cleanup(list_done))) struct list l = {
		.name = q->name, .section = section_of(q, q->name), .filter = series_filter(q)};
	struct store *store = NULL;
	struct err err = ERR_INIT;

	l.filter.list = q->name;
	if (*l.filter.state && !view_state_known(l.filter.state)) {
		respond_error(q, r, MHD_HTTP_BAD_REQUEST, "There is no such state.");
		return;
	}
	if (respond_store(q, r, &store) < 0)
		return;
	if (list_read(store, &l, &err) < 0) {
		respond_failure(q, r, &err, "The list cannot be read.");
		return;
	}
	if (!l.section && !l.series.n && !l.filter.before && !series_filtered(&l.filter)) {
		respond_error(q, r, MHD_HTTP_NOT_FOUND, "No list of that name is followed.");
		return;
	}
	r->lives_s = LIVES_S;
	list_write(&r->body, q, &l);
}
