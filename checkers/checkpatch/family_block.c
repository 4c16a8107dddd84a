// SPDX-License-Identifier: GPL-2.0-or-later
/* Rules about the braces of statements. */
#include "checkers/checkpatch/cline.h"

/* else-if chains longer than this are not looked at. */
#define ARMS_MAX 64

static bool is_keyword(const struct ctoken *t, enum cword word)
{
	return t->kind == CT_WORD && t->word == word;
}

static uint32_t line_of(const struct cline *l, uint32_t at)
{
	return view_line_at(l->view, at);
}

/* Lines of [from, to) that are not blank; counts to 2. */
static unsigned lines_between(const struct cline *l, uint32_t from, uint32_t to)
{
	unsigned n = 0;
	uint32_t at = from;

	while (at < to && n < 2) {
		bool blank = true;

		for (; at < to && l->text[at] != '\n'; at++)
			blank = blank && is_blank_char(l->text[at]);
		n += !blank;
		at++;
	}
	return n;
}

/* One of an if's arms, or a loop. */
struct arm {
	struct block block;
	bool is_small;	 /* one line, one statement, and a condition of one line */
	bool has_remark; /* a comment behind its '{' */
};

static bool has_remark(const struct cline *l, uint32_t brace)
{
	const struct view_line *line = &l->view->line[line_of(l, brace)];

	for (uint32_t at = brace + 1; at < line->start + line->len; at++)
		if (!is_blank_char(l->text[at]))
			return l->text[at] == VIEW_COMMENT;
	return false;
}

static bool arm_read(const struct cline *l, uint32_t at, struct arm *ret)
{
	struct block b = view_block(l->view, at);
	uint32_t from = b.body, to = b.body_end;
	unsigned n;

	if (!b.kind || !b.is_whole || from >= to)
		return false;
	if (b.has_brace) {
		from++;
		to--;
	} else {
		/* A comment before the statement counts, too. */
		from = b.cond_end != VIEW_NONE ? b.cond_end + 1 : at + 4;
	}
	n = lines_between(l, from, to);
	*ret = (struct arm){
		.block = b,
		.is_small = n <= 1 && b.n_statements <= 1 &&
			    (!b.has_brace || line_of(l, at) == line_of(l, b.body)) &&
			    (b.cond_end == VIEW_NONE || line_of(l, at) == line_of(l, b.cond_end)),
		.has_remark = b.has_brace && has_remark(l, b.body),
	};
	return true;
}

/* What an if and its elses look like together. */
struct chain {
	unsigned arms, braced, small, remarks;
	bool has_long; /* an arm without braces that is no single line */
};

static bool chain_read(const struct cline *l, uint32_t at, struct chain *ret)
{
	const struct view_hunk *h = &l->view->hunk[l->view->line[l->line].hunk];
	struct chain c = {0};
	struct arm a;

	while (c.arms < ARMS_MAX) {
		if (!arm_read(l, at, &a))
			return false;
		c.arms++;
		c.braced += a.block.has_brace;
		c.small += a.is_small;
		c.remarks += a.has_remark;
		c.has_long |= !a.block.has_brace && !a.is_small;
		if (a.block.kind == 'e')
			break;
		at = view_skip_space(l->view, a.block.body_end, h->end);
		if (at >= h->end || strncmp(l->text + at, "else", 4) != 0 ||
		    is_word_char(l->text[at + 4]))
			break;
	}
	*ret = c;
	return true;
}

static void check_if(const struct cline *l, uint32_t i)
{
	struct chain c;

	if (!chain_read(l, l->token[i].at, &c) || !c.braced)
		return;
	if (c.small == c.arms && !c.remarks)
		cline_report(l, FINDING_WARNING,
			     c.arms > 1 ? "none of the arms needs them"
					: "one statement needs none");
	else if (c.arms > 1 && c.braced < c.arms && c.small < c.arms && !c.has_long)
		cline_report(l, FINDING_CHECK, "all arms have them when one needs them");
}

static bool else_follows(const struct cline *l, const struct block *b)
{
	const struct view_hunk *h = &l->view->hunk[l->view->line[l->line].hunk];
	uint32_t at = view_skip_space(l->view, b->body_end, h->end);

	return at + 4 < h->end && strncmp(l->text + at, "else", 4) == 0;
}

static void check_loop(const struct cline *l, uint32_t i)
{
	struct arm a;

	if (!arm_read(l, l->token[i].at, &a) || !a.block.has_brace || !a.is_small || a.has_remark ||
	    else_follows(l, &a.block))
		return;
	cline_report(l, FINDING_WARNING, "one statement needs none");
}

