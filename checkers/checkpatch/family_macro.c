// SPDX-License-Identifier: GPL-2.0-or-later
/* Rules about what macros are made of. */
#include "checkers/checkpatch/macro.h"

static bool is_do_while(const struct macro *m)
{
	return m->token[macro_first(m)].word == CW_DO;
}

static uint32_t last(const struct macro *m)
{
	return m->end - 1;
}

/* Whether there is a ';' outside of all brackets. */
static bool has_statements(const struct macro *m)
{
	for (uint32_t i = macro_first(m); i < m->end; i = macro_skip(m, i))
		if (m->token[i].op == COP_SEMICOLON)
			return true;
	return false;
}

static bool has_string(const struct macro *m)
{
	for (uint32_t i = macro_first(m); i < m->end; i = macro_skip(m, i))
		if (m->token[i].kind == CT_STRING)
			return true;
	return false;
}

static bool begins_type(const struct macro *m)
{
	struct ctype_reader types = m->line.types;
	uint32_t i = macro_first(m);

	types.limit = m->end;
	while (i + 1 < m->end &&
	       (cword_is_storage((enum cword)m->token[i].word) || m->token[i].word == CW_INLINE))
		i++;
	if (i != macro_first(m) &&
	    (cline_starts(&m->line, i, "DEFINE_") || cline_starts(&m->line, i, "DECLARE_")))
		return true;
	return ctype_base_end(&types, i) != i && !ctoken_is(&m->token[i + 1], '(');
}

/* ".name = 3" outside of all brackets: members of a structure are set. */
static bool sets_members(const struct macro *m)
{
	for (uint32_t i = macro_first(m); i + 2 < m->end; i = macro_skip(m, i))
		if (m->token[i].op == COP_DOT && m->token[i + 1].kind == CT_WORD &&
		    m->token[i + 2].op == COP_SET)
			return true;
	return false;
}

/* "{ 1, 2 }" and perhaps a comma or a semicolon. */
static bool is_one_block(const struct macro *m)
{
	uint32_t end = macro_first(m);

	if (!ctoken_is(&m->token[end], '{'))
		return false;
	end = macro_skip(m, end);
	if (end < m->end && (m->token[end].op == COP_COMMA || m->token[end].op == COP_SEMICOLON))
		end = macro_next(m, end);
	return end >= m->end;
}

static bool is_touching(const struct macro *m, uint32_t i)
{
	return i && ctoken_end(&m->token[i - 1]) == m->token[i].at;
}

/* "__attribute__((x))" or a declaration that begins so. */
static bool begins_attribute(const struct macro *m)
{
	uint32_t open = macro_next(m, macro_first(m));

	return m->token[macro_first(m)].word == CW_ATTRIBUTE &&
	       (open >= m->end || is_touching(m, open) || macro_skip(m, open) < m->end);
}

/* What begins like a declaration, a loop or an initializer is not an expression. */
static bool begins_no_value(const struct macro *m)
{
	const struct ctoken *t = &m->token[macro_first(m)];

	return t->op == COP_DOTS || t->kind == CT_HASH || is_one_block(m) || ctoken_is(t, '[') ||
	       ctoken_is(t, '}') || t->word == CW_FOR || t->word == CW_ELSE || t->word == CW_DO ||
	       t->word == CW_TYPEDEF || begins_attribute(m) || begins_type(m) || sets_members(m) ||
	       cline_starts(&m->line, m->line.first + 2, "TRACE_");
}

/* "a", "a.b->c", "a(x)[3]", "a##b", without spaces: the token after it. */
static uint32_t skip_primary(const struct macro *m, uint32_t i)
{
	if (i >= m->end)
		return i;
	i = macro_skip(m, i);
	while (i < m->end) {
		const struct ctoken *t = &m->token[i];

		if ((ctoken_is(t, '(') && is_touching(m, i)) || ctoken_is(t, '['))
			i = macro_skip(m, i);
		else if (((t->op == COP_DOT || t->op == COP_ARROW) && is_touching(m, i)) ||
			 t->kind == CT_HASH)
			i = macro_next(m, i) < m->end ? macro_skip(m, macro_next(m, i)) : m->end;
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
	uint32_t i = macro_first(m), end;
	const struct ctoken *t = &m->token[i];

	if (t->op == COP_NOT || t->op == COP_TILDE ||
	    (t->op == COP_SUB && i + 1 < m->end && t[1].kind == CT_NUMBER))
		i = macro_next(m, i);
	if (i >= m->end || !is_primary(&m->token[i]))
		return false;
	/* "(a)(b)" is a cast or a call that nothing holds together. */
	end = ctoken_is(&m->token[i], '(') ? macro_skip(m, i) : skip_primary(m, i);
	if (end < m->end && m->token[end].op == COP_SEMICOLON)
		end = macro_next(m, end);
	if (end < m->end && m->token[end].op == COP_COMMA && macro_next(m, end) == m->end)
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
	is_multi = m.token[macro_first(&m)].word == CW_IF || has_statements(&m);
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
		    !macro_is_pasted(&m, i)) {
			cline_report_token(&l, rule->level, i, "here");
			return;
		}
}

/* "do { ... } while (0)": the tokens of its brace, or false. */
static bool read_do_while(const struct macro *m, uint32_t *ret_open, uint32_t *ret_end)
{
	uint32_t open = macro_next(m, macro_first(m)), i;

	if (!is_do_while(m) || open >= m->end || !ctoken_is(&m->token[open], '{') ||
	    m->token[open].match >= m->end)
		return false;
	i = macro_next(m, m->token[open].match);
	if (i >= m->end || m->token[i].word != CW_WHILE)
		return false;
	i = macro_next(m, i);
	if (i >= m->end || !ctoken_is(&m->token[i], '(') || !cline_is(&m->line, i + 1, "0") ||
	    !ctoken_is(&m->token[i + 2], ')'))
		return false;
	*ret_open = open;
	*ret_end = macro_next(m, i + 2);
	return true;
}

static bool is_single_statement(const struct macro *m, uint32_t open)
{
	uint32_t close = m->token[open].match, i = macro_next(m, open);
	unsigned semicolons = 0;

	switch (i < close ? m->token[i].word : CW_NONE) {
	case CW_IF:
	case CW_FOR:
	case CW_WHILE:
	case CW_DO:
	case CW_SWITCH: return false;
	default: break;
	}
	for (; i < close; i = macro_next(m, i)) {
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
