// SPDX-License-Identifier: GPL-2.0-or-later
#include "web/accept.h"

#include <stddef.h>
#include <string.h>

#define BLANK " \t"

/* The next element of a list with commas: its first character and length, without blanks around.
 * Returns where to go on, NULL at the end. */
static const char *element(const char *s, const char **ret, size_t *ret_n)
{
	size_t n;

	s += strspn(s, BLANK ",");
	if (!*s)
		return NULL;
	n = strcspn(s, ",");
	*ret = s;
	*ret_n = n;
	while (*ret_n && strchr(BLANK, s[*ret_n - 1]))
		(*ret_n)--;
	return s + n;
}

/* q=0, q=0.0 and so on: not wanted (RFC 9110, 12.4.2). */
static bool is_refused(const char *s, size_t n)
{
	const char *q = memmem(s, n, "q=", 2);
	size_t zeros;

	if (!q)
		return false;
	q += 2;
	zeros = strspn(q, "0.");
	return zeros && q + zeros >= s + n;
}

bool accepts_gzip(const char *accept_encoding)
{
	const char *s = accept_encoding ? accept_encoding : "", *e;
	size_t n;

	while ((s = element(s, &e, &n))) {
		size_t n_name = strcspn(e, "; \t,");

		if (n_name > n)
			n_name = n;
		if (n_name == 4 && strncasecmp(e, "gzip", 4) == 0)
			return !is_refused(e + n_name, n - n_name);
	}
	return false;
}

/* Compared weakly (RFC 9110, 13.1.2): W/ does not matter, nor whether it was compressed. */
bool etag_is_among(const char *if_none_match, const char *etag)
{
	const char *s = if_none_match ? if_none_match : "", *e;
	size_t n, n_tag = strlen(etag);

	while (n_tag && (s = element(s, &e, &n))) {
		if (n == 1 && *e == '*')
			return true;
		if (n > 2 && strncmp(e, "W/", 2) == 0) {
			e += 2;
			n -= 2;
		}
		if (n < n_tag + 2 || *e != '"' || strncmp(e + 1, etag, n_tag) != 0)
			continue;
		if (strncmp(e + 1 + n_tag, "\"", n - 1 - n_tag) == 0 ||
		    (n == n_tag + 5 && strncmp(e + 1 + n_tag, "-gz\"", 4) == 0))
			return true;
	}
	return false;
}
