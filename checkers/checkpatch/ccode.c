// SPDX-License-Identifier: GPL-2.0-or-later
#include "checkers/checkpatch/ccode.h"

struct ctype_reader ccode_reader(const struct ccode *code, const struct view *v, uint32_t i,
				 uint32_t limit)
{
	return (struct ctype_reader){v, &code->tokens, &code->types, i, limit};
}

/* The first token that is not before an offset, from token i on. */
static uint32_t token_from(const struct ctokens *t, uint32_t i, uint32_t at)
{
	while (i < t->n && t->token[i].at < at)
		i++;
	return i;
}

/* A statement that begins on line i. Returns the line where another may begin. */
static uint32_t read_statement(struct ccode *code, struct view *v, uint32_t i)
{
	struct statement st = view_statement(v, i);
	struct ctype_reader r;
	uint32_t first = code->tokens.first[i];

	code->statement_end[i] = st.end;
	r = ccode_reader(code, v, i, token_from(&code->tokens, first, st.end));
	/* What ends a declaration of a function that has a body. */
	if (st.opens && r.limit < code->tokens.n)
		r.limit++;
	ctypes_learn(&code->types, &r, first);
	return st.next_line;
}

struct ccode *ccode_new(struct view *v)
{
	struct ccode *code = xcalloc(1, sizeof(*code));
	struct cmarker *marker;
	uint32_t next = 0, hunk = VIEW_NONE;

	ctokens_read(&code->tokens, v);
	ctypes_init(&code->types);
	code->statement_end = xcalloc((size_t)v->n + 1, sizeof(*code->statement_end));
	marker = cmarker_new(v, code);
	for (uint32_t i = 0; i < v->n; i++) {
		bool is_empty = code->tokens.first[i] == code->tokens.first[i + 1];

		if (v->line[i].hunk != hunk)
			next = i;
		hunk = v->line[i].hunk;
		if (!is_empty && i >= next)
			next = read_statement(code, v, i);
		cmarker_line(marker, i);
	}
	cmarker_free(marker);
	return code;
}

void ccode_free(struct ccode *code)
{
	if (!code)
		return;
	ctokens_done(&code->tokens);
	ctypes_done(&code->types);
	free(code->statement_end);
	free(code);
}

struct ccode *ccode_of(struct view *v)
{
	if (!v->code)
		v->code = ccode_new(v);
	return v->code;
}
