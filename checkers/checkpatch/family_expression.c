// SPDX-License-Identifier: GPL-2.0-or-later
/* Rules about expressions. */
#include "checkers/checkpatch/cline.h"

#include <strings.h>

static bool is_compare(const struct ctoken *t)
{
	return t->op == COP_EQ || t->op == COP_NE || t->op == COP_LT || t->op == COP_GT ||
	       t->op == COP_LE || t->op == COP_GE;
}

static bool is_assign(const struct ctoken *t)
{
	return t->op == COP_SET || (t->op >= COP_ADD_SET && t->op <= COP_AND_SET) ||
	       t->op == COP_SHL_SET || t->op == COP_SHR_SET;
}

/* "a.b[3]->c": the token after it, or i. Over lines as far as `end`. */
static uint32_t lvalue_end(const struct ctoken *t, uint32_t i, uint32_t end)
{
	if (i >= end || t[i].kind != CT_WORD)
		return i;
	for (i++; i < end;) {
		if ((t[i].op == COP_DOT || t[i].op == COP_ARROW) && i + 1 < end &&
		    t[i + 1].kind == CT_WORD)
			i += 2;
		else if (ctoken_is(&t[i], '[') && t[i].match < end)
			i = t[i].match + 1;
		else
			break;
	}
	return i;
}

/* What stands before an operator is a name, an element or a call. */
static bool is_operand_end(const struct cline *l, uint32_t i)
{
	const struct ctoken *t = &l->token[i];

	if (t->kind == CT_WORD || ctoken_is(t, ']'))
		return true;
	return ctoken_is(t, ')') && t->match != CTOKEN_NONE && t->match > l->first &&
	       l->token[t->match - 1].kind == CT_WORD && l->token[t->match - 1].word == CW_NONE;
}

static void find_null(struct rule_run *run, const struct rule *rule, const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);

	for (uint32_t i = l.first + 1; i + 1 < l.end; i++)
		if ((l.token[i].op == COP_EQ || l.token[i].op == COP_NE) &&
		    l.token[i + 1].word == CW_NULL && is_operand_end(&l, i - 1))
			cline_report(&l, rule->level, l.token[i].op == COP_EQ ? "!x" : "x");
}

/* "if (" that begins a line: the token of its bracket, or CTOKEN_NONE. */
static uint32_t if_bracket(const struct cline *l, bool after_else)
{
	uint32_t i = l->first;

	if (after_else && i < l->end && ctoken_is(&l->token[i], '}'))
		i++;
	if (after_else && i < l->end && l->token[i].word == CW_ELSE)
		i++;
	if (i + 1 >= l->end || l->token[i].word != CW_IF || !ctoken_is(&l->token[i + 1], '('))
		return CTOKEN_NONE;
	return l->token[i + 1].match == CTOKEN_NONE ? CTOKEN_NONE : i + 1;
}

static void find_assign_in_if(struct rule_run *run, const struct rule *rule,
			      const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);
	uint32_t open = CTOKEN_NONE, close;

	for (uint32_t i = l.first; i + 1 < l.end; i++)
		if (l.token[i].word == CW_IF && ctoken_is(&l.token[i + 1], '(')) {
			open = i + 1;
			break;
		}
	if (open == CTOKEN_NONE)
		return;
	close = l.token[open].match;
	for (uint32_t i = open; i < l.code->tokens.n && i < close; i++) {
		if (ctoken_is(&l.token[i], '{'))
			return;
		if (is_assign(&l.token[i])) {
			cline_report(&l, rule->level, NULL);
			return;
		}
		if (close == CTOKEN_NONE && i >= l.end)
			return;
	}
}

static void find_multiple_assignments(struct rule_run *run, const struct rule *rule,
				      const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);
	uint32_t end = lvalue_end(l.token, l.first, l.end), next;

	if (end == l.first || end >= l.end || !ctoken_is(&l.token[end], '='))
		return;
	next = lvalue_end(l.token, end + 1, l.end);
	if (next != end + 1 && next < l.end && ctoken_is(&l.token[next], '='))
		cline_report(&l, rule->level, NULL);
}

/* --- parentheses --- */

/* "&(a->b)", "*(a->b)", "(a->b)(" */
static void find_parentheses(struct rule_run *run, const struct rule *rule,
			     const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);

	for (uint32_t i = l.first; i + 3 < l.end; i++) {
		uint32_t end;
		bool call, address;

		if (!ctoken_is(&l.token[i], '('))
			continue;
		end = lvalue_end(l.token, i + 1, l.end);
		if (end <= i + 2 || end >= l.end || !ctoken_is(&l.token[end], ')'))
			continue;
		address = i > l.first &&
			  (l.token[i - 1].op == COP_AND ||
			   (l.token[i - 1].op == COP_MUL && l.token[i - 1].role == CR_UNARY));
		call = end + 1 < l.end && ctoken_is(&l.token[end + 1], '(') &&
		       (i == l.first || l.token[i - 1].kind != CT_WORD || l.token[i - 1].word);
		if (address || call)
			cline_report_text(&l, rule->level, l.token[i + 1].at, l.token[end].at,
					  "not needed around");
	}
}

