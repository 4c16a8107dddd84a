// SPDX-License-Identifier: GPL-2.0-or-later
#include "checkers/checker.h"

#include <time.h>

/* RFC 5322 date. */
static void add_date(struct str *s, const struct ident *who)
{
	time_t local = (time_t)(who->time + (int64_t)who->tz_minutes * 60);
	int tz = who->tz_minutes < 0 ? -who->tz_minutes : who->tz_minutes;
	char day[64];
	struct tm tm;

	/* A year that is no year: still one line, for the numbers of those below. */
	if (!gmtime_r(&local, &tm))
		gmtime_r(&(time_t){0}, &tm);
	strftime(day, sizeof(day), "%a, %d %b %Y %H:%M:%S", &tm);
	str_addf(s, "Date: %s %c%02d%02d\n", day, who->tz_minutes < 0 ? '-' : '+', tz / 60 % 100,
		 tz % 60);
}

static const char *or_empty(const char *s)
{
	return s ? s : "";
}

/* An encoded name can hold a newline. */
static void add_word(struct str *s, const char *word)
{
	for (; *word; word++)
		str_addc(s, *word == '\n' || *word == '\r' ? ' ' : *word);
}

/* Adds text that ends in exactly one newline. */
static void add_closed(struct str *s, const char *text)
{
	str_adds(s, text);
	if (s->len && s->buf[s->len - 1] != '\n')
		str_addc(s, '\n');
}

static void add_head(struct str *s, const struct patch *p)
{
	str_adds(s, "From: ");
	add_word(s, or_empty(p->author.name));
	str_adds(s, " <");
	add_word(s, or_empty(p->author.email));
	str_adds(s, ">\n");
	add_date(s, &p->author);
	str_adds(s, "Subject: [PATCH] ");
	add_closed(s, or_empty(p->message));
	str_adds(s, "---\n");
	if (p->below && *p->below)
		add_closed(s, p->below);
}

char *check_patch_text(const struct patch *patch, size_t *ret_len)
{
	struct str s;

	str_init(&s, 0);
	add_head(&s, patch);
	str_add(&s, or_empty(patch->diff_text), patch->diff_len);
	*ret_len = s.len;
	return str_take(&s);
}

unsigned check_diff_line(const struct patch *patch)
{
	auto_str struct str s;
	unsigned lines = 1;

	str_init(&s, 0);
	add_head(&s, patch);
	for (size_t i = 0; i < s.len; i++)
		lines += s.buf[i] == '\n';
	return lines;
}
