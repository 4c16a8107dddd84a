// SPDX-License-Identifier: GPL-2.0-or-later
#include "series/diff_parse.h"

/* Larger line numbers are nobody's file, and would overflow in sums. */
#define LINE_NUMBER_MAX 0x7fffffffu

static bool number_parse(struct span *s, uint32_t *ret)
{
	uint64_t value = 0;
	size_t i = 0;

	for (; i < s->n && s->p[i] >= '0' && s->p[i] <= '9'; i++) {
		value = value * 10 + (uint64_t)(s->p[i] - '0');
		if (value > LINE_NUMBER_MAX)
			return false;
	}
	if (!i)
		return false;
	*ret = (uint32_t)value;
	*s = span_after(*s, i);
	return true;
}

/* "12,3" or "12", which means "12,1". */
static bool range_parse(struct span *s, uint32_t *ret_start, uint32_t *ret_count)
{
	*ret_count = 1;
	if (!number_parse(s, ret_start))
		return false;
	if (!span_starts(*s, ","))
		return true;
	*s = span_after(*s, 1);
	return number_parse(s, ret_count);
}

static bool skip(struct span *s, const char *text)
{
	if (!span_starts(*s, text))
		return false;
	*s = span_after(*s, strlen(text));
	return true;
}

bool hunk_header_parse(struct span line, struct diff_hunk *ret_hunk)
{
	struct diff_hunk h = {0};

	if (!skip(&line, "@@ -") || !range_parse(&line, &h.old_start, &h.old_count) ||
	    !skip(&line, " +") || !range_parse(&line, &h.new_start, &h.new_count) ||
	    !skip(&line, " @@"))
		return false;
	skip(&line, " ");
	h.section = line.p;
	h.section_len = line.n;
	*ret_hunk = h;
	return true;
}

/* How many lines of each side are still to come. */
struct hunk_rest {
	uint32_t old, new;
	bool changes; /* a '+' or '-' was seen */
};

static bool rest_take(struct hunk_rest *rest, char kind)
{
	if ((kind != '+' && !rest->old) || (kind != '-' && !rest->new))
		return false;
	rest->old -= kind != '+';
	rest->new -= kind != '-';
	rest->changes = rest->changes || kind != ' ';
	return true;
}

/* "\ No newline at end of file", in whatever language: git-apply takes any that is 12 bytes with
 * its newline. */
static bool is_no_newline(struct span s)
{
	return s.n >= 11 && span_starts(s, "\\ ");
}

static int hunk_line_parse(struct diff_reader *r, struct hunk_rest *rest,
			   struct diff_line *ret_line, struct err *err)
{
	struct span s = reader_line(r);
	/* An empty line is an empty context line whose space was lost: GNU diff and mailers do
	 * that. */
	char kind = s.n ? s.p[0] : ' ';

	if (kind != ' ' && kind != '+' && kind != '-')
		return err_set(err, ERR_PATCH,
			       "line %u: hunk ends early (%u old and %u new lines are missing), or "
			       "a line was "
			       "wrapped",
			       r->line, rest->old, rest->new);
	if (!reader_line_ends(r))
		return err_set(err, ERR_PATCH, "line %u: the patch is cut off in this line",
			       r->line);
	if (!rest_take(rest, kind))
		return err_set(err, ERR_PATCH, "line %u: more lines than the hunk's @@ line says",
			       r->line);
	*ret_line = (struct diff_line){.kind = kind,
				       .text = s.p + (s.n != 0),
				       .len = s.n - (s.n != 0),
				       .patch_line = r->line};
	return 0;
}

static int hunk_body_parse(struct diff_reader *r, struct diff_hunk *h, struct err *err)
{
	struct hunk_rest rest = {h->old_count, h->new_count, false};
	size_t cap = 0;
	int rc;

	while (rest.old || rest.new) {
		if (reader_at_end(r))
			return err_set(
				err, ERR_PATCH,
				"line %u: hunk ends early (%u old and %u new lines are missing)",
				r->line, rest.old, rest.new);
		if (is_no_newline(reader_line(r)) && h->n_lines) {
			h->line[h->n_lines - 1].no_newline = true;
			reader_next(r);
			continue;
		}
		if (++r->n_lines > DIFF_LINES_MAX)
			return err_set(err, ERR_PATCH,
				       "line %u: more than %u lines in the diffs of one mail",
				       r->line, DIFF_LINES_MAX);
		arr_grow(h->line, h->n_lines, cap);
		rc = hunk_line_parse(r, &rest, &h->line[h->n_lines], err);
		if (rc)
			return rc;
		h->n_lines++;
		reader_next(r);
	}
	if (!rest.changes)
		return err_set(err, ERR_PATCH, "line %u: hunk changes nothing", h->patch_line);
	if (is_no_newline(reader_line(r))) {
		h->line[h->n_lines - 1].no_newline = true;
		reader_next(r);
	}
	return 0;
}

int hunk_parse(struct diff_reader *r, struct diff_hunk *ret_hunk, struct err *err)
{
	struct diff_hunk h;
	int rc;

	if (!hunk_header_parse(reader_line(r), &h))
		return err_set(err, ERR_PATCH, "line %u: broken @@ line", r->line);
	h.patch_line = r->line;
	reader_next(r);
	rc = hunk_body_parse(r, &h, err);
	if (rc) {
		free(h.line);
		return rc;
	}
	/* Mails with a million hunks of one line are possible. */
	h.line = xreallocarray(h.line, h.n_lines, sizeof(*h.line));
	*ret_hunk = h;
	return 0;
}
