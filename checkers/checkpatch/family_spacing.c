// SPDX-License-Identifier: GPL-2.0-or-later
/* Rules about spaces around operators and brackets. */
#include "checkers/checkpatch/cline.h"

/* What touches an operator on one side. */
enum side {
	SIDE_END, /* the line's end, or only its indentation */
	SIDE_SPACE,
	SIDE_COMMENT,
	SIDE_BRACKET, /* ( or [ before it, ) or ] or } after it */
	SIDE_OP,
	SIDE_VALUE, /* all else */
};

struct around {
	enum side left, right;
};

static bool touches_op(const struct cline *l, uint32_t i, uint32_t at)
{
	const struct ctoken *t = &l->token[i];

	return i >= l->first && i < l->end && t->kind == CT_OP && t->op != COP_DOT &&
	       t->op != COP_DOTS && (t->at == at || ctoken_end(t) == at);
}

static enum side left_side(const struct cline *l, uint32_t i)
{
	uint32_t at = l->token[i].at;
	char c = at > l->start ? l->text[at - 1] : '\0';

	if (i == l->first) {
		while (at > l->start && is_blank_char(l->text[at - 1]))
			at--;
		if (at == l->start)
			return SIDE_END;
	}
	if (is_blank_char(c))
		return SIDE_SPACE;
	if (c == VIEW_COMMENT)
		return SIDE_COMMENT;
	if (c == '(' || c == '[')
		return SIDE_BRACKET;
	return i > l->first && touches_op(l, i - 1, at) ? SIDE_OP : SIDE_VALUE;
}

static enum side right_side(const struct cline *l, uint32_t i)
{
	uint32_t at = ctoken_end(&l->token[i]);
	char c = at < l->stop ? l->text[at] : '\0';

	if (at >= l->stop || (c == '\\' && at + 1 == l->stop))
		return SIDE_END;
	if (is_blank_char(c))
		return SIDE_SPACE;
	if (c == VIEW_COMMENT)
		return SIDE_COMMENT;
	if (c == ')' || c == ']' || c == '}')
		return SIDE_BRACKET;
	return touches_op(l, i + 1, at) ? SIDE_OP : SIDE_VALUE;
}

static bool is_open_side(enum side s)
{
	return s == SIDE_SPACE || s == SIDE_END || s == SIDE_COMMENT;
}

/* "a op, b", "(op )": an operator given to a macro. */
static bool is_argument(const struct cline *l, uint32_t i, struct around a)
{
	enum cop op = (enum cop)l->token[i].op;

	return a.left == SIDE_SPACE && i + 1 < l->end && op != COP_INC && op != COP_DEC &&
	       (ctoken_is(&l->token[i + 1], ')') || ctoken_is(&l->token[i + 1], ','));
}

static void check_arrow(const struct cline *l, uint32_t i, struct around a)
{
	if (a.left == SIDE_SPACE || a.right == SIDE_SPACE)
		cline_report_token(l, FINDING_ERROR, i, "no spaces around");
}

static void check_semicolon(const struct cline *l, uint32_t i, struct around a)
{
	if (a.right != SIDE_VALUE && (a.right != SIDE_OP || l->token[i + 1].op == COP_SEMICOLON))
		return;
	cline_report_token(l, FINDING_ERROR, i, "a space after");
}

static void check_comma(const struct cline *l, uint32_t i, struct around a)
{
	if (a.left == SIDE_SPACE)
		cline_report_token(l, FINDING_ERROR, i, "no space before");
	if (!is_open_side(a.right) && l->text[ctoken_end(&l->token[i])] != '}')
		cline_report_token(l, FINDING_ERROR, i, "a space after");
}

/* What a unary operator may touch: "(int)-1", "!!x", "**p", "{-1". */
static bool may_touch(char before)
{
	return before && strchr(")!~*-&|{", before);
}

static void check_unary(const struct cline *l, uint32_t i, struct around a)
{
	uint32_t at = l->token[i].at;
	bool joined = a.left == SIDE_VALUE || a.left == SIDE_OP;
	bool increments = at >= 2 && memcmp(l->text + at - 2, "++", 2) == 0;

	if (joined && !increments && !may_touch(l->text[at - 1]))
		cline_report_token(l, FINDING_ERROR, i, "a space before");
	if (a.right == SIDE_SPACE)
		cline_report_token(l, FINDING_ERROR, i, "no space after the unary");
}

