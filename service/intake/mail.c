// SPDX-License-Identifier: GPL-2.0-or-later
#include "intake/mail_internal.h"

#include <stdarg.h>

void mail_addr_done(struct mail_addr *a)
{
	free(a->name);
	free(a->email);
	*a = (struct mail_addr){};
}

void mail_free(struct mail *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->n_references; i++)
		free(m->references[i]);
	free(m->references);
	mail_addr_done(&m->from);
	mail_addr_done(&m->sender);
	mail_addr_done(&m->reply_to);
	mail_addr_done(&m->original);
	if (m->bytes != m->text)
		free(m->bytes);
	free(m->text);
	free(m->subject);
	free(m->message_id);
	free(m->in_reply_to);
	free(m->origin);
	free(m->raw);
	free(m);
}

DEFINE_CLEANUP(struct mail *, mail, mail_free)

void mail_list_add(struct mail_list *list, struct mail *m)
{
	arr_grow(list->item, list->n, list->cap);
	list->item[list->n++] = m;
}

void mail_list_note(struct mail_list *list, const char *fmt, ...)
{
	struct str s;
	va_list ap;

	str_init(&s, 4096);
	va_start(ap, fmt);
	str_vaddf(&s, fmt, ap);
	va_end(ap);
	arr_grow(list->note, list->n_notes, list->notes_cap);
	list->note[list->n_notes++] = str_take(&s);
}

void mail_list_done(struct mail_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		mail_free(list->item[i]);
	for (size_t i = 0; i < list->n_notes; i++)
		free(list->note[i]);
	free(list->item);
	free(list->note);
	*list = (struct mail_list){};
}

bool mail_line_is_header(const char *line, size_t n)
{
	size_t i = 0;

	while (i < n && line[i] > ' ' && line[i] < 0x7f && line[i] != ':')
		i++;
	return i > 0 && i < n && line[i] == ':';
}

static bool line_is_blank(const char *line, size_t n)
{
	return n == 0 || line[0] == '\n' || (n >= 2 && line[0] == '\r' && line[1] == '\n');
}

/* The headers of which a message has at least one; a line "Index: file.c" is not one of them. */
static bool line_is_mail_header(const char *line, size_t n)
{
	static const char *const names[] = {"From:", "Subject:", "Date:", "Message-ID:"};

	for (size_t i = 0; i < array_size(names); i++) {
		size_t len = strlen(names[i]);

		if (n >= len && strncasecmp(line, names[i], len) == 0)
			return true;
	}
	return false;
}

static bool line_is_from_(const char *line, size_t n)
{
	size_t quoted = n && line[0] == '>';

	return n >= 5 + quoted && memcmp(line + quoted, "From ", 5) == 0;
}

void mail_layout_scan(const char *data, size_t n, struct mail_layout *ret)
{
	size_t at = 0, len;

	*ret = (struct mail_layout){};
	while (at < n && strchr(" \t\r\n", data[at]) && data[at])
		at++;
	while (at < n && line_is_from_(data + at, n - at))
		at += mail_line_len(data + at, n - at);
	ret->headers = at;
	for (; at < n; at += len) {
		const char *line = data + at;

		len = mail_line_len(line, n - at);
		if (mail_line_is_header(line, len))
			ret->is_mail |= line_is_mail_header(line, len);
		else if (at == ret->headers || (*line != ' ' && *line != '\t') ||
			 line_is_blank(line, len))
			break;
	}
	ret->headers_end = at;
	ret->has_blank = at < n && line_is_blank(data + at, n - at);
	ret->body = ret->has_blank ? at + mail_line_len(data + at, n - at) : at;
}

bool mail_parts_bounded(const char *data, size_t n)
{
	size_t parts = 0, len;

	for (size_t at = 0; at < n; at += len) {
		len = mail_line_len(data + at, n - at);
		if (len < 3 || memcmp(data + at, "--", 2) != 0)
			continue;
		/* What begins a part is followed by its headers or by an empty line; in a diff
		 * nothing is. */
		const char *next = data + at + len;
		size_t left = n - at - len, next_len = mail_line_len(next, left);

		if (line_is_blank(next, next_len) || mail_line_is_header(next, next_len))
			parts++;
	}
	return parts <= MAIL_PARTS_MAX;
}

