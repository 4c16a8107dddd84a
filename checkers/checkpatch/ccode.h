/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A view's C as the rules about it see it: tokens, each with its role (unary or binary, part of a
 * type, kind of colon), and the types that are known at each line.
 */
#ifndef FIRN_CHECKERS_CHECKPATCH_CCODE_H
#define FIRN_CHECKERS_CHECKPATCH_CCODE_H

#include "checkers/checkpatch/ctoken.h"
#include "checkers/checkpatch/ctype.h"

struct ccode {
	struct ctokens tokens;
	struct ctypes types;
	/* By line: where the statement ends that begins on it, as an offset; 0: none does. */
	uint32_t *statement_end;
};

/* Reads a view. */
struct ccode *ccode_new(struct view *v);
void ccode_free(struct ccode *code);
/* That of a view, read at the first call; lives as long as the view. */
struct ccode *ccode_of(struct view *v);

/* For questions about types at line i, of tokens before `limit`. */
struct ctype_reader ccode_reader(const struct ccode *code, const struct view *v, uint32_t i,
				 uint32_t limit);

/* Sets the roles of line i's tokens. What lies open goes on to the next line. */
struct cmarker;
struct cmarker *cmarker_new(const struct view *v, struct ccode *code);
void cmarker_free(struct cmarker *m);
void cmarker_line(struct cmarker *m, uint32_t i);

#endif
