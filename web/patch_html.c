// SPDX-License-Identifier: GPL-2.0-or-later
#include "web/patch_html.h"

#include "base/json.h"
#include "report/escape.h"

#define FILES_SHOWN    200
#define LINE_SHOWN_MAX 2000 /* bytes */

static long long integer(const json_t *obj, const char *key)
{
	const json_t *v = json_object_get(obj, key);

	return json_is_integer(v) ? json_integer_value(v) : 0;
}

static void add_member(struct str *out, const json_t *obj, const char *key)
{
	const json_t *v = json_object_get(obj, key);

	if (json_is_string(v))
		html_text(out, json_string_value(v), json_string_length(v));
}

static void add_words(struct str *out, const struct patch_note *note)
{
	html_text(out, json_string_value(note->words) ?: "", json_string_length(note->words));
}

static void checker_words(struct str *out, const struct patch_note *note)
{
	str_adds(out, "<code>");
	add_member(out, note->finding, "type");
	str_adds(out, "</code> ");
	add_words(out, note);
	str_adds(out, " <span class=\"muted\">");
	add_member(out, note->finding, "checker");
	str_adds(out, "</span>");
}

static void build_words(struct str *out, const struct patch_note *note)
{
	long long mended = integer(note->finding, "mended");

	add_words(out, note);
	if (json_is_string(json_object_get(note->finding, "option"))) {
		str_adds(out, " <code>");
		add_member(out, note->finding, "option");
		str_adds(out, "</code>");
	}
	str_adds(out, " <span class=\"muted\">build of ");
	html_text(out, note->rows, strlen(note->rows));
	if (mended)
		str_addf(out, "; gone with patch %lld", mended);
	str_adds(out, "</span>");
}

static void note_words(struct str *out, const struct patch_note *note)
{
	str_addf(out, "<span class=\"badge %s\">%s</span> ", note->level, note->level);
	if (note->rows)
		build_words(out, note);
	else
		checker_words(out, note);
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
		str_adds(out, n->rows ? "the build" : "the patch");
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
		note_words(out, &notes->note[i]);
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
		const struct patch_note *note = &notes->note[*at];

		str_addf(out, "<p class=\"finding %s\">", note->level);
		note_words(out, note);
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
