// SPDX-License-Identifier: GPL-2.0-or-later
#include "intake/mail_internal.h"

#include <ctype.h>

/* More than a thread is deep; a hostile mail may name millions. */
#define REFERENCES_MAX 1000

GMimeParserOptions *mail_gmime(void)
{
	/* What a header without a charset is taken for: as git-mailinfo(1) guesses. */
	static const char *fallback[] = {"utf-8", "iso-8859-1", NULL};
	static GMimeParserOptions *options;

	if (!options) {
		g_mime_init();
		options = g_mime_parser_options_new();
		g_mime_parser_options_set_fallback_charsets(options, fallback);
	}
	return options;
}

/* Line ends and other control characters become spaces, so that no header is more than one line. */
static void controls_blank(char *s)
{
	for (; *s; s++)
		if (iscntrl((unsigned char)*s))
			*s = ' ';
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
	char *decoded = g_mime_utils_header_decode_text(mail_gmime(), unfolded);
	char *valid = g_utf8_make_valid(decoded, -1);
	char *out;

	controls_blank(valid);
	out = xstrdup(g_strstrip(valid));
	g_free(decoded);
	g_free(valid);
	return out;
}

static const char *header_raw(GMimeMessage *msg, const char *name)
{
	GMimeHeaderList *list = g_mime_object_get_header_list(GMIME_OBJECT(msg));
	GMimeHeader *header = g_mime_header_list_get_header(list, name);

	return header ? g_mime_header_get_raw_value(header) : NULL;
}

static char *header_text(GMimeMessage *msg, const char *name)
{
	const char *raw = header_raw(msg, name);

	return raw ? mail_header_decode(raw) : xstrdup("");
}

/* Takes the quotes off quoted strings, and the backslashes out of these and of comments: RFC
 * 5322 3.2.4. */
static char *addr_unquote(const char *s)
{
	char *out = xmalloc(strlen(s) + 1), *o = out;
	bool quoted = false;
	unsigned comment = 0;

	for (; *s; s++) {
		if (*s == '"' && !comment) {
			quoted = !quoted;
			continue;
		}
		if (*s == '\\' && (quoted || comment) && s[1])
			s++;
		else if (!quoted && *s == '(')
			comment++;
		else if (comment && *s == ')')
			comment--;
		*o++ = *s;
	}
	*o = '\0';
	return out;
}

/* Trims, makes one space of several, and takes off parentheses round the whole. */
static char *name_clean(char *s)
{
	char *o = s;
	size_t n;

	for (const char *p = s; *p; p++)
		if (!isspace((unsigned char)*p) || (o > s && o[-1] != ' '))
			*o++ = isspace((unsigned char)*p) ? ' ' : *p;
	while (o > s && o[-1] == ' ')
		o--;
	*o = '\0';
	n = (size_t)(o - s);
	if (n >= 2 && s[0] == '(' && s[n - 1] == ')') {
		memmove(s, s + 1, n - 2);
		s[n - 2] = '\0';
	}
	return s;
}

void mail_addr_parse(const char *decoded, struct mail_addr *ret)
{
	auto_free char *s = addr_unquote(decoded);
	char *at = strchr(s, '@'), *begin = at, *end;

	*ret = (struct mail_addr){};
	if (!at) { /* "John Doe <johndoe>" */
		begin = strchr(s, '<');
		end = begin ? strchr(begin, '>') : NULL;
		ret->email = end ? xmemdup(begin + 1, (size_t)(end - begin - 1)) : xstrdup("");
		if (end)
			*begin = '\0';
		ret->name = xstrdup(end ? name_clean(s) : "");
		return;
	}
	while (begin > s && !isspace((unsigned char)begin[-1]) && begin[-1] != '<')
		begin--;
	end = at + strcspn(at, " \n\t\r\v\f>");
	ret->email = xmemdup(begin, (size_t)(end - begin));
	if (*end == '>')
		end++;
	if (begin > s && begin[-1] == '<')
		begin--;
	memmove(begin, end, strlen(end) + 1);
	ret->name = xstrdup(name_clean(s));
}

static void header_addr(GMimeMessage *msg, const char *name, struct mail_addr *ret)
{
	auto_free char *text = header_text(msg, name);

	mail_addr_parse(text, ret);
}

static bool date_iso(const char *value, int64_t *ret_date, int *ret_tz_minutes)
{
	struct tm tm = {};
	int zone = 0;
	char sep;

	if (sscanf(value, " %4d-%2d-%2d%c%2d:%2d:%2d %5d", &tm.tm_year, &tm.tm_mon, &tm.tm_mday,
		   &sep, &tm.tm_hour, &tm.tm_min, &tm.tm_sec, &zone) < 7)
		return false;
	if (tm.tm_year < 1970 || tm.tm_mon < 1 || tm.tm_mon > 12)
		return false;
	tm.tm_year -= 1900;
	tm.tm_mon -= 1;
	*ret_tz_minutes = zone / 100 * 60 + zone % 100;
	*ret_date = timegm(&tm) - *ret_tz_minutes * 60;
	return true;
}

bool mail_date_parse(const char *value, int64_t *ret_date, int *ret_tz_minutes)
{
	GDateTime *date;

	if (date_iso(value, ret_date, ret_tz_minutes))
		return true;
	date = g_mime_utils_header_decode_date(value);
	if (!date)
		return false;
	*ret_date = g_date_time_to_unix(date);
	*ret_tz_minutes = (int)(g_date_time_get_utc_offset(date) / G_TIME_SPAN_MINUTE);
	g_date_time_unref(date);
	return true;
}

/* The next id between <> at or after *p, without the folding that may stand in it; NULL when there
 * is none. */
static char *id_next(const char **p)
{
	const char *begin = strchr(*p, '<'), *end = begin ? strchr(begin, '>') : NULL;
	char *id, *o;

	if (!end)
		return NULL;
	*p = end + 1;
	id = o = xmalloc((size_t)(end - begin));
	for (const char *q = begin + 1; q < end; q++)
		if ((unsigned char)*q > ' ')
			*o++ = *q;
	*o = '\0';
	return id;
}

/* The id of a header that should hold one; some mailers leave out the <>. */
static char *header_id(GMimeMessage *msg, const char *name)
{
	const char *raw = header_raw(msg, name);
	char *id = raw ? id_next(&(const char *){raw}) : NULL;

	if (!id && raw && strcmp(name, "Message-ID") == 0)
		id = g_strstrip(xstrdup(raw));
	if (id && !*id) {
		free(id);
		return NULL;
	}
	return id;
}

static void references_read(struct mail *m, const char *raw)
{
	size_t cap = 0;
	char *id;

	while (raw && m->n_references < REFERENCES_MAX && (id = id_next(&raw))) {
		arr_grow(m->references, m->n_references, cap);
		m->references[m->n_references++] = id;
	}
}

void mail_headers_read(struct mail *m, GMimeMessage *msg)
{
	const char *date = header_raw(msg, "Date");

	m->subject = header_text(msg, "Subject");
	header_addr(msg, "From", &m->from);
	header_addr(msg, "Sender", &m->sender);
	header_addr(msg, "Reply-To", &m->reply_to);
	m->message_id = header_id(msg, "Message-ID");
	m->in_reply_to = header_id(msg, "In-Reply-To");
	references_read(m, header_raw(msg, "References"));
	m->has_date = date && mail_date_parse(date, &m->date, &m->tz_minutes);
}
