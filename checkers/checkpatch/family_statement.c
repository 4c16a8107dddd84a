// SPDX-License-Identifier: GPL-2.0-or-later
/* Rules about where statements stand. */
#include "checkers/checkpatch/cline.h"

static bool is_keyword(const struct ctoken *t, enum cword word)
{
	return t->kind == CT_WORD && t->word == word;
}

static bool is_label_colon(const struct ctoken *t)
{
	return t->op == COP_COLON && (t->role == CR_COLON_CASE || t->role == CR_COLON_LABEL);
}

/* --- TRAILING_STATEMENTS --- */

/* What follows token i on its line, other than a '{' alone and a backslash: a statement. */
static bool is_followed(const struct cline *l, uint32_t i)
{
	uint32_t line = l->token[i].line, end = l->code->tokens.first[line + 1];

	i++;
	if (i < end && ctoken_is(&l->token[i], '{'))
		i++;
	return i < end && l->token[i].kind != CT_SPLICE;
}

/* "while (x);" that ends a do. */
static bool ends_do(const struct cline *l, uint32_t i)
{
	uint32_t open, before;

	if (i > l->first)
		return ctoken_is(&l->token[i - 1], '}') || is_keyword(&l->token[l->first], CW_DO);
	while (i > 1 && l->token[i - 1].kind == CT_SPLICE)
		i--;
	if (i == 0)
		return false;
	if (ctoken_is(&l->token[i - 1], '}')) {
		open = l->token[i - 1].match;
		return open != CTOKEN_NONE && open > 0 && is_keyword(&l->token[open - 1], CW_DO);
	}
	before = view_prev_code(l->view, view_prev_code(l->view, l->line));
	if (before == VIEW_NONE)
		return false;
	open = l->code->tokens.first[before];
	return is_keyword(&l->token[open], CW_DO) && l->code->tokens.first[before + 1] == open + 1;
}

/* if, while and for: whether something stands behind the condition. */
static bool trails_condition(const struct cline *l, uint32_t i)
{
	uint32_t close;

	if (i + 1 >= l->end || !ctoken_is(&l->token[i + 1], '('))
		return false;
	close = l->token[i + 1].match;
	if (close == CTOKEN_NONE || (is_keyword(&l->token[i], CW_WHILE) && ends_do(l, i)))
		return false;
	return is_followed(l, close);
}

static bool trails_else(const struct cline *l, uint32_t i)
{
	return i + 1 < l->end && !is_keyword(&l->token[i + 1], CW_IF) && is_followed(l, i);
}

/* "case x: statement;" */
static bool trails_case(const struct cline *l)
{
	uint32_t i = l->first;

	while (i < l->end &&
	       (is_keyword(&l->token[i], CW_CASE) || is_keyword(&l->token[i], CW_DEFAULT))) {
		while (i < l->end && !is_label_colon(&l->token[i]))
			i++;
		i++;
	}
	if (i >= l->end || i == l->first)
		return false;
	if (is_keyword(&l->token[i], CW_RETURN) && i + 1 < l->end &&
	    l->token[i + 1].op != COP_SEMICOLON)
		return false;
	return is_followed(l, i - 1);
}

static bool trails(const struct cline *l)
{
	if (trails_case(l))
		return true;
	for (uint32_t i = l->first; i < l->end; i++) {
		switch (l->token[i].word) {
		case CW_IF:
			if (i > l->first && ctoken_is(&l->token[i - 1], '}'))
				return true;
			/* fallthrough */
		case CW_WHILE:
		case CW_FOR: return trails_condition(l, i);
		case CW_ELSE:
			if (trails_else(l, i))
				return true;
			break;
		default: break;
		}
	}
	return false;
}

static void find_trailing(struct rule_run *run, const struct rule *rule,
			  const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);

	if (l.first != l.end && l.token[l.first].c != '#' && trails(&l))
		cline_report(&l, rule->level, NULL);
}

/* --- SUSPECT_CODE_INDENT --- */

/* The token that the body of a statement comes after, or CTOKEN_NONE. */
static uint32_t head_end(const struct cline *l)
{
	uint32_t i = l->first, close;

	if (i < l->end && ctoken_is(&l->token[i], '}'))
		i++;
	if (i < l->end && is_keyword(&l->token[i], CW_ELSE)) {
		if (i + 1 >= l->end || !is_keyword(&l->token[i + 1], CW_IF))
			return i;
		i++;
	}
	if (i >= l->end)
		return CTOKEN_NONE;
	if (is_keyword(&l->token[i], CW_DO))
		return i;
	if (l->token[i].word != CW_IF && l->token[i].word != CW_WHILE && l->token[i].word != CW_FOR)
		return CTOKEN_NONE;
	if (i + 1 >= l->end || !ctoken_is(&l->token[i + 1], '('))
		return CTOKEN_NONE;
	close = l->token[i + 1].match;
	return close == CTOKEN_NONE || (l->token[i].word == CW_WHILE && ends_do(l, i)) ? CTOKEN_NONE
										       : close;
}

