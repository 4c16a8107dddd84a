// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tells unary operators from binary ones, and colons from colons, by what stands before them. Not a
 * parser: it has to give an answer for every piece of code, and the one that checkpatch gives.
 */
#include "checkers/checkpatch/ccode.h"

/* What was before. */
enum before {
	BEFORE_END,	/* the end of a statement */
	BEFORE_OPERAND, /* something that wants an operand */
	BEFORE_VALUE,	/* an operand */
	BEFORE_TYPE,
};

/* Brackets deeper than this are all taken for one. */
#define DEPTH_MAX 256

struct state {
	enum before before;
	enum before after_bracket; /* what an opening bracket will have been when it closes */
	bool is_declaration;	   /* a type, names, and no more since it began */
	bool after_comma;
	bool is_pending;  /* after_bracket was set by the word just before */
	enum crole colon; /* what the next colon is */
	unsigned depth;
};

struct cmarker {
	const struct view *view;
	struct ccode *code;
	struct ctype_reader reader;
	struct state now, saved; /* saved: outside of the directive */
	bool in_directive;
	uint32_t hunk;
	uint8_t stack[DEPTH_MAX]; /* enum before: after each open bracket */
};

struct cmarker *cmarker_new(const struct view *v, struct ccode *code)
{
	struct cmarker *m = xcalloc(1, sizeof(*m));

	m->view = v;
	m->code = code;
	m->hunk = VIEW_NONE;
	return m;
}

void cmarker_free(struct cmarker *m)
{
	free(m);
}

static void reset(struct cmarker *m)
{
	m->now = (struct state){.before = BEFORE_END, .colon = CR_COLON_ELSE};
	m->in_directive = false;
}

static struct ctoken *token(const struct cmarker *m, uint32_t i)
{
	return &m->code->tokens.token[i];
}

static void open_bracket(struct cmarker *m, enum before after)
{
	if (m->now.depth < DEPTH_MAX)
		m->stack[m->now.depth] = (uint8_t)after;
	m->now.depth++;
}

static enum before close_bracket(struct cmarker *m, enum before otherwise)
{
	if (!m->now.depth)
		return otherwise;
	m->now.depth--;
	return m->now.depth < DEPTH_MAX ? (enum before)m->stack[m->now.depth] : otherwise;
}

/* "(foo *)" in front of an operand: the token after it, or i. */
static uint32_t mark_cast(struct cmarker *m, uint32_t i)
{
	uint32_t end = ctype_end(&m->reader, i + 1);

	if (m->now.is_pending || end == i + 1 || end >= m->reader.limit ||
	    !ctoken_is(token(m, end), ')'))
		return i;
	token(m, i)->role = token(m, end)->role = CR_CAST;
	for (uint32_t k = i + 1; k < end; k++)
		token(m, k)->role = CR_TYPE;
	if (m->now.before != BEFORE_END)
		m->now.before = BEFORE_OPERAND;
	return end + 1;
}

static uint32_t mark_open(struct cmarker *m, uint32_t i)
{
	const struct ctoken *t = token(m, i);
	uint32_t end;

	if (t->c == '(') {
		end = mark_cast(m, i);
		if (end != i)
			return end;
		open_bracket(m, m->now.is_pending ? m->now.after_bracket : BEFORE_VALUE);
		m->now.before = BEFORE_OPERAND;
	} else if (t->c == '{') {
		open_bracket(m, BEFORE_END);
		m->now.before = BEFORE_END;
		m->now.colon = CR_COLON_ELSE;
	} else {
		m->now.before = BEFORE_OPERAND;
	}
	return i + 1;
}

static void mark_close(struct cmarker *m, char c)
{
	if (c == ')') {
		m->now.before = close_bracket(m, BEFORE_VALUE);
	} else if (c == '}') {
		close_bracket(m, BEFORE_END);
		m->now.before = BEFORE_END;
		m->now.colon = CR_COLON_ELSE;
	} else {
		m->now.before = BEFORE_VALUE;
	}
}

static bool wants_operand(enum cword w)
{
	switch (w) {
	case CW_IF:
	case CW_ELSE:
	case CW_FOR:
	case CW_WHILE:
	case CW_CASE:
	case CW_RETURN:
	case CW_GOTO:
	case CW_SIZEOF:
	case CW_TYPEOF: return true;
	default: return false;
	}
}

static void set_pending(struct cmarker *m, enum before after)
{
	m->now.is_pending = true;
	m->now.after_bracket = after;
}

static bool is_colon_after(const struct cmarker *m, uint32_t i)
{
	return i + 1 < m->reader.limit && token(m, i + 1)->op == COP_COLON;
}

static void mark_word(struct cmarker *m, uint32_t i)
{
	enum cword w = (enum cword)token(m, i)->word;
	bool is_control = w == CW_IF || w == CW_FOR || w == CW_WHILE;

	if (w != CW_RETURN && w != CW_CASE && w != CW_ELSE && w != CW_GOTO)
		set_pending(m, is_control ? BEFORE_END : BEFORE_VALUE);
	if (wants_operand(w)) {
		m->now.before = BEFORE_OPERAND;
		if (w == CW_CASE)
			m->now.colon = CR_COLON_CASE;
		return;
	}
	if (m->now.before == BEFORE_TYPE || (m->now.is_declaration && m->now.after_comma))
		m->now.colon = CR_COLON_BITS;
	else if (m->now.before == BEFORE_END && is_colon_after(m, i))
		m->now.colon = CR_COLON_LABEL;
	m->now.before = BEFORE_VALUE;
}

