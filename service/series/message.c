// SPDX-License-Identifier: GPL-2.0-or-later
#include "series/message.h"

#include "series/message_body.h"

/* A longer commit message is cut: apart from this, MAIL_MAX bounds it. */
#define MESSAGE_MAX ((size_t)4 << 20)

/* A line that begins a diff, as opposed to the "---" before the changelog. */
static bool line_is_diff(const char *line, size_t n, const char *end)
{
	const char *next = line + n;

	if (text_begins(line, n, "diff -") || text_begins(line, n, "Index: "))
		return true;
	return text_begins(line, n, "--- ") && text_begins(next, (size_t)(end - next), "+++ ");
}

/* Where the diff begins at or after `at`; the length when there is none. */
static size_t diff_find(const char *text, size_t n, size_t at)
{
	size_t len;

	for (; at < n; at += len) {
		len = text_line_len(text + at, n - at);
		if (line_is_diff(text + at, len, text + n))
			break;
	}
	return at;
}

static size_t lines_skip(const char *text, size_t n, size_t lines)
{
	size_t at = 0;

	while (lines-- && at < n)
		at += text_line_len(text + at, n - at);
	return at;
}

/* No white space at line ends, one empty line for several, none at either end: git-stripspace(1).
 */
static void stripspace(const char *text, size_t n, struct str *out)
{
	bool gap = false;
	size_t len;

	for (size_t at = 0; at < n; at += len) {
		size_t keep = len = text_line_len(text + at, n - at);

		while (keep && text_is_space(text[at + keep - 1]))
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

/* git takes the headers of a body only from a mail that has a patch. */
static void author_read(const struct mail *mail, const struct body *b, struct ident *ret)
{
	ident_from_mail(mail, ret);
	if (b->has_patch && b->header[BODY_FROM]) {
		struct mail_addr from;

		ident_done(ret);
		*ret = (struct ident){.time = mail->date, .tz_minutes = mail->tz_minutes};
		mail_addr_parse(b->header[BODY_FROM], &from);
		ident_from_addr(&from, ret);
		mail_addr_done(&from);
	}
	if (b->has_patch && b->header[BODY_DATE])
		(void)mail_date_parse(b->header[BODY_DATE], &ret->time, &ret->tz_minutes);
}

static void diff_read(struct patch *p)
{
	struct err err = ERR_INIT;

	if (!p->diff_len)
		return;
	p->damage = patch_damage(p->mail, p->diff_text, p->diff_len);
	if (diff_parse(p->diff_text, p->diff_len, &p->diff, &err) < 0)
		p->diff_error =
			p->damage ? xasprintf("%s; %s", p->damage, err.msg) : xstrdup(err.msg);
}

/* What stands under the message: without the "---" itself, down to the diff. */
static char *below_read(const struct mail *mail, size_t begin)
{
	size_t end = diff_find(mail->text, mail->text_len, begin);
	const char *below = mail->text + begin;
	size_t n = end - begin;

	if (n) {
		size_t len = text_line_len(below, n);

		if (text_is_blank(below + 3, len - 3)) {
			below += len;
			n -= len;
		}
	}
	return xmemdup(below, n);
}

void patch_read(const struct mail *mail, struct patch *ret)
{
	struct body body;
	size_t begin;

	body_read(&body, mail->text, mail->text_len);
	ret->mail = mail;
	author_read(mail, &body, &ret->author);
	if (body.has_patch && body.header[BODY_SUBJECT]) {
		free(ret->subject.text);
		ret->subject.text = subject_clean(body.header[BODY_SUBJECT]);
	}
	ret->message = message_make(ret->subject.text, &body.log);
	ret->below = below_read(mail, body.end);
	begin = lines_skip(mail->bytes, mail->bytes_len, body.lines);
	begin = diff_find(mail->bytes, mail->bytes_len, begin);
	ret->diff_len = mail->bytes_len - begin;
	ret->diff_text = xmemdup(mail->bytes + begin, ret->diff_len);
	body_done(&body);
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
	free(p->damage);
	*p = (struct patch){};
}
