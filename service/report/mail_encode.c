// SPDX-License-Identifier: GPL-2.0-or-later
/* Header values (RFC 2047, RFC 5322 2.2.3) and bodies (RFC 2045 6.7) for a 7-bit wire. */
#include "report/mail_message.h"

#include "report/escape.h"

#define LINE_MAX_FOLD 76
#define WORD_MAX      66   /* of an encoded word: the first one's line has the header's name too */
#define LINE_MAX_WIRE 998  /* RFC 5322 2.1.1 */
#define TEXT_MAX      1000 /* bytes of a header value that are looked at */
#define QP_LINE	      75   /* and the "=" of a soft line break */

/* Printable and on one line: what would act is written out (report/escape.h). */
static char *printable(const char *text)
{
	size_t n = strlen(text);
	auto_str struct str s;

	str_init(&s, 0);
	term_text(&s, text, n < TEXT_MAX ? n : TEXT_MAX);
	return str_take(&s);
}

/* Plain words stay as they are. Long ones would make a line that cannot be folded, and "=?" would
 * be decoded by the reader. */
static bool is_plain(const char *s)
{
	size_t word = 0;

	if (strstr(s, "=?"))
		return false;
	for (; *s; s++) {
		word = *s == ' ' ? 0 : word + 1;
		if ((unsigned char)*s >= 0x7f || word > LINE_MAX_FOLD - 20)
			return false;
	}
	return true;
}

static size_t char_len(const char *s)
{
	size_t n = 1;

	while (((unsigned char)s[n] & 0xc0) == 0x80)
		n++;
	return n;
}

static void q_char(struct str *out, unsigned char c)
{
	/* Those that may stand in an encoded word of a phrase, RFC 2047 5 (3). */
	if ((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
	    (c && strchr("!*+-/", c)))
		str_addc(out, (char)c);
	else if (c == ' ')
		str_addc(out, '_');
	else
		str_addf(out, "=%02X", c);
}

/* Encoded words, separated by blanks, which a reader drops. A character is never split. */
static void encoded_words(struct str *out, const char *s)
{
	static const char open[] = "=?utf-8?q?";
	size_t start = out->len;

	str_adds(out, open);
	while (*s) {
		size_t n = char_len(s);

		if (out->len - start + 3 * n + 2 > WORD_MAX) {
			str_adds(out, "?= ");
			start = out->len;
			str_adds(out, open);
		}
		for (size_t i = 0; i < n; i++)
			q_char(out, (unsigned char)s[i]);
		s += n;
	}
	str_adds(out, "?=");
}

static char *encoded(const char *text)
{
	auto_free char *s = printable(text);
	auto_str struct str out;

	str_init(&out, 0);
	if (!is_plain(s)) {
		encoded_words(&out, s);
		return str_take(&out);
	}
	return take(s);
}

void mail_fold(struct str *out, size_t column, const char *s)
{
	while (*s) {
		size_t blanks = strspn(s, " "), n = blanks + strcspn(s + blanks, " ");

		if (column + n > LINE_MAX_FOLD && blanks && s[blanks]) {
			str_adds(out, "\r\n");
			column = 0;
		}
		str_add(out, s, n);
		column += n;
		s += n;
	}
}

void mail_header_text(struct str *out, const char *name, const char *text)
{
	auto_free char *value = encoded(text);
	size_t n = strlen(value);

	while (n && value[n - 1] == ' ')
		value[--n] = '\0';
	str_addf(out, "%s: ", name);
	mail_fold(out, strlen(name) + 2, value + strspn(value, " "));
	str_adds(out, "\r\n");
}

/* Letters, digits, blanks and what atoms hold; all else is quoted, or encoded. */
static bool needs_quotes(const char *s)
{
	for (; *s; s++)
		if (strchr("()<>[]:;@\\,.\"", *s))
			return true;
	return false;
}

static void quoted(struct str *out, const char *s)
{
	str_addc(out, '"');
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			str_addc(out, '\\');
		str_addc(out, *s);
	}
	str_addc(out, '"');
}

char *mail_mailbox(const char *name, const char *email)
{
	auto_free char *short_name = xmemdup(name, term_fit(name, strlen(name), 100));
	auto_free char *text = printable(short_name), *value = encoded(short_name);
	auto_str struct str out;

	str_init(&out, 0);
	if (!*name)
		return xstrdup(email);
	if (strcmp(text, value) == 0 && needs_quotes(text))
		quoted(&out, text);
	else
		str_adds(&out, value);
	str_addf(&out, " <%s>", email);
	return str_take(&out);
}

static bool body_is_7bit(const char *s)
{
	size_t line = 0;

	for (; *s; s++) {
		line = *s == '\n' ? 0 : line + 1;
		if ((unsigned char)*s >= 0x7f || (*s < ' ' && *s != '\n' && *s != '\t') ||
		    line > LINE_MAX_WIRE)
			return false;
	}
	return true;
}

static void qp_line(struct str *out, const char *s, size_t n)
{
	size_t start = out->len;

	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)s[i];
		bool plain = (c >= ' ' && c < 0x7f && c != '=') || c == '\t';
		/* A blank at the end of a line would get lost; a dot or "From " at its start would
		 * be changed on the way. */
		bool risky = ((c == ' ' || c == '\t') && i + 1 == n) ||
			     (i == 0 && (c == '.' || c == 'F'));

		if (out->len - start + (plain && !risky ? 1 : 3) > QP_LINE) {
			str_adds(out, "=\r\n");
			start = out->len;
		}
		if (plain && !risky)
			str_addc(out, (char)c);
		else
			str_addf(out, "=%02X", c);
	}
	str_adds(out, "\r\n");
}

const char *mail_body_encode(struct str *out, const char *body)
{
	bool plain = body_is_7bit(body);

	while (*body) {
		size_t n = strcspn(body, "\n");

		if (plain) {
			str_add(out, body, n);
			str_adds(out, "\r\n");
		} else {
			qp_line(out, body, n);
		}
		body += n + (body[n] == '\n');
	}
	return plain ? "7bit" : "quoted-printable";
}
