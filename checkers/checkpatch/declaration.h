/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Enough of C's declarations to tell prototypes, their parameters, and parameters without a name.
 * Text is that of view.h: no types are known, so any words in front of a name are taken for one.
 */
#ifndef FIRN_CHECKERS_CHECKPATCH_DECLARATION_H
#define FIRN_CHECKERS_CHECKPATCH_DECLARATION_H

#include "base/str.h"

struct declaration {
	bool is_extern;
	bool is_pointer; /* int (*name)(...) */
	bool space_before_name;
	bool newline_after_name; /* between name and '(' */
	size_t args, args_end;	 /* offsets: after the '(', and of its ')'; args_end is the length
				    when that is not there */
};

/* Whether the text begins like the prototype of a function, or like a pointer to one. */
bool declaration_parse(const char *s, size_t n, struct declaration *ret);
/* Whether the text begins with the word extern. */
bool declaration_is_extern(const char *s, size_t n);
/* A list of parameters, one after the other. (void) is an empty one. */
struct parameters {
	const char *at, *end;
};
struct parameter {
	const char *s;
	size_t len;
	bool is_nameless;
};
void parameters_init(struct parameters *list, const char *s, size_t n);
bool parameters_next(struct parameters *list, struct parameter *ret);
/* On one line, without comments. The caller frees. */
char *parameter_text(const struct parameter *p);

#endif
