// SPDX-License-Identifier: GPL-2.0-or-later
#include "series/apply_run.h"

/* Lines of each side, and bytes of a line: enough to see it, short enough for a mail. */
#define WINDOW	       9
#define LINE_MAX_BYTES 160

static void evidence_add(struct apply_result *ret, char *line)
{
	ret->evidence = xreallocarray(ret->evidence, ret->n_evidence + 1, sizeof(*ret->evidence));
	ret->evidence[ret->n_evidence++] = line;
}

void evidence_say(struct apply_result *ret, const char *fmt, ...)
{
	auto_str struct str line;
	va_list ap;

	str_init(&line, ERR_MSG_MAX);
	va_start(ap, fmt);
	str_vaddf(&line, fmt, ap);
	va_end(ap);
	evidence_add(ret, str_take(&line));
}

void evidence_drop(struct apply_result *ret)
{
	for (size_t i = 0; i < ret->n_evidence; i++)
		free(ret->evidence[i]);
	free(ret->evidence);
	free(ret->failed_path);
	ret->evidence = NULL;
	ret->n_evidence = 0;
	ret->failed_path = NULL;
	ret->failed_hunk = 0;
}

static void evidence_line(struct apply_result *ret, char kind, const char *text, size_t len)
{
	bool cut = len > LINE_MAX_BYTES;

	evidence_add(ret, xasprintf("  %c%.*s%s", kind, (int)(cut ? LINE_MAX_BYTES : len), text,
				    cut ? "..." : ""));
}

static bool same_text(const struct image *img, size_t at, const struct diff_line *d)
{
	const struct image_line *l = at < img->n ? image_at(img, at) : NULL;

	return l && l->len == d->len && memcmp(l->text, d->text, d->len) == 0;
}

/* How many lines of the hunk's old side agree with the file before the first that does not. */
static size_t agreeing(const struct image *img, const struct diff_hunk *h, size_t at)
{
	size_t n = 0;

	for (size_t i = 0; i < h->n_lines; i++) {
		if (h->line[i].kind == '+')
			continue;
		if (!same_text(img, at + n, &h->line[i]))
			break;
		n++;
	}
	return n;
}

static void evidence_expected(struct apply_result *ret, const struct diff_hunk *h, size_t first)
{
	size_t n = 0;

	evidence_add(ret, xasprintf("expected (@@ -%u,%u +%u,%u @@ on line %u of the diff):",
				    h->old_start, h->old_count, h->new_start, h->new_count,
				    h->patch_line));
	for (size_t i = 0; i < h->n_lines && n < first + WINDOW; i++) {
		const struct diff_line *d = &h->line[i];

		if (d->kind == '+')
			continue;
		if (n++ >= first)
			evidence_line(ret, d->kind, d->text, d->len);
	}
}

static void evidence_found(struct apply_result *ret, const struct image *img, size_t at, size_t n)
{
	if (at >= img->n) {
		evidence_add(ret, xasprintf("found: the file ends at line %zu", img->n));
		return;
	}
	evidence_add(ret, xasprintf("found (%s, line %zu):", ret->failed_path, at + 1));
	for (size_t i = at; i < img->n && i < at + n; i++) {
		const struct image_line *l = image_at(img, i);

		evidence_line(ret, ' ', l->text, l->len);
	}
}

void evidence_hunk(struct apply_result *ret, const struct image *img, const struct diff_hunk *h)
{
	size_t at = place_closest(img, h), agree = agreeing(img, h, at);
	size_t first = agree > 3 ? agree - 3 : 0;
	size_t n = h->old_count - first < WINDOW ? h->old_count - first : WINDOW;

	evidence_expected(ret, h, first);
	evidence_found(ret, img, at + first, n ? n : WINDOW);
}
