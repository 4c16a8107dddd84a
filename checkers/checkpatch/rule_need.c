// SPDX-License-Identifier: GPL-2.0-or-later
#include "checkers/checkpatch/rule_need.h"

#include "base/str.h"

struct pairs pairs_of(const char *s, size_t n)
{
	struct pairs p = {{0}};

	/* Of one character there is no pair; its rule is always looked at. */
	for (size_t i = 1; i < n; i++) {
		unsigned h = (unsigned char)s[i - 1] * 31u + (unsigned char)s[i] * 7u;

		p.bit[h >> 6 & 3] |= (uint64_t)1 << (h & 63);
	}
	return p;
}

void need_init(struct need *need, const char *words)
{
	size_t bars = 1;

	*need = (struct need){0};
	for (const char *at = words; at && (at = strchr(at, '|')); at++)
		bars++;
	need->word = words ? xcalloc(bars, sizeof(*need->word)) : NULL;
	while (words) {
		const char *bar = strchr(words, '|');
		size_t n = bar ? (size_t)(bar - words) : strlen(words);

		need->word[need->n++] = (struct need_word){words, n, pairs_of(words, n)};
		words = bar ? bar + 1 : NULL;
	}
}

void need_done(struct need *need)
{
	free(need->word);
}

bool need_met(const struct need *need, const struct pairs *pairs, const char *s, size_t n)
{
	for (size_t i = 0; i < need->n; i++) {
		const struct need_word *w = &need->word[i];

		if (pairs_hold(pairs, &w->pairs) && memmem(s, n, w->s, w->len))
			return true;
	}
	return need->n == 0;
}
