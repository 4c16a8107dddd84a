// SPDX-License-Identifier: GPL-2.0-or-later
/* What changed since the version before: one row a patch, with the diff of the two diffs folded in.
 */
#include "report/html_view.h"

#include "base/json.h"
#include "report/report.h"

#define ROWS_MAX 1000

static void numbers(struct html_view *v, const json_t *row)
{
	const json_t *was = json_object_get(row, "was"), *now = json_object_get(row, "patch");
	bool both = json_is_integer(was) && json_is_integer(now);

	if (json_is_integer(was))
		str_addf(&v->out, "%lld", (long long)json_integer_value(was));
	str_adds(&v->out, both ? " \u2192 " : "");
	if (json_is_integer(now))
		str_addf(&v->out, "%lld", (long long)json_integer_value(now));
}

static const char *tone_of(const char *word)
{
	if (strcmp(word, "unchanged") == 0)
		return "skip";
	return strcmp(word, "changed") == 0 ? "changed" : "warn";
}

static void since_row(struct html_view *v, const json_t *row)
{
	const json_t *diff = json_object_get(row, "diff");
	const char *word = json_get_str(row, "word", "changed");

	str_adds(&v->out, "<tr><td class=\"n\">");
	numbers(v, row);
	str_adds(&v->out, "</td><td>");
	html_badge(v, tone_of(word), word);
	str_adds(&v->out, "</td><th scope=\"row\">");
	html_element(v, "bdi", json_object_get(row, "subject"));
	if (*json_get_str(row, "words", ""))
		html_element(v, "p class=\"meta\"", json_object_get(row, "words"));
	if (json_string_length(diff)) {
		str_adds(&v->out, "<details><summary>what changed</summary>");
		html_element(v, "pre", diff);
		str_adds(&v->out, "</details>");
	}
	str_adds(&v->out, "</th></tr>\n");
}

static void since_table(struct html_view *v, const json_t *since)
{
	const json_t *rows = json_object_get(since, "patches"), *row;
	size_t i;

	str_addf(&v->out,
		 "<div class=\"wide\"><table class=\"since\">\n<thead><tr>"
		 "<th scope=\"col\" class=\"n\">v%d \u2192</th><th scope=\"col\">Since then</th>"
		 "<th scope=\"col\">Patch</th></tr></thead>\n<tbody>\n",
		 (int)json_get_num(since, "version", 1));
	json_array_foreach (rows, i, row) {
		if (i == ROWS_MAX)
			break;
		since_row(v, row);
	}
	str_adds(&v->out, "</tbody></table></div>\n");
}

void html_since(struct html_view *v, const json_t *since)
{
	const char *limited = json_get_str(since, "limited", NULL);

	if (!json_array_size(json_object_get(since, "patches")))
		return;
	str_addf(&v->out, "<section id=\"since\">\n<h2>Since version %d</h2>\n",
		 (int)json_get_num(since, "version", 1));
	since_table(v, since);
	if (limited) {
		str_adds(&v->out, "<p class=\"note\">");
		html_member(v, since, "limited");
		str_adds(&v->out, "</p>\n");
	}
	str_adds(&v->out, "</section>\n");
}

void report_html_since(const json_t *since, struct str *out)
{
	struct html_view v = {0};

	str_init(&v.out, 0);
	html_since(&v, since);
	str_add(out, v.out.buf, v.out.len);
	str_done(&v.out);
}
