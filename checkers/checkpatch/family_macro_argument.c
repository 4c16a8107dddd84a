// SPDX-License-Identifier: GPL-2.0-or-later
/* Rules about what macros do with their arguments. */
#include "checkers/checkpatch/macro.h"

#include <strings.h>

static bool same_word(const struct macro *m, uint32_t a, uint32_t b)
{
	const struct ctoken *x = &m->token[a], *y = &m->token[b];

	return y->kind == CT_WORD && x->len == y->len &&
	       memcmp(m->line.text + x->at, m->line.text + y->at, x->len) == 0;
}

/* What asks for a parameter without evaluating it: sizeof(x), typeof((x)), typecheck(type, x). */
static bool is_asked_about(const struct macro *m, uint32_t i)
{
	uint32_t k = i;

	while (k > m->body &&
	       (ctoken_is(&m->token[k - 1], '(') || m->token[k - 1].kind == CT_SPLICE))
		k--;
	if (k == m->body)
		return false;
	k--;
	if (m->token[k].op == COP_COMMA) {
		while (k > m->body && !ctoken_is(&m->token[k], '(') &&
		       m->token[k].op != COP_SEMICOLON)
			k--;
		return k > m->body && cline_is(&m->line, k - 1, "typecheck");
	}
	return m->token[k].word == CW_SIZEOF || m->token[k].word == CW_TYPEOF ||
	       cline_starts(&m->line, k, "__builtin") || cline_is(&m->line, k, "offsetof") ||
	       cline_is(&m->line, k, "__stringify");
}

static bool is_tight(const struct ctoken *t)
{
	switch (t->op) {
	case COP_NONE:
	case COP_COMMA:
	case COP_SEMICOLON:
	case COP_QUESTION:
	case COP_COLON:
	case COP_ELVIS:
	case COP_DOT:
	case COP_DOTS:
	case COP_SET: return false;
	default: return true;
	}
}

static bool is_beside_operator(const struct macro *m, uint32_t i)
{
	uint32_t after = macro_next(m, i), before = i;

	while (before > m->body && m->token[before - 1].kind == CT_SPLICE)
		before--;
	return (before > m->body && is_tight(&m->token[before - 1])) ||
	       (after < m->end && is_tight(&m->token[after]));
}

static bool is_type_word(const struct macro *m, uint32_t i)
{
	return m->token[i].len == 4 && strncasecmp(m->line.text + m->token[i].at, "type", 4) == 0;
}

/* Parameters are few; bodies are long. */
#define PARAMETERS_MAX 32

struct use {
	uint32_t param;
	unsigned n;
	bool beside; /* the first one is next to an operator */
};

static void count_use(const struct macro *m, struct use *use, size_t n, uint32_t i)
{
	for (size_t k = 0; k < n; k++) {
		if (!same_word(m, use[k].param, i))
			continue;
		if (macro_is_pasted(m, i) || is_asked_about(m, i))
			return;
		/* Only the first use is looked at. */
		if (use[k].n++ == 0)
			use[k].beside = is_beside_operator(m, i);
	}
}

static size_t count_uses(const struct macro *m, struct use *use)
{
	size_t n = 0;

	if (m->open == CTOKEN_NONE)
		return 0;
	for (uint32_t i = m->open + 1; i < m->close && n < PARAMETERS_MAX; i++)
		if (m->token[i].kind == CT_WORD && !is_type_word(m, i) &&
		    m->token[i + 1].op != COP_DOTS)
			use[n++] = (struct use){.param = i};
	for (uint32_t i = m->body; n && i < m->end; i++)
		if (m->token[i].kind == CT_WORD)
			count_use(m, use, n, i);
	return n;
}

static void find_parameters(struct rule_run *run, const struct rule *rule,
			    const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);
	struct use use[PARAMETERS_MAX];
	struct macro m;
	bool reuse = strcmp(rule->type, "MACRO_ARG_REUSE") == 0;
	size_t n = macro_read(&l, &m) ? count_uses(&m, use) : 0;

	for (size_t i = 0; i < n; i++)
		if (reuse ? use[i].n > 1 : use[i].beside)
			cline_report_token(&l, rule->level, use[i].param,
					   reuse ? "used more than once:" : "write in brackets:");
}

static const struct rule rules[] = {
	{
		.type = "MACRO_ARG_REUSE",
		.level = FINDING_CHECK,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "define",
		.find = find_parameters,
		.message = "a macro's argument may be evaluated twice",
		.help = "f(i++) counts twice then: use an inline function, or a variable in ({ }).",
	},
	{
		.type = "MACRO_ARG_PRECEDENCE",
		.level = FINDING_CHECK,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "define",
		.find = find_parameters,
		.message = "a macro's argument beside an operator",
		.help = "x * 2 with a + b for x is a + b * 2: write (x) * 2.",
	},
};

const struct rule_family family_macro_argument = {"macro-argument", rules, array_size(rules)};