/* A type in a declaration. */
static uint32_t mark_type(struct cmarker *m, uint32_t i)
{
	uint32_t end = ctype_end(&m->reader, i);

	for (uint32_t k = i; k < end; k++)
		token(m, k)->role = CR_TYPE;
	if (end != i) {
		m->now.before = BEFORE_TYPE;
		m->now.is_declaration = true;
		set_pending(m, BEFORE_VALUE);
	} else if (ctype_is_modifier(&m->reader, token(m, i)) || token(m, i)->word == CW_INLINE) {
		end = i + 1;
	}
	return end;
}

static void mark_colon(struct cmarker *m, struct ctoken *t)
{
	t->role = (uint8_t)m->now.colon;
	m->now.before =
		t->role == CR_COLON_CASE || t->role == CR_COLON_LABEL ? BEFORE_END : BEFORE_OPERAND;
	m->now.colon = CR_COLON_ELSE;
}

static void mark_op(struct cmarker *m, struct ctoken *t)
{
	m->now.after_comma = t->op == COP_COMMA;
	m->now.is_declaration = m->now.is_declaration &&
				(t->op == COP_COMMA || t->op == COP_COLON || t->op == COP_MUL);
	switch (t->op) {
	case COP_SEMICOLON:
		m->now.before = BEFORE_END;
		m->now.colon = CR_COLON_ELSE;
		break;
	case COP_COLON: mark_colon(m, t); break;
	case COP_INC:
	case COP_DEC:
	case COP_DOT:
	case COP_DOTS: break;
	case COP_MUL:
	case COP_AND:
	case COP_SUB:
	case COP_AND_AND:
		t->role = m->now.before == BEFORE_VALUE ? CR_BINARY : CR_UNARY;
		m->now.before = BEFORE_OPERAND;
		break;
	default: m->now.before = BEFORE_OPERAND;
	}
}

static uint32_t mark(struct cmarker *m, uint32_t i)
{
	struct ctoken *t = token(m, i);
	bool was_pending = m->now.is_pending;
	uint32_t next = i + 1;

	if (t->kind == CT_OPEN) {
		next = mark_open(m, i);
	} else if (t->kind == CT_CLOSE) {
		mark_close(m, t->c);
	} else if (t->kind == CT_WORD) {
		next = mark_type(m, i);
		if (next != i)
			return next;
		mark_word(m, i);
		return i + 1;
	} else if (t->kind == CT_OP) {
		mark_op(m, t);
	} else if (t->kind != CT_SPLICE && t->kind != CT_HASH) {
		m->now.before = BEFORE_VALUE;
	}
	if (t->kind == CT_OPEN || t->kind == CT_CLOSE)
		m->now.is_declaration = false;
	if (was_pending)
		m->now.is_pending = false;
	return next;
}

static bool word_is(const struct cmarker *m, const struct ctoken *t, const char *word)
{
	return t->kind == CT_WORD && t->len == strlen(word) &&
	       memcmp(m->view->text.buf + t->at, word, t->len) == 0;
}

/* "#define NAME" and "#if": the first token that is an operand or an operator. */
static uint32_t mark_directive(struct cmarker *m, uint32_t i)
{
	uint32_t end = m->reader.limit;

	m->saved = m->now;
	m->in_directive = true;
	m->now.before = BEFORE_OPERAND;
	m->now.is_pending = false;
	if (i + 1 >= end)
		return end;
	if (word_is(m, token(m, i + 1), "define")) {
		/* A bracket that touches the name holds parameters. */
		if (i + 3 < end && ctoken_is(token(m, i + 3), '(') &&
		    token(m, i + 3)->at == token(m, i + 2)->at + token(m, i + 2)->len)
			set_pending(m, BEFORE_OPERAND);
		return i + 3 < end ? i + 3 : end;
	}
	return word_is(m, token(m, i + 1), "if") || word_is(m, token(m, i + 1), "elif") ? i + 2
											: end;
}

void cmarker_line(struct cmarker *m, uint32_t i)
{
	const struct view_line *l = &m->view->line[i];
	uint32_t at = m->code->tokens.first[i], end = m->code->tokens.first[i + 1];
	bool continues;

	if (l->hunk != m->hunk)
		reset(m);
	m->hunk = l->hunk;
	if (at == end)
		return;
	m->reader = ccode_reader(m->code, m->view, i, end);
	continues = m->in_directive && at && token(m, at - 1)->kind == CT_SPLICE;
	if (m->in_directive && !continues) {
		m->now = m->saved;
		m->in_directive = false;
	}
	if (ctoken_is(token(m, at), '#') && !continues)
		at = mark_directive(m, at);
	while (at < end)
		at = mark(m, at);
}
