// SPDX-License-Identifier: GPL-2.0-or-later
#include "web/link_parse.h"

#include "web/decode.h"
#include "web/path.h"
#include <ctype.h>

/* "<id>" and "Message-ID: <id>" too: what is copied out of a mail. */
static char *id_of(const char *s, size_t n)
{
	static const char *const before[] = {"message-id:", "msgid:", "id:"};

	for (size_t i = 0; i < array_size(before); i++) {
		size_t skip = strlen(before[i]);

		if (n > skip && strncasecmp(s, before[i], skip) == 0) {
			s += skip;
			n -= skip;
			break;
		}
	}
	for (; n && isspace((unsigned char)*s); s++)
		n--;
	if (n > 2 && s[0] == '<' && s[n - 1] == '>') {
		s++;
		n -= 2;
	}
	if (n > PATH_REST_MAX || !memchr(s, '@', n) || s[0] == '@' || s[n - 1] == '@')
		return NULL;
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)s[i] <= ' ' || strchr("<>\x7f", s[i]))
			return NULL;
	return xmemdup(s, n);
}

/* Patchwork has escaped the slashes of an id before its framework did. */
static void slashes_decode(char *s)
{
	char *to = s;

	for (; *s; s++) {
		bool slash = strncasecmp(s, "%2F", 3) == 0;

		*to++ = slash ? '/' : *s;
		s += slash ? 2 : 0;
	}
	*to = '\0';
}

static char *id_of_segment(const char *s, size_t n)
{
	auto_str struct str word;
	char *id;

	str_init(&word, PATH_REST_MAX);
	if (!percent_decode(&word, s, n, false))
		return NULL;
	id = id_of(word.buf, word.len);
	if (id)
		slashes_decode(id);
	return id;
}

static int64_t number_of(const char *s)
{
	size_t n = strspn(s, "0123456789");

	return n && n <= 18 && strchr("/?#&", s[n]) ? strtoll(s, NULL, 10) : 0;
}

static bool segment_is(const char *s, size_t n, const char *word)
{
	return strlen(word) == n && strncmp(s, word, n) == 0;
}

/* "/patch/123/", "/patches/123/", "/series/9/" */
static void number_take(const char *segment, size_t n, struct link_parsed *ret)
{
	bool patch = segment_is(segment, n, "patch") || segment_is(segment, n, "patches"),
	     series = segment_is(segment, n, "series");
	int64_t number = segment[n] == '/' && (patch || series) ? number_of(segment + n + 1) : 0;

	if (!number)
		return;
	ret->kind = patch ? LINK_PATCH : LINK_PW_SERIES;
	ret->number = number;
}

static void path_take(const char *path, struct link_parsed *ret)
{
	size_t n;

	for (; *path == '/' && ret->kind == LINK_WORDS; path += n) {
		path++;
		n = strcspn(path, "/?#");
		ret->message_id = id_of_segment(path, n);
		if (ret->message_id)
			ret->kind = LINK_MESSAGE;
		else
			number_take(path, n, ret);
	}
}

/* ".../list/?series=9" */
static void query_take(const char *query, struct link_parsed *ret)
{
	for (const char *p = query; p; p = strchr(p + 1, '&')) {
		int64_t number = str_starts(p + 1, "series=") ? number_of(p + 8) : 0;

		if (!number)
			continue;
		ret->kind = LINK_PW_SERIES;
		ret->number = number;
		return;
	}
}

void link_parse(const char *text, struct link_parsed *ret)
{
	size_t n;

	*ret = (struct link_parsed){.kind = LINK_WORDS};
	text += strspn(text, " \t\r\n");
	for (n = strlen(text); n && isspace((unsigned char)text[n - 1]); n--)
		;
	auto_free char *line = xmemdup(text, n);
	size_t scheme = strncasecmp(line, "https://", 8) == 0  ? 8
			: strncasecmp(line, "http://", 7) == 0 ? 7
							       : 0;

	if (!scheme) {
		ret->message_id = id_of(line, n);
		if (ret->message_id)
			ret->kind = LINK_MESSAGE;
		return;
	}
	n = strcspn(line + scheme, "/?#");
	ret->host = xmemdup(line + scheme, n);
	path_take(line + scheme + n, ret);
	if (ret->kind == LINK_WORDS)
		query_take(strchr(line, '?'), ret);
}

void link_parsed_done(struct link_parsed *l)
{
	free(l->message_id);
	free(l->host);
	*l = (struct link_parsed){0};
}
