// SPDX-License-Identifier: GPL-2.0-or-later
/* Rules about blank lines. */
#include "checkers/checkpatch/cline.h"

#include <strings.h>

static bool raw_is_blank(const struct view *v, uint32_t i)
{
	const struct view_line *l = &v->line[i];

	for (uint32_t k = 1; k < l->raw_len; k++)
		if (!is_blank_char(l->raw[k]))
			return false;
	return true;
}

static bool is_second_blank(const struct rule_subject *s)
{
	uint32_t before = view_prev(s->view, s->at);

	if (before == VIEW_NONE || !raw_is_blank(s->view, s->at) || !raw_is_blank(s->view, before))
		return false;
	/* Told once for a run of them. */
	if (s->view->line[before].kind != LINE_ADDED)
		return true;
	before = view_prev(s->view, before);
	return before == VIEW_NONE || !raw_is_blank(s->view, before);
}

static struct cline line_at(const struct cline *l, uint32_t line)
{
	struct rule_subject s = {.view = l->view, .at = line};

	return cline_of(l->run, l->rule, &s);
}

/* --- after declarations --- */

static bool is_upper_word(const struct cline *l, uint32_t i)
{
	for (uint32_t at = l->token[i].at; at < ctoken_end(&l->token[i]); at++)
		if (l->text[at] >= 'a' && l->text[at] <= 'z')
			return false;
	return true;
}

static bool word_holds(const struct cline *l, uint32_t i, const char *part)
{
	return memmem(l->text + l->token[i].at, l->token[i].len, part, strlen(part)) != NULL;
}

/* DEFINE_X(, DECLARE_X(, LIST_HEAD( and the like. */
static bool is_macro_declaration(const struct cline *l, uint32_t i)
{
	if (i + 1 >= l->end || l->token[i].kind != CT_WORD || !ctoken_is(&l->token[i + 1], '(') ||
	    !is_upper_word(l, i))
		return false;
	return word_holds(l, i, "DECLARE_") || word_holds(l, i, "DEFINE_") ||
	       cline_is(l, i, "LIST_HEAD") || cline_is(l, i, "HLIST_HEAD") ||
	       word_holds(l, i, "_ON_STACK");
}

static uint32_t skip_storage(const struct cline *l, uint32_t i)
{
	while (i < l->end && (cword_is_storage((enum cword)l->token[i].word) ||
			      l->token[i].word == CW_INLINE || cline_is(l, i, "register")))
		i++;
	return i;
}

static bool is_one_of(const struct ctoken *t, const char *chars)
{
	return t->len == 1 && strchr(chars, t->c);
}

/* "(*name)" at i. */
static bool is_pointer_name(const struct cline *l, uint32_t i)
{
	return i + 3 < l->end && ctoken_is(&l->token[i], '(') && l->token[i + 1].op == COP_MUL &&
	       l->token[i + 2].kind == CT_WORD && ctoken_is(&l->token[i + 3], ')');
}

static bool begins_tag(const struct cline *l)
{
	return l->token[l->first].word == CW_TYPEDEF ||
	       cword_is_tag((enum cword)l->token[l->first].word);
}

/* "type name;", "type name = ", "type (*name)(". */
static bool is_declaration(const struct cline *l)
{
	uint32_t from = skip_storage(l, l->first), end = ctype_end(&l->types, from);

	if (is_macro_declaration(l, from))
		return true;
	if (end == from)
		return false;
	if (is_pointer_name(l, end))
		return true;
	if (end >= l->end || l->token[end].kind != CT_WORD)
		return false;
	end++;
	while (end < l->end && ctype_is_modifier(&l->types, &l->token[end]))
		end++;
	return end < l->end && is_one_of(&l->token[end], "=,;:[");
}

/* Goes on over the line's end. */
static bool goes_on(const struct cline *l)
{
	const struct ctoken *t = &l->token[l->end - 1];

	if (t->kind == CT_SPLICE || ctoken_is(t, '{'))
		return true;
	return t->kind == CT_OP && t->op != COP_SEMICOLON && t->op != COP_INC && t->op != COP_DEC;
}

