// SPDX-License-Identifier: GPL-2.0-or-later
/* How Patchwork reads a subject: what stands in brackets before it, without "PATCH". */
#include "stand_in.h"

#include <ctype.h>

/* "v2", "1/3" or anything else. */
static void take_word(struct subject *s, const char *word)
{
	unsigned a, b;
	int end = 0;

	if (strcasecmp(word, "PATCH") == 0)
		return;
	if (sscanf(word, "%u/%u%n", &a, &b, &end) == 2 && !word[end]) {
		s->numbered = true;
		s->number = a;
		s->total = b;
	} else if (sscanf(word, "%*[vV]%u%n", &a, &end) == 1 && !word[end]) {
		s->version = a;
	}
	json_array_append_new(s->prefixes, json_string(word));
}

static const char *skip_space(const char *p)
{
	while (isspace((unsigned char)*p))
		p++;
	return p;
}

static const char *take_brackets(struct subject *s, const char *p)
{
	while (*p == '[' && strchr(p, ']')) {
		const char *end = strchr(p, ']');
		char *inside = xmemdup(p + 1, (size_t)(end - p) - 1), *save = NULL;

		for (char *w = inside; (w = strtok_r(w, " ,", &save)); w = NULL)
			take_word(s, w);
		free(inside);
		p = skip_space(end + 1);
	}
	return p;
}

void subject_parse(const char *text, struct subject *ret)
{
	struct str name;
	const char *p = skip_space(text), *word;
	json_t *prefix;
	size_t i;

	*ret = (struct subject){.prefixes = json_array(), .version = 1, .number = 1, .total = 1};
	while (strncasecmp(p, "Re:", 3) == 0) {
		ret->reply = true;
		p = skip_space(p + 3);
	}
	p = take_brackets(ret, p);
	ret->title = xstrdup(p);
	str_init(&name, 0);
	json_array_foreach (ret->prefixes, i, prefix) {
		word = json_string_value(prefix);
		str_addf(&name, "%s%s", i ? "," : "[", word);
	}
	str_addf(&name, "%s%s", name.len ? "] " : "", p);
	ret->name = str_take(&name);
}

void subject_done(struct subject *s)
{
	json_decref(s->prefixes);
	free(s->name);
	free(s->title);
}
