// SPDX-License-Identifier: GPL-2.0-or-later
/* Questions about lines. */
#include "checkers/checkpatch/view.h"

#include <ctype.h>

static bool in_hunk(const struct view *v, uint32_t i, const struct view_hunk **ret)
{
	if (i == VIEW_NONE || v->line[i].hunk == VIEW_NONE)
		return false;
	*ret = &v->hunk[v->line[i].hunk];
	return true;
}

uint32_t view_prev(const struct view *v, uint32_t i)
{
	const struct view_hunk *h;

	if (!in_hunk(v, i, &h))
		return VIEW_NONE;
	while (i > h->first)
		if (v->line[--i].kind & LINE_NEW)
			return i;
	return VIEW_NONE;
}

uint32_t view_next(const struct view *v, uint32_t i)
{
	const struct view_hunk *h;

	if (!in_hunk(v, i, &h))
		return VIEW_NONE;
	while (++i < h->last)
		if (v->line[i].kind & LINE_NEW)
			return i;
	return VIEW_NONE;
}

bool view_is_blank(const struct view *v, uint32_t i)
{
	return v->line[i].is_blank;
}

uint32_t view_prev_code(const struct view *v, uint32_t i)
{
	return i == VIEW_NONE ? i : v->line[i].prev_code;
}

uint32_t view_next_code(const struct view *v, uint32_t i)
{
	return i == VIEW_NONE ? i : v->line[i].next_code;
}

unsigned text_columns(const char *text, size_t n)
{
	unsigned columns = 0;

	for (size_t i = 0; i < n; i++)
		columns = text[i] == '\t' ? columns / 8 * 8 + 8 : columns + 1;
	return columns;
}

unsigned view_indent(const struct view *v, uint32_t i)
{
	const char *text = view_plain(v, i);
	size_t n = 0;

	while (n < v->line[i].len && isspace((unsigned char)text[n]))
		n++;
	return text_columns(text, n);
}

uint32_t view_line_at(const struct view *v, uint32_t at)
{
	uint32_t low = 0, high = v->n_ordered;

	while (high - low > 1) {
		uint32_t mid = low + (high - low) / 2;

		if (v->line[v->order[mid]].start <= at)
			low = mid;
		else
			high = mid;
	}
	return v->n_ordered ? v->order[low] : VIEW_NONE;
}

static unsigned depth_of(const struct view *v, uint32_t bracket)
{
	return bracket == VIEW_NONE ? 0 : v->bracket[bracket].depth;
}

unsigned view_depth(const struct view *v, uint32_t i)
{
	return depth_of(v, v->line[i].top);
}

unsigned view_end_depth(const struct view *v, uint32_t i)
{
	return depth_of(v, v->line[i].end_top);
}
