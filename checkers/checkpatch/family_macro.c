// SPDX-License-Identifier: GPL-2.0-or-later
/* Rules about macros. */
#include "checkers/checkpatch/cline.h"

#include <strings.h>

/* A #define that begins on a line. */
struct macro {
	struct cline line;
	const struct ctoken *token;
	uint32_t open, close; /* brackets of the parameters; both CTOKEN_NONE: there are none */
	uint32_t body, end;   /* tokens, without backslashes at the end */
};

static bool macro_read(const struct cline *l, struct macro *ret)
{
	struct macro m = {.line = *l, .token = l->token, .open = CTOKEN_NONE, .close = CTOKEN_NONE};
	uint32_t name = l->first + 2, last = l->line;

	if (!cline_directive(l, "define") || name >= l->end)
		return false;
	/* What goes on with another macro is no macro: each would be read to the end of all. */
	if (l->first && l->token[l->first - 1].kind == CT_SPLICE)
		return false;
	m.body = name + 1;
	if (m.body < l->end && ctoken_is(&l->token[m.body], '(') &&
	    l->token[m.body].at == ctoken_end(&l->token[name])) {
		/* No brackets are in there, so the first that closes is it. */
		for (m.close = m.body; m.close < l->end; m.close++)
			if (ctoken_is(&l->token[m.close], ')'))
				break;
		m.open = m.body;
		m.body = m.close + 1;
		if (m.close == l->end)
			return false;
	}
	m.end = l->end;
	while (m.end > m.body && l->token[m.end - 1].kind == CT_SPLICE) {
		last = view_next(l->view, last);
		if (last == VIEW_NONE)
			break;
		if (l->code->tokens.first[last + 1] == l->code->tokens.first[last])
			break;
		m.end = l->code->tokens.first[last + 1];
	}
	while (m.end > m.body && l->token[m.end - 1].kind == CT_SPLICE)
		m.end--;
	*ret = m;
	return m.end > m.body;
}

/* The next token that is no backslash; end when there is none. */
static uint32_t next(const struct macro *m, uint32_t i)
{
	do
		i++;
	while (i < m->end && m->token[i].kind == CT_SPLICE);
	return i;
}

static uint32_t first(const struct macro *m)
{
	return m->token[m->body].kind == CT_SPLICE ? next(m, m->body) : m->body;
}

/* Steps over a bracket and what is in it. */
static uint32_t skip(const struct macro *m, uint32_t i)
{
	if (m->token[i].kind == CT_OPEN && m->token[i].match < m->end)
		i = m->token[i].match;
	return next(m, i);
}

/* --- parameters --- */

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

