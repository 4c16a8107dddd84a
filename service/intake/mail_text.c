// SPDX-License-Identifier: GPL-2.0-or-later
#include "intake/mail_internal.h"

/* GMime nests this deep at most, too. */
#define NESTING_MAX 64

struct sink {
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

static bool part_wanted(GMimeObject *part)
{
	GMimeContentType *type = g_mime_object_get_content_type(part);

	return GMIME_IS_PART(part) &&
	       (g_mime_content_type_is_type(type, "text", "plain") ||
		is_patch_type(type, g_mime_part_get_filename(GMIME_PART(part))));
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

static bool all_lines_crlf(const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (p[i] == '\n' && (i == 0 || p[i - 1] != '\r'))
			return false;
	return true;
}

/*
 * CRLF to LF in place. On the wire every line ends in CRLF, and so do all lines of a text that a
 * mailer encoded in canonical form (RFC 2046 4.1.1). Where base64 or quoted-printable hold both
 * kinds, the CRs are the author's: a patch to a file with CRs in it.
 */
static size_t crlf_to_lf(GMimePart *part, char *p, size_t n)
{
	GMimeContentEncoding encoding = g_mime_part_get_content_encoding(part);
	bool encoded = encoding == GMIME_CONTENT_ENCODING_BASE64 ||
		       encoding == GMIME_CONTENT_ENCODING_QUOTEDPRINTABLE;
	size_t out = 0;

	if (encoded && !all_lines_crlf(p, n))
		return n;
	for (size_t i = 0; i < n; i++)
		if (p[i] != '\r' || i + 1 == n || p[i + 1] != '\n')
			p[out++] = p[i];
	return out;
}

static bool param_is(GMimeObject *part, const char *name, const char *value)
{
	const char *has = g_mime_object_get_content_type_parameter(part, name);

	return has && strcasecmp(has, value) == 0;
}

/* format=flowed: RFC 3676 4.2 to 4.4. In place: it only shrinks. */
static size_t flowed_join(char *p, size_t n, bool delsp)
{
	size_t out = 0, len;

	for (size_t at = 0; at < n; at += len) {
		const char *line = p + at;

		len = mail_line_len(line, n - at);
		size_t keep = len, skip = 0;
		bool signature = len == 4 && memcmp(line, "-- \n", 4) == 0;

		if (!signature && line[0] == ' ')
			skip = 1;
		if (!signature && len >= skip + 2 && line[len - 1] == '\n' && line[len - 2] == ' ')
			keep = len - (delsp ? 2 : 1);
		memmove(p + out, line + skip, keep - skip);
		out += keep - skip;
	}
	return out;
}

/* UTF-8 of the bytes, whatever they are; g_free() it. */
static char *to_utf8(const char *p, size_t n, const char *charset)
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

static void newline_close(struct str *s)
{
	if (s->len && s->buf[s->len - 1] != '\n')
		str_addc(s, '\n');
}

static void part_add(struct sink *sink, GMimeObject *part)
{
	GByteArray *data = part_decode(GMIME_PART(part));
	char *p = (char *)data->data, *text;
	size_t n = crlf_to_lf(GMIME_PART(part), p, data->len);

	if (param_is(part, "format", "flowed"))
		n = flowed_join(p, n, param_is(part, "delsp", "yes"));
	if (n) {
		newline_close(&sink->bytes);
		newline_close(&sink->text);
		str_add(&sink->bytes, p, n);
		text = to_utf8(p, n, g_mime_object_get_content_type_parameter(part, "charset"));
		str_adds(&sink->text, text);
		g_free(text);
	}
	g_byte_array_unref(data);
}

static bool object_add(struct sink *sink, GMimeObject *object, unsigned depth);

/* Of alternatives the first that has plain text; of anything else every part. */
static bool multipart_add(struct sink *sink, GMimeMultipart *multi, unsigned depth)
{
	GMimeContentType *type = g_mime_object_get_content_type(GMIME_OBJECT(multi));
	bool alternative = g_mime_content_type_is_type(type, "multipart", "alternative");
	int n = g_mime_multipart_get_count(multi);
	bool any = false;

	for (int i = 0; i < n && !(any && alternative); i++)
		any |= object_add(sink, g_mime_multipart_get_part(multi, i), depth + 1);
	return any;
}

static bool object_add(struct sink *sink, GMimeObject *object, unsigned depth)
{
	if (GMIME_IS_MULTIPART(object) && depth < NESTING_MAX)
		return multipart_add(sink, GMIME_MULTIPART(object), depth);
	if (!part_wanted(object))
		return false;
	part_add(sink, object);
	return true;
}

void mail_text_read(struct mail *m, GMimeMessage *msg)
{
	GMimeObject *body = g_mime_message_get_mime_part(msg);
	struct sink sink;

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
