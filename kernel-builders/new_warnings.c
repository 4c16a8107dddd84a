// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel-builders/new_warnings.h"

#include "base/cleanup.h"
#include "base/str.h"
#include <ctype.h>

/* A warning of either side, ready to be compared. */
struct known {
	const struct diagnostic *d;
	char *words;
	const char *path; /* in the new tree; NULL: none, or gone */
	unsigned line;	  /* there; 0: none */
	bool moved;	  /* the base's line was rewritten or is gone */
	bool taken;
};

char *warning_words(const struct diagnostic *d)
{
	/* How much too large it is changes with every line of the function. */
	bool numbers = !strstr(d->text, "frame size");
	struct str s;
	char *words;

	str_init(&s, 8192);
	for (const char *p = d->text; *p; p++) {
		if (!numbers && isdigit((unsigned char)*p))
			continue;
		str_addc(&s, *p);
		/* "f+0x1c", "numa.c:12" */
		if (str_starts(p, "+0x"))
			p += 2 + strspn(p + 3, "0123456789abcdefABCDEF");
		else if (*p == ':' && isdigit((unsigned char)p[1]))
			p += strspn(p + 1, "0123456789:");
	}
	words = str_take(&s);
	str_done(&s);
	return words;
}

static bool text_same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Only gcc says functions. */
static bool function_same(const struct known *a, const struct known *b)
{
	return !a->d->function || !b->d->function || strcmp(a->d->function, b->d->function) == 0;
}

/* clang and gcc say the same thing in other words: of one row there is only one of them. */
static bool words_same(const struct known *a, const struct known *b)
{
	return strcmp(a->words, b->words) == 0 && text_same(a->d->option, b->d->option);
}

/* Lines of "<stdin>" and the like are those of what a compiler was fed, and move with everything.
 */
static bool line_same(const struct known *a, const struct known *b)
{
	return a->line == b->line || (!a->d->path && !b->d->path);
}

static bool same_place(const struct known *old, const struct known *now)
{
	return !old->moved && line_same(old, now) && text_same(old->path, now->path) &&
	       words_same(old, now);
}

static bool same_function(const struct known *old, const struct known *now)
{
	return old->moved && text_same(old->path, now->path) && function_same(old, now) &&
	       words_same(old, now);
}

/* From one file to another. */
static bool same_words(const struct known *old, const struct known *now)
{
	return old->moved && old->d->path && now->d->path && function_same(old, now) &&
	       words_same(old, now);
}

static struct known *known_make(const struct warning_set *set, const struct line_map *map)
{
	struct known *list = xcalloc(set->n ? set->n : 1, sizeof(*list));

	for (size_t i = 0; i < set->n; i++) {
		struct known *k = &list[i];

		*k = (struct known){.d = &set->item[i],
				    .words = warning_words(&set->item[i]),
				    .path = set->item[i].path,
				    .line = set->item[i].line};
		if (!map || !k->path)
			continue;
		k->line = line_map_forward(map, k->d->path, k->d->line, &k->path);
		k->moved = !k->path || (k->d->line && !k->line);
	}
	return list;
}

static void known_free(struct known *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(list[i].words);
	free(list);
}

typedef bool same_fn(const struct known *old, const struct known *now);

static void match(struct known *old, size_t n_old, struct known *now, same_fn *same)
{
	for (size_t i = 0; i < n_old && !now->taken; i++) {
		if (old[i].taken || !same(&old[i], now))
			continue;
		old[i].taken = now->taken = true;
	}
}

void new_warnings(const struct warning_set *base, const struct warning_set *now,
		  const struct line_map *map, bool *ret_new, bool *ret_gone)
{
	static same_fn *const rules[] = {same_place, same_function, same_words};
	struct known *a = known_make(base, map), *b = known_make(now, NULL);

	for (size_t r = 0; r < array_size(rules); r++)
		for (size_t i = 0; i < now->n; i++)
			match(a, base->n, &b[i], rules[r]);
	for (size_t i = 0; ret_new && i < now->n; i++)
		ret_new[i] = !b[i].taken;
	for (size_t i = 0; ret_gone && i < base->n; i++)
		ret_gone[i] = !a[i].taken;
	known_free(a, base->n);
	known_free(b, now->n);
}
