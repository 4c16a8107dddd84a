/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words of a command. */
#ifndef FIRN_KERNEL_BUILDERS_WORDS_H
#define FIRN_KERNEL_BUILDERS_WORDS_H

#include "base/str.h"

struct words {
	char **word; /* NULL at the end */
	size_t n, cap;
};

void words_add(struct words *w, const char *word);
void words_addf(struct words *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Each word of a list with blanks between. */
void words_split(struct words *w, const char *list);
/* As a shell takes it. The caller frees. */
char *words_quote(const struct words *w);
void words_done(struct words *w);
static inline void words_cleanup(struct words *w)
{
	words_done(w);
}
#define auto_words __attribute__((cleanup(words_cleanup)))

#endif
