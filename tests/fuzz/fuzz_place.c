// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Placing hunks in small files, against a slow search that is written from git-apply(1)'s rules
 * alone. The input is a file of few different lines, then edits of it: what they give is made into
 * hunks whose line numbers and context the input chooses, too.
 *
 *	byte 0		lines of the file
 *	a byte each	a line of the file, see line_of()
 *	hunks		skip, old lines, context before, context after, shift, new lines and a byte
 *for each
 */
#include "fuzz.h"

#include "series/place.h"

#define LINES_MAX 40
#define HUNKS_MAX 6
#define HUNK_MAX  16

struct input {
	const uint8_t *p;
	size_t n;
};

static unsigned take_byte(struct input *in, unsigned below)
{
	unsigned c = 0;

	if (in->n) {
		c = *in->p++;
		in->n--;
	}
	return c % below;
}

/* Few different ones, so that a hunk has many places to go. */
static const char *line_of(unsigned c)
{
	static const char *const text[] = {"a", "b", "}", ""};

	return text[c % array_size(text)];
}

struct model_line {
	const char *text;
	bool patched;
};

/* The file as the reference sees it. */
struct model {
	struct model_line line[LINES_MAX + HUNKS_MAX * HUNK_MAX];
	size_t n;
};

static bool model_is_at(const struct model *m, const struct diff_hunk *h, size_t at)
{
	for (size_t i = 0; i < h->n_lines; i++) {
		if (h->line[i].kind == '+')
			continue;
		if (at >= m->n || m->line[at].patched ||
		    strlen(m->line[at].text) != h->line[i].len ||
		    memcmp(m->line[at].text, h->line[i].text, h->line[i].len) != 0)
			return false;
		at++;
	}
	return true;
}

/* All places, then the nearest; of two at the same distance the one that is found first going back
 * and forth, which begins with going forward. -1: nowhere. */
static long model_find(const struct model *m, const struct diff_hunk *h)
{
	long want = h->new_start ? (long)h->new_start - 1 : 0, best = -1;
	bool begin = h->old_start <= 1, end = h->line[h->n_lines - 1].kind != ' ';

	if (want > (long)m->n)
		want = (long)m->n;
	/* Where one end of the file is given, that is the only place. */
	for (long at = 0; at <= (long)m->n; at++) {
		if ((begin && at) || (end && (size_t)at + h->old_count != m->n) ||
		    !model_is_at(m, h, (size_t)at))
			continue;
		if (best < 0 || labs(at - want) < labs(best - want) ||
		    (labs(at - want) == labs(best - want) && at > best))
			best = at;
	}
	return best;
}

static void model_apply(struct model *m, const struct diff_hunk *h, size_t at)
{
	struct model next = {.n = at};

	memcpy(next.line, m->line, at * sizeof(*m->line));
	for (size_t i = 0; i < h->n_lines; i++) {
		if (h->line[i].kind != '-')
			next.line[next.n++] = (struct model_line){h->line[i].text, true};
	}
	for (size_t i = at + h->old_count; i < m->n; i++)
		next.line[next.n++] = m->line[i];
	*m = next;
}

static void hunk_add(struct diff_hunk *h, char kind, const char *text)
{
	h->line[h->n_lines++] = (struct diff_line){.kind = kind, .text = text, .len = strlen(text)};
	h->old_count += kind != '+';
	h->new_count += kind != '-';
}

/* Lines that are copied from somewhere in the file, or made up. */
static void hunk_make(struct input *in, const struct model *m, struct diff_hunk *h)
{
	size_t from = take_byte(in, LINES_MAX), before = take_byte(in, 4), cut = take_byte(in, 4),
	       after = take_byte(in, 4), add = take_byte(in, 4);

	for (size_t i = 0; i < before + cut + after; i++) {
		const char *text = from + i < m->n ? m->line[from + i].text : "a";

		if (i == before + cut)
			for (size_t k = 0; k < add; k++)
				hunk_add(h, '+', line_of(take_byte(in, 4)));
		hunk_add(h, i >= before && i < before + cut ? '-' : ' ', text);
	}
	if (!after)
		for (size_t k = 0; k < add; k++)
			hunk_add(h, '+', line_of(take_byte(in, 4)));
	h->old_start = take_byte(in, LINES_MAX);
	h->new_start = take_byte(in, LINES_MAX);
}

static void check(bool ok)
{
	if (!ok)
		abort();
}

static void same_text(const struct image *img, const struct model *m)
{
	check(img->n == m->n);
	for (size_t i = 0; i < m->n; i++) {
		const struct image_line *l = image_at(img, i);

		check(l->len == strlen(m->line[i].text) && l->patched == m->line[i].patched &&
		      memcmp(l->text, m->line[i].text, l->len) == 0);
	}
}

/* False when the hunk has no place: git stops there. */
static bool hunk_run(struct image *img, struct model *m, const struct diff_hunk *h)
{
	long want = model_find(m, h);
	struct place got = {.line = 0};
	enum place_end end = place_find(img, h, false, &got);

	check(end == (want < 0 ? PLACE_NOWHERE : PLACE_FOUND));
	if (want < 0)
		return false;
	check(got.line == (size_t)want);
	place_apply(img, h, got.line);
	model_apply(m, h, got.line);
	same_text(img, m);
	return true;
}

static void file_make(struct input *in, struct model *m, struct str *text)
{
	m->n = take_byte(in, LINES_MAX);
	for (size_t i = 0; i < m->n; i++) {
		m->line[i] = (struct model_line){line_of(take_byte(in, 4)), false};
		str_addf(text, "%s\n", m->line[i].text);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = {data, size};
	struct model m = {.n = 0};
	struct image img;
	auto_str struct str text;
	uint64_t budget = PLACE_BUDGET;
	bool more = true;

	str_init(&text, 0);
	file_make(&in, &m, &text);
	image_init(&img, (struct bytes){text.buf, text.len}, HUNKS_MAX * HUNK_MAX, &budget);
	for (size_t i = 0; more && i < HUNKS_MAX && in.n; i++) {
		struct diff_line line[HUNK_MAX];
		struct diff_hunk h = {.line = line};

		hunk_make(&in, &m, &h);
		more = h.n_lines && hunk_run(&img, &m, &h);
	}
	image_done(&img);
	return 0;
}