/* An else whose if is in the patch was looked at together with it. */
static bool is_else_of_patch(const struct cline *l, uint32_t i)
{
	uint32_t before = view_prev_code(l->view, l->line);

	if (i > l->first && ctoken_is(&l->token[i - 1], '}'))
		return true;
	return before != VIEW_NONE && l->view->line[before].kind == LINE_ADDED;
}

static void find_single(struct rule_run *run, const struct rule *rule, const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);

	if (l.first == l.end || l.token[l.first].c == '#')
		return;
	for (uint32_t i = l.first; i < l.end; i++) {
		switch (l.token[i].word) {
		case CW_IF: check_if(&l, i); return;
		case CW_ELSE:
			if (!is_else_of_patch(&l, i))
				check_loop(&l, i);
			return;
		case CW_FOR:
		case CW_WHILE: check_loop(&l, i); return;
		default: break;
		}
	}
}

static void find_unbalanced(struct rule_run *run, const struct rule *rule,
			    const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);
	const struct ctoken *t = &l.token[l.first];

	if (l.end - l.first == 2 && ((is_keyword(t, CW_ELSE) && ctoken_is(t + 1, '{')) ||
				     (ctoken_is(t, '}') && is_keyword(t + 1, CW_ELSE))))
		cline_report(&l, rule->level, NULL);
}

static bool raw_is_blank(const struct view *v, uint32_t i)
{
	const struct view_line *l = &v->line[i];

	for (uint32_t k = 1; k < l->raw_len; k++)
		if (!is_blank_char(l->raw[k]))
			return false;
	return true;
}

/* The last character of a line as it was written. */
static char raw_last(const struct view *v, uint32_t i)
{
	const struct view_line *l = &v->line[i];
	uint32_t n = l->raw_len;

	while (n > 1 && is_blank_char(l->raw[n - 1]))
		n--;
	return n > 1 ? l->raw[n - 1] : '\0';
}

static bool is_blank_after_open(const struct rule_subject *s)
{
	uint32_t before = view_prev(s->view, s->at);

	return before != VIEW_NONE && raw_is_blank(s->view, s->at) &&
	       raw_last(s->view, before) == '{';
}

static void find_blank_before_close(struct rule_run *run, const struct rule *rule,
				    const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);
	uint32_t before = view_prev(s->view, s->at);

	if (l.end - l.first == 1 && ctoken_is(&l.token[l.first], '}') && before != VIEW_NONE &&
	    raw_is_blank(s->view, before) && raw_last(s->view, s->at) == '}')
		cline_report(&l, rule->level, NULL);
}

/* The line before holds a '}' and nothing else. */
static bool is_after_lone_brace(const struct cline *l)
{
	uint32_t before = view_prev(l->view, l->line), first;

	if (before == VIEW_NONE)
		return false;
	first = l->code->tokens.first[before];
	return l->code->tokens.first[before + 1] == first + 1 && ctoken_is(&l->token[first], '}') &&
	       raw_last(l->view, before) == '}';
}

static void find_else_after(struct rule_run *run, const struct rule *rule,
			    const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);

	if (l.first != l.end && is_keyword(&l.token[l.first], CW_ELSE) && is_after_lone_brace(&l))
		cline_report(&l, rule->level, NULL);
}

static void find_while_after(struct rule_run *run, const struct rule *rule,
			     const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);

	if (l.first != l.end && is_keyword(&l.token[l.first], CW_WHILE) &&
	    l.token[l.end - 1].op == COP_SEMICOLON && is_after_lone_brace(&l))
		cline_report(&l, rule->level, NULL);
}

/* --- where an opening brace stands --- */

static bool takes_brace(const struct ctoken *t)
{
	switch (t->word) {
	case CW_IF:
	case CW_ELSE:
	case CW_FOR:
	case CW_WHILE:
	case CW_DO:
	case CW_SWITCH: return true;
	default: return false;
	}
}

static uint32_t next_line_first(const struct cline *l, uint32_t line)
{
	uint32_t below = view_next_code(l->view, line);

	return below == VIEW_NONE ? CTOKEN_NONE : l->code->tokens.first[below];
}

