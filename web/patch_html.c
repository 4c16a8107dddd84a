// SPDX-License-Identifier: GPL-2.0-or-later
#include "web/patch_html.h"

#include "base/json.h"
#include "report/escape.h"

#define FILES_SHOWN    200
#define NOTES_SHOWN    2000
#define LINE_SHOWN_MAX 2000 /* bytes */

static long long integer(const json_t *obj, const char *key)
{
	const json_t *v = json_object_get(obj, key);

	return json_is_integer(v) ? json_integer_value(v) : 0;
}

static size_t place(const json_t *finding, const struct patch_lines *p, bool exact)
{
	long long at = integer(finding, "patch_line"), number = integer(finding, "line");
	const char *path = json_get_str(finding, "path", NULL);
	size_t index;

	if (exact && at > 0 && at <= (long long)p->n)
		return (size_t)at - 1;
	if (path && number > 0 && number < UINT32_MAX &&
	    patch_lines_find(p, path, (unsigned)number, &index))
		return index;
	return PATCH_NOWHERE;
}

static int by_line(const void *a, const void *b)
{
	const struct patch_note *x = a, *y = b;

	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return x->index < y->index ? -1 : 1;
}

void patch_notes_read(const json_t *findings, long long number, const struct patch_lines *p,
		      bool exact, struct patch_notes *ret)
{
	const json_t *finding;
	size_t i;

	json_array_foreach (findings, i, finding) {
		if (integer(finding, "patch") != number || ret->n == NOTES_SHOWN)
			continue;
		arr_grow(ret->note, ret->n, ret->cap);
		ret->note[ret->n++] = (struct patch_note){
			.finding = finding, .index = i, .line = place(finding, p, exact)};
	}
	if (ret->n)
		qsort(ret->note, ret->n, sizeof(*ret->note), by_line);
	while (ret->placed < ret->n && ret->note[ret->placed].line != PATCH_NOWHERE)
		ret->placed++;
}

void patch_notes_done(struct patch_notes *notes)
{
	free(notes->note);
	*notes = (struct patch_notes){0};
}

static void add_member(struct str *out, const json_t *obj, const char *key)
{
	const json_t *v = json_object_get(obj, key);

	if (json_is_string(v))
		html_text(out, json_string_value(v), json_string_length(v));
}

/* One of our own words, which is a class too. */
static const char *level_of(const json_t *finding)
{
	static const char *const levels[] = {"ERROR", "WARNING", "CHECK", "NOTE"};
	const char *level = json_get_str(finding, "level", "");

	for (size_t i = 0; i < array_size(levels); i++)
		if (strcmp(level, levels[i]) == 0)
			return levels[i];
	return "NOTE";
}

static void finding_words(struct str *out, const json_t *finding)
{
	const char *level = level_of(finding);

	str_addf(out, "<span class=\"badge %s\">%s</span> <code>", level, level);
	add_member(out, finding, "type");
	str_adds(out, "</code> ");
	add_member(out, finding, "message");
	str_adds(out, " <span class=\"muted\">");
	add_member(out, finding, "checker");
	str_adds(out, "</span>");
}

void patch_html_files(struct str *out, const struct patch_lines *p)
{
	if (!p->n_files)
		return;
	str_adds(out, "<ul class=\"stat\">\n");
	for (size_t i = 0; i < p->n_files && i < FILES_SHOWN; i++) {
		const struct patch_file *f = &p->file[i];

		str_addf(out, "<li><a href=\"#file-%zu\"><bdi class=\"path\">", i + 1);
		html_text(out, f->path, strlen(f->path));
		str_addf(out,
			 "</bdi></a> <span class=\"plus\">+%u</span> <span "
			 "class=\"minus\">&#8722;%u</span></li>\n",
			 f->added, f->removed);
	}
	str_adds(out, "</ul>\n");
	if (p->n_files > FILES_SHOWN)
		str_addf(out, "<p class=\"note\">%zu more files.</p>\n", p->n_files - FILES_SHOWN);
}

