// SPDX-License-Identifier: GPL-2.0-or-later
/* Rules about what follows a return, break or goto. */
#include "checkers/checkpatch/cline.h"

static bool is_keyword(const struct ctoken *t, enum cword word)
{
	return t->kind == CT_WORD && t->word == word;
}

static uint32_t leading_tabs(const struct view *v, uint32_t i)
{
	uint32_t n = 0;

	while (n < v->line[i].len && view_text(v, i)[n] == '\t')
		n++;
	return n;
}

/* The line before, when it begins with this many tabs and one of two words, and ends in ';'. */
static bool line_before_is(const struct cline *l, uint32_t tabs, enum cword a, enum cword b)
{
	uint32_t before = view_prev(l->view, l->line), first, end;

	if (before == VIEW_NONE)
		return false;
	first = l->code->tokens.first[before];
	end = l->code->tokens.first[before + 1];
	return first < end && leading_tabs(l->view, before) == tabs &&
	       l->token[first].at == l->view->line[before].start + tabs &&
	       (is_keyword(&l->token[first], a) || is_keyword(&l->token[first], b)) &&
	       l->token[end - 1].op == COP_SEMICOLON;
}

/* When both arms return, the else makes it plain that there are two. */
static bool line_after_returns(const struct cline *l)
{
	uint32_t below = view_next_code(l->view, l->line);

	return below != VIEW_NONE && is_keyword(&l->token[l->code->tokens.first[below]], CW_RETURN);
}

static void find_unnecessary_else(struct rule_run *run, const struct rule *rule,
				  const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);
	uint32_t i = l.first, tabs = leading_tabs(s->view, s->at);

	if (i < l.end && ctoken_is(&l.token[i], '}'))
		i++;
	if (i >= l.end || !is_keyword(&l.token[i], CW_ELSE) || tabs == 0)
		return;
	if (i + 1 < l.end && is_keyword(&l.token[i + 1], CW_IF))
		return;
	if (line_before_is(&l, tabs + 1, CW_RETURN, CW_BREAK) && !line_after_returns(&l))
		cline_report(&l, rule->level, NULL);
}

static void find_unnecessary_break(struct rule_run *run, const struct rule *rule,
				   const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);

	if (l.end - l.first == 2 && is_keyword(&l.token[l.first], CW_BREAK) &&
	    line_before_is(&l, leading_tabs(s->view, s->at), CW_RETURN, CW_GOTO))
		cline_report(&l, rule->level, NULL);
}

/* "\treturn;" and "}" below, but for a label above. */
static void find_return_void(struct rule_run *run, const struct rule *rule,
			     const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);
	uint32_t before = view_prev(s->view, s->at), above, i;

	if (l.end - l.first != 1 || !ctoken_is(&l.token[l.first], '}') ||
	    l.token[l.first].at != l.start || before == VIEW_NONE ||
	    s->view->line[before].kind != LINE_ADDED)
		return;
	i = l.code->tokens.first[before];
	if (l.code->tokens.first[before + 1] - i != 2 || !is_keyword(&l.token[i], CW_RETURN) ||
	    l.token[i + 1].op != COP_SEMICOLON || leading_tabs(s->view, before) != 1)
		return;
	above = view_prev(s->view, before);
	if (above == VIEW_NONE)
		return;
	i = l.code->tokens.first[above];
	if (l.code->tokens.first[above + 1] - i >= 2 && l.token[i].kind == CT_WORD &&
	    l.token[i + 1].op == COP_COLON)
		return;
	cline_report(&l, rule->level, NULL);
}

static const struct rule rules[] = {
	{
		.type = "UNNECESSARY_ELSE",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "else",
		.find = find_unnecessary_else,
		.message = "no else is needed after a return or break",
		.help = "What follows is reached only when the condition does not hold.",
	},
	{
		.type = "UNNECESSARY_BREAK",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "break",
		.find = find_unnecessary_break,
		.message = "the break is never reached",
		.help = "The line above leaves already.",
	},
	{
		.type = "RETURN_VOID",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "}",
		.find = find_return_void,
		.message = "a return at the end of a function that returns nothing",
		.help = "The '}' returns.",
	},
};

const struct rule_family family_return = {"return", rules, array_size(rules)};
