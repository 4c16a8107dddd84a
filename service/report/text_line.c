// SPDX-License-Identifier: GPL-2.0-or-later
/* Words and lines of the text view. */
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

char *text_escaped(const char *s, size_t n)
{
	auto_str struct str out;

	str_init(&out, MEMBER_MAX);
	term_text(&out, s, n);
	if (out.truncated)
		cut_short(&out);
	return str_take(&out);
}

char *text_value(const json_t *string)
{
	if (!json_is_string(string))
		return xstrdup("");
	return text_escaped(json_string_value(string), json_string_length(string));
}

char *text_member(const json_t *obj, const char *key)
{
	return text_value(json_object_get(obj, key));
}

size_t text_line_end(const char *s, size_t n, size_t room)
{
	size_t fits = term_fit(s, n, room), end = fits;

	if (fits == n)
		return n;
	while (end > 0 && s[end] != ' ')
		end--;
	if (end > 0)
		return end;
	while (fits < n && s[fits] != ' ')
		fits++;
	return fits;
}

void text_fill(struct str *out, const char *escaped, size_t width, size_t column, size_t indent)
{
	const char *s = escaped;
	size_t n = strlen(s);

	for (;;) {
		size_t end = text_line_end(s, n, column < width ? width - column : 1);

		str_add(out, s, end);
		str_addc(out, '\n');
		while (end < n && s[end] == ' ')
			end++;
		s += end;
		n -= end;
		if (!n)
			return;
		str_addf(out, "%*s", (int)indent, "");
		column = indent;
	}
}

void text_wrap(struct text_view *v, const char *escaped, size_t column, size_t indent)
{
	text_fill(&v->out, escaped, TEXT_COLUMNS, column, indent);
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
