// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The tools that send patches number the Message-IDs of one run alike:
 *
 *	git send-email	20260303090000.4711-2-astrid@example.org
 *	git format-patch --thread
 *			0f3e...40 digits.1772528400.git.astrid@example.org
 *	b4		20260303-hot-add-v2-2-0123456789ab@example.org
 */
#include "series/collate.h"

#include <ctype.h>

#define DIGITS "0123456789"

/* The part after "TIME.git." in an id of git-format-patch(1); NULL. */
static const char *format_patch_tail(const char *id)
{
	const char *git = strstr(id, ".git."), *p = git;

	while (p && p > id && isdigit((unsigned char)p[-1]))
		p--;
	/* "pull.1.git.1772528400.who@..." is another tool's. */
	if (!git || p == git || p == id || p[-1] != '.' || isdigit((unsigned char)git[5]))
		return NULL;
	return p;
}

static char *run_send_email(const char *id)
{
	size_t stamp = strspn(id, DIGITS), pid, number;
	const char *p = id + stamp;

	if (stamp != 14 || *p != '.')
		return NULL;
	pid = strspn(p + 1, DIGITS);
	p += 1 + pid;
	number = *p == '-' ? strspn(p + 1, DIGITS) : 0;
	if (!pid || !number || p[1 + number] != '-')
		return NULL;
	return xasprintf("%.*s%s", (int)(p - id), id, p + 1 + number);
}

/* "-v2-2-0123456789ab@": where "-2-" begins. */
static const char *b4_number(const char *id)
{
	for (const char *p = id; (p = strstr(p, "-v")); p++) {
		size_t version = strspn(p + 2, DIGITS), number;
		const char *at = p + 2 + version;

		number = *at == '-' ? strspn(at + 1, DIGITS) : 0;
		if (version && number && at[1 + number] == '-' &&
		    strspn(at + number + 2, DIGITS "abcdef") == 12 && at[number + 14] == '@')
			return at;
	}
	return NULL;
}

static char *run_b4(const char *id)
{
	const char *at = strspn(id, DIGITS) == 8 && id[8] == '-' ? b4_number(id) : NULL;

	if (!at)
		return NULL;
	return xasprintf("%.*s%s", (int)(at - id), id, at + 1 + strspn(at + 1, DIGITS));
}

char *run_find(const char *id)
{
	const char *tail = id ? format_patch_tail(id) : NULL;
	char *run;

	if (!id)
		return NULL;
	if (tail)
		return xstrdup(tail);
	run = run_send_email(id);
	return run ? run : run_b4(id);
}

static char *lower(const char *s)
{
	char *out = xstrdup(s);

	for (char *p = out; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	return out;
}

/* A file of git-format-patch(1) has each commit's author in From:. With --thread its Message-ID
 * names who made it. */
char *poster_find(const struct mail *m)
{
	const char *tail = m->message_id ? format_patch_tail(m->message_id) : NULL;
	struct mail_addr who = {};
	char *poster;

	if (!m->message_id)
		return xstrdup("");
	if (tail)
		return lower(strstr(tail, ".git.") + 5);
	poster = lower(mail_person(m, &who) ? who.email : m->from.email);
	mail_addr_done(&who);
	return poster;
}
