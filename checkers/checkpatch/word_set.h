/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets and maps of words, by hash: thousands of words cost no more than one. */
#ifndef FIRN_CHECKERS_CHECKPATCH_WORD_SET_H
#define FIRN_CHECKERS_CHECKPATCH_WORD_SET_H

#include <stdbool.h>
#include <stddef.h>

struct word_set;

struct word_set *word_set_new(void);
void word_set_free(struct word_set *set);
/* Both are copied. A word that is there keeps its value. `value` may be NULL, which is "". */
void word_set_add(struct word_set *set, const char *word, size_t n, const char *value);
/* The word's value, or NULL when it is not in the set. */
const char *word_set_find(const struct word_set *set, const char *word, size_t n);
static inline bool word_set_has(const struct word_set *set, const char *word, size_t n)
{
	return word_set_find(set, word, n) != NULL;
}
size_t word_set_count(const struct word_set *set);

/* For static tables: a set that is made at the first call and lives as long as the process.
 *	static struct word_set *set;
 *	if (word_set_has(word_set_once(&set, words, array_size(words)), s, n))
 */
const struct word_set *word_set_once(struct word_set **set, const char *const *words, size_t n);
/* The same for pairs: word, value, word, value ... ; n counts pairs. */
const struct word_set *word_map_once(struct word_set **set, const char *const (*pairs)[2],
				     size_t n);

#endif