/* The right side of a comparison: "b", "*b", "(u8)b", "3", "FOO(x)", "\"c\"". */
static uint32_t right_end(const struct ctoken *t, uint32_t i, uint32_t end)
{
	uint32_t k;

	if (i < end && (t[i].kind == CT_NUMBER || t[i].kind == CT_STRING))
		return i + 1;
	/* A cast to a type of one word. */
	if (i < end && t[i].role == CR_CAST && t[i].match == i + 2 && t[i].match < end)
		i = t[i].match + 1;
	if (i < end && (t[i].op == COP_MUL || t[i].op == COP_AND))
		i++;
	if (i < end && t[i].kind == CT_NUMBER)
		return i + 1;
	k = lvalue_end(t, i, end);
	if (k != i && k < end && ctoken_is(&t[k], '(') && t[k].match < end)
		return t[k].match + 1;
	return k;
}

/* "(a == b)", "(!a->b)": nothing in it needs brackets. */
static bool is_simple(const struct ctoken *t, uint32_t open, uint32_t close)
{
	uint32_t i = open + 1, end;

	if (t[i].op == COP_NOT || t[i].op == COP_AND || t[i].op == COP_TILDE)
		i++;
	end = lvalue_end(t, i, close);
	if (end == i)
		return false;
	if (end == close)
		return end > open + 2; /* more than a name */
	if (!is_compare(&t[end]))
		return false;
	return right_end(t, end + 1, close) == close;
}

static bool is_grouping(const struct ctoken *t, uint32_t i)
{
	return t[i - 1].kind != CT_WORD && t[i - 1].op != COP_NOT && !ctoken_is(&t[i - 1], ']') &&
	       !ctoken_is(&t[i - 1], ')') && t[i].role != CR_CAST;
}

static void find_condition(struct rule_run *run, const struct rule *rule,
			   const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);
	uint32_t open = if_bracket(&l, false), close;

	if (open == CTOKEN_NONE)
		return;
	close = l.token[open].match;
	for (uint32_t i = open + 1; i < close; i++)
		if (ctoken_is(&l.token[i], '(') && l.token[i].match < close &&
		    is_grouping(l.token, i) && is_simple(l.token, i, l.token[i].match))
			cline_report_text(&l, rule->level, l.token[i].at + 1,
					  l.token[l.token[i].match].at, "not needed around");
}

/* "if ((a == b))": both brackets hold the same. */
static void find_double(struct rule_run *run, const struct rule *rule, const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);
	uint32_t open = if_bracket(&l, false);

	if (open == CTOKEN_NONE)
		return;
	for (uint32_t i = open + 1;
	     ctoken_is(&l.token[i], '(') && l.token[i].match + 1 == l.token[i - 1].match; i++)
		if (l.token[i + 1].kind == CT_WORD && is_simple(l.token, i, l.token[i].match) &&
		    l.token[i].match != lvalue_end(l.token, i + 1, l.token[i].match)) {
			cline_report(&l, rule->level, NULL);
			return;
		}
}

/* --- comparisons --- */

static bool is_constant(const struct cline *l, uint32_t i)
{
	const struct ctoken *t = &l->token[i];

	if (t->kind == CT_NUMBER)
		return !memchr(l->text + t->at, '.', t->len);
	if (t->kind != CT_WORD || !((t->c >= 'A' && t->c <= 'Z') || t->c == '_'))
		return false;
	for (uint32_t k = 0; k < t->len; k++)
		if (l->text[t->at + k] >= 'a' && l->text[t->at + k] <= 'z')
			return false;
	return true;
}

/* What a constant may follow when it is the left side of a comparison. */
static bool begins_operand(const struct ctoken *t)
{
	return t->kind != CT_OP || t->op == COP_SET || t->op == COP_QUESTION ||
	       t->op == COP_COLON || t->op == COP_SEMICOLON;
}

static bool is_constant_first(const struct cline *l, uint32_t i)
{
	const struct ctoken *t = &l->token[i + 1];
	uint32_t end;

	if (t->op == COP_AND || t->op == COP_MUL)
		i++;
	end = lvalue_end(l->token, i + 1, l->end);
	return end != i + 1;
}

