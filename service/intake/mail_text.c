// SPDX-License-Identifier: GPL-2.0-or-later
#include "intake/mail_internal.h"

/* GMime nests this deep at most, too. */
#define NESTING_MAX 64

struct sink {
	struct mail *mail;
	struct str bytes, text;
};

static bool is_patch_type(GMimeContentType *type, const char *filename)
{
	static const char *const subtypes[] = {"x-patch", "x-diff", "patch", "diff"};
	const char *subtype = g_mime_content_type_get_media_subtype(type);

	for (size_t i = 0; i < array_size(subtypes); i++)
		if (subtype && strcasecmp(subtype, subtypes[i]) == 0)
			return true;
	return filename && (str_ends(filename, ".patch") || str_ends(filename, ".diff"));
}

/* In a multipart the plain texts and the patches; a mail that is one part may call its text
 * anything but HTML. */
static bool part_wanted(GMimeObject *part, bool whole)
{
	GMimeContentType *type = g_mime_object_get_content_type(part);

	if (!GMIME_IS_PART(part))
		return false;
	if (g_mime_content_type_is_type(type, "text", "plain") ||
	    is_patch_type(type, g_mime_part_get_filename(GMIME_PART(part))))
		return true;
	return whole && !g_mime_content_type_is_type(type, "text", "html") &&
	       (g_mime_content_type_is_type(type, "text", "*") ||
		g_mime_content_type_is_type(type, "application", "octet-stream"));
}

static GByteArray *part_decode(GMimePart *part)
{
	GMimeDataWrapper *content = g_mime_part_get_content(part);
	GByteArray *bytes = g_byte_array_new();
	GMimeStream *stream = g_mime_stream_mem_new_with_byte_array(bytes);

	g_mime_stream_mem_set_owner(GMIME_STREAM_MEM(stream), FALSE);
	if (content)
		g_mime_data_wrapper_write_to_stream(content, stream);
	g_object_unref(stream);
	return bytes;
}

static bool param_is(GMimeObject *part, const char *name, const char *value)
{
	const char *has = g_mime_object_get_content_type_parameter(part, name);

	return has && strcasecmp(has, value) == 0;
}

/* The length of a line without its end. */
static size_t line_content(const char *line, size_t len)
{
	if (len && line[len - 1] == '\n')
		len--;
	if (len && line[len - 1] == '\r')
		len--;
	return len;
}

/* format=flowed: RFC 3676 4.2 to 4.4. In place: it only shrinks. */
static size_t flowed_join(char *p, size_t n, bool delsp)
{
	size_t out = 0, len;

	for (size_t at = 0; at < n; at += len) {
		const char *line = p + at;

		len = mail_line_len(line, n - at);
		size_t keep = len, skip = 0, content = line_content(line, len);
		bool signature = content == 3 && memcmp(line, "-- ", 3) == 0;

		if (!signature && content && line[0] == ' ')
			skip = 1;
		if (!signature && content > skip && line[content - 1] == ' ')
			keep = content - delsp;
		memmove(p + out, line + skip, keep - skip);
		out += keep - skip;
	}
	return out;
}

static void newline_close(struct str *s)
{
	if (s->len && s->buf[s->len - 1] != '\n')
		str_addc(s, '\n');
}

/* What may have happened to a diff on its way. */
static void damage_note(struct mail *m, const char *p, size_t n, bool flowed)
{
	const char *hunk = n ? memmem(p, n, "\n@@ -", 5) : NULL;

	if (!hunk)
		return;
	m->flowed_diff |= flowed;
	m->crlf_diff |= hunk > p && hunk[-1] == '\r';
}

static void sink_addc(struct sink *sink, char c)
{
	str_addc(&sink->bytes, c);
	str_addc(&sink->text, c);
}

/* The line end before a boundary is the boundary's (RFC 2046 5.1.1), but git-mailinfo(1) leaves it
 * to the part, and puts an empty line after a multipart. The same bytes count for more here. */
