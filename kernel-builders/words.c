// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel-builders/words.h"

#include <stdlib.h>

static void word_take(struct words *w, char *word)
{
	if (w->n + 1 >= w->cap) {
		w->cap = w->cap ? w->cap * 2 : 16;
		w->word = xreallocarray(w->word, w->cap, sizeof(*w->word));
	}
	w->word[w->n++] = word;
	w->word[w->n] = NULL;
}

void words_add(struct words *w, const char *word)
{
	word_take(w, xstrdup(word));
}

void words_addf(struct words *w, const char *fmt, ...)
{
	struct str s;
	va_list ap;

	str_init(&s, 0);
	va_start(ap, fmt);
	str_vaddf(&s, fmt, ap);
	va_end(ap);
	word_take(w, str_take(&s));
	str_done(&s);
}

void words_split(struct words *w, const char *list)
{
	size_t n;

	for (list += strspn(list, " "); *list; list += n + strspn(list + n, " ")) {
		n = strcspn(list, " ");
		word_take(w, xmemdup(list, n));
	}
}

/* NAME='a b' reads better than 'NAME=a b'. */
static void word_quote(struct str *s, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "_-+.,/@=:%";
	size_t name = strspn(word, plain);

	if (!word[name] && *word) {
		str_adds(s, word);
		return;
	}
	while (name && word[name - 1] != '=')
		name--;
	str_add(s, word, name);
	str_addc(s, '\'');
	for (const char *p = word + name; *p; p++) {
		if (*p == '\'')
			str_adds(s, "'\\''");
		else
			str_addc(s, *p);
	}
	str_addc(s, '\'');
}

char *words_quote(const struct words *w)
{
	struct str s;
	char *text;

	str_init(&s, 0);
	for (size_t i = 0; i < w->n; i++) {
		str_adds(&s, i ? " " : "");
		word_quote(&s, w->word[i]);
	}
	text = str_take(&s);
	str_done(&s);
	return text;
}

void words_done(struct words *w)
{
	for (size_t i = 0; i < w->n; i++)
		free(w->word[i]);
	free(w->word);
	*w = (struct words){0};
}
