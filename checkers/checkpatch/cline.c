// SPDX-License-Identifier: GPL-2.0-or-later
#include "checkers/checkpatch/cline.h"

struct cline cline_of(struct rule_run *run, const struct rule *rule, const struct rule_subject *s)
{
	const struct ccode *code = ccode_of(s->view);
	const struct view_line *line = &s->view->line[s->at];
	uint32_t end = code->tokens.first[s->at + 1];

	return (struct cline){
		.run = run,
		.rule = rule,
		.view = s->view,
		.code = code,
		.token = code->tokens.token,
		.line = s->at,
		.first = code->tokens.first[s->at],
		.end = end,
		.text = s->view->text.buf,
		.start = line->start,
		.stop = line->start + line->len,
		.types = ccode_reader(code, s->view, s->at, end),
	};
}

void cline_report(const struct cline *l, enum finding_level level, const char *detail)
{
	rule_report_as(l->run, l->rule, level, l->line, detail);
}

void cline_report_text(const struct cline *l, enum finding_level level, uint32_t from, uint32_t to,
		       const char *detail)
{
	auto_free char *text = NULL;

	/* A finding's text is cut anyway. */
	if (to - from > 200)
		to = from + 200;
	text = xasprintf("%s '%.*s'", detail, (int)(to - from), l->view->plain.buf + from);
	cline_report(l, level, text);
}

void cline_report_token(const struct cline *l, enum finding_level level, uint32_t i,
			const char *detail)
{
	cline_report_text(l, level, l->token[i].at, ctoken_end(&l->token[i]), detail);
}

bool cline_checks(const struct cline *l)
{
	const struct view_file *f = view_file(l->view, l->line);

	return rule_options(l->run)->strict || (f && f->checks);
}

bool cline_space_before(const struct cline *l, uint32_t i)
{
	uint32_t at = l->token[i].at;

	return at > l->view->line[l->token[i].line].start && is_blank_char(l->text[at - 1]);
}

bool cline_space_after(const struct cline *l, uint32_t i)
{
	return is_blank_char(l->text[ctoken_end(&l->token[i])]);
}

bool cline_begins(const struct cline *l, uint32_t i)
{
	uint32_t start = l->view->line[l->token[i].line].start;

	for (uint32_t at = l->token[i].at; at > start; at--)
		if (!is_blank_char(l->text[at - 1]))
			return false;
	return true;
}

bool cline_is(const struct cline *l, uint32_t i, const char *word)
{
	return i < l->code->tokens.n && l->token[i].len == strlen(word) &&
	       memcmp(l->text + l->token[i].at, word, l->token[i].len) == 0;
}

bool cline_starts(const struct cline *l, uint32_t i, const char *prefix)
{
	return i < l->code->tokens.n && l->token[i].len >= strlen(prefix) &&
	       memcmp(l->text + l->token[i].at, prefix, strlen(prefix)) == 0;
}

bool cline_directive(const struct cline *l, const char *word)
{
	return l->end - l->first >= 2 && ctoken_is(&l->token[l->first], '#') &&
	       cline_is(l, l->first + 1, word);
}