/* The first line below that is code of C; labels stand where they like. */
static uint32_t body_line(const struct cline *l, uint32_t line)
{
	for (line = view_next_code(l->view, line); line != VIEW_NONE;
	     line = view_next_code(l->view, line)) {
		uint32_t i = l->code->tokens.first[line], end = l->code->tokens.first[line + 1];

		if (i == end)
			continue;
		if (l->token[i].c == '#') {
			/* What another branch of an #if has is no body. */
			if (cline_starts(l, i + 1, "el"))
				return VIEW_NONE;
			continue;
		}
		if (ctoken_is(&l->token[i], '{') && end == i + 1)
			continue;
		if (end > i + 1 && l->token[i + 1].op == COP_COLON && l->token[i].kind == CT_WORD)
			return VIEW_NONE;
		return line;
	}
	return VIEW_NONE;
}

static bool is_suspect(unsigned outer, unsigned inner, const struct ctoken *t)
{
	if (inner % 8 || inner < outer || inner > outer + 8)
		return true;
	return inner == outer && !ctoken_is(t, '}') && !ctoken_is(t, '{') &&
	       !is_keyword(t, CW_ELSE);
}

static void find_indent(struct rule_run *run, const struct rule *rule, const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);
	uint32_t head, end, below;
	unsigned outer, inner;

	if (l.first == l.end || l.token[l.first].c == '#')
		return;
	head = head_end(&l);
	if (head == CTOKEN_NONE)
		return;
	end = l.code->tokens.first[l.token[head].line + 1];
	if (head + 1 < end && ctoken_is(&l.token[head + 1], '{'))
		head++;
	/* Something behind it is another rule's; a macro may end here. */
	if (head + 1 < end ? l.token[head + 1].kind != CT_SPLICE : l.token[head].in_directive)
		return;
	below = body_line(&l, l.token[head].line);
	/* The end of a macro is no statement's beginning. */
	if (below == VIEW_NONE ||
	    l.token[l.code->tokens.first[below]].in_directive != l.token[head].in_directive)
		return;
	outer = view_indent(s->view, s->at);
	inner = view_indent(s->view, below);
	if (is_suspect(outer, inner, &l.token[l.code->tokens.first[below]])) {
		auto_free char *detail = xasprintf("%u columns, and %u below", outer, inner);

		cline_report(&l, rule->level, detail);
	}
}

/* --- others --- */

static uint32_t leading_tabs(const struct view *v, uint32_t i)
{
	uint32_t n = 0;

	while (n < v->line[i].len && view_text(v, i)[n] == '\t')
		n++;
	return n;
}

static bool begins_statement(const struct ctoken *t)
{
	switch (t->word) {
	case CW_IF:
	case CW_ELSE:
	case CW_FOR:
	case CW_DO:
	case CW_WHILE:
	case CW_SWITCH: return true;
	default: return false;
	}
}

static void find_deep(struct rule_run *run, const struct rule *rule, const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);
	uint32_t tabs = 0;

	while (tabs < s->len && s->text[tabs] == '\t')
		tabs++;
	if (tabs >= 6 && l.first != l.end && l.token[l.first].at == l.start + tabs &&
	    begins_statement(&l.token[l.first]))
		cline_report(&l, rule->level, NULL);
}

static bool begins_keyword(const struct ctoken *t)
{
	return begins_statement(t) || t->word == CW_RETURN || t->word == CW_GOTO ||
	       t->word == CW_BREAK || t->word == CW_CONTINUE || t->word == CW_CASE ||
	       t->word == CW_DEFAULT;
}

/* "type name;", "type name =" */
static bool declares(const struct cline *l)
{
	uint32_t end = ctype_end(&l->types, l->first);

	return end != l->first && end + 1 < l->end && l->token[end].kind == CT_WORD &&
	       (l->token[end + 1].op == COP_SEMICOLON || l->token[end + 1].op == COP_SET);
}

/* Tabs, and then some spaces. */
static void find_tabstop(struct rule_run *run, const struct rule *rule,
			 const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);
	uint32_t tabs = leading_tabs(s->view, s->at), spaces = tabs;

	while (spaces < s->len && s->text[spaces] == ' ')
		spaces++;
	if (l.first == l.end || tabs == 0 || spaces == tabs || spaces - tabs > 7 ||
	    l.token[l.first].at != l.start + spaces)
		return;
	if (begins_keyword(&l.token[l.first]) || declares(&l))
		cline_report(&l, rule->level, NULL);
}

