// SPDX-License-Identifier: GPL-2.0-or-later
/* Statements, cut as checkpatch cuts them, and blocks. */
#include "checkers/checkpatch/view.h"

#include <ctype.h>

/* The longest statement that is looked at, in bytes. */
#define STATEMENT_MAX 4096u
/* #if in an #if in a statement. */
#define NESTING_MAX 16
/* if in a for in an if, without braces. */
#define BLOCKS_MAX 32

/* Where a scan stands: inside how many brackets, and of what kind; '#' for a #define. */
struct nesting {
	unsigned level;
	char kind;
};

struct scan {
	struct nesting now;
	struct nesting saved[NESTING_MAX]; /* at each open #if */
	size_t n_saved;
};

/* Texts end in a newline and a NUL, so that this never reads too far. */
static bool word_at(const char *s, const char *word)
{
	size_t n = strlen(word);

	return strncmp(s, word, n) == 0 && !isalnum((unsigned char)s[n]) && s[n] != '_';
}

/* A '#': brackets that are open at #if are so again at #else and after #endif. */
static void scan_directive(struct scan *scan, const char *s)
{
	s += 1 + strspn(s + 1, " \t");
	if (word_at(s, "if") || word_at(s, "ifdef") || word_at(s, "ifndef")) {
		if (scan->n_saved < NESTING_MAX)
			scan->saved[scan->n_saved++] = scan->now;
	} else if (word_at(s, "else") || word_at(s, "elif")) {
		scan->now =
			scan->n_saved > 1 ? scan->saved[scan->n_saved - 2] : (struct nesting){0};
	} else if (word_at(s, "endif")) {
		scan->now = scan->n_saved ? scan->saved[--scan->n_saved] : (struct nesting){0};
	}
}

static void scan_line_start(struct scan *scan, const char *s)
{
	s += strspn(s, " \t");
	if (scan->now.level == 0 && *s == '#' && word_at(s + 1 + strspn(s + 1, " \t"), "define"))
		scan->now = (struct nesting){1, '#'};
}

static void scan_bracket(struct scan *scan, char c)
{
	struct nesting *now = &scan->now;

	if (c == '(' && (!now->kind || now->kind == '(')) {
		now->level++;
		now->kind = '(';
	} else if (c == ')' && now->kind == '(') {
		now->level--;
		now->kind = now->level ? '(' : 0;
	}
}

/* Whether the newline at `at` ends a #define. */
static bool ends_define(const struct scan *scan, const char *text, size_t at)
{
	return scan->now.kind == '#' && (at == 0 || text[at - 1] != '\\');
}

static uint32_t hunk_last(const struct view *v, uint32_t i)
{
	return v->hunk[v->line[i].hunk].last;
}

/* The line after i in the new file; the end of the hunk when there is none. */
static uint32_t next_or_end(const struct view *v, uint32_t i)
{
	uint32_t next = view_next(v, i);

	return next == VIEW_NONE ? hunk_last(v, i) : next;
}

/* The last line from i on that begins at or before an offset. */
static uint32_t line_of(const struct view *v, uint32_t i, uint32_t at)
{
	for (uint32_t next; (next = view_next(v, i)) != VIEW_NONE; i = next)
		if (v->line[next].start > at)
			break;
	return i;
}

/* Nothing can begin within what was read to its end. After a #define, checkpatch leaves out a line
 * too. */
static uint32_t statement_next(const struct view *v, uint32_t i, const struct statement *st,
			       bool ended)
{
	uint32_t next;

	if (!ended)
		return st->end == v->hunk[v->line[i].hunk].end ? hunk_last(v, i)
							       : next_or_end(v, i);
	next = next_or_end(v, line_of(v, i, st->end - 1));
	return st->is_closed || next == hunk_last(v, i) ? next : next_or_end(v, next);
}

struct statement view_statement(struct view *v, uint32_t i)
{
	const char *text = v->text.buf;
	struct statement st = {.start = v->line[i].start, .first = i};
	uint32_t limit = st.start + (v->fuel < STATEMENT_MAX ? (uint32_t)v->fuel : STATEMENT_MAX);
	uint32_t at = st.start;
	struct scan scan = {0};
	bool ended = false;

