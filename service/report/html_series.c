// SPDX-License-Identifier: GPL-2.0-or-later
/* What was tried: the facts at the head of the page, and the table of patches. */
#include "report/html_view.h"

#include "base/clock.h"
#include "base/json.h"
#include "report/escape.h"

#define FILES_MAX 200

static void person(struct html_view *v, const json_t *who)
{
	html_element(v, "bdi", json_object_get(who, "name"));
	str_adds(&v->out, " &lt;");
	html_member(v, who, "email");
	str_adds(&v->out, "&gt;");
}

static void fact_series(struct html_view *v, const json_t *series)
{
	const json_t *missing = json_object_get(series, "missing"), *number;
	size_t i;

	str_addf(&v->out, "<dt>Series</dt><dd>version %d, %zu of %d patch%s",
		 (int)json_get_num(series, "version", 1),
		 json_array_size(json_object_get(series, "patches")), v->total,
		 v->total == 1 ? "" : "es");
	json_array_foreach (missing, i, number)
		str_addf(&v->out, "%s%lld/%d",
			 i ? ", " : "; missing: ", (long long)json_integer_value(number), v->total);
	str_adds(&v->out, "</dd>\n<dt>From</dt><dd>");
	person(v, json_object_get(series, "author"));
	str_adds(&v->out, ", ");
	html_time(v, json_object_get(series, "date"));
	str_adds(&v->out, "</dd>\n<dt>Message id</dt><dd><code>");
	html_member(v, series, "message_id");
	str_adds(&v->out, "</code></dd>\n");
}

static void fact_base(struct html_view *v, const json_t *base)
{
	const char *warning = json_get_str(base, "warning", NULL);

	str_adds(&v->out, "<dt>Base</dt><dd>");
	if (!json_is_object(base)) {
		str_adds(&v->out, "none</dd>\n");
		return;
	}
	str_adds(&v->out, "<code>");
	html_member(v, base, "commit");
	str_adds(&v->out, "</code> ");
	html_element(v, "bdi", json_object_get(base, "subject"));
	str_adds(&v->out, " in ");
	html_element(v, "code", json_object_get(base, "tree"));
	str_adds(&v->out, "<br/>");
	html_member(v, base, "why");
	if (warning) {
		str_adds(&v->out, "<br/>");
		html_badge(v, "warn", "warning");
		str_addc(&v->out, ' ');
		html_member(v, base, "warning");
	}
	str_adds(&v->out, "</dd>\n");
}

void html_facts(struct html_view *v)
{
	char span[CLOCK_SPAN_MAX];

	str_adds(&v->out, "<dl class=\"facts\">\n");
	if (v->series)
		fact_series(v, json_object_get(v->report, "series"));
	if (v->series || json_is_object(json_object_get(v->report, "base")))
		fact_base(v, json_object_get(v->report, "base"));
	str_adds(&v->out, "<dt>Run</dt><dd>firn ");
	html_member(v, v->report, "firn");
	str_adds(&v->out, ", ");
	html_time(v, json_object_get(v->report, "started"));
	str_addf(&v->out, ", %s</dd>\n</dl>\n",
		 clock_span(json_get_num(v->report, "seconds", 0), span));
}

static void patch_files(struct html_view *v, const json_t *files)
{
	const json_t *file;
	size_t n = json_array_size(files), i;

	str_adds(&v->out, "<ul class=\"files\">");
	json_array_foreach (files, i, file) {
		if (i == FILES_MAX)
			break;
		html_element(v, "li", file);
	}
	if (n > FILES_MAX)
		str_addf(&v->out, "<li>... %zu more</li>", n - FILES_MAX);
	str_adds(&v->out, "</ul>");
}

static void patch_row(struct html_view *v, const json_t *patch)
{
	long long number = json_integer_value(json_object_get(patch, "number"));
	const json_t *commit = json_object_get(patch, "commit");

	str_addf(&v->out, "<tr id=\"patch-%lld\"><th scope=\"row\">%lld/%d</th><td>", number,
		 number, v->total);
	if (html_series_path(v))
		str_addf(&v->out, "<a href=\"%s/patch/%lld\">", html_series_path(v), number);
	html_element(v, "bdi", json_object_get(patch, "subject"));
	str_adds(&v->out, html_series_path(v) ? "</a>" : "");
	str_adds(&v->out, "<p class=\"meta\">");
	person(v, json_object_get(patch, "author"));
	str_adds(&v->out, "<br/>");
	if (json_is_string(commit))
		html_element(v, "code", commit);
	else
		str_adds(&v->out, "not applied");
	str_adds(&v->out, "</p>");
	patch_files(v, json_object_get(patch, "files"));
	str_addf(&v->out, "</td><td class=\"n\">+%lld<br/>&#8722;%lld</td></tr>\n",
		 (long long)json_integer_value(json_object_get(patch, "added")),
		 (long long)json_integer_value(json_object_get(patch, "removed")));
}

void html_patches(struct html_view *v)
{
	const json_t *patches = json_object_get(json_object_get(v->report, "series"), "patches");
	const json_t *patch;
	size_t i;

	str_adds(&v->out,
		 "<section id=\"patches\">\n<h2>Patches</h2>\n<table class=\"patches\">\n"
		 "<thead><tr><th scope=\"col\">No.</th><th scope=\"col\">Subject and files</th>"
		 "<th scope=\"col\" class=\"n\">Lines</th></tr></thead>\n<tbody>\n");
	json_array_foreach (patches, i, patch)
		patch_row(v, patch);
	str_adds(&v->out, "</tbody></table>\n</section>\n");
}
