/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For rules that are one expression over a statement: the text from a line to the end of what
 * begins there, and pieces that such expressions are made of.
 */
#ifndef FIRN_CHECKERS_CHECKPATCH_STRETCH_H
#define FIRN_CHECKERS_CHECKPATCH_STRETCH_H

#include "checkers/checkpatch/pattern.h"
#include "checkers/checkpatch/rule.h"

/* "a", "a->b", "a.b[3]": without brackets that hold brackets of the same kind. */
#define C_LVALUE "[A-Za-z_]\\w*+(?:\\s*\\[[^\\[\\]]*\\]|\\s*(?:->|\\.)\\s*[A-Za-z_]\\w*+)*+"
/* A pair of parentheses with what is between them. It is a group that counts. */
#define C_PARENS "(\\((?:[^()]++|(?-1))*+\\))"
/* What an integer is made of. */
#define C_INTEGER "(?:(?:un)?signed|int|long|short|char)"

struct stretch {
	const char *text, *plain; /* sanitised, and as it was written; equally long */
	size_t len;
};
/* From the beginning of a RULE_CODE subject's line; never less than the line. */
struct stretch stretch_of(const struct rule_subject *s);
/* Compiles at the first call, and finds. */
bool stretch_find(struct pattern **p, const char *expression, const struct stretch *t,
		  struct pattern_match *ret);
/* The same in a subject's own text. */
bool subject_find(struct pattern **p, const char *expression, const struct rule_subject *s,
		  struct pattern_match *ret);
/* Whether two groups hold the same characters. */
bool pattern_same(const struct pattern_match *m, unsigned a, unsigned b);
/* Whether a group is this word. */
bool pattern_is(const struct pattern_match *m, unsigned group, const char *word);
/* Reports a group's text: "detail 'text'". */
void pattern_report(struct rule_run *run, const struct rule *rule, const struct rule_subject *s,
		    const struct pattern_match *m, unsigned group);

#endif