static bool is_pasted(const struct macro *m, uint32_t i)
{
	return (i > m->body && m->token[i - 1].kind == CT_HASH) ||
	       (i + 1 < m->end && m->token[i + 1].kind == CT_HASH);
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
	uint32_t after = next(m, i), before = i;

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
		if (is_pasted(m, i) || is_asked_about(m, i))
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

/* --- bodies --- */

static bool is_do_while(const struct macro *m)
{
	return m->token[first(m)].word == CW_DO;
}

static uint32_t last(const struct macro *m)
{
	return m->end - 1;
}

/* Whether there is a ';' outside of all brackets. */
static bool has_statements(const struct macro *m)
{
	for (uint32_t i = first(m); i < m->end; i = skip(m, i))
		if (m->token[i].op == COP_SEMICOLON)
			return true;
	return false;
}

static bool has_string(const struct macro *m)
{
	for (uint32_t i = first(m); i < m->end; i = skip(m, i))
		if (m->token[i].kind == CT_STRING)
			return true;
	return false;
}

static bool begins_type(const struct macro *m)
{
	struct ctype_reader types = m->line.types;
	uint32_t i = first(m);

	types.limit = m->end;
	while (i + 1 < m->end &&
	       (cword_is_storage((enum cword)m->token[i].word) || m->token[i].word == CW_INLINE))
		i++;
	if (i != first(m) &&
	    (cline_starts(&m->line, i, "DEFINE_") || cline_starts(&m->line, i, "DECLARE_")))
		return true;
	return ctype_base_end(&types, i) != i && !ctoken_is(&m->token[i + 1], '(');
}

/* What begins like a declaration, a loop or an initializer is not an expression. */
static bool begins_no_value(const struct macro *m)
{
	const struct ctoken *t = &m->token[first(m)];

	if (t->op == COP_COMMA && first(m) + 1 < m->end)
		t++;
	if (t->op == COP_DOT || t->op == COP_DOTS)
		return true;
	t = &m->token[first(m)];
	return t->kind == CT_HASH || ctoken_is(t, '{') || ctoken_is(t, '[') || ctoken_is(t, '}') ||
	       t->word == CW_FOR || t->word == CW_ELSE || t->word == CW_DO ||
	       t->word == CW_TYPEDEF || t->word == CW_ATTRIBUTE || begins_type(m) ||
	       cline_starts(&m->line, m->line.first + 2, "TRACE_");
}

/* "a", "a.b->c", "a(x)[3]", "a##b": the token after it. */
static uint32_t skip_primary(const struct macro *m, uint32_t i)
{
	if (i >= m->end)
		return i;
	i = skip(m, i);
	while (i < m->end) {
		const struct ctoken *t = &m->token[i];

		if (ctoken_is(t, '(') || ctoken_is(t, '['))
			i = skip(m, i);
		else if (t->op == COP_DOT || t->op == COP_ARROW || t->kind == CT_HASH)
			i = next(m, i) < m->end ? skip(m, next(m, i)) : m->end;
		else
			break;
	}
	return i;
}

static bool is_primary(const struct ctoken *t)
{
	return t->kind == CT_NUMBER || t->kind == CT_CHAR || ctoken_is(t, '(') ||
	       (t->kind == CT_WORD && t->word != CW_IF && t->word != CW_WHILE &&
		t->word != CW_RETURN && t->word != CW_GOTO && t->word != CW_CASE);
}

/* One value: a name, a call, a constant with a sign, something in brackets. */
static bool is_one_value(const struct macro *m)
{
	uint32_t i = first(m), end;
	const struct ctoken *t = &m->token[i];

	if (t->op == COP_NOT || t->op == COP_TILDE ||
	    (t->op == COP_SUB && i + 1 < m->end && t[1].kind == CT_NUMBER))
		i = next(m, i);
	if (i >= m->end || !is_primary(&m->token[i]))
		return false;
	/* "(a)(b)" is a cast or a call that nothing holds together. */
	end = ctoken_is(&m->token[i], '(') ? skip(m, i) : skip_primary(m, i);
	if (end < m->end && m->token[end].op == COP_SEMICOLON)
		end = next(m, end);
	if (end < m->end && m->token[end].op == COP_COMMA && next(m, end) == m->end)
		return true;
	return end >= m->end;
}

static void find_complex(struct rule_run *run, const struct rule *rule,
			 const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);
	bool multi = strcmp(rule->type, "COMPLEX_MACRO") != 0, is_multi;
	struct macro m;

	if (!macro_read(&l, &m) || begins_no_value(&m))
		return;
	is_multi = m.token[first(&m)].word == CW_IF || has_statements(&m);
	if (is_multi != multi || is_one_value(&m) || (!is_multi && has_string(&m)))
		return;
	cline_report(&l, rule->level, NULL);
}

static void find_flow(struct rule_run *run, const struct rule *rule, const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);
	struct macro m;

	if (!macro_read(&l, &m))
		return;
	for (uint32_t i = m.body; i < m.end; i++)
		if (m.token[i].kind == CT_HASH && m.token[i].len == 2 &&
		    !cline_is(&l, i + 1, "__VA_ARGS__") && !cline_is(&l, i + 1, "args"))
			return;
	for (uint32_t i = m.body; i < m.end; i++)
		if ((m.token[i].word == CW_RETURN || m.token[i].word == CW_GOTO) &&
		    !is_pasted(&m, i)) {
			cline_report_token(&l, rule->level, i, "here");
			return;
		}
}

