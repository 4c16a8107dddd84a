// SPDX-License-Identifier: GPL-2.0-or-later
#include "series/message_body.h"

#include "intake/mail.h"

/* A longer commit message is cut: apart from this, MAIL_MAX bounds it. */
#define LOG_MAX ((size_t)4 << 20)

static const char *const header_names[BODY_HEADERS] = {"From:", "Subject:", "Date:"};

size_t text_line_len(const char *p, size_t n)
{
	const char *nl = memchr(p, '\n', n);

	return nl ? (size_t)(nl - p) + 1 : n;
}

bool text_begins(const char *line, size_t n, const char *prefix)
{
	size_t len = strlen(prefix);

	return n >= len && memcmp(line, prefix, len) == 0;
}

bool text_is_blank(const char *line, size_t n)
{
	while (n && text_is_space(line[n - 1]))
		n--;
	return n == 0;
}

/* The line that ends a commit message: a lone "---", or the beginning of a diff. */
static bool line_is_break(const char *line, size_t n)
{
	if (text_begins(line, n, "diff -") || text_begins(line, n, "Index: "))
		return true;
	if (n < 4 || !text_begins(line, n, "---"))
		return false;
	return (line[3] == ' ' && n > 4 && !text_is_space(line[4])) ||
	       (line[n - 1] == '\n' && text_is_blank(line + 3, n - 3));
}

static bool is_scissors_mark(const char *p, size_t n)
{
	return text_begins(p, n, ">8") || text_begins(p, n, "8<") || text_begins(p, n, ">%") ||
	       text_begins(p, n, "%<");
}

/*
 * git's rule, git-mailinfo(1) --scissors: a line of at least 8 columns that is mainly perforation,
 * with scissors in it. Perforation is dashes, scissors, and the blanks after either; it is more
 * than a third of the line, and more than half of it is no blank.
 */
static bool line_is_scissors(const char *line, size_t n)
{
	size_t perforation = 0, blanks = 0, first = n, last = 0, mark;
	bool scissors = false, in_perforation = false;

	for (size_t i = 0; i < n && line[i]; i += mark) {
		mark = 1;
		if (text_is_space(line[i])) {
			blanks += in_perforation;
			perforation += in_perforation;
			continue;
		}
		in_perforation = line[i] == '-';
		if (is_scissors_mark(line + i, n - i)) {
			mark = 2;
			scissors = in_perforation = true;
		}
		perforation += in_perforation ? mark : 0;
		first = i < first ? i : first;
		last = i + mark;
	}
	return scissors && last - first >= 8 && last - first < perforation * 3 &&
	       blanks * 2 < perforation;
}

/* "From 3f...40 digits Mon Sep 17 00:00:00 2001": git-format-patch(1)'s first line. */
static bool is_separator(const char *line, size_t n)
{
	static const char date[] = " Mon Sep 17 00:00:00 2001\n";

	return text_begins(line, n, "From ") && n == 5 + 40 + sizeof(date) - 1 &&
	       strspn(line + 5, "0123456789abcdef") == 40 &&
	       memcmp(line + 45, date, sizeof(date) - 1) == 0;
}

static void header_close(struct body *b)
{
	if (b->open == BODY_HEADERS)
		return;
	free(b->header[b->open]);
	b->header[b->open] = mail_header_decode(b->value.buf);
	str_reset(&b->value);
	b->open = BODY_HEADERS;
}

static void header_open(struct body *b, int which, const char *value, size_t n)
{
	b->open = which;
	str_add(&b->value, value, n);
}

/* Begins anew: what came before belongs to no commit message. */
static void body_restart(struct body *b, bool in_file)
{
	header_close(b);
	for (int i = 0; i < BODY_HEADERS; i++) {
		free(b->header[i]);
		b->header[i] = NULL;
	}
	str_reset(&b->log);
	b->in_headers = true;
	b->in_file = in_file;
}

/* "Cc: ...", or a line that goes on with such a header. */
static bool is_other_header(const char *line, size_t n)
{
	size_t i = 0;

	while (i < n && line[i] > ' ' && line[i] < 0x7f && line[i] != ':')
		i++;
	return *line == ' ' || *line == '\t' || (i > 0 && i < n && line[i] == ':');
}

/* True when the line still belongs to the headers of the body. */
static bool header_take(struct body *b, const char *line, size_t n)
{
	if (b->open != BODY_HEADERS && (*line == ' ' || *line == '\t')) {
		if (!b->in_file && line_is_scissors(line, n))
			return false;
		str_add(&b->value, line, n);
		return true;
	}
	header_close(b);
	if (*line == '>' && is_separator(line + 1, n - 1))
		return true;
	if (text_begins(line, n, "[PATCH]") && n > 7 && text_is_space(line[7])) {
		header_open(b, BODY_SUBJECT, line, n);
		header_close(b);
		return true;
	}
	for (int i = 0; i < BODY_HEADERS; i++) {
		size_t len = strlen(header_names[i]);

		if (!b->header[i] && n >= len && strncasecmp(line, header_names[i], len) == 0) {
			header_open(b, i, line + len, n - len);
			return true;
		}
	}
	return b->in_file && is_other_header(line, n);
}

/* False at the line that ends the message. */
static bool body_line(struct body *b, const char *line, size_t n)
{
	if (b->in_headers && *line == '\n') {
		b->in_headers = b->open == BODY_HEADERS && !b->in_file;
		header_close(b);
		return true;
	}
	if (b->in_headers && header_take(b, line, n))
		return true;
	header_close(b);
	b->in_headers = false;
	if (line_is_scissors(line, n))
		body_restart(b, false);
	else if (is_separator(line, n))
		body_restart(b, true);
	else if (line_is_break(line, n))
		return false;
	else
		str_add(&b->log, line, n);
	return true;
}

void body_read(struct body *ret, const char *text, size_t n)
{
	*ret = (struct body){.in_headers = true, .open = BODY_HEADERS};
	str_init(&ret->value, 65536);
	str_init(&ret->log, LOG_MAX);
	while (ret->end < n) {
		size_t len = text_line_len(text + ret->end, n - ret->end);

		ret->has_patch = !body_line(ret, text + ret->end, len);
		if (ret->has_patch)
			break;
		ret->end += len;
		ret->lines++;
	}
	header_close(ret);
}

void body_done(struct body *b)
{
	for (int i = 0; i < BODY_HEADERS; i++)
		free(b->header[i]);
	str_done(&b->value);
	str_done(&b->log);
}
