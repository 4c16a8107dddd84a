// SPDX-License-Identifier: GPL-2.0-or-later
#include "series/reply_lines.h"

#include <ctype.h>
#include <string.h>

static size_t line_len(const char *p, const char *end)
{
	const char *nl = memchr(p, '\n', (size_t)(end - p));

	return (size_t)((nl ? nl : end) - p);
}

static const char *line_after(const char *p, const char *end)
{
	p += line_len(p, end);
	return p < end ? p + 1 : end;
}

static bool begins(const char *p, const char *end, const char *prefix)
{
	size_t n = strlen(prefix);

	return (size_t)(end - p) >= n && memcmp(p, prefix, n) == 0;
}

bool reply_diff_begins(const char *line, const char *end)
{
	const char *next = line_after(line, end);

	if (begins(line, end, "diff --git "))
		return true;
	if (begins(line, end, "Index: "))
		return begins(next, end, "====") || begins(next, end, "--- ");
	return begins(line, end, "--- ") && begins(next, end, "+++ ");
}

/* "-- >8 --", "--8<-- cut here --8<--": git-mailinfo(1), scissors. Marks and dashes, and little
 * else. */
static bool is_scissors(const char *p, size_t n)
{
	size_t cut = 0, dashes = 0, seen = 0;

	for (size_t i = 0; i < n; i++) {
		if (isspace((unsigned char)p[i]))
			continue;
		seen++;
		if (p[i] == '-') {
			dashes++;
		} else if (i + 1 < n &&
			   (memcmp(p + i, ">8", 2) == 0 || memcmp(p + i, "8<", 2) == 0 ||
			    memcmp(p + i, ">%", 2) == 0 || memcmp(p + i, "%<", 2) == 0)) {
			cut++;
			seen++;
			i++;
		}
	}
	return cut && dashes && seen >= 4 && (dashes + 2 * cut) * 3 >= seen;
}

/* git-format-patch(1)'s first line, as in an attached patch: "From 3f... Mon Sep 17 00:00:00 2001".
 */
static bool is_separator(const char *p, size_t n)
{
	static const char date[] = " Mon Sep 17 00:00:00 2001";

	return n == 5 + 40 + sizeof(date) - 1 && memcmp(p, "From ", 5) == 0 &&
	       memcmp(p + 45, date, sizeof(date) - 1) == 0;
}

/* Scissors without a diff behind them are only a way to set text apart. */
void reply_lines_begin(struct reply_lines *r, const char *text, size_t n)
{
	const char *end = text + n, *cut = NULL;

	*r = (struct reply_lines){.pos = text, .end = end};
	for (const char *p = text; p < end; p = line_after(p, end)) {
		size_t len = line_len(p, end);
		bool scissors = is_scissors(p, len) || is_separator(p, len);

		if (scissors && r->diff)
			break;
		if (scissors)
			cut = line_after(p, end);
		if (!r->diff && reply_diff_begins(p, end))
			r->diff = p;
		if (r->diff && cut) {
			r->patch = cut;
			r->patch_end = line_after(p, end);
		}
	}
}

static bool is_quote(const char *p, size_t n)
{
	size_t i = 0;

	if (n && *p == '|')
		return true;
	while (i < n && (p[i] == ' ' || p[i] == '\t'))
		i++;
	return i < n && p[i] == '>';
}

static enum line_place place_find(struct reply_lines *r, const char *p, size_t n)
{
	if (r->patch && p >= r->patch && p < r->patch_end)
		return LINE_PATCH;
	if (n == 3 && memcmp(p, "-- ", 3) == 0)
		r->signature = true;
	if (begins(p, p + n, "-----Original Message-----"))
		r->quoted = true;
	if (r->quoted || is_quote(p, n))
		return LINE_QUOTED;
	if (r->signature)
		return LINE_SIGNATURE;
	return n && isspace((unsigned char)*p) ? LINE_INDENTED : LINE_PLAIN;
}

bool reply_lines_next(struct reply_lines *r, struct reply_line *ret_line)
{
	size_t len;

	if (r->pos == r->end)
		return false;
	len = line_len(r->pos, r->end);
	*ret_line = (struct reply_line){.text = r->pos, .len = len, .number = ++r->number};
	ret_line->place = place_find(r, r->pos, len);
	r->pos = line_after(r->pos, r->end);
	return true;
}

void reply_line_unquote(struct reply_line *line)
{
	while (line->len && (isspace((unsigned char)*line->text) || strchr(">|", *line->text))) {
		line->text++;
		line->len--;
	}
}