/* "if (x)" and a '{' below. */
static void check_brace_below(const struct cline *l)
{
	uint32_t i = l->first, below, last;
	struct block b;

	if (ctoken_is(&l->token[i], '}') && i + 1 < l->end)
		i++;
	if (!takes_brace(&l->token[i]))
		return;
	b = view_block(l->view, l->token[i].at);
	if (!b.kind || !b.has_brace)
		return;
	last = b.cond_end == VIEW_NONE ? l->line : line_of(l, b.cond_end);
	below = next_line_first(l, last);
	if (below != CTOKEN_NONE && l->token[below].at == b.body)
		cline_report(l, FINDING_ERROR, "on the line of the statement");
}

/* "struct x" or "=" and a '{' below: told where the brace is. */
static void check_brace_above(const struct cline *l)
{
	uint32_t above = view_prev(l->view, l->line), i, end;

	if (above == VIEW_NONE || !ctoken_is(&l->token[l->first], '{'))
		return;
	i = l->code->tokens.first[above];
	end = l->code->tokens.first[above + 1];
	if (i == end)
		return;
	if (ctoken_is(&l->token[end - 1], '=') && !l->token[i].in_directive) {
		cline_report(l, FINDING_ERROR, "on the line of the '='");
		return;
	}
	if (is_keyword(&l->token[i], CW_TYPEDEF))
		i++;
	if (i < end && cword_is_tag((enum cword)l->token[i].word) && end - i <= 2)
		cline_report(l, FINDING_ERROR, "on the line of struct, union or enum");
}

/* "int f(void) {": told where the function begins. */
static void check_function(const struct cline *l)
{
	uint32_t i = l->first, end, close, brace;

	if (cline_directive(l, "define")) {
		i = l->first + 3;
		if (i < l->end && ctoken_is(&l->token[i], '(') && l->token[i].match < l->end)
			i = l->token[i].match + 1;
	}
	while (i < l->end && (cword_is_storage((enum cword)l->token[i].word) ||
			      is_keyword(&l->token[i], CW_INLINE)))
		i++;
	end = ctype_end(&l->types, i);
	if (end == i || end + 1 >= l->end || l->token[end].kind != CT_WORD ||
	    !ctoken_is(&l->token[end + 1], '('))
		return;
	close = l->token[end + 1].match;
	if (close == CTOKEN_NONE || close + 1 >= l->code->tokens.n)
		return;
	brace = close + 1;
	if (!ctoken_is(&l->token[brace], '{') || l->token[brace].line != l->token[close].line)
		return;
	if (brace + 1 == l->code->tokens.first[l->token[brace].line + 1])
		cline_report(l, FINDING_ERROR, "of a function on a line of its own");
}

static void find_open_brace(struct rule_run *run, const struct rule *rule,
			    const struct rule_subject *s)
{
	struct cline l = cline_of(run, rule, s);

	if (l.first == l.end)
		return;
	check_function(&l);
	if (l.token[l.first].c == '#')
		return;
	check_brace_below(&l);
	check_brace_above(&l);
}

static const char help_braces[] = "See Documentation/process/coding-style.rst, section 3.";

static const struct rule rules[] = {
	{
		.type = "BRACES",
		.level = FINDING_WARNING,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "if|else|for|while",
		.find = find_single,
		.message = "braces",
		.help = help_braces,
	},
	{
		.type = "BRACES",
		.level = FINDING_CHECK,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "else",
		.find = find_unbalanced,
		.message = "an else has braces on both sides or on none",
		.help = help_braces,
	},
	{
		.type = "BRACES",
		.level = FINDING_CHECK,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.test = is_blank_after_open,
		.message = "a blank line after '{'",
		.help = help_braces,
	},
	{
		.type = "BRACES",
		.level = FINDING_CHECK,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "}",
		.find = find_blank_before_close,
		.message = "a blank line before '}'",
		.help = help_braces,
	},
	{
		.type = "ELSE_AFTER_BRACE",
		.level = FINDING_ERROR,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "else",
		.find = find_else_after,
		.message = "else stands behind the '}'",
		.help = help_braces,
	},
	{
		.type = "WHILE_AFTER_BRACE",
		.level = FINDING_ERROR,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.need = "while",
		.find = find_while_after,
		.message = "the while of a do stands behind the '}'",
		.help = help_braces,
	},
	{
		.type = "OPEN_BRACE",
		.level = FINDING_ERROR,
		.scope = RULE_CODE,
		.files = FILE_CODE,
		.find = find_open_brace,
		.message = "the place of a '{'",
		.help = help_braces,
	},
};

const struct rule_family family_block = {"block", rules, array_size(rules)};
