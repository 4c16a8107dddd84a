// SPDX-License-Identifier: GPL-2.0-or-later
/* Brackets, statements and blocks of a hunk. */
#include "checkers/checkpatch/view_read.h"

#include <ctype.h>

static bool is_blank(const struct view *v, const struct view_line *l)
{
	const char *s = v->text.buf + l->start;

	for (uint32_t i = 0; i < l->len; i++)
		if (!isspace((unsigned char)s[i]) && s[i] != VIEW_COMMENT)
			return false;
	return true;
}

void view_read_blank(struct view *v, const struct view_hunk *h)
{
	uint32_t code = VIEW_NONE;

	for (uint32_t i = h->first; i < h->last; i++) {
		struct view_line *l = &v->line[i];

		l->is_blank = is_blank(v, l);
		l->prev_code = code;
		if (l->kind & LINE_NEW && !l->is_blank)
			code = i;
	}
	code = VIEW_NONE;
	for (uint32_t i = h->last; i-- > h->first;) {
		v->line[i].next_code = code;
		if (v->line[i].kind & LINE_NEW && !v->line[i].is_blank)
			code = i;
	}
}

/* What is open at each #if. */
#define NESTING_MAX 64

struct brackets {
	struct view *v;
	uint32_t top; /* the innermost open one, or VIEW_NONE */
	uint32_t at_if[NESTING_MAX],
		after[NESTING_MAX]; /* open at the #if; at its first branch's end */
	bool has_else[NESTING_MAX];
	unsigned n_ifs, too_deep;
	bool in_directive;
	uint32_t directive_top; /* what was open where the directive began */
};

static void bracket_open(struct brackets *b, uint32_t at, char c)
{
	struct view *v = b->v;
	uint32_t depth = b->top == VIEW_NONE ? 1 : v->bracket[b->top].depth + 1;
	uint32_t brace = b->top == VIEW_NONE ? VIEW_NONE : v->bracket[b->top].brace;

	arr_grow(v->bracket, v->n_brackets, v->brackets_cap);
	v->bracket[v->n_brackets] = (struct view_bracket){at, VIEW_NONE, b->top, depth, brace, c};
	if (c == '{')
		v->bracket[v->n_brackets].brace = v->n_brackets;
	b->top = v->n_brackets++;
}

/* A '}' closes the nearest '{' whatever else is open in it; the others close only their own kind.
 */
static uint32_t partner_of(const struct brackets *b, char c)
{
	const struct view_bracket *top;

	if (b->top == VIEW_NONE)
		return VIEW_NONE;
	top = &b->v->bracket[b->top];
	if (c == '}')
		return top->brace;
	return top->c == (c == ')' ? '(' : '[') ? b->top : VIEW_NONE;
}

static void bracket_close(struct brackets *b, uint32_t at, char c)
{
	struct view *v = b->v;
	uint32_t open = partner_of(b, c);
	struct view_bracket close = {at, VIEW_NONE, b->top, 1, VIEW_NONE, c};

	if (open != VIEW_NONE) {
		v->bracket[open].match = at;
		close.match = v->bracket[open].at;
		close.parent = v->bracket[open].parent;
		close.depth = v->bracket[open].depth;
		b->top = close.parent;
	}
	arr_grow(v->bracket, v->n_brackets, v->brackets_cap);
	v->bracket[v->n_brackets++] = close;
}

static bool word_at(const char *s, const char *end, const char *word)
{
	size_t n = strlen(word);

	return (size_t)(end - s) >= n && memcmp(s, word, n) == 0 &&
	       ((size_t)(end - s) == n || !(isalnum((unsigned char)s[n]) || s[n] == '_'));
}

static void ifs_push(struct brackets *b)
{
	if (b->n_ifs == NESTING_MAX) {
		b->too_deep++;
		return;
	}
	b->at_if[b->n_ifs] = b->top;
	b->has_else[b->n_ifs++] = false;
}

