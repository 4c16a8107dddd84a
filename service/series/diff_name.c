// SPDX-License-Identifier: GPL-2.0-or-later
/* File names in diffs: git's quoting, dates behind names, and names that no patch may have. */
#include "series/diff_parse.h"

#include <strings.h>

/* PATH_MAX of Linux: a longer one cannot be checked out. */
#define NAME_MAX_BYTES 4095

static bool is_octal(char c, char most)
{
	return c >= '0' && c <= most;
}

/* The character that stands behind a backslash (git's quote.c writes these), or -1. */
static int unescape(struct span s, size_t *used)
{
	static const char from[] = "abfnrtv\\\"", to[] = "\a\b\f\n\r\t\v\\\"";
	const char *at = s.n ? memchr(from, s.p[0], sizeof(from) - 1) : NULL;

	*used = 1;
	if (at)
		return to[at - from];
	if (s.n < 3 || !is_octal(s.p[0], '3') || !is_octal(s.p[1], '7') || !is_octal(s.p[2], '7'))
		return -1;
	*used = 3;
	return (s.p[0] - '0') << 6 | (s.p[1] - '0') << 3 | (s.p[2] - '0');
}

/* "a\tb", from the opening quote on. NULL when it is not closed or holds an unknown escape or a
 * NUL. */
static char *unquote(struct span s, size_t *ret_used)
{
	auto_str struct str name;
	size_t i = 1;

	str_init(&name, NAME_MAX_BYTES + 1);
	while (i < s.n && s.p[i] != '"') {
		size_t used = 0;
		int c = (unsigned char)s.p[i];

		if (s.p[i] == '\\') {
			i++;
			c = unescape(span_after(s, i), &used);
			i += used;
		} else {
			i++;
		}
		if (c <= 0)
			return NULL;
		str_addc(&name, (char)c);
	}
	if (i >= s.n)
		return NULL;
	*ret_used = i + 1;
	return str_take(&name);
}

/* Takes `strip` leading folders off; what is left has its double slashes made single. NULL when
 * nothing is left. */
static char *name_strip(struct span s, unsigned strip)
{
	auto_str struct str name;

	str_init(&name, NAME_MAX_BYTES + 1);
	while (strip && s.n) {
		strip -= s.p[0] == '/';
		s = span_after(s, 1);
	}
	if (strip || !s.n)
		return NULL;
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '\0')
			return NULL;
		if (i == 0 || s.p[i] != '/' || s.p[i - 1] != '/')
			str_addc(&name, s.p[i]);
	}
	return str_take(&name);
}

static char *name_quoted(struct span s, unsigned strip)
{
	size_t used;
	auto_free char *whole = unquote(s, &used);

	return whole ? name_strip((struct span){whole, strlen(whole)}, strip) : NULL;
}

static struct span until(struct span s, char c)
{
	const char *at = s.n ? memchr(s.p, c, s.n) : NULL;

	return at ? (struct span){s.p, (size_t)(at - s.p)} : s;
}

char *name_of_git(struct span s, unsigned strip)
{
	return span_starts(s, "\"") ? name_quoted(s, strip) : name_strip(s, strip);
}

char *name_of_side(struct span s)
{
	return name_of_git(until(s, '\t'), 1);
}

/* "a/x", quoted or not, that fills the whole span. */
static char *name_whole(struct span s)
{
	size_t used;

	if (!span_starts(s, "\""))
		return name_strip(s, 1);
	auto_free char *whole = unquote(s, &used);
	return whole && used == s.n ? name_strip((struct span){whole, strlen(whole)}, 1) : NULL;
}

static char *halves_agree(struct span a, struct span b)
{
	auto_free char *left = name_whole(a), *right = name_whole(b);

	return left && right && strcmp(left, right) == 0 ? take(left) : NULL;
}

/*
 * Names with spaces are not quoted, so the second one begins where both come out the same length.
 * One step to the right makes the first longer and the second no longer: there is at most one such
 * place.
 */
static char *name_of_plain_halves(struct span s)
{
	const char *end = s.p + s.n, *slash = memchr(s.p, '/', s.n), *second = slash;

	for (const char *at = slash; at && second && at < end; at++) {
		if (second <= at)
			second = memchr(at + 1, '/', (size_t)(end - at - 1));
		if (second && *at == ' ' && at - slash == end - second)
			return halves_agree((struct span){s.p, (size_t)(at - s.p)},
					    (struct span){at + 1, (size_t)(end - at - 1)});
	}
	return NULL;
}

char *name_of_header(struct span s)
{
	const char *quote = s.n ? memchr(s.p, '"', s.n) : NULL;
	size_t used = quote ? (size_t)(quote - s.p) : 0;

	if (!s.n || s.n > (size_t)8 * NAME_MAX_BYTES)
		return NULL;
	if (!quote)
		return name_of_plain_halves(s);
	if (!used) {
		auto_free char *first = unquote(s, &used);

		if (!first || used >= s.n)
			return NULL;
	} else {
		used--;
	}
	if (s.p[used] != ' ')
		return NULL;
	return halves_agree((struct span){s.p, used}, span_after(s, used + 1));
}

