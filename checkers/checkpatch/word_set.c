// SPDX-License-Identifier: GPL-2.0-or-later
#include "checkers/checkpatch/word_set.h"

#include "base/str.h"
#include <stdint.h>

struct entry {
	uint32_t hash;
	uint32_t len;
	char *word; /* NULL: an empty place. The value follows its NUL */
	const char *value;
};

struct word_set {
	struct entry *entry;
	size_t n, size; /* size: a power of two, at least a third of it empty */
};

/* FNV-1a. */
static uint32_t hash_of(const char *s, size_t n)
{
	uint32_t h = 2166136261u;

	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)s[i]) * 16777619u;
	return h ^ h >> 15;
}

struct word_set *word_set_new(void)
{
	return xcalloc(1, sizeof(struct word_set));
}

void word_set_free(struct word_set *set)
{
	if (!set)
		return;
	for (size_t i = 0; i < set->size; i++)
		free(set->entry[i].word);
	free(set->entry);
	free(set);
}

/* The place of a word, or the empty one where it would go. */
static struct entry *place_of(const struct word_set *set, const char *word, size_t n, uint32_t hash)
{
	for (size_t i = hash & (set->size - 1);; i = (i + 1) & (set->size - 1)) {
		struct entry *e = &set->entry[i];

		if (!e->word || (e->hash == hash && e->len == n && memcmp(e->word, word, n) == 0))
			return e;
	}
}

static void grow(struct word_set *set)
{
	struct word_set old = *set;

	set->size = old.size ? old.size * 2 : 64;
	set->entry = xcalloc(set->size, sizeof(*set->entry));
	for (size_t i = 0; i < old.size; i++)
		if (old.entry[i].word)
			*place_of(set, old.entry[i].word, old.entry[i].len, old.entry[i].hash) =
				old.entry[i];
	free(old.entry);
}

void word_set_add(struct word_set *set, const char *word, size_t n, const char *value)
{
	size_t value_len = value ? strlen(value) : 0;
	uint32_t hash = hash_of(word, n);
	struct entry *e;

	if (set->n * 3 >= set->size * 2)
		grow(set);
	e = place_of(set, word, n, hash);
	if (e->word)
		return;
	e->word = xmalloc(n + value_len + 2);
	memcpy(e->word, word, n);
	e->word[n] = '\0';
	memcpy(e->word + n + 1, value ? value : "", value_len + 1);
	e->value = e->word + n + 1;
	e->len = (uint32_t)n;
	e->hash = hash;
	set->n++;
}

const char *word_set_find(const struct word_set *set, const char *word, size_t n)
{
	return set->size ? place_of(set, word, n, hash_of(word, n))->value : NULL;
}

size_t word_set_count(const struct word_set *set)
{
	return set->n;
}

const struct word_set *word_set_once(struct word_set **set, const char *const *words, size_t n)
{
	if (!*set) {
		*set = word_set_new();
		for (size_t i = 0; i < n; i++)
			word_set_add(*set, words[i], strlen(words[i]), NULL);
	}
	return *set;
}

const struct word_set *word_map_once(struct word_set **set, const char *const (*pairs)[2], size_t n)
{
	if (!*set) {
		*set = word_set_new();
		for (size_t i = 0; i < n; i++)
			word_set_add(*set, pairs[i][0], strlen(pairs[i][0]), pairs[i][1]);
	}
	return *set;
}
