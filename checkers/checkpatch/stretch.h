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

/* A function that prints, by its name. */
#define LOG_LEVEL "(?:emerg|alert|crit|err|warning|warn|notice|info|debug|dbg|vdbg|devel|cont)"
#define LOG_FUNCTION                                                                               \
	"\\b(?:(?:[a-z0-9]+_)+(?:printk|" LOG_LEVEL ")(?:_ratelimited|_once)?|"                    \
	"printk(?:_ratelimited|_once)?|WARN(?:_RATELIMIT|_ONCE)?|panic|MODULE_[A-Z_]+|"            \
	"seq_(?:vprintf|printf|puts))"

struct stretch {
	const char *text, *plain; /* sanitised, and as it was written; equally long */
	size_t len;
};
/* A RULE_STATEMENT subject's, cut where it is long. */
struct stretch stretch_of(const struct rule_subject *s);
/* Whether a match begins on the first line of it: what stands below belongs to a statement within
 * this one, an if, say, and is not looked at. */
bool stretch_is_first_line(const struct stretch *t, const struct pattern_match *m);
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
