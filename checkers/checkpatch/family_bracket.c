// SPDX-License-Identifier: GPL-2.0-or-later
/* Rules about spaces inside of brackets and around braces. */
#include "checkers/checkpatch/cline.h"

static bool is_for_with_empty(const struct cline *l, uint32_t i)
{
	for (uint32_t k = l->first; k < i; k++)
		if (l->token[k].word == CW_FOR)
			return true;
	return false;
}

/* "( x": the line's end is no x. */
static bool opens_with_space(const struct cline *l, uint32_t i)
{
	const struct ctoken *t = &l->token[i];
	uint32_t at = ctoken_end(t);

	if (!cline_space_after(l, i))
		return false;
	if (t->c == '[')
		return true;
	while (at < l->stop && is_blank_char(l->text[at]))
		at++;
	if (at >= l->stop || (l->text[at] == '\\' && at + 1 == l->stop))
		return false;
	return l->text[at] != ';' || !is_for_with_empty(l, i);
}

static bool closes_with_space(const struct cline *l, uint32_t i)
{
	const struct ctoken *t = &l->token[i];

	if (!cline_space_before(l, i))
		return false;
	if (t->c == ']')
		return true;
	if (i == l->first)
		return !cline_begins(l, i);
	if (l->token[i - 1].op == COP_COLON)
		return false;
	return l->token[i - 1].op != COP_SEMICOLON || !is_for_with_empty(l, i);
}

/* Once a line for each kind. */
static void find_brackets(struct rule_run *run, const struct rule *rule,
			  const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);
	bool told[4] = {false};

	for (uint32_t i = l.first; i < l.end; i++) {
		const struct ctoken *t = &l.token[i];
		size_t which = (t->c == '[' || t->c == ']') + (t->kind == CT_CLOSE ? 2 : 0);

		if ((t->kind != CT_OPEN && t->kind != CT_CLOSE) || t->c == '{' || t->c == '}' ||
		    told[which])
			continue;
		told[which] =
			t->kind == CT_OPEN ? opens_with_space(&l, i) : closes_with_space(&l, i);
		if (told[which])
			cline_report_token(&l, FINDING_ERROR, i,
					   t->kind == CT_OPEN ? "no space after"
							      : "no space before");
	}
}

static bool is_cast_before_brace(const struct cline *l, uint32_t close)
{
	uint32_t open = cline_close(l, close), end;

	if (open == CTOKEN_NONE || open < l->first)
		return false;
	end = ctype_end(&l->types, open + 1);
	return end == close && end != open + 1;
}

static bool is_brace_joined(const struct cline *l, uint32_t i)
{
	const struct ctoken *t = &l->token[i], *p = t - 1;

	if (i == l->first || ctoken_end(p) != t->at)
		return false;
	if (p->word == CW_DO || p->word == CW_ELSE)
		return true;
	return ctoken_is(p, ')') && i - 1 > l->first && !is_cast_before_brace(l, i - 1);
}

static bool is_joined_to_brace(const struct cline *l, uint32_t i)
{
	uint32_t at = ctoken_end(&l->token[i]);

	return at < l->stop && !strchr(",;)} \t", l->text[at]);
}

static bool is_tag_joined(const struct cline *l, uint32_t i)
{
	uint32_t k = l->first;

	if (i == l->first || ctoken_end(&l->token[i - 1]) != l->token[i].at)
		return false;
	while (k < i &&
	       (cword_is_storage((enum cword)l->token[k].word) || l->token[k].word == CW_TYPEDEF))
		k++;
	return cword_is_tag((enum cword)l->token[k].word) && i - k <= 2;
}

static void find_braces(struct rule_run *run, const struct rule *rule, const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);
	bool opened = false, closed = false;

	for (uint32_t i = l.first; i < l.end; i++) {
		if (ctoken_is(&l.token[i], '{') && !opened && is_brace_joined(&l, i)) {
			cline_report_token(&l, FINDING_ERROR, i, "a space before");
			opened = true;
		}
		if (ctoken_is(&l.token[i], '{') && is_tag_joined(&l, i))
			cline_report_token(&l, FINDING_WARNING, i, "a space before");
		if (ctoken_is(&l.token[i], '}') && !closed && is_joined_to_brace(&l, i)) {
			cline_report_token(&l, FINDING_ERROR, i, "a space after");
			closed = true;
		}
	}
}

static const char help_spacing[] =
	"Spaces around most operators of two operands, none after those of one, none inside of "
	"brackets: see Documentation/process/coding-style.rst, section 3.1.";

static const struct rule rules[] = {
	{
		.type = "SPACING",
		.level = FINDING_ERROR,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.find = find_brackets,
		.message = "spacing inside of brackets",
		.help = help_spacing,
	},
	{
		.type = "SPACING",
		.level = FINDING_ERROR,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "{|}",
		.find = find_braces,
		.message = "spacing of braces",
		.help = help_spacing,
	},
};

const struct rule_family family_bracket = {"bracket", rules, array_size(rules)};