	if (limit > v->hunk[v->line[i].hunk].end)
		limit = v->hunk[v->line[i].hunk].end;
	scan_line_start(&scan, text + at);
	for (; at < limit && !ended; at++) {
		char ch = text[at];

		if (ch == '{' || (ch == ';' && scan.now.level))
			break;
		if (ch == '#')
			scan_directive(&scan, text + at);
		scan_bracket(&scan, ch);
		st.is_closed = ch == ';';
		ended = st.is_closed || (ch == '\n' && ends_define(&scan, text, at));
		if (ch == '\n' && !ended)
			scan_line_start(&scan, text + at + 1);
	}
	v->fuel -= at - st.start;
	st.end = at;
	st.opens = !ended && at < limit && text[at] == '{';
	st.last = at > st.start ? line_of(v, i, at - 1) : i;
	st.next_line = statement_next(v, i, &st, ended);
	return st;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static char keyword(const char *s, size_t n)
{
	static const struct {
		const char *word;
		char kind;
	} words[] = {{"if", 'i'},    {"else", 'e'}, {"for", 'f'},
		     {"while", 'w'}, {"do", 'd'},   {"switch", 's'}};

	for (size_t i = 0; i < array_size(words); i++)
		if (strlen(words[i].word) == n && memcmp(words[i].word, s, n) == 0)
			return words[i].kind;
	/* for_each_x, list_for_each_entry, ... */
	return memmem(s, n, "for_each", 8) ? 'f' : '\0';
}

/* Walks an offset forward and pays for it. */
struct walk {
	struct view *v;
	uint32_t end; /* of the hunk */
	unsigned blocks;
};

static uint32_t walk_space(struct walk *w, uint32_t at)
{
	uint32_t to = view_skip_space(w->v, at, w->end);
	size_t paid = to - at + 1;

	w->v->fuel -= paid < w->v->fuel ? paid : w->v->fuel;
	return to;
}

/* After the ';' of a simple statement; the end of the hunk, or a '}' that does not belong to it. */
static uint32_t walk_simple(struct walk *w, uint32_t at)
{
	const char *text = w->v->text.buf;
	uint32_t from = at;

	while (at < w->end && text[at] != '}' && at - from < w->v->fuel) {
		if (text[at] == ';') {
			at++;
			break;
		}
		if (text[at] == '(' || text[at] == '{' || text[at] == '[') {
			uint32_t match = view_match(w->v, at);

			if (match != VIEW_NONE)
				at = match;
		}
		at++;
	}
	w->v->fuel -= at - from < w->v->fuel ? at - from : w->v->fuel;
	return at;
}

static struct block walk_block(struct walk *w, uint32_t at);

static uint32_t walk_statement(struct walk *w, uint32_t at)
{
	struct block b = {0};

	if (at < w->end && w->v->text.buf[at] == '{') {
		uint32_t match = view_match(w->v, at);

		return match == VIEW_NONE ? w->end : match + 1;
	}
	if (w->blocks < BLOCKS_MAX)
		b = walk_block(w, at);
	return b.kind ? b.body_end : walk_simple(w, at);
}

/* The else that follows an if belongs to it when the if is a body itself. */
static uint32_t walk_else(struct walk *w, uint32_t at)
{
	for (;;) {
		uint32_t next = walk_space(w, at);
		struct block b;

		if (next >= w->end || !word_at(w->v->text.buf + next, "else") ||
		    w->blocks >= BLOCKS_MAX)
			return at;
		b = walk_block(w, next);
		if (!b.kind)
			return at;
		at = b.body_end;
	}
}

static bool read_head(struct walk *w, struct block *b, uint32_t at)
{
	const char *text = w->v->text.buf;
	uint32_t n = 0;

	while (at + n < w->end && is_word(text[at + n]))
		n++;
	b->kind = n ? keyword(text + at, n) : '\0';
	b->start = at;
	b->cond = b->cond_end = VIEW_NONE;
	if (!b->kind)
		return false;
	b->body = walk_space(w, at + n);
	if (b->kind == 'e' && word_at(text + b->body, "if")) {
		b->kind = 'I';
		b->body = walk_space(w, b->body + 2);
	}
	return true;
}

static bool read_condition(struct walk *w, struct block *b)
{
	if (b->kind == 'e' || b->kind == 'd')
		return true;
	if (b->body >= w->end || w->v->text.buf[b->body] != '(')
		return false;
	b->cond = b->body + 1;
	b->cond_end = view_match(w->v, b->body);
	if (b->cond_end == VIEW_NONE)
		return false;
	b->body = walk_space(w, b->cond_end + 1);
	return true;
}

/* Statements of the first level, counted to 2. */
static uint32_t count_statements(struct walk *w, uint32_t at, uint32_t end)
{
	uint32_t n = 0;

	for (at = walk_space(w, at); at < end && n < 2 && w->v->fuel; at = walk_space(w, at)) {
		uint32_t next = walk_statement(w, at);

		next = walk_else(w, next);
		if (next <= at)
			break;
		n++;
		at = next;
	}
	return n;
}

/* A block of more lines counts as one of so many. */
#define LINES_MAX 100

/* Lines that hold something of [from, to). */
static uint32_t count_lines(const struct view *v, uint32_t from, uint32_t to)
{
	uint32_t first, last, n = 1;

	while (to > from &&
	       (isspace((unsigned char)v->text.buf[to - 1]) || v->text.buf[to - 1] == VIEW_COMMENT))
		to--;
	from = view_skip_space(v, from, to);
	if (from >= to)
		return 0;
	first = view_line_at(v, from);
	last = view_line_at(v, to - 1);
	for (; first != last && first != VIEW_NONE && n < LINES_MAX; first = view_next(v, first))
		n++;
	return n;
}

static void read_body(struct walk *w, struct block *b)
{
	b->has_brace = b->body < w->end && w->v->text.buf[b->body] == '{';
	b->body_end = walk_statement(w, b->body);
	b->is_whole = b->body_end < w->end ||
		      (b->body_end > b->body && strchr(";}", w->v->text.buf[b->body_end - 1]));
	if (b->body_end <= w->end && !b->has_brace && b->body < w->end &&
	    (w->v->text.buf[b->body] == 'i') && word_at(w->v->text.buf + b->body, "if"))
		b->body_end = walk_else(w, b->body_end);
}

static struct block walk_block(struct walk *w, uint32_t at)
{
	struct block b = {0};

	w->blocks++;
	if (!read_head(w, &b, at) || !read_condition(w, &b))
		b.kind = '\0';
	else
		read_body(w, &b);
	w->blocks--;
	return b;
}

struct block view_block(struct view *v, uint32_t at)
{
	struct walk w = {.v = v, .end = (uint32_t)v->text.len};
	uint32_t line = view_line_at(v, at);
	struct block b;

	if (line == VIEW_NONE || v->line[line].hunk == VIEW_NONE)
		return (struct block){0};
	w.end = v->hunk[v->line[line].hunk].end;
	b = walk_block(&w, at);
	if (!b.kind)
		return b;
	b.n_statements = b.has_brace ? count_statements(&w, b.body + 1, b.body_end - 1) : 1;
	b.n_lines = b.has_brace ? count_lines(v, b.body + 1, b.body_end - 1)
				: count_lines(v, b.body, b.body_end);
	return b;
}
