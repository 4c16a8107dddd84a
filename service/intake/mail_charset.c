// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Everything that becomes UTF-8: text in a charset, and encoded words in headers (RFC 2047). GMime
 * 3.2 joins two words in base64 before it decodes them, and loses what comes after the padding of
 * the first; so words are decoded here.
 */
#include "intake/mail_internal.h"

#include <ctype.h>

char *mail_to_utf8(const char *p, size_t n, const char *charset)
{
	bool unnamed = !charset || strcasecmp(charset, "us-ascii") == 0;
	char *converted = NULL, *valid;
	gsize len = n;

	if (!unnamed && strcasecmp(charset, "utf-8") != 0)
		converted = g_convert(p, (gssize)n, "UTF-8", g_mime_charset_iconv_name(charset),
				      NULL, &len, NULL);
	else if (unnamed && !utf8_valid(p, n))
		converted = g_convert(p, (gssize)n, "UTF-8", "ISO-8859-1", NULL, &len, NULL);
	valid = converted ? g_utf8_make_valid(converted, (gssize)len)
			  : g_utf8_make_valid(p, (gssize)n);
	g_free(converted);
	return valid;
}

/* "=?charset?q?text?=". */
struct word {
	const char *charset, *text, *end; /* `end`: behind the whole */
	size_t charset_len, text_len;
	bool base64;
};

/* Like strstr(); that one costs the sanitizers' builds the length of the string at each call. */
static const char *pair_find(const char *p, const char *pair)
{
	while ((p = strchr(p, pair[0])) && p[1] != pair[1])
		p++;
	return p;
}

/* `last` is the last "?=" there is: without it, each word that is not closed would look for one to
 * the end. */
static bool word_at(const char *p, const char *last, struct word *ret)
{
	const char *mark = strchr(p + 2, '?'), *close;
	char how = mark ? (char)tolower((unsigned char)mark[1]) : '\0';

	if ((how != 'q' && how != 'b') || mark[2] != '?' || mark + 3 > last)
		return false;
	close = pair_find(mark + 3, "?=");
	*ret = (struct word){.charset = p + 2,
			     .charset_len = strcspn(p + 2, "*?"), /* *language: RFC 2231 5 */
			     .text = mark + 3,
			     .text_len = (size_t)(close - mark - 3),
			     .end = close + 2,
			     .base64 = how == 'b'};
	return true;
}

static void quoted_decode(struct str *out, const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (p[i] == '=' && i + 2 < n && isxdigit((unsigned char)p[i + 1]) &&
		    isxdigit((unsigned char)p[i + 2])) {
			const char hex[] = {p[i + 1], p[i + 2], '\0'};

			str_addc(out, (char)strtoul(hex, NULL, 16));
			i += 2;
		} else {
			str_addc(out, p[i] == '_' ? ' ' : p[i]);
		}
	}
}

/* RFC 4648; anything else between the digits is passed over. */
static void base64_decode(struct str *out, const char *p, size_t n)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				     "0123456789+/";
	unsigned bits = 0, have = 0;

	for (size_t i = 0; i < n; i++) {
		const char *digit = p[i] ? strchr(digits, p[i]) : NULL;

		if (!digit)
			continue;
		bits = (bits << 6 | (unsigned)(digit - digits)) & 0xffff;
		have += 6;
		if (have >= 8) {
			have -= 8;
			str_addc(out, (char)(bits >> have & 0xff));
		}
	}
}

/* A header while it is decoded. Bytes of neighbouring words in one charset are converted together:
 * some mailers cut inside a character. */
struct decoder {
	struct str out, bytes;
	char *charset; /* of `bytes` */
};

static void words_flush(struct decoder *d)
{
	if (d->bytes.len) {
		char *text = mail_to_utf8(d->bytes.buf, d->bytes.len, d->charset);

		str_adds(&d->out, text);
		g_free(text);
	}
	str_reset(&d->bytes);
	free(d->charset);
	d->charset = NULL;
}

static void word_add(struct decoder *d, const struct word *w)
{
	auto_free char *charset = xmemdup(w->charset, w->charset_len);

	if (!d->charset || strcasecmp(d->charset, charset) != 0) {
		words_flush(d);
		d->charset = take(charset);
	}
	(w->base64 ? base64_decode : quoted_decode)(&d->bytes, w->text, w->text_len);
}

static void raw_add(struct decoder *d, const char *p, size_t n)
{
	words_flush(d);
	if (n) {
		char *text = mail_to_utf8(p, n, NULL);

		str_adds(&d->out, text);
		g_free(text);
	}
}

static void header_decode(struct decoder *d, const char *p)
{
	const char *raw = p, *last = p; /* `raw`: where that begins which is no word */
	bool after_word = false;
	struct word word;

	for (const char *q = p; (q = pair_find(q, "?=")); q++)
		last = q;
	while ((p = pair_find(p, "=?"))) {
		if (!word_at(p, last, &word)) {
			p += 2;
			continue;
		}
		/* White space between two words is not shown: RFC 2047 6.2. */
		if (!after_word || raw + strspn(raw, " \t") < p)
			raw_add(d, raw, (size_t)(p - raw));
		word_add(d, &word);
		after_word = true;
		raw = p = word.end;
	}
	raw_add(d, raw, strlen(raw));
}

/* RFC 5322 2.2.3: a line end goes; the space after it stays. */
static char *header_unfold(const char *value)
{
	char *out = xmalloc(strlen(value) + 1), *o = out;

	for (const char *p = value; *p; p++)
		if (*p != '\r' && *p != '\n')
			*o++ = *p == '\t' ? ' ' : *p;
	*o = '\0';
	return out;
}

char *mail_header_decode(const char *value)
{
	auto_free char *unfolded = header_unfold(value);
	struct decoder d = {};

	str_init(&d.out, MAIL_HEADERS_MAX * 3);
	str_init(&d.bytes, MAIL_HEADERS_MAX);
	header_decode(&d, unfolded);
	str_done(&d.bytes);
	/* No header is more than one line, whatever its words hold. */
	for (char *p = d.out.buf; *p; p++)
		if (iscntrl((unsigned char)*p))
			*p = ' ';
	return g_strstrip(str_take(&d.out));
}
