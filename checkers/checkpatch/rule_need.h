/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which rules can fire on a text, told by pairs of neighbouring characters: a text that lacks one
 * of the pairs of a word does not hold the word. One pass over a text serves all rules.
 */
#ifndef FIRN_CHECKERS_CHECKPATCH_RULE_NEED_H
#define FIRN_CHECKERS_CHECKPATCH_RULE_NEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* 256 bits, by a hash of two characters. */
struct pairs {
	uint64_t bit[4];
};
struct pairs pairs_of(const char *s, size_t n);
static inline bool pairs_hold(const struct pairs *text, const struct pairs *word)
{
	return !((word->bit[0] & ~text->bit[0]) | (word->bit[1] & ~text->bit[1]) |
		 (word->bit[2] & ~text->bit[2]) | (word->bit[3] & ~text->bit[3]));
}

/* The same in 64 bits: says "may hold" a little more often. */
static inline uint64_t pairs_fold(const struct pairs *p)
{
	return p->bit[0] | p->bit[1] | p->bit[2] | p->bit[3];
}

/* The words of a rule's `need`, joined by '|'. */
struct need {
	struct need_word {
		const char *s;
		size_t len;
		struct pairs pairs;
	} * word;
	size_t n;
};
/* `words` is not copied. */
void need_init(struct need *need, const char *words);
void need_done(struct need *need);
/* Whether one of the words is in the text. */
bool need_met(const struct need *need, const struct pairs *pairs, const char *s, size_t n);

#endif
