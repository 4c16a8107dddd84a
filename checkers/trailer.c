// SPDX-License-Identifier: GPL-2.0-or-later
#include "checkers/trailer.h"

#include <strings.h>

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static const char *skip_space(const char *s, const char *end)
{
	while (s < end && is_space(*s))
		s++;
	return s;
}

static const char *trim_space(const char *s, const char *end)
{
	while (end > s && is_space(end[-1]))
		end--;
	return end;
}

bool trailer_next(struct trailer_iter *it, const char *message, const char *key,
		  struct trailer *ret_trailer)
{
	const char *s = it->at ? it->at : message;
	size_t n = strlen(key);

	while (*s) {
		const char *end = strchrnul(s, '\n');
		bool hit = strncasecmp(s, key, n) == 0 && s[n] == ':';
		const char *value = hit ? skip_space(s + n + 1, end) : NULL;

		s = *end ? end + 1 : end;
		it->at = s;
		it->line++;
		if (hit) {
			*ret_trailer = (struct trailer){
				value, (size_t)(trim_space(value, end) - value), it->line};
			return true;
		}
	}
	return false;
}

void trailer_ident(const struct trailer *t, char **ret_name, char **ret_email)
{
	const char *end = t->value + t->len;
	const char *open = memchr(t->value, '<', t->len);
	const char *close = open ? memchr(open, '>', (size_t)(end - open)) : NULL;
	const char *name = t->value, *name_end = open;

	if (!close) {
		*ret_name = xstrdup("");
		*ret_email = xmemdup(t->value, t->len);
		return;
	}
	if (*name == '"')
		name++;
	name_end = trim_space(name, name_end);
	if (name_end > name && name_end[-1] == '"')
		name_end--;
	*ret_name = xmemdup(name, (size_t)(name_end - name));
	*ret_email = xmemdup(open + 1, (size_t)(close - open - 1));
}
