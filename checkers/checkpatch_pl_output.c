// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The script prints blocks, each closed by an empty line:
 *
 *	WARNING:TYPE: message
 *	#12: FILE: path:34:		or "#12:", "#12: FILE: path", or nothing
 *	+the line, perhaps with its neighbours
 *
 * and at the end "total: 0 errors, 1 warnings, 2 checks, 34 lines checked". Lines of the patch are
 *in there too, so only the first line of a block is taken for a heading.
 */
#include "checkers/checkpatch_pl.h"

#include <ctype.h>
#include <limits.h>

struct line {
	const char *s;
	size_t len;
};

/* Takes the first line off [*at, end). */
static bool line_next(const char **at, const char *end, struct line *ret)
{
	const char *nl;

	if (*at >= end)
		return false;
	nl = memchr(*at, '\n', (size_t)(end - *at));
	*ret = (struct line){*at, (size_t)((nl ? nl : end) - *at)};
	*at = nl ? nl + 1 : end;
	return true;
}

static bool level_parse(struct line *l, enum finding_level *ret)
{
	for (enum finding_level level = FINDING_CHECK; level <= FINDING_ERROR; level++) {
		const char *name = finding_level_name(level);
		size_t n = strlen(name);

		if (l->len > n && memcmp(l->s, name, n) == 0 && l->s[n] == ':') {
			l->s += n + 1;
			l->len -= n + 1;
			*ret = level;
			return true;
		}
	}
	return false;
}

/* Takes "TYPE: " off the line. */
static bool type_parse(struct line *l, char type[static 64])
{
	size_t n = 0;

	while (n < l->len && n < 63 &&
	       (isupper((unsigned char)l->s[n]) || isdigit((unsigned char)l->s[n]) ||
		l->s[n] == '_'))
		n++;
	if (n == 0 || n + 1 >= l->len || l->s[n] != ':' || l->s[n + 1] != ' ')
		return false;
	memcpy(type, l->s, n);
	type[n] = '\0';
	l->s += n + 2;
	l->len -= n + 2;
	return true;
}

/* A number at the front of the line is taken off; 0 when there is none. */
static unsigned number_take(struct line *l)
{
	unsigned n = 0;

	while (l->len && isdigit((unsigned char)*l->s) && n < UINT_MAX / 10 - 1) {
		n = n * 10 + (unsigned)(*l->s - '0');
		l->s++;
		l->len--;
	}
	return n;
}

static bool word_take(struct line *l, const char *word)
{
	size_t n = strlen(word);

	if (l->len < n || memcmp(l->s, word, n) != 0)
		return false;
	l->s += n;
	l->len -= n;
	return true;
}

struct place {
	unsigned patch_line, line;
	char *path;
};

static void place_cleanup(struct place *p)
{
	free(p->path);
}

/* "path:34:", or "path". */
static void place_parse_file(struct line l, struct place *p)
{
	size_t n = l.len;

	if (n && l.s[n - 1] == ':')
		n--;
	while (n && isdigit((unsigned char)l.s[n - 1]))
		n--;
	if (n > 1 && n < l.len && l.s[n - 1] == ':') {
		struct line digits = {l.s + n, l.len - n};

		p->line = number_take(&digits);
		n--;
	} else {
		n = l.len;
	}
	p->path = xmemdup(l.s, n);
}

static void place_parse(struct line l, struct place *p)
{
	if (!word_take(&l, "#"))
		return;
	p->patch_line = number_take(&l);
	if (word_take(&l, ": FILE: "))
		place_parse_file(l, p);
}

/* Line n of the patch, counted from 1. Findings come nearly in order, so the search goes on from
 * the last place. */
struct text_cursor {
	const char *start, *end, *at;
	unsigned line;
};

static bool text_line(struct text_cursor *c, unsigned n, struct line *ret)
{
	struct line l = {0};

	if (n == 0)
		return false;
	if (n < c->line) {
		c->at = c->start;
		c->line = 1;
	}
	for (; c->line < n; c->line++)
		if (!line_next(&c->at, c->end, &l))
			return false;
	const char *at = c->at;

	return line_next(&at, c->end, ret);
}

static void block_add(struct check_result *r, enum finding_level level, const char *type,
		      struct line message, const struct place *p)
{
	int len = message.len > INT_MAX ? INT_MAX : (int)message.len;

	check_result_add(r, level, type, p->path, p->line, p->patch_line, "%.*s", len, message.s);
}

static bool totals_parse(struct line l, unsigned *ret_lines)
{
	unsigned n = 0;

	if (!word_take(&l, "total: "))
		return false;
	/* "2 errors, 0 warnings, 1 checks, 34 lines checked", the checks not always. */
	while (l.len && isdigit((unsigned char)*l.s)) {
		n = number_take(&l);
		if (word_take(&l, " lines checked")) {
			*ret_lines = n;
			return l.len == 0;
		}
		while (l.len && !isdigit((unsigned char)*l.s)) {
			l.s++;
			l.len--;
		}
	}
	return false;
}

/* "ERROR:TYPE: message", and a place below it. */
static bool is_head(struct line l, const char *below, const char *end)
{
	enum finding_level level;
	char type[64];

	return level_parse(&l, &level) && type_parse(&l, type) && below < end && *below == '#';
}

/* Reads on to the empty line that ends a block. NON_OCTAL_PERMISSIONS of 6.1 has none: there the
 * next block begins at once. */
static void block_skip(const char **at, const char *end)
{
	const char *next = *at;
	struct line l;

	while (line_next(&next, end, &l) && !is_head(l, next, end)) {
		*at = next;
		if (!l.len)
			return;
	}
}

/* The block that begins with `head`. */
static void block_read(struct line head, const char **at, const char *end, struct text_cursor *text,
		       struct check_result *r)
{
	auto_cleanup(place) struct place place = {0};
	enum finding_level level;
	struct line l, excerpt;
	char type[64];

	if (level_parse(&head, &level) && type_parse(&head, type)) {
		const char *second = *at;

		if (line_next(&second, end, &l))
			place_parse(l, &place);
		block_add(r, level, type, head, &place);
		if (text_line(text, place.patch_line, &excerpt))
			check_result_excerpt(r, excerpt.s, excerpt.len);
	}
	block_skip(at, end);
}

bool script_output_read(const struct str *output, const char *text, size_t text_len,
			struct check_result *r)
{
	struct text_cursor cursor = {text, text + text_len, text, 1};
	const char *at = output->buf, *end = output->buf + output->len;
	struct line l;

	while (line_next(&at, end, &l)) {
		if (totals_parse(l, &r->lines_checked))
			return true;
		if (l.len)
			block_read(l, &at, end, &cursor, r);
	}
	return false;
}
