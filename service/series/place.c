// SPDX-License-Identifier: GPL-2.0-or-later
#include "series/place.h"

#include <assert.h>

static struct image_line line_split(const char *p, const char *end)
{
	const char *nl = memchr(p, '\n', (size_t)(end - p));

	return (struct image_line){
		.text = p, .len = (uint32_t)((nl ? nl : end) - p), .newline = nl != NULL};
}

static size_t lines_count(struct bytes data)
{
	size_t n = 0;

	for (size_t i = 0; i < data.len; n++) {
		const char *nl = memchr(data.data + i, '\n', data.len - i);

		i = nl ? (size_t)(nl - data.data) + 1 : data.len;
	}
	return n;
}

static void budget_take(const struct image *img, uint64_t units)
{
	*img->budget -= units < *img->budget ? units : *img->budget;
}

void image_init(struct image *img, struct bytes data, size_t grow, uint64_t *budget)
{
	const char *p = data.len ? data.data : "", *end = p + data.len;

	*img = (struct image){.n = lines_count(data), .room = grow, .budget = budget};
	img->line = xreallocarray(NULL, img->n + grow, sizeof(*img->line));
	for (size_t i = 0; i < img->n; i++) {
		struct image_line *l = &img->line[grow + i];

		*l = line_split(p, end);
		p += l->len + l->newline;
	}
	budget_take(img, img->n + data.len / 64);
}

void image_done(struct image *img)
{
	free(img->line);
	img->line = NULL;
}

static struct image_line *line_at(const struct image *img, size_t i)
{
	return &img->line[i < img->gap ? i : i + img->room];
}

const struct image_line *image_at(const struct image *img, size_t i)
{
	return line_at(img, i);
}

void image_text(const struct image *img, struct str *out)
{
	for (size_t i = 0; i < img->n; i++) {
		const struct image_line *l = line_at(img, i);

		str_add(out, l->text, l->len);
		if (l->newline)
			str_addc(out, '\n');
	}
}

static void gap_move(struct image *img, size_t to)
{
	struct image_line *l = img->line;
	size_t n = to < img->gap ? img->gap - to : to - img->gap;

	if (to < img->gap)
		memmove(l + to + img->room, l + to, n * sizeof(*l));
	else
		memmove(l + img->gap, l + img->gap + img->room, n * sizeof(*l));
	budget_take(img, n);
	img->gap = to;
}

/* One side of a hunk, and where it may go. */
struct side {
	const struct diff_hunk *h;
	char skip;	 /* the kind of line that the other side alone has */
	size_t n;	 /* lines of this side */
	bool begin, end; /* must be at the beginning, at the end of the file */
};

/*
 * A hunk that begins at line 0 or 1 must match at the beginning, and one without trailing context
 * at the end: the context is only shorter than the rest because the file ends there. So a diff made
 * with -U0 applies at the end of a file alone.
 */
static struct side side_of(const struct diff_hunk *h, bool new_side)
{
	struct side s = {.h = h,
			 .skip = new_side ? '-' : '+',
			 .n = new_side ? h->new_count : h->old_count,
			 .begin = h->old_start <= 1,
			 .end = h->line[h->n_lines - 1].kind != ' '};
	return s;
}

static bool line_same(const struct image_line *l, const struct diff_line *d)
{
	return l->len == d->len && l->newline == !d->no_newline &&
	       memcmp(l->text, d->text, d->len) == 0;
}

static bool side_is_at(const struct image *img, const struct side *s, size_t at)
{
	budget_take(img, 1);
	if ((s->begin && at) || s->n > img->n - at || (s->end && at + s->n != img->n))
		return false;
	for (size_t i = 0; i < s->h->n_lines; i++) {
		const struct diff_line *d = &s->h->line[i];
		const struct image_line *l;

		if (d->kind == s->skip)
			continue;
		l = line_at(img, at++);
		budget_take(img, 1 + d->len / 64);
		if (l->patched || !line_same(l, d))
			return false;
	}
	return true;
}

/* Where the header says, in the image as it is: earlier hunks have moved it to the new side's
 * numbers. */
static size_t stated_line(const struct image *img, const struct diff_hunk *h)
{
	size_t line = h->new_start ? h->new_start - 1 : 0;

	return line < img->n ? line : img->n;
}

static size_t first_try(const struct image *img, const struct side *s)
{
	if (s->begin)
		return 0;
	if (s->end)
		return s->n <= img->n ? img->n - s->n : img->n;
	return stated_line(img, s->h);
}

enum place_end place_find(const struct image *img, const struct diff_hunk *h, bool new_side,
			  struct place *ret_place)
{
	struct side s = side_of(h, new_side);
	size_t start = first_try(img, &s), found = start;
	size_t below = start, above = start;
	bool forward = true, hit = side_is_at(img, &s, start);

	/* With one end of the file given there is one place only. */
	while (!hit && !s.begin && !s.end && (below || above < img->n) && *img->budget) {
		if (forward ? above < img->n : below > 0) {
			found = forward ? ++above : --below;
			hit = side_is_at(img, &s, found);
		}
		forward = !forward;
	}
	if (!hit)
		return *img->budget ? PLACE_NOWHERE : PLACE_GAVE_UP;
	*ret_place = (struct place){.line = found, .moved = found != stated_line(img, h)};
	return PLACE_FOUND;
}

void place_apply(struct image *img, const struct diff_hunk *h, size_t line)
{
	assert(h->new_count <= img->room + h->old_count);
	gap_move(img, line);
	img->room += h->old_count;
	img->n -= h->old_count;
	for (size_t i = 0; i < h->n_lines; i++) {
		const struct diff_line *d = &h->line[i];

		if (d->kind == '-')
			continue;
		img->line[img->gap++] = (struct image_line){.text = d->text,
							    .len = (uint32_t)d->len,
							    .newline = !d->no_newline,
							    .patched = true};
		img->room--;
		img->n++;
	}
}

/* Bytes of the lines that agree: a long one says more than #endif does, and a lone brace nothing.
 */
static size_t text_in_common(const struct image *img, const struct diff_hunk *h, size_t at)
{
	size_t same = 0;

	for (size_t i = 0; i < h->n_lines && at < img->n; i++) {
		if (h->line[i].kind == '+')
			continue;
		if (h->line[i].len > 2 && line_same(line_at(img, at), &h->line[i]))
			same += h->line[i].len;
		at++;
	}
	return same;
}

/* More lines than this times the hunk's are not searched: it is for a message only. */
#define CLOSEST_WORK_MAX ((uint64_t)50000000)

size_t place_closest(const struct image *img, const struct diff_hunk *h)
{
	size_t best = stated_line(img, h), most = text_in_common(img, h, best);

	if ((uint64_t)img->n * h->n_lines > CLOSEST_WORK_MAX)
		return best;
	for (size_t at = 0; at < img->n; at++) {
		size_t same = text_in_common(img, h, at);

		if (same > most) {
			most = same;
			best = at;
		}
	}
	return best;
}
