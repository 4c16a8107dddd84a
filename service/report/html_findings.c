// SPDX-License-Identifier: GPL-2.0-or-later
/* Findings, grouped by patch and within it by file. */
#include "report/html_view.h"

#include "base/json.h"
#include "report/findings.h"

#define FINDINGS_MAX 2000

static bool same_member(const json_t *a, const json_t *b, const char *key)
{
	return a && json_equal(json_object_get(a, key), json_object_get(b, key));
}

/* To its line on the page of the patch, where there is one. */
static void finding_line(struct html_view *v, const json_t *finding, long long line)
{
	const json_t *at = json_object_get(finding, "patch_line");
	const char *series = json_is_integer(at) ? html_series_path(v) : NULL;

	str_adds(&v->out, "<span class=\"line\">");
	if (series)
		str_addf(&v->out, "<a href=\"%s/patch/%lld#L%lld\">", series,
			 (long long)json_integer_value(json_object_get(finding, "patch")),
			 (long long)json_integer_value(at));
	str_addf(&v->out, "%s%lld%s</span> ",
		 json_is_string(json_object_get(finding, "path")) ? "" : "mail line ", line,
		 series ? "</a>" : "");
}

static void finding_row(struct html_view *v, const json_t *finding)
{
	const char *level = json_get_str(finding, "level", "NOTE");
	const json_t *line = json_object_get(finding, "line"), *excerpt;

	excerpt = json_object_get(finding, "excerpt");
	if (!json_is_integer(line))
		line = json_object_get(finding, "patch_line");
	str_adds(&v->out, "<li>");
	if (json_is_integer(line))
		finding_line(v, finding, json_integer_value(line));
	html_badge(v, level, level);
	str_addc(&v->out, ' ');
	html_element(v, "code", json_object_get(finding, "type"));
	str_addc(&v->out, ' ');
	html_member(v, finding, "message");
	str_adds(&v->out, " <span class=\"muted\">");
	html_member(v, finding, "checker");
	str_adds(&v->out, "</span>");
	if (json_is_string(excerpt))
		html_element(v, "pre", excerpt);
	str_adds(&v->out, "</li>\n");
}

static void finding_heads(struct html_view *v, const json_t *last, const json_t *finding)
{
	bool same_patch = same_member(last, finding, "patch");
	const json_t *path = json_object_get(finding, "path");

	if (same_patch && same_member(last, finding, "path"))
		return;
	str_adds(&v->out, last ? "</ul>\n" : "");
	if (!same_patch) {
		str_adds(&v->out, "<h3>");
		html_patch(v, json_integer_value(json_object_get(finding, "patch")));
		str_adds(&v->out, "</h3>\n");
	}
	if (json_is_string(path))
		html_element(v, "h4 class=\"path\"", path);
	else
		str_adds(&v->out, "<h4>Commit message</h4>");
	str_adds(&v->out, "\n<ul class=\"findings\">\n");
}

static void finding_list(struct html_view *v, const json_t *findings)
{
	auto_free const json_t **finding = findings_sorted(findings);
	size_t n = json_array_size(findings);

	for (size_t i = 0; i < n && i < FINDINGS_MAX; i++) {
		finding_heads(v, i ? finding[i - 1] : NULL, finding[i]);
		finding_row(v, finding[i]);
	}
	str_adds(&v->out, n ? "</ul>\n" : "");
	if (n > FINDINGS_MAX)
		str_addf(&v->out, "<p class=\"note\">%zu more findings are not shown.</p>\n",
			 n - FINDINGS_MAX);
}

static void check_row(struct html_view *v, const json_t *check)
{
	const char *outcome = json_get_str(check, "outcome", "error");

	str_adds(&v->out, "<tr><td>");
	html_badge(v, outcome, outcome);
	str_addf(&v->out, "</td><td class=\"n\">%lld/%d</td>",
		 (long long)json_integer_value(json_object_get(check, "patch")), v->total);
	html_element(v, "th scope=\"row\"", json_object_get(check, "checker"));
	html_element(v, "td", json_object_get(check, "reason"));
	str_adds(&v->out, "</tr>\n");
}

static void check_table(struct html_view *v, const json_t *checks)
{
	const json_t *check;
	size_t i;

	if (!json_array_size(checks))
		return;
	str_adds(&v->out,
		 "<details><summary>What each checker said of each patch</summary>\n<div "
		 "class=\"wide\"><table>\n"
		 "<thead><tr><th scope=\"col\">Outcome</th><th scope=\"col\" class=\"n\">Patch</th>"
		 "<th scope=\"col\">Checker</th><th "
		 "scope=\"col\">Reason</th></tr></thead>\n<tbody>\n");
	json_array_foreach (checks, i, check)
		check_row(v, check);
	str_adds(&v->out, "</tbody></table></div></details>\n");
}

static long long count(const json_t *counts, const char *key)
{
	return json_integer_value(json_object_get(counts, key));
}

void html_findings(struct html_view *v)
{
	const json_t *findings = json_object_get(v->report, "findings");
	const json_t *checks = json_object_get(v->report, "checks");
	const json_t *counts = json_object_get(v->report, "counts");

	if (!json_is_object(counts) && !json_array_size(findings) && !json_array_size(checks))
		return;
	str_adds(&v->out, "<section id=\"findings\">\n<h2>Findings</h2>\n");
	finding_list(v, findings);
	if (json_is_object(counts))
		str_addf(&v->out,
			 "<p class=\"total\"><code>total: %lld errors, %lld warnings, %lld checks, "
			 "%lld lines checked</code></p>\n",
			 count(counts, "errors"), count(counts, "warnings"),
			 count(counts, "checks"), count(counts, "lines"));
	check_table(v, checks);
	str_adds(&v->out, "</section>\n");
}
