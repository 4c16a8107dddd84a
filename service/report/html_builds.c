// SPDX-License-Identifier: GPL-2.0-or-later
/* Builds: a table of configurations, and what is not fine, folded in. */
#include "report/html_view.h"

#include "base/clock.h"
#include "base/json.h"
#include "report/builds.h"

#define ROWS_MAX 400

static void words_of(struct html_view *v, const struct build_group *g)
{
	auto_free char *plain = build_group_words(g);
	auto_json json_t *words = json_text(plain);

	html_element(v, "td", words);
}

static void group_row(struct html_view *v, const struct build_group *g)
{
	const char *outcome = outcome_name(g->outcome);
	char span[CLOCK_SPAN_MAX];

	str_adds(&v->out, "<tr><td>");
	html_badge(v, outcome, outcome);
	str_adds(&v->out, "</td>");
	html_element(v, "th scope=\"row\"", json_object_get(g->first, "row"));
	words_of(v, g);
	str_addf(&v->out, "<td class=\"n\">%s%s</td></tr>\n",
		 g->outcome == OUTCOME_SKIP ? "" : clock_span(g->seconds, span),
		 g->outcome != OUTCOME_SKIP && g->all_cached
			 ? " <br/><span class=\"muted\">cached</span>"
			 : "");
}

static void warning_row(struct html_view *v, const json_t *build, const json_t *w)
{
	const json_t *line = json_object_get(w, "line"), *mended = json_object_get(w, "mended");

	str_adds(&v->out, "<tr>");
	html_element(v, "td", json_object_get(build, "row"));
	str_addf(&v->out, "<td class=\"n\">%lld</td><td><code>",
		 (long long)json_integer_value(json_object_get(build, "patch")));
	html_member(v, w, "path");
	if (json_is_integer(line))
		str_addf(&v->out, ":%lld", (long long)json_integer_value(line));
	str_adds(&v->out, "</code></td>");
	html_element(v, "td", json_object_get(w, "text"));
	str_adds(&v->out, "<td>");
	if (json_is_integer(mended))
		str_addf(&v->out, "mended by patch %lld", (long long)json_integer_value(mended));
	str_adds(&v->out, "</td></tr>\n");
}

static void warnings(struct html_view *v, const json_t *builds)
{
	const json_t *build, *w;
	size_t shown = 0, i, k;

	json_array_foreach (builds, i, build) {
		json_array_foreach (json_object_get(build, "new_warnings"), k, w) {
			if (!shown++)
				str_adds(&v->out,
					 "<h3>New warnings</h3>\n<div class=\"wide\"><table>\n"
					 "<thead><tr><th scope=\"col\">Row</th><th scope=\"col\" "
					 "class=\"n\">Patch</th><th scope=\"col\">Place</th><th "
					 "scope=\"col\">Warning</th><th scope=\"col\">Later</th>"
					 "</tr></thead>\n<tbody>\n");
			if (shown <= ROWS_MAX)
				warning_row(v, build, w);
		}
	}
	str_adds(&v->out, shown ? "</tbody></table></div>\n" : "");
	html_more(v, shown > ROWS_MAX ? shown - ROWS_MAX : 0, "warnings");
}

/* The patches since the kernel that options are compared with: the one before in the list. */
static void option_patches(struct html_view *v, const json_t *builds, size_t at)
{
	const json_t *build = json_array_get(builds, at),
		     *before = at ? json_array_get(builds, at - 1) : NULL;
	long long patch = json_integer_value(json_object_get(build, "patch")),
		  since = json_integer_value(json_object_get(before, "patch"));

	if (since + 1 < patch &&
	    strcmp(json_get_str(before, "row", ""), json_get_str(build, "row", "")) == 0)
		str_addf(&v->out, "<td class=\"n\">%lld-%lld</td>", since + 1, patch);
	else
		str_addf(&v->out, "<td class=\"n\">%lld</td>", patch);
}

