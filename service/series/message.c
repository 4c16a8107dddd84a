// SPDX-License-Identifier: GPL-2.0-or-later
#include "series/message.h"

#include <ctype.h>

/* A longer commit message is cut: apart from this, MAIL_MAX bounds it. */
#define MESSAGE_MAX ((size_t)4 << 20)

/* The headers that may stand in the body, before the text. */
enum { IN_FROM, IN_SUBJECT, IN_DATE, IN_N };
static const char *const in_names[IN_N] = {"From:", "Subject:", "Date:"};

struct body {
	char *header[IN_N]; /* decoded; NULL when absent */
	bool in_headers;    /* no line of text has been seen yet */
	int open;	    /* the header that a continuation line would belong to; IN_N: none */
	struct str value;   /* of that header */
	struct str log;	    /* the text */
};

static size_t line_len(const char *p, size_t n)
{
	const char *nl = memchr(p, '\n', n);

	return nl ? (size_t)(nl - p) + 1 : n;
}

static bool begins(const char *line, size_t n, const char *prefix)
{
	size_t len = strlen(prefix);

	return n >= len && memcmp(line, prefix, len) == 0;
}

static bool line_is_blank(const char *line, size_t n)
{
	while (n && isspace((unsigned char)line[n - 1]))
		n--;
	return n == 0;
}

/* The line that ends a commit message: a lone "---", or the beginning of a diff. */
static bool line_is_break(const char *line, size_t n)
{
	if (begins(line, n, "diff -") || begins(line, n, "Index: "))
		return true;
	if (n < 4 || !begins(line, n, "---"))
		return false;
	return (line[3] == ' ' && n > 4 && !isspace((unsigned char)line[4])) ||
	       line_is_blank(line + 3, n - 3);
}

/* A line that begins a diff, as opposed to the "---" before the changelog. */
static bool line_is_diff(const char *line, size_t n, const char *end)
{
	const char *next = line + n;

	if (begins(line, n, "diff -") || begins(line, n, "Index: "))
		return true;
	return begins(line, n, "--- ") && begins(next, (size_t)(end - next), "+++ ");
}

/* Where the commit message ends, and where the diff begins; both are the length when there is none.
 */
static void text_cut(const char *text, size_t n, size_t *ret_break, size_t *ret_diff)
{
	size_t at = 0, len;

	for (; at < n; at += len) {
		len = line_len(text + at, n - at);
		if (line_is_break(text + at, len))
			break;
	}
	*ret_break = at;
	for (; at < n; at += len) {
		len = line_len(text + at, n - at);
		if (line_is_diff(text + at, len, text + n))
			break;
	}
	*ret_diff = at;
}

static void header_close(struct body *b)
{
	if (b->open == IN_N)
		return;
	free(b->header[b->open]);
	b->header[b->open] = mail_header_decode(b->value.buf);
	str_reset(&b->value);
	b->open = IN_N;
}

static void header_open(struct body *b, int which, const char *value, size_t n)
{
	b->open = which;
	str_add(&b->value, value, n);
}

/* ">From 3f...40 digits Mon Sep 17 00:00:00 2001": git-format-patch(1)'s first line, quoted by an
 * mbox. */
static bool is_quoted_separator(const char *line, size_t n)
{
	static const char date[] = " Mon Sep 17 00:00:00 2001\n";

	return begins(line, n, ">From ") && n == 6 + 40 + sizeof(date) - 1 &&
	       memcmp(line + 46, date, sizeof(date) - 1) == 0;
}

/* True when the line still belongs to the headers of the body. */
static bool header_take(struct body *b, const char *line, size_t n)
{
	if (b->open != IN_N && (*line == ' ' || *line == '\t')) {
		str_add(&b->value, line, n);
		return true;
	}
	header_close(b);
	if (is_quoted_separator(line, n))
		return true;
	if (begins(line, n, "[PATCH]") && n > 7 && isspace((unsigned char)line[7])) {
		header_open(b, IN_SUBJECT, line, n);
		header_close(b);
		return true;
	}
	for (int i = 0; i < IN_N; i++) {
		size_t len = strlen(in_names[i]);

		if (!b->header[i] && n >= len && strncasecmp(line, in_names[i], len) == 0) {
			header_open(b, i, line + len, n - len);
			return true;
		}
	}
	return false;
}

static void body_line(struct body *b, const char *line, size_t n)
{
	if (b->in_headers && *line == '\n') {
		if (b->open != IN_N) {
			header_close(b);
			b->in_headers = false;
		}
		return;
	}
	if (b->in_headers && header_take(b, line, n))
		return;
	b->in_headers = false;
	str_add(&b->log, line, n);
}

static void body_read(struct body *b, const char *text, size_t n)
{
	size_t len;

	*b = (struct body){.in_headers = true, .open = IN_N};
	str_init(&b->value, 65536);
	str_init(&b->log, MESSAGE_MAX);
	for (size_t at = 0; at < n; at += len) {
		len = line_len(text + at, n - at);
		body_line(b, text + at, len);
	}
	header_close(b);
}

