// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/text_view.h"

/* A head that is broken has at most so many lines. */
#define HEAD_LINES 4

void text_table_add(struct text_table *t, const char *escaped)
{
	arr_grow(t->cell, t->n, t->cap);
	t->cell[t->n++] = xstrdup(escaped);
}

void text_table_add_cut(struct text_table *t, const char *escaped, size_t columns)
{
	size_t n = strlen(escaped);

	if (term_width(escaped, n) <= columns) {
		text_table_add(t, escaped);
		return;
	}
	auto_free char *cut =
		xasprintf("%.*s...", (int)term_fit(escaped, n, columns - strlen("...")), escaped);
	text_table_add(t, cut);
}

void text_table_add_line(struct text_table *t, const char *escaped)
{
	text_table_add(t, escaped);
	for (size_t c = 1; c < t->columns; c++) {
		arr_grow(t->cell, t->n, t->cap);
		t->cell[t->n++] = NULL;
	}
}

void text_table_done(struct text_table *t)
{
	for (size_t i = 0; i < t->n; i++)
		free(t->cell[i]);
	free(t->cell);
	t->cell = NULL;
	t->n = t->cap = 0;
}

static bool is_line(const struct text_table *t, size_t row)
{
	return t->columns > 1 && !t->cell[row + 1];
}

static size_t cell_width(const struct text_table *t, size_t i)
{
	return term_width(t->cell[i], strlen(t->cell[i]));
}

/* Of the rows from `from` on, which is the index of a row's first cell. */
static size_t column_width(const struct text_table *t, size_t column, size_t from)
{
	size_t widest = 0;

	for (size_t row = from; row + t->columns <= t->n; row += t->columns) {
		size_t width = is_line(t, row) ? 0 : cell_width(t, row + column);

		widest = width > widest ? width : widest;
	}
	return widest;
}

size_t text_table_width(const struct text_table *t)
{
	size_t width = t->indent;

	for (size_t c = 0; c < t->columns; c++)
		width += column_width(t, c, 0) + (c ? 2 : 0);
	return width;
}

static void table_cell(struct text_view *v, const struct text_table *t, size_t i, size_t width)
{
	size_t pad = width - cell_width(t, i);
	bool right = t->align[i % t->columns] == 'r';

	str_addf(&v->out, "%*s%s%*s", right ? (int)pad : 0, "", t->cell[i], right ? 0 : (int)pad,
		 "");
}

/* Column 0 and those from `from` up to `to`. */
static void table_block(struct text_view *v, const struct text_table *t, const size_t *width,
			size_t from, size_t to)
{
	for (size_t row = 0; row + t->columns <= t->n; row += t->columns) {
		size_t start = v->out.len;

		str_addf(&v->out, "%*s", (int)t->indent, "");
		if (is_line(t, row))
			str_adds(&v->out, t->cell[row]);
		else
			table_cell(v, t, row, width[0]);
		for (size_t c = from; c < to && !is_line(t, row); c++) {
			str_adds(&v->out, "  ");
			table_cell(v, t, row + c, width[c]);
		}
		while (v->out.len > start && v->out.buf[v->out.len - 1] == ' ')
			v->out.buf[--v->out.len] = '\0';
		str_addc(&v->out, '\n');
	}
}

struct head {
	char *line[HEAD_LINES];
	size_t n;
};

static void head_break(const char *text, size_t room, struct head *ret)
{
	size_t n = strlen(text);

	do {
		size_t end = ret->n == HEAD_LINES - 1 ? n : text_line_end(text, n, room);

		ret->line[ret->n++] = xmemdup(text, end);
		while (end < n && text[end] == ' ')
			end++;
		text += end;
		n -= end;
	} while (n);
}

/* Breaks the first row at its spaces, so that columns are as wide as their cells where words allow.
 * The lines stand on the row below them. */
static void table_break_head(struct text_table *t)
{
	auto_free struct head *head = xcalloc(t->columns, sizeof(*head));
	size_t lines = 1, columns = t->columns;
	struct text_table broken = {.align = t->align, .columns = columns, .indent = t->indent};

	for (size_t c = 0; c < columns; c++) {
		head_break(t->cell[c], column_width(t, c, columns), &head[c]);
		lines = head[c].n > lines ? head[c].n : lines;
	}
	for (size_t i = 0; i < lines * columns; i++) {
		const struct head *h = &head[i % columns];
		size_t above = lines - h->n, line = i / columns;

		text_table_add(&broken, line < above ? "" : h->line[line - above]);
	}
	for (size_t i = columns; i < t->n; i++) {
		arr_grow(broken.cell, broken.n, broken.cap);
		broken.cell[broken.n++] = take(t->cell[i]);
	}
	for (size_t c = 0; c < columns; c++)
		for (size_t i = 0; i < head[c].n; i++)
			free(head[c].line[i]);
	text_table_done(t);
	*t = broken;
}

void text_table_print(struct text_view *v, struct text_table *t)
{
	auto_free size_t *width = xcalloc(t->columns, sizeof(*width));
	size_t from = 1, to;

	if (t->n > t->columns && text_table_width(t) > TEXT_COLUMNS)
		table_break_head(t);
	for (size_t c = 0; c < t->columns; c++)
		width[c] = column_width(t, c, 0);
	do {
		size_t used = t->indent + width[0];

		for (to = from; to < t->columns; to++) {
			used += 2 + width[to];
			if (used > TEXT_COLUMNS && to > from)
				break;
		}
		table_block(v, t, width, from, to);
		from = to;
		if (from < t->columns)
			str_addc(&v->out, '\n');
	} while (from < t->columns);
}