/* "do { ... } while (0)": the tokens of its brace, or false. */
static bool read_do_while(const struct macro *m, uint32_t *ret_open, uint32_t *ret_end)
{
	uint32_t open = next(m, first(m)), i;

	if (!is_do_while(m) || open >= m->end || !ctoken_is(&m->token[open], '{') ||
	    m->token[open].match >= m->end)
		return false;
	i = next(m, m->token[open].match);
	if (i >= m->end || m->token[i].word != CW_WHILE)
		return false;
	i = next(m, i);
	if (i >= m->end || !ctoken_is(&m->token[i], '(') || !cline_is(&m->line, i + 1, "0") ||
	    !ctoken_is(&m->token[i + 2], ')'))
		return false;
	*ret_open = open;
	*ret_end = next(m, i + 2);
	return true;
}

static bool is_single_statement(const struct macro *m, uint32_t open)
{
	uint32_t close = m->token[open].match, i = next(m, open);
	unsigned semicolons = 0;

	switch (i < close ? m->token[i].word : CW_NONE) {
	case CW_IF:
	case CW_FOR:
	case CW_WHILE:
	case CW_DO:
	case CW_SWITCH: return false;
	default: break;
	}
	for (; i < close; i = next(m, i)) {
		if (ctoken_is(&m->token[i], '{'))
			return false;
		semicolons += m->token[i].op == COP_SEMICOLON;
	}
	return semicolons == 1;
}

static void find_do_while(struct rule_run *run, const struct rule *rule,
			  const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);
	uint32_t open, end;
	struct macro m;
	bool single = strcmp(rule->type, "SINGLE_STATEMENT_DO_WHILE_MACRO") == 0;

	if (!macro_read(&l, &m) || !read_do_while(&m, &open, &end))
		return;
	if (single ? is_single_statement(&m, open)
		   : end < m.end && m.token[end].op == COP_SEMICOLON)
		cline_report(&l, rule->level, NULL);
}

static void find_trailing_semicolon(struct rule_run *run, const struct rule *rule,
				    const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);
	uint32_t open, end;
	struct macro m;

	if (macro_read(&l, &m) && m.token[last(&m)].op == COP_SEMICOLON &&
	    !read_do_while(&m, &open, &end))
		cline_report(&l, rule->level, NULL);
}

static const char help_value[] =
	"What stands beside the macro where it is used binds to a part of it otherwise.";

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
	{
		.type = "COMPLEX_MACRO",
		.level = FINDING_ERROR,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "define",
		.find = find_complex,
		.message = "a macro's value belongs in brackets",
		.help = help_value,
	},
	{
		.type = "MULTISTATEMENT_MACRO_USE_DO_WHILE",
		.level = FINDING_ERROR,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "define",
		.find = find_complex,
		.message = "a macro of several statements belongs in do { } while (0)",
		.help = "After an if without braces only the first of them is conditional "
			"otherwise.",
	},
	{
		.type = "MACRO_WITH_FLOW_CONTROL",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "define",
		.find = find_flow,
		.message = "a macro that leaves the function",
		.help = "Who reads the call does not see that: return a value and decide there.",
	},
	{
		.type = "SINGLE_STATEMENT_DO_WHILE_MACRO",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "define",
		.find = find_do_while,
		.message = "one statement needs no do { } while (0)",
		.help = "The loop is for macros of several statements.",
	},
	{
		.type = "DO_WHILE_MACRO_WITH_TRAILING_SEMICOLON",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "define",
		.find = find_do_while,
		.message = "do { } while (0) in a macro ends without a semicolon",
		.help = "The user writes it; with two of them, an else after the macro does not "
			"parse.",
	},
	{
		.type = "TRAILING_SEMICOLON",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "define",
		.find = find_trailing_semicolon,
		.message = "a macro ends with a semicolon",
		.help = "The user writes it; with two of them, an else after the macro does not "
			"parse.",
	},
};

const struct rule_family family_macro = {"macro", rules, array_size(rules)};