static void body_done(struct body *b)
{
	for (int i = 0; i < IN_N; i++)
		free(b->header[i]);
	str_done(&b->value);
	str_done(&b->log);
}

/* No white space at line ends, one empty line for several, none at either end: git-stripspace(1).
 */
static void stripspace(const char *text, size_t n, struct str *out)
{
	bool gap = false;
	size_t len;

	for (size_t at = 0; at < n; at += len) {
		size_t keep = len = line_len(text + at, n - at);

		while (keep && isspace((unsigned char)text[at + keep - 1]))
			keep--;
		if (keep == 0) {
			gap = out->len > 0;
			continue;
		}
		if (gap)
			str_addc(out, '\n');
		gap = false;
		str_add(out, text + at, keep);
		str_addc(out, '\n');
	}
}

static char *message_make(const char *subject, const struct str *log)
{
	auto_str struct str whole;
	struct str out;

	str_init(&whole, MESSAGE_MAX);
	str_init(&out, MESSAGE_MAX);
	str_addf(&whole, "%s\n\n", subject);
	str_add(&whole, log->buf, log->len);
	stripspace(whole.buf, whole.len, &out);
	return str_take(&out);
}

/* What git leaves out of a name or address at either end. */
static bool is_crud(char c)
{
	return (unsigned char)c <= ' ' || strchr(".,:;<>\"\\'", c);
}

static char *ident_clean(const char *s)
{
	size_t n = strlen(s);
	char *out, *o;

	while (n && is_crud(s[n - 1]))
		n--;
	while (n && is_crud(*s)) {
		s++;
		n--;
	}
	out = o = xmemdup(s, n);
	for (const char *p = out; *p; p++)
		if (!strchr("<>\n", *p))
			*o++ = *p;
	*o = '\0';
	return out;
}

/* git-mailinfo(1) takes the address where there is no name, or one that is too long or holds an
 * address. */
static void ident_names(const struct mail_addr *from, struct ident *ret)
{
	size_t n = strlen(from->name);
	bool sane = n > 0 && n <= 60 && !strpbrk(from->name, "@<>");

	ret->name = ident_clean(sane ? from->name : from->email);
	ret->email = ident_clean(from->email);
}

void ident_from_mail(const struct mail *mail, struct ident *ret)
{
	*ret = (struct ident){.time = mail->date, .tz_minutes = mail->tz_minutes};
	ident_names(&mail->from, ret);
}

void ident_done(struct ident *id)
{
	free(id->name);
	free(id->email);
	*id = (struct ident){};
}

static void author_read(const struct mail *mail, const struct body *b, struct ident *ret)
{
	ident_from_mail(mail, ret);
	if (b->header[IN_FROM]) {
		struct mail_addr from;

		ident_done(ret);
		*ret = (struct ident){.time = mail->date, .tz_minutes = mail->tz_minutes};
		mail_addr_parse(b->header[IN_FROM], &from);
		ident_names(&from, ret);
		mail_addr_done(&from);
	}
	if (b->header[IN_DATE])
		(void)mail_date_parse(b->header[IN_DATE], &ret->time, &ret->tz_minutes);
}

static void diff_read(struct patch *p)
{
	struct err err = ERR_INIT;

	if (p->diff_len && diff_parse(p->diff_text, p->diff_len, &p->diff, &err) < 0)
		p->diff_error = xstrdup(err.msg);
}

void patch_read(const struct mail *mail, struct patch *ret)
{
	size_t text_break, text_diff, bytes_break, bytes_diff;
	struct body body;

	text_cut(mail->text, mail->text_len, &text_break, &text_diff);
	text_cut(mail->bytes, mail->bytes_len, &bytes_break, &bytes_diff);
	body_read(&body, mail->text, text_break);
	ret->mail = mail;
	author_read(mail, &body, &ret->author);
	if (body.header[IN_SUBJECT]) {
		free(ret->subject.text);
		ret->subject.text = subject_clean(body.header[IN_SUBJECT]);
	}
	ret->message = message_make(ret->subject.text, &body.log);
	body_done(&body);

	const char *below = mail->text + text_break;
	size_t below_len = text_diff - text_break;

	if (below_len) { /* without the "---" itself */
		size_t len = line_len(below, below_len);

		if (line_is_blank(below + 3, len - 3)) {
			below += len;
			below_len -= len;
		}
	}
	ret->below = xmemdup(below, below_len);
	ret->diff_len = mail->bytes_len - bytes_diff;
	ret->diff_text = xmemdup(mail->bytes + bytes_diff, ret->diff_len);
	diff_read(ret);
}

bool patch_has_diff(const struct patch *p)
{
	return p->diff_error || (p->diff && p->diff->n_files);
}

void patch_done(struct patch *p)
{
	subject_done(&p->subject);
	ident_done(&p->author);
	diff_free(p->diff);
	free(p->message);
	free(p->below);
	free(p->diff_text);
	free(p->diff_error);
	*p = (struct patch){};
}
