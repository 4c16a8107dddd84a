// SPDX-License-Identifier: GPL-2.0-or-later
/* Rules about declarations of functions. */
#include "checkers/checkpatch/cline.h"
#include "checkers/checkpatch/declaration.h"

#include <ctype.h>

/* "extern int f(" on one line, wherever the statement began: of a type that is known by then. */
static void find_extern(struct rule_run *run, const struct rule *rule, const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);
	uint32_t type = l.first + 1, name;

	if (type >= l.end || l.token[l.first].word != CW_EXTERN)
		return;
	name = ctype_end(&l.types, type);
	if (name != type && name + 1 < l.end && l.token[name].kind == CT_WORD &&
	    ctoken_is(&l.token[name + 1], '('))
		cline_report(&l, rule->level, NULL);
}

/* A statement that ends in ")" and ";": the offset of the bracket. */
static bool ends_in_bracket(const struct rule_subject *s, size_t *ret_at)
{
	size_t i = s->len;

	if (!s->statement.is_closed)
		return false;
	do
		i--;
	while (i && isspace((unsigned char)s->text[i - 1]));
	*ret_at = i ? i - 1 : 0;
	return i && s->text[i - 1] == ')';
}

/* A prototype, or anything that is extern. As in checkpatch, what looks like a prototype is one
 * only when nothing stands behind its parameters, and is not seen when a '*' touches its name. */
static bool is_extern_in_source(const struct rule_subject *s)
{
	struct declaration d;
	size_t bracket;

	if (declaration_parse(s->text, s->len, &d) && !d.is_pointer && d.space_before_name)
		return ends_in_bracket(s, &bracket) && bracket == d.args_end;
	return declaration_is_extern(s->text, s->len);
}

static void find_nameless(struct rule_run *run, const struct rule *rule,
			  const struct rule_subject *s)
{
	struct parameters list;
	struct declaration d;
	size_t bracket;

	if (!declaration_parse(s->text, s->len, &d) || !ends_in_bracket(s, &bracket))
		return;
	parameters_init(&list, s->text + d.args, d.args_end - d.args);
	for (struct parameter p; parameters_next(&list, &p);)
		if (p.is_nameless) {
			auto_free char *text = parameter_text(&p);

			rule_report(run, rule, s, text);
		}
}

static bool is_detached(const struct rule_subject *s)
{
	struct declaration d;

	return declaration_parse(s->text, s->len, &d) && !d.is_pointer && d.space_before_name &&
	       d.newline_after_name;
}

static const char help_extern[] =
	"Functions are extern without saying so; the word makes lines longer and nothing else.";
static const char help_extern_source[] =
	"A declaration that is not in the header which the definition includes is not checked "
	"against it: "
	"put it there and include that.";
static const char help_nameless[] =
	"Names say what the parameters are for: int f(int, int) needs a look at the code.";

static const struct rule rules[] = {
	{
		.type = "AVOID_EXTERNS",
		.level = FINDING_CHECK,
		.scope = RULE_CODE,
		.files = FILE_H,
		.need = "extern",
		.find = find_extern,
		.message = "a prototype in a header needs no extern",
		.help = help_extern,
	},
	{
		.type = "AVOID_EXTERNS",
		.level = FINDING_WARNING,
		.scope = RULE_STATEMENT,
		.files = FILE_C,
		.test = is_extern_in_source,
		.message = "a declaration of something elsewhere belongs in a header",
		.help = help_extern_source,
	},
	{
		.type = "FUNCTION_ARGUMENTS",
		.level = FINDING_WARNING,
		.scope = RULE_STATEMENT,
		.find = find_nameless,
		.message = "a parameter has no name",
		.help = help_nameless,
	},
	{
		.type = "FUNCTION_ARGUMENTS",
		.level = FINDING_WARNING,
		.scope = RULE_STATEMENT,
		.files = FILE_C,
		.test = is_detached,
		.message = "the parameters begin on another line than the name",
		.help = "A search for the name and its bracket does not find such a function.",
	},
};

const struct rule_family family_declaration = {"declaration", rules, array_size(rules)};
