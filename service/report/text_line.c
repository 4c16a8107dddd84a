// SPDX-License-Identifier: GPL-2.0-or-later
/* Words, lines and tables of the text view. */
#include "report/text_view.h"

#define MEMBER_MAX 4096

/* Ends a full string in "...", and not inside a character. */
static void cut_short(struct str *s)
{
	s->len -= strlen("...");
	while (s->len && (s->buf[s->len] & 0xc0) == 0x80)
		s->len--;
	memcpy(s->buf + s->len, "...", sizeof("..."));
	s->len += strlen("...");
}

char *text_value(const json_t *string)
{
	auto_str struct str s;

	str_init(&s, MEMBER_MAX);
	if (json_is_string(string))
		term_text(&s, json_string_value(string), json_string_length(string));
	if (s.truncated)
		cut_short(&s);
	return str_take(&s);
}

char *text_member(const json_t *obj, const char *key)
{
	return text_value(json_object_get(obj, key));
}

/* Where the line must end so that it fits: at the last space within `room`, else at the first one
 * after it. */
static size_t line_end(const char *s, size_t n, size_t room)
{
	size_t fits = term_fit(s, n, room), end = fits;

	if (fits == n)
		return n;
	while (end > 0 && s[end] != ' ')
		end--;
	if (end > 0)
		return end;
	/* A word wider than the line (a path, an address) stays whole, so that it can be copied. */
	while (fits < n && s[fits] != ' ')
		fits++;
	return fits;
}

void text_wrap(struct text_view *v, const char *escaped, size_t column, size_t indent)
{
	const char *s = escaped;
	size_t n = strlen(s);

	for (;;) {
		size_t end = line_end(s, n, column < TEXT_COLUMNS ? TEXT_COLUMNS - column : 1);

		str_add(&v->out, s, end);
		str_addc(&v->out, '\n');
		while (end < n && s[end] == ' ')
			end++;
		s += end;
		n -= end;
		if (!n)
			return;
		str_addf(&v->out, "%*s", (int)indent, "");
		column = indent;
	}
}

static const struct {
	const char *meaning, *sgr; /* ECMA-48 SGR parameters */
} colours[] = {
	{"pass", "32"},	   {"better", "32"}, {"warn", "33"},	{"WARNING", "33"},
	{"CHECK", "36"},   {"fail", "1;31"}, {"ERROR", "1;31"}, {"worse", "33"},
	{"error", "1;35"}, {"skip", "2"},    {"heading", "1"},
};

void text_paint(struct text_view *v, const char *meaning, const char *text)
{
	const char *sgr = NULL;

	for (size_t i = 0; v->opt.colour && i < array_size(colours); i++)
		if (strcmp(colours[i].meaning, meaning) == 0)
			sgr = colours[i].sgr;
	if (sgr)
		str_addf(&v->out, "\033[%sm%s\033[0m", sgr, text);
	else
		str_adds(&v->out, text);
}

void text_heading(struct text_view *v, const char *text)
{
	text_paint(v, "heading", text);
}

void text_table_add(struct text_table *t, const char *escaped)
{
	arr_grow(t->cell, t->n, t->cap);
	t->cell[t->n++] = xstrdup(escaped);
}

void text_table_done(struct text_table *t)
{
	for (size_t i = 0; i < t->n; i++)
		free(t->cell[i]);
	free(t->cell);
	t->cell = NULL;
	t->n = t->cap = 0;
}

static size_t cell_width(const struct text_table *t, size_t i)
{
	return term_width(t->cell[i], strlen(t->cell[i]));
}

static size_t column_width(const struct text_table *t, size_t column)
{
	size_t widest = 0;

	for (size_t i = column; i < t->n; i += t->columns) {
		size_t width = cell_width(t, i);

		widest = width > widest ? width : widest;
	}
	return widest;
}

void text_table_print(struct text_view *v, const struct text_table *t)
{
	auto_free size_t *width = xcalloc(t->columns, sizeof(*width));

	for (size_t c = 0; c < t->columns; c++)
		width[c] = column_width(t, c);
	for (size_t i = 0; i < t->n; i++) {
		size_t c = i % t->columns, pad = width[c] - cell_width(t, i);
		bool last = c == t->columns - 1;

		str_addf(&v->out, "  %*s%s", t->align[c] == 'r' ? (int)pad : 0, "", t->cell[i]);
		if (last)
			str_addc(&v->out, '\n');
		else if (t->align[c] != 'r')
			str_addf(&v->out, "%*s", (int)pad, "");
	}
}
