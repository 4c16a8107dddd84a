// SPDX-License-Identifier: GPL-2.0-or-later
#include "checkers/checkpatch/code.h"

#include <ctype.h>

/* The longest statement that is looked at, in bytes. */
#define STATEMENT_MAX ((size_t)4096)
/* #if in an #if in a statement. */
#define NESTING_MAX 16

void code_init(struct code *c)
{
	*c = (struct code){0};
	str_init(&c->text, 0);
}

void code_done(struct code *c)
{
	str_done(&c->text);
	free(c->line);
}

/* What a character stands in. */
enum state { PLAIN, COMMENT, STRING, CHARACTER };

static bool pair(const char *s, size_t i, size_t n, const char *two)
{
	return i + 1 < n && s[i] == two[0] && s[i + 1] == two[1];
}

/* How many characters to take together at s[i], and what follows them. */
static size_t token(const char *s, size_t i, size_t n, enum state *state)
{
	const enum state was = *state;

	if (was == PLAIN && pair(s, i, n, "//"))
		return n - i;
	if (was == PLAIN && pair(s, i, n, "/*")) {
		*state = COMMENT;
		return 2;
	}
	if (was == COMMENT && pair(s, i, n, "*/")) {
		*state = PLAIN;
		return 2;
	}
	if ((was == STRING || was == CHARACTER) && s[i] == '\\' && i + 1 < n)
		return 2;
	if (s[i] == '"' && (was == PLAIN || was == STRING))
		*state = was == PLAIN ? STRING : PLAIN;
	else if (s[i] == '\'' && (was == PLAIN || was == CHARACTER))
		*state = was == PLAIN ? CHARACTER : PLAIN;
	return 1;
}

static char blank(char c, enum state before, enum state after, size_t taken)
{
	if (c == '\t')
		return c;
	if (before == COMMENT || after == COMMENT || (before == PLAIN && taken > 1))
		return CODE_COMMENT;
	if (before != PLAIN && after != PLAIN)
		return 'X';
	return c;
}

/* Adds one line, blanked. A quote does not reach over the end of a line, a comment does. */
static void add_blanked(struct str *out, const char *s, size_t n, enum state *state)
{
	for (size_t i = 0, taken; i < n; i += taken) {
		const enum state before = *state;

		taken = token(s, i, n, state);
		for (size_t k = 0; k < taken; k++)
			str_addc(out, blank(s[i + k], before, *state, taken));
	}
	if (*state != COMMENT)
		*state = PLAIN;
}

/* The first mark of a comment on a line: 1 opens, -1 closes, 0 none. */
static int comment_edge(const struct diff_line *l)
{
	for (size_t i = 0; i + 1 < l->len; i++) {
		if (pair(l->text, i, l->len, "/*"))
			return 1;
		if (pair(l->text, i, l->len, "*/"))
			return -1;
	}
	return 0;
}

/* " * text", "**": a line of a comment, most likely. */
static bool looks_like_comment(const struct diff_line *l)
{
	size_t i = 0, stars = 0;

	while (i < l->len && (l->text[i] == ' ' || l->text[i] == '\t'))
		i++;
	while (i + stars < l->len && l->text[i + stars] == '*')
		stars++;
	if (stars == 0 || (stars == 1 && (i == 0 || l->text[i - 1] != ' ')))
		return false;
	i += stars;
	return i == l->len || l->text[i] == ' ' || l->text[i] == '\t';
}

/* A hunk that closes a comment before it opens one began inside it. */
static enum state hunk_state(const struct diff_hunk *h)
{
	for (size_t i = 0; i < h->n_lines; i++) {
		int edge = h->line[i].kind == '-' ? 0 : comment_edge(&h->line[i]);

		if (edge)
			return edge < 0 ? COMMENT : PLAIN;
	}
	return h->n_lines && looks_like_comment(&h->line[0]) ? COMMENT : PLAIN;
}

void code_read(struct code *c, const struct diff_hunk *h)
{
	enum state state = hunk_state(h);
	unsigned number = h->new_start;

	str_reset(&c->text);
	c->n = 0;
	for (size_t i = 0; i < h->n_lines; i++) {
		const struct diff_line *l = &h->line[i];
		size_t start = c->text.len;

		if (l->kind == '-')
			continue;
		add_blanked(&c->text, l->text, l->len, &state);
		arr_grow(c->line, c->n, c->cap);
		c->line[c->n++] = (struct code_line){l, number++, start, c->text.len};
		str_addc(&c->text, '\n');
	}
}

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

/* The line that the offset is on, looked for from line i. */
static size_t line_of(const struct code *c, size_t i, size_t at)
{
	while (i + 1 < c->n && c->line[i + 1].start <= at)
		i++;
	return i;
}

struct statement code_statement(const struct code *c, size_t i, size_t *fuel)
{
	const char *text = c->text.buf;
	struct statement st = {.start = c->line[i].start, .next_line = i + 1};
	struct scan scan = {0};
	size_t limit = st.start + (*fuel < STATEMENT_MAX ? *fuel : STATEMENT_MAX);
	size_t at = st.start;
	bool ended = false;

	if (limit > c->text.len)
		limit = c->text.len;
	scan_line_start(&scan, text + at);
	for (; at < limit && !ended; at++) {
		char ch = text[at];

		if (ch == '{' || (ch == ';' && scan.now.level))
			break;
		if (ch == '#')
			scan_directive(&scan, text + at);
		scan_bracket(&scan, ch);
		st.closed = ch == ';';
		ended = st.closed || (ch == '\n' && ends_define(&scan, text, at));
		if (ch == '\n' && !ended)
			scan_line_start(&scan, text + at + 1);
	}
	*fuel -= at - st.start;
	st.end = at;
	/* Nothing can begin within what was read to its end. After a #define, checkpatch leaves out
	 * a line too. */
	if (ended)
		st.next_line = line_of(c, i, at - 1) + (st.closed ? 1 : 2);
	else if (at == c->text.len)
		st.next_line = c->n;
	return st;
}
