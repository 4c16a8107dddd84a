/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which words are types. C cannot be read without knowing that, and a patch shows a part of a file:
 * so words are taken for types when they are used like one, from the line on where they are.
 */
#ifndef FIRN_CHECKERS_CHECKPATCH_CTYPE_H
#define FIRN_CHECKERS_CHECKPATCH_CTYPE_H

#include "checkers/checkpatch/ctoken.h"

struct ctype_word;

struct ctypes {
	struct ctype_word *slot; /* open addressing */
	uint32_t n, cap;
};

void ctypes_init(struct ctypes *types);
void ctypes_done(struct ctypes *types);

/* What is looked at: tokens of one view, and what is known at a line. */
struct ctype_reader {
	const struct view *view;
	const struct ctokens *tokens;
	const struct ctypes *types;
	uint32_t now;	/* line: words that were found after it are not known yet */
	uint32_t limit; /* token index: nothing from there on is looked at */
};

/* Whether the word is a type by itself: "u8", "foo_t", "foo_handler", or one that was found. */
bool ctype_is_name(const struct ctype_reader *r, const struct ctoken *t);
/* Whether the word may stand beside a type: "const", "__user", or one that was found. */
bool ctype_is_modifier(const struct ctype_reader *r, const struct ctoken *t);
/* The token after the type that begins at token i, without stars and with; i when none does. */
uint32_t ctype_base_end(const struct ctype_reader *r, uint32_t i);
uint32_t ctype_end(const struct ctype_reader *r, uint32_t i);

/* Takes in what a statement tells: `r->types` is `types`; the statement is tokens
 * [first, r->limit). */
void ctypes_learn(struct ctypes *types, const struct ctype_reader *r, uint32_t first);

#endif
