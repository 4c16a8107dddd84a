// SPDX-License-Identifier: GPL-2.0-or-later
#define PCRE2_CODE_UNIT_WIDTH 8
#include "checkers/checkpatch/pattern.h"

#include "base/str.h"
#include <pcre2.h>

/* Ours take some dozens on a real line. */
#define STEPS_MAX 100000

struct pattern {
	pcre2_code *code;
	pcre2_match_data *data;
	pcre2_match_context *context;
};

struct pattern *pattern_new(const char *expression)
{
	struct pattern *p = xcalloc(1, sizeof(*p));
	PCRE2_SIZE where;
	int rc;

	p->code = pcre2_compile((PCRE2_SPTR)expression, PCRE2_ZERO_TERMINATED, PCRE2_DOTALL, &rc,
				&where, NULL);
	p->data = pcre2_match_data_create(1, NULL);
	p->context = pcre2_match_context_create(NULL);
	if (!p->code || !p->data || !p->context)
		abort();
	pcre2_set_match_limit(p->context, STEPS_MAX);
	/* Without JIT it is slower and the same. */
	(void)pcre2_jit_compile(p->code, PCRE2_JIT_COMPLETE);
	return p;
}

bool pattern_matches(const struct pattern *p, const char *s, size_t n)
{
	return pcre2_match(p->code, (PCRE2_SPTR)s, n, 0, 0, p->data, p->context) >= 0;
}
