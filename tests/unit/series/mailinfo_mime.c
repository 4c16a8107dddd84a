// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit/unit.h"

#include "mailinfo_gen.h"

#include <glib.h>

const char *const encode_name[ENCODES] = {NULL, "8bit", "quoted-printable", "BASE64", "binary"};

/* A line is at most 76 columns: RFC 2045 6.7. */
static void qp_add(struct str *out, const char *text, size_t n)
{
	size_t column = 0;

	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)text[i];
		bool ends = i + 1 == n || text[i + 1] == '\n';

		if (c == '\n') {
			str_addc(out, '\n');
			column = 0;
			continue;
		}
		if (column > 70) {
			str_adds(out, "=\n");
			column = 0;
		}
		if (c == '=' || c > 126 || (c < 32 && c != '\t') || (ends && c <= ' ')) {
			str_addf(out, "=%02X", c);
			column += 3;
		} else {
			str_addc(out, (char)c);
			column++;
		}
	}
}

static void base64_add(struct str *out, const char *text, size_t n)
{
	char *all = g_base64_encode((const guchar *)text, n);
	size_t len = strlen(all);

	for (size_t at = 0; at < len; at += 76)
		str_addf(out, "%.76s\n", all + at);
	g_free(all);
}

void encode_add(struct str *out, int how, const char *text, size_t n)
{
	if (how == ENCODE_QP)
		qp_add(out, text, n);
	else if (how == ENCODE_BASE64)
		base64_add(out, text, n);
	else
		str_add(out, text, n);
}

void charset_add(struct str *out, const char *charset, const char *utf8, size_t n)
{
	gsize len;
	char *bytes = g_convert(utf8, (gssize)n, charset, "UTF-8", NULL, &len, NULL);

	if (!bytes)
		fail_msg("%s has no %s", charset, utf8);
	str_add(out, bytes, len);
	g_free(bytes);
}

void encode_word(struct str *out, const char *charset, char how, const char *utf8)
{
	auto_str struct str bytes;

	str_init(&bytes, 0);
	charset_add(&bytes, charset, utf8, strlen(utf8));
	str_addf(out, "=?%s?%c?", charset, how);
	if (how == 'b' || how == 'B') {
		char *all = g_base64_encode((const guchar *)bytes.buf, bytes.len);

		str_adds(out, all);
		g_free(all);
	} else {
		for (size_t i = 0; i < bytes.len; i++)
			if (bytes.buf[i] == ' ')
				str_addc(out, '_');
			else if (g_ascii_isalnum(bytes.buf[i]))
				str_addc(out, bytes.buf[i]);
			else
				str_addf(out, "=%02X", (unsigned char)bytes.buf[i]);
	}
	str_adds(out, "?=");
}

void crlf_add(struct str *out, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (text[i] == '\n')
			str_addc(out, '\r');
		str_addc(out, text[i]);
	}
}
