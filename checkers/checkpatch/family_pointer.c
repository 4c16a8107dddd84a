// SPDX-License-Identifier: GPL-2.0-or-later
/* Rules about where '*' and '[' stand, and about empty parameter lists. */
#include "checkers/checkpatch/cline.h"

static bool bracket_may_have_space(const struct cline *l, uint32_t i)
{
	const struct ctoken *p;

	if (i == l->first)
		return cline_begins(l, i);
	p = &l->token[i - 1];
	if (p->c == '{' || p->op == COP_COMMA || p->op == COP_COLON)
		return true;
	return p->role == CR_TYPE || ctype_is_name(&l->types, p) ||
	       cword_is_type((enum cword)p->word) ||
	       (i > l->first + 1 && cword_is_tag((enum cword)p[-1].word));
}

static void find_bracket_space(struct rule_run *run, const struct rule *rule,
			       const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);

	for (uint32_t i = l.first; i < l.end; i++)
		if (ctoken_is(&l.token[i], '[') && cline_space_before(&l, i) &&
		    !bracket_may_have_space(&l, i))
			cline_report(&l, rule->level, NULL);
}

/* Whether what stands between a type and a name (or a closing bracket) is as it should be: a space
 * first, none between stars, none after the last of them. Words between stars are let be. */
static bool pointer_is_good(const struct cline *l, uint32_t first, uint32_t end)
{
	const struct ctoken *t = l->token;

	if (ctoken_end(&t[first - 1]) == t[first].at)
		return false;
	for (uint32_t i = first; i + 1 < end; i++)
		if (t[i].op == COP_MUL && t[i + 1].op == COP_MUL &&
		    ctoken_end(&t[i]) != t[i + 1].at)
			return false;
	return t[end - 1].op != COP_MUL || ctoken_end(&t[end - 1]) == t[end].at;
}

static bool has_star(const struct cline *l, uint32_t first, uint32_t end)
{
	for (uint32_t i = first; i < end; i++)
		if (l->token[i].op == COP_MUL)
			return true;
	return false;
}

static void check_pointer(const struct cline *l, uint32_t i, uint32_t base, uint32_t end)
{
	bool in_brackets = ctoken_is(&l->token[end], ')');

	if (in_brackets && (i == l->first || !ctoken_is(&l->token[i - 1], '(')))
		return;
	if (!in_brackets && (l->token[end].kind != CT_WORD || l->token[end].word))
		return;
	if (!pointer_is_good(l, base, end))
		cline_report_text(l, l->rule->level, l->token[i].at, ctoken_end(&l->token[end]),
				  "in");
}

static void find_pointers(struct rule_run *run, const struct rule *rule,
			  const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);

	if (!memchr(s->text, '*', s->len))
		return;
	for (uint32_t i = l.first; i < l.end; i++) {
		uint32_t base = ctype_base_end(&l.types, i), end;

		if (base == i)
			continue;
		end = base;
		while (end < l.end &&
		       (l.token[end].op == COP_MUL || ctype_is_modifier(&l.types, &l.token[end])))
			end++;
		if (end < l.end && has_star(&l, base, end))
			check_pointer(&l, i, base, end);
		i = end - 1;
	}
}

static void find_without_args(struct rule_run *run, const struct rule *rule,
			      const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);

	for (uint32_t i = l.first; i + 3 < l.end; i++) {
		uint32_t end = ctype_end(&l.types, i);

		if (end != i && end + 2 < l.end && l.token[end].kind == CT_WORD &&
		    ctoken_is(&l.token[end + 1], '(') && ctoken_is(&l.token[end + 2], ')')) {
			cline_report_token(&l, rule->level, end, "for");
			return;
		}
	}
}

static const char help_spacing[] =
	"Spaces around most operators of two operands, none after those of one, none inside of "
	"brackets: see Documentation/process/coding-style.rst, section 3.1.";

static const struct rule rules[] = {
	{
		.type = "BRACKET_SPACE",
		.level = FINDING_ERROR,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = " [|\t[",
		.find = find_bracket_space,
		.message = "a '[' touches what it indexes",
		.help = help_spacing,
	},
	{
		.type = "POINTER_LOCATION",
		.level = FINDING_ERROR,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "*",
		.find = find_pointers,
		.message = "the '*' belongs to the name, not to the type",
		.help = "In `char *a, b` only a is a pointer: the star is next to what it is "
			"about.",
	},
	{
		.type = "FUNCTION_WITHOUT_ARGS",
		.level = FINDING_ERROR,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "()|( )",
		.find = find_without_args,
		.message = "a function without parameters takes (void)",
		.help = "Empty brackets leave it open what is passed, and the compiler checks "
			"nothing.",
	},
};

const struct rule_family family_pointer = {"pointer", rules, array_size(rules)};
