// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/escape.h"

#include <glib.h>
#include <stdint.h>

#define NOT_UTF8 UINT32_MAX
#define TAB_STOP 8

/* Takes one character from the n > 0 bytes at s; returns its length. A byte that is not UTF-8 gives
 * NOT_UTF8. */
static size_t next_char(const char *s, size_t n, uint32_t *ret_c)
{
	gunichar c;

	if (!((unsigned char)*s & 0x80)) {
		*ret_c = (unsigned char)*s;
		return 1;
	}
	c = g_utf8_get_char_validated(s, (gssize)(n < 6 ? n : 6));
	if (c >= 0x110000) { /* GLib's -1 and -2 */
		*ret_c = NOT_UTF8;
		return 1;
	}
	*ret_c = c;
	return (size_t)g_unichar_to_utf8(c, NULL);
}

/* Would act on the screen rather than be seen on it. */
static bool is_hidden(uint32_t c)
{
	if (c < 0x7f)
		return c < 0x20;
	if (c == NOT_UTF8)
		return true;
	switch (g_unichar_type(c)) {
	case G_UNICODE_CONTROL:
	case G_UNICODE_FORMAT:
	case G_UNICODE_SURROGATE:
	case G_UNICODE_UNASSIGNED:
	case G_UNICODE_PRIVATE_USE:
	case G_UNICODE_LINE_SEPARATOR:
	case G_UNICODE_PARAGRAPH_SEPARATOR: return true;
	default: return false;
	}
}

static void add_visible(struct str *out, uint32_t c, unsigned char byte)
{
	if (c == '\n')
		str_adds(out, "\\n");
	else if (c == NOT_UTF8 || c < 0x80)
		str_addf(out, "\\x%02x", byte);
	else
		str_addf(out, "\\u{%x}", c);
}

static size_t char_width(uint32_t c)
{
	if (c < 0x7f)
		return 1;
	return c == NOT_UTF8 || g_unichar_iszerowidth(c) ? 0 : g_unichar_iswide(c) ? 2 : 1;
}

void term_text(struct str *out, const char *s, size_t n)
{
	size_t column = 0;

	for (size_t i = 0, len; i < n; i += len) {
		size_t before = out->len;
		uint32_t c;

		len = next_char(s + i, n - i, &c);
		if (c == '\t')
			str_add(out, "        ", TAB_STOP - column % TAB_STOP);
		else if (is_hidden(c))
			add_visible(out, c, (unsigned char)s[i]);
		else
			str_add(out, s + i, len);
		column += is_hidden(c) ? out->len - before : char_width(c);
	}
}

static const char *html_entity(uint32_t c)
{
	switch (c) {
	case '&': return "&amp;";
	case '<': return "&lt;";
	case '>': return "&gt;";
	case '"': return "&quot;";
	case '\'': return "&#39;";
	default: return NULL;
	}
}

void html_text(struct str *out, const char *s, size_t n)
{
	for (size_t i = 0, len; i < n; i += len) {
		const char *entity;
		uint32_t c;

		len = next_char(s + i, n - i, &c);
		entity = html_entity(c);
		if (entity)
			str_adds(out, entity);
		else if (is_hidden(c) && !(c && c < 0x80 && strchr("\n\t", (int)c)))
			add_visible(out, c, (unsigned char)s[i]);
		else
			str_add(out, s + i, len);
	}
}

size_t term_fit(const char *s, size_t n, size_t columns)
{
	size_t i = 0, width = 0;

	while (i < n) {
		uint32_t c;
		size_t len = next_char(s + i, n - i, &c);

		width += char_width(c);
		if (width > columns)
			break;
		i += len;
	}
	return i;
}

size_t term_width(const char *s, size_t n)
{
	size_t width = 0;

	for (size_t i = 0, len; i < n; i += len) {
		uint32_t c;

		len = next_char(s + i, n - i, &c);
		width += char_width(c);
	}
	return width;
}
