// SPDX-License-Identifier: GPL-2.0-or-later
/* Rules about how lines go on. */
#include "checkers/checkpatch/cline.h"

/* The last token of a line is what ends it: no comment follows. */
static bool ends_line(const struct cline *l, uint32_t i)
{
	for (uint32_t at = ctoken_end(&l->token[i]); at < l->stop; at++)
		if (!is_blank_char(l->text[at]))
			return false;
	return true;
}

static struct cline line_at(const struct cline *l, uint32_t line)
{
	struct rule_subject s = {.view = l->view, .at = line};

	return cline_of(l->run, l->rule, &s);
}

/* "foo.bar[3]->baz": the token after it, or i. */
static uint32_t lvalue_end(const struct cline *l, uint32_t i)
{
	if (i >= l->end || l->token[i].kind != CT_WORD)
		return i;
	i++;
	for (;;) {
		if (i + 1 < l->end && (l->token[i].op == COP_DOT || l->token[i].op == COP_ARROW) &&
		    l->token[i + 1].kind == CT_WORD)
			i += 2;
		else if (i < l->end && ctoken_is(&l->token[i], '[') && l->token[i].match < l->end)
			i = l->token[i].match + 1;
		else
			return i;
	}
}

static bool is_word_and_bracket(const struct cline *l, uint32_t i)
{
	return i + 1 < l->end && l->token[i].kind == CT_WORD && ctoken_is(&l->token[i + 1], '(');
}

/* "type name(", "*a.b = name(", "(*name)(", "else if (": lines whose next one lines up. */
static bool begins_aligned(const struct cline *l)
{
	uint32_t i = l->first, end;

	if (is_word_and_bracket(l, i) ||
	    (l->token[i].word == CW_ELSE && is_word_and_bracket(l, i + 1)))
		return true;
	while (i < l->end &&
	       (cword_is_storage((enum cword)l->token[i].word) || l->token[i].word == CW_INLINE))
		i++;
	end = ctype_end(&l->types, i);
	if (end != i && is_word_and_bracket(l, end))
		return true;
	i = l->first;
	while (i < l->end && l->token[i].op == COP_MUL)
		i++;
	end = lvalue_end(l, i);
	return end != i && end < l->end && ctoken_is(&l->token[end], '=') &&
	       is_word_and_bracket(l, end + 1);
}

static bool ends_aligned(const struct cline *l)
{
	uint8_t op = l->token[l->end - 1].op;

	return (op == COP_COMMA || op == COP_AND_AND || op == COP_OR_OR) &&
	       ends_line(l, l->end - 1);
}

/* The last bracket that a line leaves open, or CTOKEN_NONE. */
static uint32_t last_open(const struct cline *l)
{
	unsigned closed = 0;

	for (uint32_t i = l->end; i > l->first; i--) {
		const struct ctoken *t = &l->token[i - 1];

		if (ctoken_is(t, ')'))
			closed++;
		else if (ctoken_is(t, '(') && closed-- == 0)
			return i - 1;
	}
	return CTOKEN_NONE;
}

/* Tabs and then less than eight spaces, or only spaces. */
static bool is_indented_to(const struct cline *l, unsigned column)
{
	const char *s = l->text + l->start;
	size_t n = 0, tabs = 0;

	while (s[n] == ' ' || s[n] == '\t')
		n++;
	while (tabs < n && s[tabs] == '\t')
		tabs++;
	if (memchr(s + tabs, '\t', n - tabs))
		return false;
	return tabs ? tabs == column / 8 && n - tabs == column % 8 : n == column;
}

static void find_alignment(struct rule_run *run, const struct rule *rule,
			   const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s), p;
	uint32_t before = view_prev(s->view, s->at), open;

	if (before == VIEW_NONE || s->view->line[before].kind != LINE_ADDED)
		return;
	p = line_at(&l, before);
	if (p.first == p.end || ctoken_is(&p.token[p.first], '#') || !ends_aligned(&p) ||
	    !begins_aligned(&p))
		return;
	open = last_open(&p);
	if (open == CTOKEN_NONE)
		return;
	if (!is_indented_to(&l,
			    text_columns(p.text + p.start, ctoken_end(&p.token[open]) - p.start)))
		cline_report(&l, rule->level, NULL);
}

static bool is_open_ended(const struct rule_subject *s)
{
	size_t n = s->len;

	while (n && is_blank_char(s->text[n - 1]))
		n--;
	return n && (s->text[n - 1] == '(' || s->text[n - 1] == '[');
}

static void find_continuation(struct rule_run *run, const struct rule *rule,
			      const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);
	const struct ctoken *t = l.first == l.end ? NULL : &l.token[l.first];
	bool logical = strcmp(rule->type, "LOGICAL_CONTINUATIONS") == 0;

	if (!t)
		return;
	if (logical ? t->op == COP_AND_AND || t->op == COP_OR_OR
		    : ctoken_is(t, '=') || (t->op >= COP_ADD_SET && t->op <= COP_AND_SET) ||
			      t->op == COP_SHL_SET || t->op == COP_SHR_SET)
		cline_report_token(&l, rule->level, l.first, "goes to the end of the line before:");
}

static void find_dereference(struct rule_run *run, const struct rule *rule,
			     const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s), p;
	uint32_t before = view_prev(s->view, s->at);
	const struct ctoken *t;

	if (l.first == l.end || l.token[l.first].kind != CT_WORD || before == VIEW_NONE)
		return;
	p = line_at(&l, before);
	if (p.end - p.first < 2 || !ends_line(&p, p.end - 1))
		return;
	t = &p.token[p.end - 1];
	if ((t->op == COP_DOT || t->op == COP_ARROW) &&
	    (t[-1].kind == CT_WORD || ctoken_is(t - 1, ']')))
		cline_report(&l, rule->level, NULL);
}

static const struct rule rules[] = {
	{
		.type = "PARENTHESIS_ALIGNMENT",
		.level = FINDING_CHECK,
		.scope = RULE_CODE | RULE_CONTEXT,
		.files = FILE_CODE,
		.find = find_alignment,
		.message = "what goes on stands below what follows the open parenthesis",
		.help = "Tabs as far as they go, then spaces.",
	},
	{
		.type = "OPEN_ENDED_LINE",
		.level = FINDING_CHECK,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "(|[",
		.test = is_open_ended,
		.message = "a line does not end with an open bracket",
		.help = "Put the first argument behind it; a shorter name or a variable makes "
			"room.",
	},
	{
		.type = "LOGICAL_CONTINUATIONS",
		.level = FINDING_CHECK,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.find = find_continuation,
		.message = "an operator begins a line",
		.help = "At the end of a line it says that the condition goes on.",
	},
	{
		.type = "ASSIGNMENT_CONTINUATIONS",
		.level = FINDING_CHECK,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "=",
		.find = find_continuation,
		.message = "an assignment begins a line",
		.help = "At the end of a line it says that the value follows.",
	},
	{
		.type = "MULTILINE_DEREFERENCE",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.find = find_dereference,
		.message = "a name is spread over two lines",
		.help = "a->\\nb is not found by a search for a->b: break the line elsewhere.",
	},
};

const struct rule_family family_align = {"align", rules, array_size(rules)};
