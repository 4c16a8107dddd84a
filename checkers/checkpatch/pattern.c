// SPDX-License-Identifier: GPL-2.0-or-later
#define PCRE2_CODE_UNIT_WIDTH 8
#include "checkers/checkpatch/pattern.h"

#include "base/str.h"
#include <ctype.h>
#include <pcre2.h>

/* Ours take some dozens on a real line. */
#define STEPS_MAX 100000
/* Compiling for JIT costs what so many matches cost. Most processes look at one patch. */
#define JIT_AFTER 120

struct pattern {
	const char *expression;
	char *prefix;	  /* what "^text" asks for; NULL: it asks for more, or is not used yet */
	pcre2_code *code; /* NULL until it is first used */
	unsigned used;
};

static pcre2_match_data *match_data;
static pcre2_match_context *match_context;

/* Compiling "^\+\+\+ " takes longer than all that is looked up with it in a patch. */
static char *prefix_of(const char *expression)
{
	struct str s;

	if (*expression != '^')
		return NULL;
	str_init(&s, 0);
	for (const char *at = expression + 1; *at; at++) {
		bool escaped = *at == '\\';

		at += escaped;
		if (escaped ? isalnum((unsigned char)*at) || !*at
			    : strchr(".[]()*+?{}|^$", *at) != NULL) {
			str_done(&s);
			return NULL;
		}
		str_addc(&s, *at);
	}
	return str_take(&s);
}

struct pattern *pattern_new(const char *expression)
{
	struct pattern *p = xcalloc(1, sizeof(*p));

	p->expression = expression;
	return p;
}

static void pattern_compile(struct pattern *p)
{
	PCRE2_SIZE where;
	int rc;

	if (!match_data) {
		match_data = pcre2_match_data_create(PATTERN_GROUPS, NULL);
		match_context = pcre2_match_context_create(NULL);
		if (!match_data || !match_context)
			abort();
		pcre2_set_match_limit(match_context, STEPS_MAX);
	}
	p->code = pcre2_compile((PCRE2_SPTR)p->expression, PCRE2_ZERO_TERMINATED, PCRE2_DOTALL, &rc,
				&where, NULL);
	if (!p->code)
		abort();
}

static int pattern_run(struct pattern *p, const char *s, size_t n)
{
	if (!p->code)
		pattern_compile(p);
	/* Without JIT it is slower and the same. */
	if (++p->used == JIT_AFTER)
		(void)pcre2_jit_compile(p->code, PCRE2_JIT_COMPLETE);
	return pcre2_match(p->code, (PCRE2_SPTR)s, n, 0, 0, match_data, match_context);
}

bool pattern_matches(struct pattern *p, const char *s, size_t n)
{
	if (!p->code && !p->prefix)
		p->prefix = prefix_of(p->expression);
	if (p->prefix) {
		size_t len = strlen(p->prefix);

		return n >= len && memcmp(s, p->prefix, len) == 0;
	}
	return pattern_run(p, s, n) >= 0;
}

bool pattern_find(struct pattern *p, const char *s, size_t n, struct pattern_match *ret)
{
	const PCRE2_SIZE *at;
	int groups = pattern_run(p, s, n);

	if (groups < 0)
		return false;
	at = pcre2_get_ovector_pointer(match_data);
	*ret = (struct pattern_match){0};
	for (int i = 0; i < PATTERN_GROUPS; i++) {
		bool set = i < (groups ? groups : PATTERN_GROUPS) && at[2 * i] != PCRE2_UNSET &&
			   at[2 * i] <= at[2 * i + 1];

		ret->group[i].s = set ? s + at[2 * i] : NULL;
		ret->group[i].len = set ? at[2 * i + 1] - at[2 * i] : 0;
	}
	return true;
}