/* What may stand right below declarations: another, or what looks like one. */
static bool may_follow(const struct cline *l)
{
	uint32_t i = skip_storage(l, l->first), k;

	if (l->token[l->first].word == CW_ELSE || begins_tag(l) || is_declaration(l))
		return true;
	if (i != l->first && i < l->end && l->token[i].kind == CT_WORD)
		return true;
	k = i;
	while (k < l->end && (ctype_is_modifier(&l->types, &l->token[k])))
		k++;
	if (k + 1 >= l->end || l->token[k].kind != CT_WORD)
		return false;
	k++;
	while (k < l->end && l->token[k].op == COP_MUL)
		k++;
	if (is_pointer_name(l, k))
		return true;
	return k + 1 < l->end && l->token[k].kind == CT_WORD && is_one_of(&l->token[k + 1], "=,;[");
}

static bool same_indent(const struct cline *a, const struct cline *b)
{
	unsigned in = view_indent(a->view, a->line);

	return in && in == view_indent(b->view, b->line);
}

static void find_after_declaration(struct rule_run *run, const struct rule *rule,
				   const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s), p;
	uint32_t before = view_prev(s->view, s->at);
	uint8_t kind;

	if (before == VIEW_NONE || l.first == l.end)
		return;
	kind = l.token[l.first].kind;
	if ((kind != CT_WORD && kind != CT_NUMBER) || l.token[l.first].in_directive)
		return;
	p = line_at(&l, before);
	if (p.first == p.end || p.token[p.first].kind != CT_WORD)
		return;
	if (!same_indent(&p, &l) || goes_on(&p) || !is_declaration(&p) || may_follow(&l))
		return;
	cline_report(&l, rule->level, NULL);
}

/* --- after a function or a type --- */

static bool is_closing(const struct view *v, uint32_t i)
{
	const struct view_line *l = &v->line[i];
	uint32_t n = l->raw_len;

	while (n > 1 && is_blank_char(l->raw[n - 1]))
		n--;
	return (n == 2 && l->raw[1] == '}') || (n == 3 && l->raw[1] == '}' && l->raw[2] == ';');
}

static bool word_in(const char *s, size_t n, const char *const *words)
{
	for (; *words; words++)
		if (n >= strlen(*words) && strncasecmp(s, *words, strlen(*words)) == 0)
			return true;
	return false;
}

/* What belongs to the function above, and stands right below it. */
static bool belongs_to_function(const char *s, size_t n)
{
	static const char *const begins[] = {"EXPORT_SYMBOL", "early_param", "MODULE_", "DECLARE",
					     "__setup",	      "builtin_",    NULL};
	static const char *const directives[] = {"end", "elif", "else", NULL};
	size_t i = 0, k;

	while (i < n && is_blank_char(s[i]))
		i++;
	if (i < n && s[i] == '#') {
		for (i++; i < n && is_blank_char(s[i]);)
			i++;
		return word_in(s + i, n - i, directives);
	}
	if (i == n || s[i] == '}' || word_in(s + i, n - i, begins))
		return true;
	for (k = 0; k < n && ((s[k] >= 'a' && s[k] <= 'z') || s[k] == '_');)
		k++;
	if (k >= 4 && memmem(s, k, "init", 4))
		return true;
	if (n - i > 7 && memcmp(s + i, "static ", 7) == 0)
		i += 7;
	for (k = i; k < n && ((s[k] >= 'A' && s[k] <= 'Z') || s[k] == '_');)
		k++;
	return memmem(s + i, k - i, "ATTR", 4) != NULL;
}

static bool is_after_function(const struct rule_subject *s)
{
	uint32_t before = view_prev(s->view, s->at);

	return before != VIEW_NONE && is_closing(s->view, before) &&
	       !belongs_to_function(s->plain, s->len);
}

static const struct rule rules[] = {
	{
		.type = "LINE_SPACING",
		.level = FINDING_CHECK,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.test = is_second_blank,
		.message = "more than one blank line",
		.help = "One says that something else begins; more only make the window smaller.",
	},
	{
		.type = "LINE_SPACING",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.find = find_after_declaration,
		.message = "no blank line after the declarations",
		.help = "It shows where the work of the function begins.",
	},
	{
		.type = "LINE_SPACING",
		.level = FINDING_CHECK,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.test = is_after_function,
		.message = "no blank line after the end of a function or type",
		.help = "Only what belongs to it, like EXPORT_SYMBOL(), stands right below.",
	},
};

const struct rule_family family_lines = {"lines", rules, array_size(rules)};