static void option_row(struct html_view *v, const json_t *builds, size_t at, const json_t *c)
{
	str_adds(&v->out, "<tr>");
	html_element(v, "td", json_object_get(json_array_get(builds, at), "row"));
	option_patches(v, builds, at);
	html_element(v, "th scope=\"row\"", json_object_get(c, "option"));
	html_element(v, "td", json_object_get(c, "base"));
	html_element(v, "td", json_object_get(c, "patched"));
	html_element(v, "td", json_object_get(c, "word"));
	str_adds(&v->out, "</tr>\n");
}

static void options(struct html_view *v, const json_t *builds)
{
	const json_t *build, *c;
	size_t shown = 0, i, k;

	json_array_foreach (builds, i, build) {
		json_array_foreach (json_object_get(build, "config_changes"), k, c) {
			if (!shown++)
				str_adds(&v->out,
					 "<details><summary>Options that change</summary>\n<div "
					 "class=\"wide\"><table>\n<thead><tr><th "
					 "scope=\"col\">Row</th><th scope=\"col\" "
					 "class=\"n\">Patch</th><th scope=\"col\">Option</th><th "
					 "scope=\"col\">Was</th><th scope=\"col\">Is</th><th "
					 "scope=\"col\"><span class=\"unseen\">Change</span></th>"
					 "</tr></thead>\n<tbody>\n");
			if (shown <= ROWS_MAX)
				option_row(v, builds, i, c);
		}
	}
	str_adds(&v->out, shown ? "</tbody></table></div></details>\n" : "");
	html_more(v, shown > ROWS_MAX ? shown - ROWS_MAX : 0, "options");
}

static long long size_change(const json_t *row)
{
	return json_integer_value(json_object_get(row, "patched")) -
	       json_integer_value(json_object_get(row, "base"));
}

static void size_cells(struct html_view *v, const json_t *row)
{
	str_addf(&v->out,
		 "<td class=\"n\">%lld</td><td class=\"n\">%lld</td><td "
		 "class=\"n\">%+lld</td></tr>\n",
		 (long long)json_integer_value(json_object_get(row, "base")),
		 (long long)json_integer_value(json_object_get(row, "patched")), size_change(row));
}

static void size_rows(struct html_view *v, const json_t *list)
{
	const json_t *row;
	size_t i;

	json_array_foreach (list, i, row) {
		str_adds(&v->out, "<tr>");
		html_element(v, "th scope=\"row\"", json_object_get(row, "name"));
		size_cells(v, row);
	}
}

static void sizes_head(struct html_view *v, const json_t *build, const json_t *sizes,
		       const char *what)
{
	long long base = json_integer_value(json_object_get(sizes, "base")),
		  patched = json_integer_value(json_object_get(sizes, "patched"));

	str_addf(&v->out, "<details%s><summary>%s ",
		 json_get_bool(sizes, "over", false) ? " open=\"open\"" : "", what);
	html_member(v, build, "row");
	str_addf(&v->out,
		 ": %lld bytes, was %lld (%+lld)</summary>\n<div class=\"wide\"><table>\n"
		 "<thead><tr>",
		 patched, base, patched - base);
}

/* Three columns after the name. */
static void sizes_columns(struct html_view *v)
{
	str_adds(&v->out, "<th scope=\"col\" class=\"n\">Base</th><th scope=\"col\" "
			  "class=\"n\">Patched</th><th scope=\"col\" class=\"n\">Change</th>"
			  "</tr></thead>\n<tbody>\n");
}

static void size_of(struct html_view *v, const json_t *build)
{
	const json_t *sizes = json_object_get(build, "sizes");

	if (!json_is_object(sizes) || (!json_array_size(json_object_get(sizes, "sections")) &&
				       !json_array_size(json_object_get(sizes, "symbols"))))
		return;
	sizes_head(v, build, sizes, "Size of");
	str_adds(&v->out, "<th scope=\"col\">Section or symbol</th>");
	sizes_columns(v);
	size_rows(v, json_object_get(sizes, "sections"));
	size_rows(v, json_object_get(sizes, "symbols"));
	str_adds(&v->out, "</tbody></table></div></details>\n");
}

