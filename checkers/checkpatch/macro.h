/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A macro as the rules about macros see it. */
#ifndef FIRN_CHECKERS_CHECKPATCH_MACRO_H
#define FIRN_CHECKERS_CHECKPATCH_MACRO_H

#include "checkers/checkpatch/cline.h"

/* A #define that begins on a line. */
struct macro {
	struct cline line;
	const struct ctoken *token;
	uint32_t open, close; /* brackets of the parameters; both CTOKEN_NONE: there are none */
	uint32_t body, end;   /* tokens, without backslashes at the end */
};

/* The #define that begins on a line; false when none does, or when it has no body. */
bool macro_read(const struct cline *l, struct macro *ret);
/* The next token that is no backslash; `end` when there is none. */
uint32_t macro_next(const struct macro *m, uint32_t i);
/* The body's first such token. */
uint32_t macro_first(const struct macro *m);
/* Steps over a token, or over a bracket and what is in it. */
uint32_t macro_skip(const struct macro *m, uint32_t i);
/* Whether # or ## stands beside a token. */
bool macro_is_pasted(const struct macro *m, uint32_t i);

#endif
