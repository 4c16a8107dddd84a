// SPDX-License-Identifier: GPL-2.0-or-later
#include "web/series_table.h"

#include "base/clock.h"

struct view_filter series_filter(const struct request *q)
{
	const char *before = query(q, "before");
	size_t n = strspn(before, "0123456789");

	return (struct view_filter){
		.list = query(q, "list"),
		.author = query(q, "author"),
		.file = query(q, "file"),
		.state = query(q, "state"),
		.text = query(q, "q"),
		.before = n && n <= 18 && !before[n] ? strtoll(before, NULL, 10) : 0,
		.limit = q->limit,
	};
}

bool series_filtered(const struct view_filter *f)
{
	return *f->author || *f->file || *f->state || *f->text;
}

static void field(struct str *out, const char *name, const char *label, const char *value,
		  const char *hint)
{
	str_addf(out, "<label>%s <input name=\"%s\" maxlength=\"200\" placeholder=\"%s\" value=\"",
		 label, name, hint);
	html_str(out, value);
	str_adds(out, "\"/></label>\n");
}

static void state_field(struct str *out, const char *given)
{
	str_adds(out, "<label>State <select name=\"state\"><option value=\"\">any</option>");
	for (size_t i = 0; view_states[i]; i++)
		str_addf(out, "<option%s>%s</option>",
			 strcmp(view_states[i], given) == 0 ? " selected=\"selected\"" : "",
			 view_states[i]);
	str_adds(out, "</select></label>\n");
}

void series_form(struct str *out, const struct view_filter *f, const char *path, const char *list)
{
	str_addf(out, "<form class=\"filters\" action=\"%s\" method=\"get\">\n", path);
	field(out, "q", "Words", f->text, "in title or author");
	if (!list)
		field(out, "list", "List", f->list, "linuxppc-dev");
	field(out, "author", "Author", f->author, "name or address");
	field(out, "file", "File", f->file, "arch/powerpc/");
	state_field(out, f->state);
	str_adds(out, "<button type=\"submit\">Filter</button>");
	if (series_filtered(f) || (!list && *f->list))
		str_addf(out, " <a href=\"%s\">all</a>", path);
	str_adds(out, "</form>\n");
}

void series_href(struct str *out, const struct view_series *v)
{
	if (v->posting)
		str_addf(out, "/series/%lld", (long long)v->posting);
	else
		str_addf(out, "/trial/%lld", (long long)v->trial);
}

void series_title(struct str *out, const struct view_series *v)
{
	str_adds(out, "<a href=\"");
	series_href(out, v);
	str_adds(out, "\">");
	html_bdi(out, *v->title ? v->title : "(series not known yet)");
	str_adds(out, "</a>");
	if (v->version > 1)
		str_addf(out, " <span class=\"muted\">v%u</span>", v->version);
}

/* The verdict, or why there is none. */
static void words(struct str *out, const struct view_series *v)
{
	const char *text = v->words && *v->words ? v->words : v->reason;

	if (!*text)
		return;
	str_adds(out, "<p class=\"meta\">");
	html_words(out, text, 400);
	str_adds(out, "</p>");
}

static void took(struct str *out, const struct view_series *v)
{
	if (v->trial && v->state == STORE_TRIAL_FINISHED && v->started)
		html_span(out, (double)(v->finished - v->started));
	else if (v->state == STORE_TRIAL_RUNNING && v->trial)
		html_span(out, (double)(clock_wall() - v->started));
}

static void row(struct str *out, const struct view_series *v)
{
	str_adds(out, "<tr><td>");
	html_word(out, view_series_word(v));
	str_adds(out, "</td><th scope=\"row\">");
	series_title(out, v);
	words(out, v);
	str_adds(out, "</th><td>");
	html_bdi(out, v->author);
	str_adds(out, "</td><td>");
	if (*v->list) {
		str_adds(out, "<a href=\"");
		html_path(out, "/list/", v->list);
		str_adds(out, "\">");
		html_bdi(out, v->list);
		str_adds(out, "</a>");
	}
	str_adds(out, "</td><td class=\"when\">");
	html_when(out, v->finished ? v->finished : v->date);
	str_adds(out, "</td><td class=\"n\">");
	took(out, v);
	str_adds(out, "</td></tr>\n");
}

void series_table(struct str *out, const struct view_series_list *l)
{
	if (!l->n)
		return;
	str_adds(out, "<div class=\"wide\"><table class=\"trials\">\n<thead><tr>"
		      "<th scope=\"col\">State</th><th scope=\"col\">Series</th>"
		      "<th scope=\"col\">Author</th><th scope=\"col\">List</th>"
		      "<th scope=\"col\">When</th><th scope=\"col\" class=\"n\">Took</th>"
		      "</tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < l->n; i++)
		row(out, &l->row[i]);
	str_adds(out, "</tbody></table></div>\n");
}