/* Tokens that are looked at where no end is in sight. */
#define CUT_MAX 500

static void find_switch(struct rule_run *run, const struct rule *rule, const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);
	uint32_t i = l.first, close;
	unsigned indent = view_indent(s->view, s->at);

	if (l.end - l.first < 3 || !is_keyword(&l.token[i], CW_SWITCH) ||
	    !ctoken_is(&l.token[i + 1], '('))
		return;
	i = l.token[i + 1].match;
	if (i == CTOKEN_NONE || i + 1 >= l.code->tokens.n || !ctoken_is(&l.token[i + 1], '{'))
		return;
	close = l.token[i + 1].match;
	/* Of a switch that the hunk cuts off, the beginning is enough. */
	if (close == CTOKEN_NONE)
		close = i + CUT_MAX;
	for (i += 2; i < l.code->tokens.n && i < close; i++) {
		const struct ctoken *t = &l.token[i];

		if (l.view->line[t->line].hunk != s->line->hunk)
			return;
		if (t->kind == CT_OPEN && t->match != CTOKEN_NONE)
			i = t->match;
		else if (t->is_first && (t->word == CW_CASE || t->word == CW_DEFAULT) &&
			 view_indent(s->view, t->line) != indent) {
			cline_report(&l, rule->level, NULL);
			return;
		}
	}
}

static void find_label(struct rule_run *run, const struct rule *rule, const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);
	const struct ctoken *t = &l.token[l.first];
	char after;

	if (l.end - l.first < 2 || t->kind != CT_WORD || t[1].op != COP_COLON ||
	    t->word == CW_DEFAULT || t->at == l.start || t[1].at != ctoken_end(t))
		return;
	/* One space keeps diff from taking the label for the function's name. */
	if (t->at == l.start + 1 && s->text[0] == ' ')
		return;
	/* "name:3" is a field of bits. */
	after = l.text[ctoken_end(&t[1])];
	if (after >= '0' && after <= '9')
		return;
	if (l.end - l.first > 2 && t[2].kind == CT_NUMBER)
		return;
	cline_report(&l, rule->level, NULL);
}

static void find_default(struct rule_run *run, const struct rule *rule,
			 const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);

	if (l.end - l.first == 3 && is_keyword(&l.token[l.first], CW_DEFAULT) &&
	    l.token[l.first + 1].op == COP_COLON && l.token[l.first + 2].op == COP_SEMICOLON)
		cline_report(&l, rule->level, NULL);
}

static void find_semicolons(struct rule_run *run, const struct rule *rule,
			    const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);
	const struct ctoken *last = &l.token[l.end - 1];

	if (l.end - l.first < 2 || last->op != COP_SEMICOLON || last[-1].op != COP_SEMICOLON)
		return;
	for (uint32_t at = ctoken_end(last); at < l.stop; at++)
		if (!is_blank_char(l.text[at]))
			return;
	cline_report(&l, rule->level, NULL);
}

static const struct rule rules[] = {
	{
		.type = "TRAILING_STATEMENTS",
		.level = FINDING_ERROR,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "if|else|for|while|case|default",
		.find = find_trailing,
		.message = "a statement stands behind another",
		.help = "On a line of its own it is seen, and a debugger can stop there.",
	},
	{
		.type = "SUSPECT_CODE_INDENT",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "if|else|for|while|do",
		.find = find_indent,
		.message = "the indentation of what a statement governs",
		.help = "One tab more than the statement itself.",
	},
	{
		.type = "DEEP_INDENTATION",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "\t\t\t\t\t\t",
		.find = find_deep,
		.message = "a statement six or more levels deep",
		.help = "A function for the inner part, or an early return, makes it readable.",
	},
	{
		.type = "TABSTOP",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.find = find_tabstop,
		.message = "a statement does not begin at a tab stop",
		.help = "Indentation is by tabs of eight columns.",
	},
	{
		.type = "SWITCH_CASE_INDENT_LEVEL",
		.level = FINDING_ERROR,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "switch",
		.find = find_switch,
		.message = "case stands as far left as its switch",
		.help = "The kernel does not indent labels.",
	},
	{
		.type = "INDENTED_LABEL",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = ":",
		.find = find_label,
		.message = "a label is not indented",
		.help = "At the left edge it is found.",
	},
	{
		.type = "DEFAULT_NO_BREAK",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "default",
		.find = find_default,
		.message = "an empty default has a break",
		.help = "A case that is added below is not fallen into then.",
	},
	{
		.type = "ONE_SEMICOLON",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = ";;|; ;|;\t;",
		.find = find_semicolons,
		.message = "two semicolons",
		.help = "The second is an empty statement.",
	},
};

const struct rule_family family_statement = {"statement", rules, array_size(rules)};