/* With its symbols in one cell. */
static void module_row(struct html_view *v, const json_t *module)
{
	const json_t *symbols = json_object_get(module, "symbols"), *s;
	size_t i;

	str_adds(&v->out, "<tr>");
	html_element(v, "th scope=\"row\"", json_object_get(module, "name"));
	str_adds(&v->out, "<td>");
	json_array_foreach (symbols, i, s) {
		str_adds(&v->out, i ? ", " : "");
		html_member(v, s, "name");
		str_addf(&v->out, " %+lld", size_change(s));
	}
	str_adds(&v->out, "</td>");
	size_cells(v, module);
}

/* The table has only the largest differences. */
static void modules_counts(struct html_view *v, const json_t *sizes)
{
	static const char *const counts[][2] = {
		{"grown", "grew"}, {"shrunk", "shrank"}, {"added", "came"}, {"removed", "went"}};
	bool any = false;

	str_adds(&v->out, "<p class=\"note\">Modules: ");
	for (size_t i = 0; i < array_size(counts); i++) {
		long long n = (long long)json_get_num(sizes, counts[i][0], 0);

		if (n)
			str_addf(&v->out, "%s%lld %s", any ? ", " : "", n, counts[i][1]);
		any = any || n;
	}
	str_adds(&v->out, ".</p>\n");
}

static void modules_of(struct html_view *v, const json_t *build)
{
	const json_t *sizes = json_object_get(build, "module_sizes"), *m,
		     *list = json_object_get(sizes, "modules");
	size_t i;

	if (!json_array_size(list))
		return;
	sizes_head(v, build, sizes, "Modules of");
	str_adds(&v->out, "<th scope=\"col\">Module</th><th scope=\"col\">Symbols</th>");
	sizes_columns(v);
	json_array_foreach (list, i, m)
		module_row(v, m);
	str_adds(&v->out, "</tbody></table></div>\n");
	modules_counts(v, sizes);
	str_adds(&v->out, "</details>\n");
}

static void headers_of(struct html_view *v, const struct build_group *g, size_t i)
{
	const json_t *headers = build_group_headers(g, i), *header;
	size_t k;

	if (!headers)
		return;
	str_adds(&v->out, "<details><summary>Objects that ");
	html_member(v, g[i].first, "row");
	str_adds(&v->out, " made for headers</summary>\n<ul>\n");
	json_array_foreach (headers, k, header) {
		auto_free char *plain = build_header_words(header);
		auto_json json_t *words = json_text(plain);

		html_element(v, "li", words);
		str_addc(&v->out, '\n');
	}
	str_adds(&v->out, "</ul></details>\n");
}

static void commands(struct html_view *v)
{
	const json_t *row = build_to_repeat(v->report), *command;
	size_t i;

	if (!row)
		return;
	str_adds(&v->out, "<details><summary>Repeat ");
	html_member(v, row, "row");
	str_addf(&v->out, ", patch %lld, without firn</summary>\n<pre class=\"command\">",
		 (long long)json_integer_value(json_object_get(row, "patch")));
	json_array_foreach (json_object_get(row, "commands"), i, command) {
		html_value(v, command);
		str_addc(&v->out, '\n');
	}
	str_adds(&v->out, "</pre></details>\n");
}

void html_builds(struct html_view *v)
{
	const json_t *builds = json_object_get(v->report, "builds"), *build;
	size_t n = 0, i;
	auto_free struct build_group *g = build_groups(v->report, &n);

	if (!n)
		return;
	str_adds(&v->out,
		 "<section id=\"builds\">\n<h2>Builds</h2>\n<div class=\"wide\"><table>\n"
		 "<thead><tr><th scope=\"col\">Outcome</th><th scope=\"col\">Configuration</th>"
		 "<th scope=\"col\">What was found</th><th scope=\"col\" class=\"n\">Time</th>"
		 "</tr></thead>\n<tbody>\n");
	for (i = 0; i < n; i++)
		group_row(v, &g[i]);
	str_adds(&v->out, "</tbody></table></div>\n");
	if (build_limits_notice(v->report))
		str_addf(&v->out, "<p>%s</p>\n", build_limits_notice(v->report));
	warnings(v, builds);
	options(v, builds);
	for (i = 0; i < n; i++)
		headers_of(v, g, i);
	json_array_foreach (builds, i, build) {
		size_of(v, build);
		modules_of(v, build);
	}
	commands(v);
	str_adds(&v->out, "</section>\n");
}
