// SPDX-License-Identifier: GPL-2.0-or-later
#include "intake/mail_internal.h"

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

const char *mail_header_raw(GMimeMessage *msg, const char *name, bool last)
{
	GMimeHeaderList *list = g_mime_object_get_header_list(GMIME_OBJECT(msg));
	const char *value = NULL;
	int n = g_mime_header_list_get_count(list);

	for (int i = 0; i < n && (last || !value); i++) {
		GMimeHeader *header = g_mime_header_list_get_header_at(list, i);

		if (strcasecmp(g_mime_header_get_name(header), name) == 0)
			value = g_mime_header_get_raw_value(header);
	}
	return value;
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
	const char *raw = mail_header_raw(msg, name, false);
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

/* When a mail without a (readable) date reached the last server: what stands after the last ";" of
 * the first Received:, RFC 5321 4.4. */
static bool received_date(GMimeMessage *msg, struct mail *m)
{
	const char *received = mail_header_raw(msg, "Received", false);
	const char *date = received ? strrchr(received, ';') : NULL;

	return date && mail_date_parse(date + 1, &m->date, &m->tz_minutes);
}

void mail_headers_read(struct mail *m, GMimeMessage *msg)
{
	const char *date = mail_header_raw(msg, "Date", true);
	const char *subject = mail_header_raw(msg, "Subject", true);

	m->subject = subject ? mail_header_decode(subject) : xstrdup("");
	mail_addrs_read(m, msg);
	m->message_id = header_id(msg, "Message-ID");
	m->in_reply_to = header_id(msg, "In-Reply-To");
	references_read(m, mail_header_raw(msg, "References", false));
	m->has_date =
		(date && mail_date_parse(date, &m->date, &m->tz_minutes)) || received_date(msg, m);
}
