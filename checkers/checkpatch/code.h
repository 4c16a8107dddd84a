/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The C text of one hunk, as it is after the patch: what rules about code look at.
 */
#ifndef FIRN_CHECKERS_CHECKPATCH_CODE_H
#define FIRN_CHECKERS_CHECKPATCH_CODE_H

#include "series/diff.h"

/* Stands for each character of a comment. Neither a space nor a part of a word. */
#define CODE_COMMENT '\x1c'

struct code_line {
	const struct diff_line *src;
	unsigned number;   /* 1-based line of the new file */
	size_t start, end; /* in text.buf, without the newline */
};

/* New lines of a hunk, joined by newlines. Comments are blanked with CODE_COMMENT, and what is
 * between quotes with 'X'. */
struct code {
	struct str text;
	struct code_line *line;
	size_t n, cap;
};

void code_init(struct code *c);
void code_done(struct code *c);
/* Reads another hunk in place of the last. */
void code_read(struct code *c, const struct diff_hunk *h);

struct statement {
	size_t start, end; /* in text.buf; `end` is after the ';' */
	bool closed;	   /* ends in a ';' outside of all brackets, and no '{' is before it */
	size_t next_line;  /* index of the first line on which another statement may begin */
};

/* The statement that begins with line i, as checkpatch cuts them: up to ';' or '{', or the end of a
 * #define. Takes what it reads off `fuel`; at 0 it finds no more. */
struct statement code_statement(const struct code *c, size_t i, size_t *fuel);

#endif
