// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/str.h"
#include "testbeds/complaint.h"
#include <ctype.h>

/* One word of a title, and the one before it. */
struct word {
	const char *s;
	size_t n;
	const char *before;
	size_t before_n;
};

static bool word_is(const char *s, size_t n, const char *want)
{
	return n == strlen(want) && memcmp(s, want, n) == 0;
}

static bool word_starts(const struct word *w, const char *want)
{
	return w->n >= strlen(want) && memcmp(w->s, want, strlen(want)) == 0;
}

static size_t span(const char *s, size_t n, int (*is)(int))
{
	size_t i = 0;

	while (i < n && is((unsigned char)s[i]))
		i++;
	return i;
}

/* Where the punctuation at the end begins. */
static size_t word_end(const struct word *w)
{
	size_t n = w->n;

	while (n && ispunct((unsigned char)w->s[n - 1]))
		n--;
	return n;
}

/* "12", "23s!", "1,3-4", "[#1]", "(2099": no word at all. */
static bool is_count(const struct word *w)
{
	size_t n = word_end(w), digits = 0;

	if (n && w->s[n - 1] == 's')
		n--;
	for (size_t i = 0; i < n; i++) {
		if (isdigit((unsigned char)w->s[i]))
			digits++;
		else if (!ispunct((unsigned char)w->s[i]))
			return false;
	}
	return digits > 0;
}

/* "0x00000008", "c00800000036008c". */
static bool is_address(const struct word *w)
{
	size_t n = word_end(w);

	return word_starts(w, "0x") || (n >= 8 && span(w->s, n, isxdigit) == n);
}

/* "[init:1]", "init/1", "init/1/0x00000002", and what follows "task" or "process". */
static bool is_task(const struct word *w)
{
	size_t n = word_end(w), digits = n;

	if (word_is(w->before, w->before_n, "task") || word_is(w->before, w->before_n, "process"))
		return true;
	if (memmem(w->s, w->n, "/0x", 3) && !memchr(w->s, '+', w->n))
		return true;
	while (digits && isdigit((unsigned char)w->s[digits - 1]))
		digits--;
	if (!digits || digits == n)
		return false;
	return w->s[digits - 1] == '/' || (w->s[0] == '[' && w->s[digits - 1] == ':');
}

static bool is_dropped(const struct word *w)
{
	return word_is(w->s, w->n, "CPU:") || word_is(w->s, w->n, "PID:") || is_count(w) ||
	       is_address(w) || is_task(w);
}

/* "fn+0x10/0x20": the function, without what the compiler added (".isra.0", ".constprop.1"). */
static size_t function_len(const struct word *w)
{
	const char *plus = memmem(w->s, w->n, "+0x", 3), *dot;

	if (!plus)
		return 0;
	dot = memchr(w->s, '.', (size_t)(plus - w->s));
	return dot && dot > w->s ? (size_t)(dot - w->s) : (size_t)(plus - w->s);
}

/* Whether a number begins behind s[i] that is no part of the name: "mm/x.c:12:5!",
 * "exitcode=0x100", "f0x0", "g-1175". */
static bool value_follows(const struct word *w, size_t i)
{
	const char *s = w->s + i;
	size_t left = w->n - i;

	if (left > 2 && s[0] == '0' && s[1] == 'x')
		return true;
	if (left < 2 || !isdigit((unsigned char)s[1]))
		return false;
	return s[0] == ':' || s[0] == '=' ||
	       (s[0] == '-' && span(s + 1, left - 1, isdigit) == left - 1);
}

/* How much of a word is kept. */
static size_t kept_len(const struct word *w)
{
	size_t n = function_len(w);

	if (n)
		return n;
	if (word_starts(w, "CPU"))
		return span(w->s, w->n, isalpha) + (word_starts(w, "CPU#") ? 1 : 0);
	for (size_t i = 1; i < w->n; i++)
		if (value_follows(w, i))
			return i;
	return w->n;
}

char *complaint_key(const char *title)
{
	const char *s = title + strspn(title, " \t");
	struct word w = {.s = "", .before = ""};
	struct str key;

	str_init(&key, 0);
	for (; *s; s += strspn(s, " \t")) {
		w.before = w.s;
		w.before_n = w.n;
		w.s = s;
		w.n = strcspn(s, " \t");
		s += w.n;
		/* Behind "@" is where a locked-up CPU happened to be. */
		if (word_is(w.s, w.n, "@"))
			break;
		if (is_dropped(&w))
			continue;
		if (key.len)
			str_addc(&key, ' ');
		str_add(&key, w.s, kept_len(&w));
	}
	return str_take(&key);
}