static void place_words(struct str *out, const struct patch_lines *p, const struct patch_note *n)
{
	const json_t *path = json_object_get(n->finding, "path");
	long long line = integer(n->finding, "line");

	if (n->line != PATCH_NOWHERE)
		str_addf(out, "<a href=\"#L%zu\">", n->line + 1);
	if (json_is_string(path)) {
		add_member(out, n->finding, "path");
		if (line)
			str_addf(out, ":%lld", line);
	} else if (n->line != PATCH_NOWHERE && p->line[n->line].kind == PATCH_WORDS) {
		str_adds(out, "commit message");
	} else {
		str_adds(out, "the patch");
	}
	str_adds(out, n->line != PATCH_NOWHERE ? "</a>: " : ": ");
}

void patch_html_notes(struct str *out, const struct patch_lines *p, const struct patch_notes *notes)
{
	if (!notes->n)
		return;
	str_adds(out, "<ul class=\"findings\">\n");
	for (size_t i = 0; i < notes->n; i++) {
		str_adds(out, "<li>");
		place_words(out, p, &notes->note[i]);
		finding_words(out, notes->note[i].finding);
		str_adds(out, "</li>\n");
	}
	str_adds(out, "</ul>\n");
}

static void line_text(struct str *out, const struct patch_line *l)
{
	size_t shown = l->n;

	if (shown && l->s[shown - 1] == '\r')
		shown--;
	if (shown > LINE_SHOWN_MAX) {
		shown = LINE_SHOWN_MAX;
		while (shown && (l->s[shown] & 0xc0) == 0x80) /* not inside a character */
			shown--;
	}
	html_text(out, l->s, shown);
	if (shown + 1 < l->n)
		str_addf(out, " ... (%zu more bytes)", l->n - shown);
}

static void line_html(struct str *out, const struct patch_lines *p, size_t i, bool found)
{
	static const char *const classes[] = {
		[PATCH_WORDS] = "w",   [PATCH_FILE] = "m",  [PATCH_META] = "m",
		[PATCH_HUNK] = "h",    [PATCH_ADDED] = "a", [PATCH_REMOVED] = "r",
		[PATCH_CONTEXT] = "c",
	};
	const struct patch_line *l = &p->line[i];

	str_addf(out, "<span id=\"L%zu\" class=\"%s%s\"", i + 1, classes[l->kind],
		 found ? " hit" : "");
	/* Numbers are drawn by the style sheet: they are not a part of the text that is copied. */
	if (l->before)
		str_addf(out, " data-b=\"%u\"", l->before);
	if (l->after)
		str_addf(out, " data-a=\"%u\"", l->after);
	str_addc(out, '>');
	line_text(out, l);
	str_adds(out, "\n</span>");
}

static void file_head(struct str *out, const struct patch_lines *p, size_t number)
{
	const char *path = p->file[number].path;

	str_addf(out, "</pre>\n<h3 class=\"file\" id=\"file-%zu\"><bdi class=\"path\">",
		 number + 1);
	html_text(out, path, strlen(path));
	str_adds(out, "</bdi></h3>\n<pre class=\"diff\">");
}

static void notes_of_line(struct str *out, const struct patch_notes *notes, size_t *at, size_t i)
{
	str_adds(out, "</pre>\n");
	for (; *at < notes->placed && notes->note[*at].line == i; ++*at) {
		const json_t *finding = notes->note[*at].finding;

		str_addf(out, "<p class=\"finding %s\">", level_of(finding));
		finding_words(out, finding);
		str_adds(out, "</p>\n");
	}
	str_adds(out, "<pre class=\"diff\">");
}

void patch_html_lines(struct str *out, const struct patch_lines *p, const struct patch_notes *notes)
{
	size_t at = 0, file = 0;

	str_adds(out, "<div class=\"patch\" tabindex=\"0\" role=\"region\" aria-label=\"The "
		      "patch\">\n<pre class=\"diff\">");
	for (size_t i = 0; i < p->n; i++) {
		bool found = at < notes->placed && notes->note[at].line == i;

		if (file < p->n_files && p->file[file].from == i)
			file_head(out, p, file++);
		line_html(out, p, i, found);
		if (found)
			notes_of_line(out, notes, &at, i);
	}
	str_adds(out, "</pre>\n</div>\n");
}