static int not_a_mail(const char *data, size_t n, const char *origin, struct err *err)
{
	bool diff = memmem(data, n, "diff --git ", 11) || memmem(data, n, "\n+++ ", 5);

	if (n >= 2 && memcmp(data, "\x1f\x8b", 2) == 0)
		return err_set(err, ERR_INPUT,
			       "%s is not a mail: it is compressed by gzip; unpack it first",
			       origin);
	if (memchr(data, '\0', n < 1024 ? n : 1024))
		return err_set(err, ERR_INPUT, "%s is not a mail: it is binary data", origin);
	if (diff)
		return err_set(err, ERR_INPUT,
			       "%s is not a mail: it has a diff, but none of the headers From:, "
			       "Subject: and Date: in "
			       "front; git-format-patch(1) writes a commit as a mail",
			       origin);
	return err_set(err, ERR_INPUT,
		       "%s is not a mail: it begins with none of the headers From:, Subject:, "
		       "Date: and Message-ID:",
		       origin);
}

/* No empty line, and nothing after the headers but perhaps half of one. */
static bool is_cut_off(const char *data, size_t n, const struct mail_layout *layout)
{
	return !layout->has_blank && !memchr(data + layout->body, '\n', n - layout->body);
}

static int mail_check(const char *data, size_t n, const char *origin, struct mail_layout *layout,
		      struct err *err)
{
	if (n == 0)
		return err_set(err, ERR_INPUT, "%s is empty", origin);
	if (n > MAIL_MAX)
		return err_set(err, ERR_INPUT,
			       "%s has %zu bytes: more than the limit of %zu for one mail", origin,
			       n, MAIL_MAX);
	mail_layout_scan(data, n, layout);
	if (!layout->is_mail ||
	    memchr(data + layout->headers, '\0', layout->headers_end - layout->headers))
		return not_a_mail(data, n, origin, err);
	if (layout->headers_end - layout->headers > MAIL_HEADERS_MAX)
		return err_set(err, ERR_INPUT, "%s has more than %zu bytes of headers", origin,
			       MAIL_HEADERS_MAX);
	if (is_cut_off(data, n, layout))
		return err_set(err, ERR_INPUT, "%s ends inside its headers: it was cut off",
			       origin);
	if (!mail_parts_bounded(data + layout->body, n - layout->body))
		return err_set(err, ERR_INPUT, "%s has more than %d MIME parts", origin,
			       MAIL_PARTS_MAX);
	return 0;
}

/* CRLF to LF in place: on the wire every line ends in CRLF. A CR inside base64 or quoted-printable
 * is not seen here, and stays: so does git-mailsplit(1). */
static void crlf_to_lf(GByteArray *a)
{
	guint out = 0;

	for (guint i = 0; i < a->len; i++)
		if (a->data[i] != '\r' || i + 1 == a->len || a->data[i + 1] != '\n')
			a->data[out++] = a->data[i];
	g_byte_array_set_size(a, out);
}

/* GMime gets a blank line after what we call the headers, so that both mean the same. */
static GMimeMessage *mail_gmime_parse(const char *data, size_t n, const struct mail_layout *layout)
{
	GByteArray *copy = g_byte_array_sized_new((guint)(n + 1));
	GMimeStream *stream;
	GMimeParser *parser;
	GMimeMessage *msg;

	g_byte_array_append(copy, (const guint8 *)data + layout->headers,
			    (guint)(layout->headers_end - layout->headers));
	g_byte_array_append(copy, (const guint8 *)"\n", 1);
	g_byte_array_append(copy, (const guint8 *)data + layout->body, (guint)(n - layout->body));
	crlf_to_lf(copy);
	stream = g_mime_stream_mem_new_with_byte_array(copy);
	g_mime_stream_mem_set_owner(GMIME_STREAM_MEM(stream), TRUE);
	parser = g_mime_parser_new_with_stream(stream);
	msg = g_mime_parser_construct_message(parser, mail_gmime());
	g_object_unref(parser);
	g_object_unref(stream);
	return msg;
}

int mail_parse(const char *data, size_t n, const char *origin, struct mail **ret_mail,
	       struct err *err)
{
	auto_cleanup(mail) struct mail *m = NULL;
	struct mail_layout layout;
	GMimeMessage *msg;
	int rc = mail_check(data, n, origin, &layout, err);

	if (rc < 0)
		return rc;
	msg = mail_gmime_parse(data, n, &layout);
	if (!msg)
		return err_set(err, ERR_INPUT, "%s is not a mail: GMime cannot read it", origin);
	m = xcalloc(1, sizeof(*m));
	m->raw = xmemdup(data, n);
	m->raw_len = n;
	m->origin = xstrdup(origin);
	mail_headers_read(m, msg);
	mail_text_read(m, msg);
	g_object_unref(msg);
	*ret_mail = take(m);
	return 0;
}
