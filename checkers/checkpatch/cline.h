/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One line of C for a rule: its tokens and what stands around them. */
#ifndef FIRN_CHECKERS_CHECKPATCH_CLINE_H
#define FIRN_CHECKERS_CHECKPATCH_CLINE_H

#include "checkers/checkpatch/ccode.h"
#include "checkers/checkpatch/rule.h"

struct cline {
	struct rule_run *run;
	const struct rule *rule;
	struct view *view;
	const struct ccode *code;
	const struct ctoken *token; /* all of the view's */
	uint32_t line;		    /* index in view.line */
	uint32_t first, end;	    /* its tokens */
	const char *text;	    /* view.text.buf: offsets of tokens are offsets in it */
	uint32_t start, stop;	    /* offsets of the line */
	struct ctype_reader types;  /* limited to the line */
};

struct cline cline_of(struct rule_run *run, const struct rule *rule, const struct rule_subject *s);
void cline_report(const struct cline *l, enum finding_level level, const char *detail);
/* "detail 'token'". */
void cline_report_token(const struct cline *l, enum finding_level level, uint32_t i,
			const char *detail);
/* With a stretch of the text: "detail 'text'". */
void cline_report_text(const struct cline *l, enum finding_level level, uint32_t from, uint32_t to,
		       const char *detail);
/* Whether CHECKs are told for this line. */
bool cline_checks(const struct cline *l);

static inline uint32_t ctoken_end(const struct ctoken *t)
{
	return t->at + t->len;
}

static inline bool is_blank_char(char c)
{
	return c == ' ' || c == '\t';
}

/* A space or tab before or after a token, on its line. */
bool cline_space_before(const struct cline *l, uint32_t i);
bool cline_space_after(const struct cline *l, uint32_t i);
/* Only spaces stand before a token on its line. */
bool cline_begins(const struct cline *l, uint32_t i);
/* The token's text. */
bool cline_is(const struct cline *l, uint32_t i, const char *word);
bool cline_starts(const struct cline *l, uint32_t i, const char *prefix);
/* Whether the line is "#WORD". */
bool cline_directive(const struct cline *l, const char *word);
/* The token that closes the bracket at token i, on any line; CTOKEN_NONE. */
static inline uint32_t cline_close(const struct cline *l, uint32_t i)
{
	return l->token[i].match;
}

#endif