static void check_increment(const struct cline *l, uint32_t i, struct around a)
{
	bool free_left = a.left != SIDE_VALUE, free_right = a.right != SIDE_VALUE;

	if (!(free_left && a.right != SIDE_SPACE) && !(free_right && a.left != SIDE_SPACE)) {
		if (a.left != SIDE_END || a.right != SIDE_SPACE)
			cline_report_token(l, FINDING_ERROR, i, "a space on one side of");
	}
	if (a.left == SIDE_SPACE && (a.right == SIDE_BRACKET || a.right == SIDE_END ||
				     (a.right == SIDE_OP && l->token[i + 1].op == COP_SEMICOLON)))
		cline_report_token(l, FINDING_ERROR, i, "no space before");
	if (a.left == SIDE_END && a.right == SIDE_SPACE)
		cline_report_token(l, FINDING_ERROR, i, "no space after");
}

/* Arithmetic, where a line without any spaces is a matter of taste. */
static void check_arithmetic(const struct cline *l, uint32_t i, struct around a)
{
	bool left = a.left == SIDE_SPACE || a.left == SIDE_END;
	bool right = a.right == SIDE_SPACE || a.right == SIDE_END;

	if (cline_checks(l)) {
		if (!left || !right)
			cline_report_token(l, FINDING_CHECK, i, "spaces around");
	} else if ((a.left == SIDE_SPACE && !is_open_side(a.right)) ||
		   (a.right == SIDE_SPACE && !is_open_side(a.left))) {
		cline_report_token(l, FINDING_ERROR, i, "spaces on both sides or none around");
	}
}

static void check_spaced(const struct cline *l, uint32_t i, struct around a, bool is_ternary)
{
	if (is_open_side(a.left) && is_open_side(a.right))
		return;
	cline_report_token(l,
			   is_ternary && a.left == SIDE_VALUE && a.right == SIDE_VALUE
				   ? FINDING_CHECK
				   : FINDING_ERROR,
			   i, "spaces around");
}

static void check_colon(const struct cline *l, uint32_t i, struct around a)
{
	uint8_t role = l->token[i].role;

	if (role == CR_COLON_BITS)
		return;
	if (role == CR_COLON_ELSE)
		check_spaced(l, i, a, true);
	else if (a.left == SIDE_SPACE)
		cline_report_token(l, FINDING_ERROR, i, "no space before");
}

static void check_op(const struct cline *l, uint32_t i)
{
	const struct ctoken *t = &l->token[i];
	struct around a = {left_side(l, i), right_side(l, i)};

	if (is_argument(l, i, a) || t->role == CR_TYPE)
		return;
	if (t->role == CR_UNARY) {
		check_unary(l, i, a);
		return;
	}
	switch (t->op) {
	case COP_DOT:
	case COP_DOTS: break;
	case COP_ARROW: check_arrow(l, i, a); break;
	case COP_SEMICOLON: check_semicolon(l, i, a); break;
	case COP_COMMA: check_comma(l, i, a); break;
	case COP_NOT:
	case COP_TILDE: check_unary(l, i, a); break;
	case COP_INC:
	case COP_DEC: check_increment(l, i, a); break;
	case COP_SHL:
	case COP_SHR:
	case COP_AND:
	case COP_XOR:
	case COP_OR:
	case COP_ADD:
	case COP_SUB:
	case COP_MUL:
	case COP_DIV:
	case COP_MOD: check_arithmetic(l, i, a); break;
	case COP_COLON: check_colon(l, i, a); break;
	default: check_spaced(l, i, a, t->op == COP_QUESTION || t->op == COP_ELVIS);
	}
}

static void find_operators(struct rule_run *run, const struct rule *rule,
			   const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);

	if (cline_directive(&l, "include"))
		return;
	for (uint32_t i = l.first; i < l.end; i++)
		if (l.token[i].kind == CT_OP)
			check_op(&l, i);
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
		.find = find_operators,
		.message = "spacing of an operator",
		.help = help_spacing,
	},
};

const struct rule_family family_spacing = {"spacing", rules, array_size(rules)};
