/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A regular expression, matched on bytes: what it is matched with may be no valid text. */
#ifndef FIRN_CHECKERS_CHECKPATCH_PATTERN_H
#define FIRN_CHECKERS_CHECKPATCH_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

struct pattern;

/* Compiles PCRE2 syntax, with JIT where there is one. A wrong expression is a bug of ours and ends
 * the process. Patterns live as long as the process: they are those of the rule tables. */
struct pattern *pattern_new(const char *expression);
/* False also when a hostile text makes it take too many steps. */
bool pattern_matches(const struct pattern *p, const char *s, size_t n);

#endif