/* d: a digit; everything else is itself. */
static bool looks_like(const char *p, size_t n, const char *form)
{
	if (n < strlen(form))
		return false;
	for (; *form; form++, p++) {
		if (*form == 'd' ? *p < '0' || *p > '9' : *p != *form)
			return false;
	}
	return true;
}

/* The date behind a plain name: where it begins, or the end of the span. */
static size_t date_at(struct span s)
{
	for (size_t i = s.n; i-- > 1;) {
		if (looks_like(s.p + i, s.n - i, "dddd-dd-dd dd:dd:dd") &&
		    (s.p[i - 1] == ' ' || s.p[i - 1] == '\t'))
			return i;
	}
	return s.n;
}

static struct span without_date(struct span s)
{
	size_t date = date_at(s);

	if (date == s.n)
		return until(s, '\t');
	while (date && (s.p[date - 1] == ' ' || s.p[date - 1] == '\t'))
		date--;
	return (struct span){s.p, date};
}

char *name_of_plain(struct span s, const char *other)
{
	struct span bare = without_date(s);
	/* "--- Makefile" without any folder is a -p0 diff: git guesses so too. */
	unsigned strip = bare.n && !memchr(bare.p, '/', bare.n) ? 0 : 1;
	auto_free char *name = span_starts(s, "\"") ? name_quoted(s, 1) : name_strip(bare, strip);

	if (name && other && strlen(other) < strlen(name) && str_starts(name, other))
		return xstrdup(other);
	return take(name);
}

bool name_is_null(struct span s)
{
	static const char null[] = "/dev/null";

	return span_starts(s, null) &&
	       (s.n == sizeof(null) - 1 || strchr(" \t\r", s.p[sizeof(null) - 1]));
}

static int two_digits(const char *p)
{
	return (p[0] - '0') * 10 + (p[1] - '0');
}

/* "+0130" or "+01:30" in minutes; 0 for anything else. */
static int zone_minutes(struct span s)
{
	if (looks_like(s.p, s.n, "+dd:dd") || looks_like(s.p, s.n, "-dd:dd"))
		return (s.p[0] == '-' ? -1 : 1) * (two_digits(s.p + 1) * 60 + two_digits(s.p + 4));
	if (looks_like(s.p, s.n, "+dddd") || looks_like(s.p, s.n, "-dddd"))
		return (s.p[0] == '-' ? -1 : 1) * (two_digits(s.p + 1) * 60 + two_digits(s.p + 3));
	return 0;
}

bool name_has_epoch(struct span s)
{
	struct span date = span_after(s, date_at(s));
	struct span zone;
	int minutes;

	if (looks_like(date.p, date.n, "1970-01-01 dd:dd:00"))
		minutes = 0;
	else if (looks_like(date.p, date.n, "1969-12-31 dd:dd:00"))
		minutes = -24 * 60;
	else
		return false;
	minutes += two_digits(date.p + 11) * 60 + two_digits(date.p + 14);
	zone = span_after(date, 19);
	if (span_starts(zone, "."))
		zone = span_after(zone, 1);
	while (zone.n && zone.p[0] == '0')
		zone = span_after(zone, 1);
	return span_starts(zone, " ") && minutes == zone_minutes(span_after(zone, 1));
}

/*
 * ".git" under any of the names by which a file system that folds case, or NTFS, would find it: git
 * refuses these in its index (read-cache.c, verify_path()), so no kernel tree can have them.
 */
static bool is_git_dir(const char *part, size_t n)
{
	size_t stem = strcspn(part, ":\\/");

	n = stem < n ? stem : n;
	while (n && (part[n - 1] == ' ' || part[n - 1] == '.'))
		n--;
	return (n == 4 && strncasecmp(part, ".git", 4) == 0) ||
	       (n == 5 && strncasecmp(part, "git~1", 5) == 0);
}

static bool part_is_bad(const char *part, size_t n)
{
	return n == 0 || (n == 1 && part[0] == '.') ||
	       (n == 2 && part[0] == '.' && part[1] == '.') || is_git_dir(part, n);
}

int name_check(const char *path, struct err *err)
{
	if (strlen(path) > NAME_MAX_BYTES)
		return err_set(err, ERR_PATCH, "a path of more than %d bytes: %.60s...",
			       NAME_MAX_BYTES, path);
	/* git takes any bytes; no kernel tree has such a name, and reports and mails could not show
	 * it. */
	if (!utf8_valid(path, strlen(path)))
		return err_set(err, ERR_PATCH, "the path \"%.200s\" is not UTF-8", path);
	for (const char *part = path;;) {
		size_t n = strcspn(part, "/");

		if (part_is_bad(part, n))
			return err_set(err, ERR_PATCH,
				       "the path \"%.200s\" is not one that a patch may change",
				       path);
		if (!part[n])
			return 0;
		part += n + 1;
	}
}