static void ifs_else(struct brackets *b)
{
	if (!b->n_ifs || b->too_deep)
		return;
	if (!b->has_else[b->n_ifs - 1])
		b->after[b->n_ifs - 1] = b->top;
	b->has_else[b->n_ifs - 1] = true;
	b->top = b->at_if[b->n_ifs - 1];
}

static void ifs_pop(struct brackets *b)
{
	if (b->too_deep) {
		b->too_deep--;
	} else if (b->n_ifs) {
		b->n_ifs--;
		if (b->has_else[b->n_ifs])
			b->top = b->after[b->n_ifs];
	}
}

/* The line's first character is a '#'. What a directive opens ends with it. */
static void directive_read(struct brackets *b, const char *s, const char *end)
{
	s++;
	while (s < end && (*s == ' ' || *s == '\t'))
		s++;
	if (word_at(s, end, "if") || word_at(s, end, "ifdef") || word_at(s, end, "ifndef"))
		ifs_push(b);
	else if (word_at(s, end, "else") || word_at(s, end, "elif"))
		ifs_else(b);
	else if (word_at(s, end, "endif"))
		ifs_pop(b);
	b->in_directive = true;
	b->directive_top = b->top;
}

static void brackets_line(struct brackets *b, struct view_line *l)
{
	const char *text = b->v->text.buf, *s = text + l->start, *end = s + l->len;
	bool goes_on = l->len && end[-1] == '\\';

	if (!b->in_directive) {
		while (s < end && (*s == ' ' || *s == '\t' || *s == VIEW_COMMENT))
			s++;
		if (s < end && *s == '#')
			directive_read(b, s, end);
	}
	l->top = b->top;
	for (; s < end; s++) {
		if (*s == '(' || *s == '{' || *s == '[')
			bracket_open(b, (uint32_t)(s - text), *s);
		else if (*s == ')' || *s == '}' || *s == ']')
			bracket_close(b, (uint32_t)(s - text), *s);
	}
	if (b->in_directive && !goes_on) {
		b->in_directive = false;
		b->top = b->directive_top;
	}
	l->end_top = b->top;
}

void view_read_brackets(struct view *v, const struct view_hunk *h)
{
	struct brackets b = {.v = v, .top = VIEW_NONE};

	if (h->file == VIEW_NONE || !(v->file[h->file].kind & (FILE_CODE | FILE_ASM | FILE_DTS)))
		return;
	for (uint32_t i = h->first; i < h->last; i++)
		if (v->line[i].kind & LINE_NEW)
			brackets_line(&b, &v->line[i]);
}

/* The last bracket at or before an offset, as an index; VIEW_NONE: none. */
static uint32_t bracket_before(const struct view *v, uint32_t at)
{
	uint32_t low = 0, high = v->n_brackets;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (v->bracket[mid].at <= at)
			low = mid + 1;
		else
			high = mid;
	}
	return low ? low - 1 : VIEW_NONE;
}

uint32_t view_match(const struct view *v, uint32_t at)
{
	uint32_t i = bracket_before(v, at);

	return i != VIEW_NONE && v->bracket[i].at == at ? v->bracket[i].match : VIEW_NONE;
}

uint32_t view_bracket_around(const struct view *v, uint32_t at)
{
	uint32_t line = view_line_at(v, at), i;
	const struct view_bracket *b;

	if (line == VIEW_NONE || at == 0)
		return VIEW_NONE;
	i = bracket_before(v, at - 1);
	if (i == VIEW_NONE || v->bracket[i].at < v->line[line].start)
		return v->line[line].top;
	b = &v->bracket[i];
	return b->c == '(' || b->c == '{' || b->c == '[' ? i : b->parent;
}

uint32_t view_skip_space(const struct view *v, uint32_t at, uint32_t end)
{
	const char *s = v->text.buf;

	while (at < end && (isspace((unsigned char)s[at]) || s[at] == VIEW_COMMENT ||
			    (s[at] == '\\' && at + 1 < end && s[at + 1] == '\n')))
		at++;
	return at;
}
