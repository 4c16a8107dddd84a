// SPDX-License-Identifier: GPL-2.0-or-later
#include "testbeds/console.h"

static size_t skip_spaces(const char *s, size_t i, size_t n)
{
	while (i < n && s[i] == ' ')
		i++;
	return i;
}

/* Reads at most `max` digits at s[i]; returns where they end. */
static size_t read_digits(const char *s, size_t i, size_t n, size_t max, uint64_t *ret)
{
	uint64_t v = 0;
	size_t start = i;

	while (i < n && i - start < max && s[i] >= '0' && s[i] <= '9')
		v = v * 10 + (uint64_t)(s[i++] - '0');
	*ret = v;
	return i;
}

/* "<4>", as in /proc/kmsg and with console_msg_format=syslog. Returns its length or 0. */
static size_t read_level(const char *s, size_t n, int *ret)
{
	uint64_t facility_level;
	size_t i;

	if (n < 3 || s[0] != '<')
		return 0;
	i = read_digits(s, 1, n, 3, &facility_level);
	if (i == 1 || i >= n || s[i] != '>')
		return 0;
	*ret = (int)(facility_level & 7);
	return i + 1;
}

/* "[    1.234567]" as print_time() in kernel/printk/printk.c writes it: %5lu.%06lu. Its length or
 * 0. */
static size_t read_time(const char *s, size_t n, uint64_t *ret_us)
{
	uint64_t sec, usec;
	size_t i, start;

	if (!n || s[0] != '[')
		return 0;
	start = skip_spaces(s, 1, n);
	i = read_digits(s, start, n, 10, &sec);
	if (i == start || i >= n || s[i] != '.')
		return 0;
	start = i + 1;
	i = read_digits(s, start, n, 6, &usec);
	if (i != start + 6 || i >= n || s[i] != ']')
		return 0;
	*ret_us = sec * 1000000 + usec;
	return i + 1;
}

/* "[    T1]" or "[    C0]". Its length or 0. */
static size_t read_caller(const char *s, size_t n, struct console_line *ret)
{
	uint64_t id;
	size_t i, start;

	if (!n || s[0] != '[')
		return 0;
	start = skip_spaces(s, 1, n);
	if (start >= n || (s[start] != 'T' && s[start] != 'C'))
		return 0;
	i = read_digits(s, start + 1, n, 10, &id);
	if (i == start + 1 || i >= n || s[i] != ']')
		return 0;
	ret->caller = s + start;
	ret->caller_len = i - start;
	return i + 1;
}

size_t console_prefix(const char *s, size_t n, struct console_line *ret)
{
	struct console_line line = {.level = -1, .caller = ""};
	size_t i = read_level(s, n, &line.level);
	size_t time = read_time(s + i, n - i, &line.us);

	if (!time)
		return 0;
	i += time;
	i += read_caller(s + i, n - i, &line);
	if (i < n && s[i] != ' ')
		return 0;
	i += i < n;
	line.text = s + i;
	*ret = line;
	return i;
}

/* A guest that quotes its dmesg in a diagnostic: nothing but "# " before it. */
static bool is_quoted(const char *s, size_t n)
{
	size_t i = skip_spaces(s, 0, n);

	return i < n && s[i] == '#' && skip_spaces(s, i + 1, n) == n;
}

size_t console_prefix_find(const char *s, size_t n)
{
	const char *p = s;
	struct console_line unused;

	while ((p = memchr(p, '[', n - (size_t)(p - s)))) {
		size_t at = (size_t)(p - s), start = at;

		/* "<4>" belongs to it. */
		for (size_t back = 3; back <= 5 && back <= at; back++)
			if (s[at - back] == '<' && read_level(p - back, back, &unused.level))
				start = at - back;
		if (console_prefix(s + start, n - start, &unused) && !is_quoted(s, start))
			return start;
		p++;
	}
	return n;
}

bool console_kernel_line(const char **pos, const char *end, struct console_line *ret)
{
	while (*pos < end) {
		const char *s = *pos, *eol = memchr(s, '\n', (size_t)(end - s));
		size_t n = (size_t)((eol ? eol : end) - s), at;

		*pos = eol ? eol + 1 : end;
		while (n && s[n - 1] == '\r')
			n--;
		at = console_prefix_find(s, n);
		if (at == n)
			continue;
		console_prefix(s + at, n - at, ret);
		ret->len = (size_t)(s + n - ret->text);
		return true;
	}
	return false;
}

bool console_line_starts(const struct console_line *line, const char *prefix)
{
	size_t n = strlen(prefix);

	return line->len >= n && memcmp(line->text, prefix, n) == 0;
}