static void part_end(struct sink *sink, GMimePart *part)
{
	if (g_mime_part_get_content_encoding(part) != GMIME_CONTENT_ENCODING_BASE64) {
		sink_addc(sink, '\n');
		return;
	}
	newline_close(&sink->bytes);
	newline_close(&sink->text);
}

/* False when it is empty. */
static bool part_add(struct sink *sink, GMimeObject *part)
{
	bool flowed = param_is(part, "format", "flowed");
	GByteArray *data = part_decode(GMIME_PART(part));
	char *p = (char *)data->data, *text;
	size_t n = data->len;

	damage_note(sink->mail, p, n, flowed);
	if (flowed)
		n = flowed_join(p, n, param_is(part, "delsp", "yes"));
	if (n) {
		newline_close(&sink->bytes);
		newline_close(&sink->text);
		str_add(&sink->bytes, p, n);
		text = mail_to_utf8(p, n,
				    g_mime_object_get_content_type_parameter(part, "charset"));
		str_adds(&sink->text, text);
		g_free(text);
	}
	g_byte_array_unref(data);
	return n > 0;
}

static bool object_add(struct sink *sink, GMimeObject *object, unsigned depth);

/* A multipart that names no boundary is text, and GMime has all of it before the first part. */
static bool unbounded_add(struct sink *sink, GMimeMultipart *multi)
{
	const char *text = g_mime_multipart_get_prologue(multi);
	char *utf8;

	if (!text || g_mime_object_get_content_type_parameter(GMIME_OBJECT(multi), "boundary"))
		return false;
	str_adds(&sink->bytes, text);
	utf8 = mail_to_utf8(text, strlen(text), NULL);
	str_adds(&sink->text, utf8);
	g_free(utf8);
	return true;
}

/* Of alternatives the first that has plain text; of anything else every part. */
static bool multipart_add(struct sink *sink, GMimeMultipart *multi, unsigned depth)
{
	GMimeContentType *type = g_mime_object_get_content_type(GMIME_OBJECT(multi));
	bool alternative = g_mime_content_type_is_type(type, "multipart", "alternative");
	int n = g_mime_multipart_get_count(multi);
	GMimeObject *part = NULL;
	bool any = false;

	for (int i = 0; i < n && !(any && alternative); i++) {
		part = g_mime_multipart_get_part(multi, i);
		any |= object_add(sink, part, depth + 1);
	}
	if (any && !GMIME_IS_MULTIPART(part))
		sink_addc(sink, '\n');
	return any || (depth == 0 && n == 0 && unbounded_add(sink, multi));
}

static bool object_add(struct sink *sink, GMimeObject *object, unsigned depth)
{
	if (GMIME_IS_MULTIPART(object) && depth < NESTING_MAX)
		return multipart_add(sink, GMIME_MULTIPART(object), depth);
	if (!part_wanted(object, depth == 0))
		return false;
	if (part_add(sink, object) && depth > 0)
		part_end(sink, GMIME_PART(object));
	return true;
}

void mail_text_read(struct mail *m, GMimeMessage *msg)
{
	GMimeObject *body = g_mime_message_get_mime_part(msg);
	struct sink sink = {.mail = m};

	/* Latin-1 doubles at most, and an encoding only shrinks; U+FFFD for a byte is three. */
	str_init(&sink.bytes, MAIL_MAX * 2);
	str_init(&sink.text, MAIL_MAX * 4);
	if (body)
		object_add(&sink, body, 0);
	m->text_len = sink.text.len;
	m->bytes_len = sink.bytes.len;
	m->text = str_take(&sink.text);
	m->bytes = str_take(&sink.bytes);
	if (m->text_len == m->bytes_len && memcmp(m->text, m->bytes, m->text_len) == 0) {
		free(m->bytes);
		m->bytes = m->text;
	}
}
