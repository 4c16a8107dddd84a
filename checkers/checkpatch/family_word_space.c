// SPDX-License-Identifier: GPL-2.0-or-later
/* Rules about spaces between a word and a bracket. */
#include "checkers/checkpatch/cline.h"

static void find_keywords(struct rule_run *run, const struct rule *rule,
			  const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);

	for (uint32_t i = l.first; i + 1 < l.end; i++) {
		switch (l.token[i].word) {
		case CW_IF:
		case CW_WHILE:
		case CW_FOR:
		case CW_SWITCH:
			if (!ctoken_is(&l.token[i + 1], '(') ||
			    l.token[i + 1].at != ctoken_end(&l.token[i]))
				break;
			cline_report_token(&l, FINDING_ERROR, i, "a space after");
			return;
		default: break;
		}
	}
}

/* Words that are no functions, though a bracket follows. */
static bool is_no_function(const struct cline *l, uint32_t i)
{
	const struct ctoken *t = &l->token[i];

	switch (t->word) {
	case CW_IF:
	case CW_FOR:
	case CW_WHILE:
	case CW_SWITCH:
	case CW_RETURN:
	case CW_CASE:
	case CW_VOLATILE:
	case CW_ASM:
	case CW_ATTRIBUTE: return true;
	default: break;
	}
	return cword_is_type((enum cword)t->word) || ctype_is_name(&l->types, t) ||
	       cline_is(l, i, "__volatile__") || cline_is(l, i, "__extension__") ||
	       cline_is(l, i, "format") || cline_starts(l, i, "for_each") ||
	       (i > l->first && cword_is_tag((enum cword)l->token[i - 1].word));
}

/* "#define X (1)", "#elif (X)". */
static bool is_directive_word(const struct cline *l, uint32_t i)
{
	if (!ctoken_is(&l->token[l->first], '#'))
		return false;
	return i == l->first + 1 || (i == l->first + 2 && cline_directive(l, "define"));
}

static void find_calls(struct rule_run *run, const struct rule *rule, const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);

	for (uint32_t i = l.first; i + 1 < l.end; i++) {
		uint32_t gap = l.token[i + 1].at - ctoken_end(&l.token[i]);

		if (l.token[i].kind != CT_WORD || !ctoken_is(&l.token[i + 1], '(') || gap == 0)
			continue;
		/* With a comment between it is let pass. */
		if (memchr(l.text + ctoken_end(&l.token[i]), VIEW_COMMENT, gap) ||
		    is_no_function(&l, i) || is_directive_word(&l, i))
			continue;
		cline_report_token(&l, FINDING_WARNING, i,
				   "no space between a function's name and '(':");
	}
}

static bool begins_with_declaration(const struct cline *l)
{
	uint32_t i = l->first, end;

	while (i < l->end &&
	       (cword_is_storage((enum cword)l->token[i].word) || l->token[i].word == CW_INLINE))
		i++;
	end = ctype_end(&l->types, i);
	return end != i && end + 1 < l->end && l->token[end].kind == CT_WORD &&
	       ctoken_is(&l->token[end + 1], '(');
}

static void find_casts(struct rule_run *run, const struct rule *rule, const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);

	if (begins_with_declaration(&l))
		return;
	for (uint32_t i = l.first; i + 2 < l.end; i++) {
		uint32_t end;
		char next;

		if (!ctoken_is(&l.token[i], '(') ||
		    (i > l.first && l.token[i - 1].word == CW_SIZEOF))
			continue;
		end = ctype_end(&l.types, i + 1);
		if (end == i + 1 || end + 1 >= l.end || !ctoken_is(&l.token[end], ')') ||
		    !cline_space_after(&l, end))
			continue;
		next = l.token[end + 1].c;
		if (next == '{' || next == '=' || next == ',' || next == '\\')
			continue;
		cline_report_token(&l, FINDING_CHECK, end, "a cast needs no space after");
		return;
	}
}

static void find_before_semicolon(struct rule_run *run, const struct rule *rule,
				  const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);
	uint32_t i = l.end - 1;

	if (l.end - l.first < 2 || l.token[i].op != COP_SEMICOLON || !cline_space_before(&l, i))
		return;
	for (uint32_t at = ctoken_end(&l.token[i]); at < l.stop; at++)
		if (!is_blank_char(l.text[at]))
			return;
	cline_report(&l, FINDING_WARNING, "no space before a semicolon");
}

/* "int (*name) (": type, bracket, star, name, bracket, bracket. */
static uint32_t function_pointer(const struct cline *l, uint32_t i)
{
	const struct ctoken *t = l->token;
	uint32_t end = ctype_end(&l->types, i);

	if (end == i || end + 4 >= l->end)
		return CTOKEN_NONE;
	return ctoken_is(&t[end], '(') && t[end + 1].op == COP_MUL && t[end + 2].kind == CT_WORD &&
			       ctoken_is(&t[end + 3], ')') && ctoken_is(&t[end + 4], '(')
		       ? end
		       : CTOKEN_NONE;
}

static void find_function_pointers(struct rule_run *run, const struct rule *rule,
				   const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);

	uint32_t i = l.first, open;

	while (i < l.end &&
	       (cword_is_storage((enum cword)l.token[i].word) || l.token[i].word == CW_INLINE))
		i++;
	open = function_pointer(&l, i);
	if (open == CTOKEN_NONE)
		return;
	if (ctoken_end(&l.token[open - 1]) == l.token[open].at && l.token[open - 1].op != COP_MUL)
		cline_report(&l, FINDING_WARNING, "a space after the type");
	if (cline_space_after(&l, open))
		cline_report(&l, FINDING_WARNING, "no space after the '('");
	if (cline_space_after(&l, open + 1))
		cline_report(&l, FINDING_WARNING, "no space before the name");
	if (cline_space_after(&l, open + 3))
		cline_report(&l, FINDING_WARNING, "no space before the arguments");
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
		.need = "if(|for(|while(|switch(",
		.find = find_keywords,
		.message = "spacing of a statement",
		.help = help_spacing,
	},
	{
		.type = "SPACING",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = " (|\t(",
		.find = find_calls,
		.message = "spacing of a call",
		.help = help_spacing,
	},
	{
		.type = "SPACING",
		.level = FINDING_CHECK,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = ") |)\t",
		.find = find_casts,
		.message = "spacing of a cast",
		.help = help_spacing,
	},
	{
		.type = "SPACING",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = " ;|\t;",
		.find = find_before_semicolon,
		.message = "spacing of a statement",
		.help = help_spacing,
	},
	{
		.type = "SPACING",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "*",
		.find = find_function_pointers,
		.message = "spacing of a function pointer",
		.help = help_spacing,
	},
};

const struct rule_family family_word_space = {"word_space", rules, array_size(rules)};
