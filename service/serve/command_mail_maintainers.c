// SPDX-License-Identifier: GPL-2.0-or-later
/* Who looks after a file: MAINTAINERS of the kernel, whose head explains its letters. */
#include "serve/command_mail.h"

#include <fnmatch.h>

static bool pattern_matches(const char *pattern, const char *path)
{
	size_t n = strlen(pattern);
	auto_free char *below = NULL;

	if (!n)
		return false;
	/* "F: mm/" is all below it, "F: mm" too if that is a folder; a star stands for no slash. */
	if (pattern[n - 1] != '/' && fnmatch(pattern, path, FNM_PATHNAME) == 0)
		return true;
	if (pattern[n - 1] != '/' && strpbrk(pattern, "*?["))
		return false;
	below = xasprintf("%s%s", pattern, pattern[n - 1] == '/' ? "*" : "/*");
	return fnmatch(below, path, 0) == 0;
}

static bool any_matches(const char *pattern, char *const *files)
{
	for (; *files; files++)
		if (pattern_matches(pattern, *files))
			return true;
	return false;
}

static bool address_is(const char *value, const char *address)
{
	struct mail_addr who;
	bool is;

	mail_addr_parse(value, &who);
	is = *address && strcasecmp(who.email, address) == 0;
	mail_addr_done(&who);
	return is;
}

/* The value of the entry's next line that begins with one of these letters; the caller frees. */
static char *value_next(const char **p, const char *end, const char *letters)
{
	while (*p < end) {
		const char *line = *p, *nl = memchr(line, '\n', (size_t)(end - line));
		size_t n = nl ? (size_t)(nl - line) : (size_t)(end - line);

		*p = line + n + (nl != NULL);
		if (n < 3 || line[1] != ':' || !strchr(letters, line[0]))
			continue;
		for (line += 2, n -= 2; n && (*line == ' ' || *line == '\t'); n--)
			line++;
		return xmemdup(line, n);
	}
	return NULL;
}

static bool entry_names(const char *p, const char *end, const char *address)
{
	bool names = false;
	char *value;

	while (!names && (value = value_next(&p, end, "MR"))) {
		names = strcasestr(value, address) && address_is(value, address);
		free(value);
	}
	return names;
}

/* The files that the entry takes out again are left out of `left`. */
static void excluded_drop(const char *p, const char *end, char **left)
{
	char *value;

	while ((value = value_next(&p, end, "X"))) {
		size_t kept = 0;

		for (size_t i = 0; left[i]; i++)
			if (!pattern_matches(value, left[i]))
				left[kept++] = left[i];
		left[kept] = NULL;
		free(value);
	}
}

static bool entry_matches(const char *p, const char *end, char *const *files)
{
	auto_free char **left = NULL;
	bool matches = false;
	size_t n = 0;
	char *value;

	while (files[n])
		n++;
	left = xcalloc(n + 1, sizeof(*left));
	memcpy(left, files, n * sizeof(*left));
	excluded_drop(p, end, left);
	while (!matches && (value = value_next(&p, end, "F"))) {
		matches = any_matches(value, left);
		free(value);
	}
	return matches;
}

bool maintainers_has(const char *text, size_t n, const char *address, char *const *files)
{
	const char *p = text, *end = text + n;

	while (p < end) {
		const char *stop = memmem(p, (size_t)(end - p), "\n\n", 2);

		if (!stop)
			stop = end;
		if (*address && entry_names(p, stop, address) && entry_matches(p, stop, files))
			return true;
		p = stop < end ? stop + 2 : end;
	}
	return false;
}