static void find_constant(struct rule_run *run, const struct rule *rule,
			  const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);
	uint32_t end;

	/* Only the last such comparison of a line counts. */
	for (uint32_t i = l.end; i-- > l.first + 1;) {
		if (!is_compare(&l.token[i]) || !is_constant(&l, i - 1) ||
		    !is_constant_first(&l, i))
			continue;
		end = lvalue_end(l.token, i + 1, l.end);
		if (end == i + 2 && is_constant(&l, i + 1) &&
		    !(end < l.end && ctoken_is(&l.token[end], '(')))
			return;
		if (i - 1 == l.first || begins_operand(&l.token[i - 2]))
			cline_report_token(&l, rule->level, i - 1, "put the constant last:");
		return;
	}
}

/* true, TRUE and False are all the same to it. */
static bool is_truth(const struct cline *l, uint32_t i)
{
	const char *s = l->text + l->token[i].at;

	return l->token[i].kind == CT_WORD &&
	       ((l->token[i].len == 4 && strncasecmp(s, "true", 4) == 0) ||
		(l->token[i].len == 5 && strncasecmp(s, "false", 5) == 0));
}

static void find_bool(struct rule_run *run, const struct rule *rule, const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);

	for (uint32_t i = l.first + 1; i + 1 < l.end; i++) {
		const struct ctoken *t = &l.token[i];

		if (t->op != COP_EQ && t->op != COP_NE)
			continue;
		if ((is_truth(&l, i + 1) && (t[-1].kind == CT_WORD || ctoken_is(t - 1, ']'))) ||
		    (is_truth(&l, i - 1) && t[1].kind == CT_WORD)) {
			cline_report(&l, rule->level, NULL);
			return;
		}
	}
}

/* --- bits --- */

static bool is_one(const struct cline *l, uint32_t i)
{
	const char *s = l->text + l->token[i].at;

	if (l->token[i].kind != CT_NUMBER || s[0] != '1')
		return false;
	for (uint32_t k = 1; k < l->token[i].len; k++)
		if (!strchr("uUlL", s[k]))
			return false;
	return true;
}

static void find_bit(struct rule_run *run, const struct rule *rule, const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);
	uint32_t i = l.first + 3;

	if (strstr(s->file->path, "include/uapi/") || !cline_directive(&l, "define") ||
	    i >= l.end || l.token[i].at == ctoken_end(&l.token[i - 1]))
		return;
	if (i < l.end && ctoken_is(&l.token[i], '('))
		i++;
	if (i + 2 < l.end && is_one(&l, i) && l.token[i + 1].op == COP_SHL &&
	    (l.token[i + 2].kind == CT_WORD || l.token[i + 2].kind == CT_NUMBER))
		cline_report(&l, rule->level, NULL);
}

static const char help_parentheses[] =
	"Brackets that change nothing make a reader look for what they change.";

static const struct rule rules[] = {
	{
		.type = "COMPARISON_TO_NULL",
		.level = FINDING_CHECK,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "NULL",
		.find = find_null,
		.message = "a comparison to NULL can be written shorter",
		.help = "!x and x say the same as x == NULL and x != NULL.",
	},
	{
		.type = "ASSIGN_IN_IF",
		.level = FINDING_ERROR,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "if",
		.find = find_assign_in_if,
		.message = "an assignment in the condition of an if",
		.help = "Assign on the line before: nobody then wonders whether == was meant.",
	},
	{
		.type = "MULTIPLE_ASSIGNMENTS",
		.level = FINDING_CHECK,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "=",
		.find = find_multiple_assignments,
		.message = "several assignments in one statement",
		.help = "One a line is easier to read and to change.",
	},
	{
		.type = "UNNECESSARY_PARENTHESES",
		.level = FINDING_CHECK,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "(",
		.find = find_parentheses,
		.message = "parentheses",
		.help = help_parentheses,
	},
	{
		.type = "UNNECESSARY_PARENTHESES",
		.level = FINDING_CHECK,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "if",
		.find = find_condition,
		.message = "parentheses",
		.help = help_parentheses,
	},
	{
		.type = "UNNECESSARY_PARENTHESES",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "((",
		.find = find_double,
		.message = "two pairs of parentheses around one condition",
		.help = "Compilers take the second pair as a sign that an assignment is meant.",
	},
	{
		.type = "CONSTANT_COMPARISON",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "==|!=|<|>",
		.find = find_constant,
		.message = "a constant on the left of a comparison",
		.help = "x == 3 reads like what is asked.",
	},
	{
		.type = "BOOL_COMPARISON",
		.level = FINDING_CHECK,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "true|false|TRUE|FALSE|True|False",
		.find = find_bool,
		.message = "a comparison to true or false",
		.help = "x and !x say the same, and also hold for values other than 0 and 1.",
	},
	{
		.type = "BIT_MACRO",
		.level = FINDING_CHECK,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "<<",
		.find = find_bit,
		.message = "a bit is BIT(n)",
		.help = "BIT(n) and BIT_ULL(n) of linux/bits.h say what is meant, and have the "
			"right type.",
	},
};

const struct rule_family family_expression = {"expression", rules, array_size(rules)};
