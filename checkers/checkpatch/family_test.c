// SPDX-License-Identifier: GPL-2.0-or-later
/* Rules about values: what is tested, returned, cast and assigned. */
#include "checkers/checkpatch/cline.h"
#include "checkers/checkpatch/stretch.h"

/* --- return --- */

/* An operator that is not within the brackets of a call or an index, before any '?': parentheses
 * may help a reader then. */
static bool is_compound(const struct cline *l, uint32_t open, uint32_t close)
{
	for (uint32_t i = open + 1; i < close; i++) {
		const struct ctoken *t = &l->token[i];

		if (ctoken_is(t, '{') || t->kind == CT_CHAR)
			return true;
		if (t->kind == CT_OPEN && t->match < close &&
		    (ctoken_is(t, '[') || l->token[i - 1].kind == CT_WORD))
			i = t->match;
		else if (t->op == COP_QUESTION)
			return false;
		else if (t->kind == CT_OP && t->op != COP_DOT && t->op != COP_ARROW &&
			 !(t->op == COP_MUL && i == open + 1))
			return true;
	}
	return close == open + 1;
}

static void find_return(struct rule_run *run, const struct rule *rule, const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);
	uint32_t open = l.first + 1, close;

	if (l.first == l.end || l.token[l.first].word != CW_RETURN || open >= l.code->tokens.n ||
	    !ctoken_is(&l.token[open], '('))
		return;
	close = l.token[open].match;
	if (close == CTOKEN_NONE || close + 1 >= l.code->tokens.n ||
	    l.token[close + 1].op != COP_SEMICOLON || l.token[close].line != l.token[open].line)
		return;
	if (!is_compound(&l, open, close))
		cline_report(&l, rule->level, NULL);
}

/* --- assignments --- */

static bool assigns_itself(const struct rule_subject *s)
{
	static struct pattern *p;
	struct pattern_match m;

	return subject_find(
		       &p,
		       "^\\s*(?!return\\b)(?:(?:[A-Za-z_]\\w*\\s+)+\\**\\s*)?([A-Za-z_]\\w*)\\s*="
		       "\\s*([A-Za-z_]\\w*)\\s*[;,]",
		       s, &m) &&
	       pattern_same(&m, 1, 2);
}

#define SIMPLE                                                                                     \
	"(?:" C_LVALUE "(?:\\s*\\((?:[^()]++|\\((?:[^()]++|\\([^()]*\\))*\\))*\\))?|\\d\\w*|"      \
	"\"[^\"]*\")"
#define SIMPLE_SET SIMPLE "(?:\\s*(?:[-+*/%&|^]|<<|>>)?=\\s*" SIMPLE ")?"

/* Two of these make no long statement, and a table without an end takes the expression long. */
#define COMMA_MAX 512

static bool joins_by_comma(const struct rule_subject *s)
{
	static struct pattern *p;

	if (!s->statement.is_closed || s->len > COMMA_MAX)
		return false;
	p = p ? p : pattern_new("^\\s*" SIMPLE_SET "\\s*,\\s*" SIMPLE_SET "\\s*;");
	return pattern_matches(p, s->text, s->len);
}

/* --- fallthrough --- */

/* In a comment: the text has none of its words, the plain text has. */
static bool is_fallthrough_comment(const struct rule_subject *s)
{
	static struct pattern *p;
	struct pattern_match m;

	p = p ? p
	      : pattern_new("(?:fall|FALL|Fall)[ -]?(?:through|thru|THROUGH|THRU)|"
			    "F(?:all|ALL)[ -](?:Through|Thru)|"
			    "(?:falls|Falls|FALLS) (?:through|thru|Through|Thru|THROUGH|THRU)");
	return pattern_find(p, s->plain, s->len, &m) &&
	       s->text[m.group[0].s - s->plain] == VIEW_COMMENT;
}

static const struct rule rules[] = {
	{
		.type = "RETURN_PARENTHESES",
		.level = FINDING_ERROR,
		.scope = RULE_STATEMENT,
		.files = FILE_CODE,
		.need = "return",
		.find = find_return,
		.message = "return is no function",
		.help = "It takes no parentheses.",
	},
	{
		.type = "USE_NEGATIVE_ERRNO",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "return",
		.pattern = "\\breturn\\s*(?:\\(\\s*)*(?!EOF\\b|ERROR\\b|EPOLL)E[A-Z]+\\s*(?:\\)\\s*"
			   ")*;",
		.message = "errors are returned as negative numbers",
		.help = "return -EINVAL; callers test for less than zero.",
	},
	{
		.type = "SELF_ASSIGNMENT",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "=",
		.test = assigns_itself,
		.message = "a variable is set to itself",
		.help = "Where it silences a compiler it hides that the value is not set.",
	},
	{
		.type = "SUSPECT_COMMA_SEMICOLON",
		.level = FINDING_WARNING,
		.scope = RULE_STATEMENT,
		.files = FILE_CODE,
		.need = ",",
		.test = joins_by_comma,
		.message = "a comma between two statements",
		.help = "A semicolon ends a statement.",
	},
	{
		.type = "HEXADECIMAL_BOOLEAN_TEST",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "0x",
		.pattern = "\\bif\\s*\\(.*(?:&&|\\|\\|)\\s*0x[0-9a-fA-F]+\\s*(?:&&|\\|\\||\\))|"
			   "\\bif\\s*\\(\\s*0x[0-9a-fA-F]+\\s*(?:&&|\\|\\|)",
		.message = "a number is true or false by itself",
		.help = "Is a bit to be tested with & ?",
	},
	{
		.type = "MASK_THEN_SHIFT",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = ">>",
		.pattern = "(?:\\b[A-Za-z_]\\w*|[\\])])\\s*&(?![&=])\\s*" C_LVALUE
			   "(?:\\s*\\([^()]*\\))?\\s*>>",
		.message = "the shift is done before the mask",
		.help = ">> binds tighter than &: use parentheses.",
	},
	{
		.type = "TYPECAST_INT_CONSTANT",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "int|long",
		.pattern = "\\(\\s*(?:(?:un)?signed\\s+)?(?:int|long(?:\\s+long)?"
			   "(?:\\s+unsigned)?(?:\\s+int)?)\\s*\\)\\s*\\d",
		.message = "a constant is cast",
		.help = "A suffix gives it the type: 1UL, 1LL.",
	},
	{
		.type = "PREFER_FALLTHROUGH",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "\x1c",
		.test = is_fallthrough_comment,
		.message = "write fallthrough;",
		.help = "Compilers check it, and comments they do not read.",
	},
};

const struct rule_family family_test = {"test", rules, array_size(rules)};
