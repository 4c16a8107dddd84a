// SPDX-License-Identifier: GPL-2.0-or-later
#include "checkers/checkpatch/view_clean.h"

#include <ctype.h>

static bool pair(const char *s, size_t i, size_t n, const char *two)
{
	return i + 1 < n && s[i] == two[0] && s[i + 1] == two[1];
}

static void fill(char *out, const char *s, size_t n, char with)
{
	for (size_t i = 0; i < n; i++)
		out[i] = s[i] == '\t' ? '\t' : with;
}

/* How many characters from s[i] on, where no comment or string is open, stay as they are. */
static size_t plain_run(const char *s, size_t i, size_t n)
{
	size_t from = i;

	while (i < n && s[i] != '"' && s[i] != '\'' && s[i] != '/')
		i++;
	return i - from;
}

static size_t clean_plain(char *out, const char *s, size_t i, size_t n, enum clean_state *state)
{
	size_t run = plain_run(s, i, n);

	memcpy(out + i, s + i, run);
	if (run || i == n)
		return run;
	if (pair(s, i, n, "//")) {
		fill(out + i, s + i, n - i, VIEW_COMMENT);
		return n - i;
	}
	if (pair(s, i, n, "/*")) {
		fill(out + i, s + i, 2, VIEW_COMMENT);
		*state = CLEAN_COMMENT;
		return 2;
	}
	out[i] = s[i];
	if (s[i] != '/')
		*state = s[i] == '"' ? CLEAN_STRING : CLEAN_CHARACTER;
	return 1;
}

static size_t clean_comment(char *out, const char *s, size_t i, size_t n, enum clean_state *state)
{
	const char *close = memmem(s + i, n - i, "*/", 2);
	size_t taken = close ? (size_t)(close - s) + 2 - i : n - i;

	fill(out + i, s + i, taken, VIEW_COMMENT);
	if (close)
		*state = CLEAN_PLAIN;
	return taken;
}

static size_t clean_quoted(char *out, const char *s, size_t i, size_t n, enum clean_state *state)
{
	if (s[i] == '\\' && i + 1 < n) {
		fill(out + i, s + i, 2, 'X');
		return 2;
	}
	if (s[i] == (*state == CLEAN_STRING ? '"' : '\'')) {
		out[i] = s[i];
		*state = CLEAN_PLAIN;
		return 1;
	}
	fill(out + i, s + i, 1, 'X');
	return 1;
}

/* The word after a '#', or NULL. */
static const char *directive(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n && isspace((unsigned char)s[i]))
		i++;
	if (i == n || s[i] != '#')
		return NULL;
	for (i++; i < n && isspace((unsigned char)s[i]);)
		i++;
	return i < n ? s + i : NULL;
}

static bool word_is(const char *at, const char *end, const char *word)
{
	size_t n = strlen(word);

	return (size_t)(end - at) >= n && memcmp(at, word, n) == 0;
}

/* #include <path>, #error words, #warning words: no code either. */
static void clean_directive(char *out, const char *s, size_t n)
{
	const char *at = directive(s, n), *end = s + n;
	size_t from;

	if (!at)
		return;
	if (word_is(at, end, "include")) {
		const char *open = memchr(at, '<', (size_t)(end - at));
		const char *close = memrchr(at, '>', (size_t)(end - at));

		if (open && close && close > open)
			fill(out + (open + 1 - s), open + 1, (size_t)(close - open - 1), 'X');
		return;
	}
	if (!word_is(at, end, "error") && !word_is(at, end, "warning"))
		return;
	from = (size_t)(at - s) + (*at == 'e' ? 5 : 7);
	while (from < n && isspace((unsigned char)s[from]))
		from++;
	fill(out + from, s + from, n - from, 'X');
}

void clean_line(char *out, const char *s, size_t n, enum clean_state *state)
{
	for (size_t i = 0; i < n;) {
		if (*state == CLEAN_PLAIN)
			i += clean_plain(out, s, i, n, state);
		else if (*state == CLEAN_COMMENT)
			i += clean_comment(out, s, i, n, state);
		else
			i += clean_quoted(out, s, i, n, state);
	}
	clean_directive(out, s, n);
}

/* The first mark of a comment on a line: 1 opens, -1 closes, 0 none, or one between quotes. */
static int comment_edge(const char *s, size_t n)
{
	const char *open = memmem(s, n, "/*", 2), *close = memmem(s, n, "*/", 2), *at = open;

	if (!open || (close && close < open))
		at = close;
	if (!at || (memchr(s, '"', (size_t)(at - s)) && memchr(at, '"', (size_t)(s + n - at))))
		return 0;
	return at == open ? 1 : -1;
}

/* " * text", "**": a line of a comment, most likely. */
static bool looks_like_comment(const char *s, size_t n)
{
	size_t i = 0, stars = 0;

	while (i < n && (s[i] == ' ' || s[i] == '\t'))
		i++;
	while (i + stars < n && s[i + stars] == '*')
		stars++;
	if (stars == 0 || (stars == 1 && (i == 0 || s[i - 1] != ' ')))
		return false;
	i += stars;
	return i == n || isspace((unsigned char)s[i]);
}

enum clean_state clean_hunk_state(const char *text, const char *end, uint32_t new_count)
{
	const char *first_end = memchr(text, '\n', (size_t)(end - text));
	size_t first = (size_t)((first_end ? first_end : end) - text);

	for (const char *at = text, *nl; at < end && new_count; at = nl + 1) {
		int edge;

		nl = memchr(at, '\n', (size_t)(end - at));
		nl = nl ? nl : end;
		edge = *at == '-' || nl == at ? 0 : comment_edge(at + 1, (size_t)(nl - at - 1));
		if (edge)
			return edge < 0 ? CLEAN_COMMENT : CLEAN_PLAIN;
		new_count -= *at == '+' || *at == ' ' || nl == at;
	}
	return first && looks_like_comment(text + 1, first - 1) ? CLEAN_COMMENT : CLEAN_PLAIN;
}
