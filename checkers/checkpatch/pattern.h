/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A regular expression, matched on bytes: what it is matched with may be no valid text. */
#ifndef FIRN_CHECKERS_CHECKPATCH_PATTERN_H
#define FIRN_CHECKERS_CHECKPATCH_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

struct pattern;

/* PCRE2 syntax, compiled when it is first used, and with JIT when it is used much. A wrong
 * expression is a bug of ours and ends the process. Patterns live as long as the process: they are
 * those of the rule tables and static ones. `expression` is not copied. '.' matches newlines too.
 */
struct pattern *pattern_new(const char *expression);
/* False also when a hostile text makes it take too many steps. */
bool pattern_matches(struct pattern *p, const char *s, size_t n);

#define PATTERN_GROUPS 10
struct pattern_match {
	struct {
		const char *s; /* NULL: this group did not take part */
		size_t len;
	} group[PATTERN_GROUPS]; /* 0: the whole match */
};
bool pattern_find(struct pattern *p, const char *s, size_t n, struct pattern_match *ret);

#endif
