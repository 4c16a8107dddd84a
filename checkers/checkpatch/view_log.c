// SPDX-License-Identifier: GPL-2.0-or-later
/* The commit message: where it ends, what in it is quoted from elsewhere, and its line numbers. */
#include "checkers/checkpatch/view_read.h"

#include "checkers/checkpatch/pattern.h"

#include <ctype.h>
#include <strings.h>

/* What the kernel prints when it stumbles, and tools about it: "[   12.345678]", "[<c0123456>]",
 * "WARNING: ", "r0: 1234 r1: 5678 r2: 9abc", "#3 [c000] schedule at c0123456". It goes on to the
 * next empty line. */
static const char dump_start[] =
	"^\\s*(?:WARNING:|BUG:|\\[\\s*\\d+\\.\\d{6}\\s*\\]|\\[<[[:xdigit:]]{8,}>\\])|"
	"^(?:\\s+\\w+:\\s+[[:xdigit:]]+){3}|"
	"^\\s*#\\d+\\s*\\[[[:xdigit:]]+\\]\\s*\\w+ at [[:xdigit:]]";

static bool is_blank(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isspace((unsigned char)s[i]))
			return false;
	return true;
}

static bool is_signoff(const char *s, size_t n)
{
	while (n && isspace((unsigned char)*s)) {
		s++;
		n--;
	}
	return n >= 14 && strncasecmp(s, "Signed-off-by:", 14) == 0;
}

/* Columns: two or more gaps of several spaces, or bars. Quoted: "> ", or indented by a tab or four
 * spaces. */
static bool is_table(const char *s, size_t n)
{
	unsigned gaps = 0, bars = 0;

	if (n > 2 && (s[0] == '\t' || s[0] == '>' || (n > 4 && memcmp(s, "    ", 4) == 0)))
		return true;
	for (size_t i = 1; i + 1 < n; i++) {
		gaps += isspace((unsigned char)s[i]) && isspace((unsigned char)s[i - 1]) &&
			!isspace((unsigned char)s[i + 1]);
		bars += s[i] == '|';
	}
	return gaps > 1 || bars > 1 || (n > 1 && memcmp(s, "| ", 2) == 0);
}

/* Most lines of a message can be told from such a one by a look. */
static bool may_start_dump(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n && isspace((unsigned char)s[i]))
		i++;
	return i < n && (strchr("[#WB", s[i]) || (i && memchr(s, ':', n)));
}

void view_read_log(struct view *v)
{
	static struct pattern *dump;
	bool in_log = true, in_dump = false;

	dump = dump ? dump : pattern_new(dump_start);
	for (uint32_t i = 0; i < v->n && i < v->first_diff; i++) {
		struct view_line *l = &v->line[i];

		if (l->kind != LINE_LOG)
			continue;
		in_log = in_log && !is_signoff(l->raw, l->raw_len);
		in_dump = !is_blank(l->raw, l->raw_len) &&
			  (in_dump || (may_start_dump(l->raw, l->raw_len) &&
				       pattern_matches(dump, l->raw, l->raw_len)));
		l->in_log = in_log;
		l->in_dump = in_dump;
		l->in_table = is_table(l->raw, l->raw_len);
	}
}

/* Lines of git's own header: "From ", "From:", "Date:", the folded subject, and three of MIME when
 * the message is not ASCII. */
static unsigned header_lines(const struct view *v)
{
	unsigned n = 3, mime = 0;

	for (uint32_t i = v->subject; i != VIEW_NONE && i < v->first_diff; i++) {
		const struct view_line *l = &v->line[i];

		if (l->kind == LINE_HEADER && i > v->subject && l->raw_len &&
		    !isspace((unsigned char)*l->raw))
			break;
		if (l->kind == LINE_HEADER)
			/* git folds at 78 characters; "Subject: " is there in both. */
			n += 1 + (l->raw_len ? (l->raw_len - 1) / 78 : 0);
		else
			break;
	}
	for (uint32_t i = 0; i < v->first_diff; i++)
		for (uint32_t k = 0; k < v->line[i].raw_len && v->line[i].kind != LINE_BELOW; k++)
			mime |= (unsigned char)v->line[i].raw[k] >> 7;
	return n + (v->subject == VIEW_NONE) + 3 * mime;
}

/* The stretch of the message, without empty lines at its end. */
static void log_lines(const struct view *v, uint32_t *ret_first, uint32_t *ret_last)
{
	uint32_t first = 0, last;

	while (first < v->first_diff && v->line[first].kind == LINE_HEADER)
		first++;
	last = first;
	for (uint32_t i = first; i < v->first_diff && v->line[i].kind == LINE_LOG; i++)
		if (!is_blank(v->line[i].raw, v->line[i].raw_len))
			last = i + 1;
	*ret_first = first;
	*ret_last = last;
}

/* "---", a line a file, the sum, a line for each file that comes, goes or is renamed, and an empty
 * one. */
static unsigned stat_lines(const struct view *v)
{
	unsigned n = 3 + v->n_files;

	for (uint32_t i = 0; i < v->n_files; i++)
		n += v->file[i].is_new || v->file[i].is_gone || v->file[i].is_renamed;
	return n;
}

unsigned view_format_line(const struct view *v, uint32_t i)
{
	uint32_t first, last;

	if (i == VIEW_NONE || v->is_source)
		return 0;
	if (v->line[i].kind == LINE_HEADER)
		return v->subject == i ? 4 : 0;
	log_lines(v, &first, &last);
	if (i >= first && i < last)
		return header_lines(v) + (i - first) + 1;
	if (i < v->first_diff)
		return 0;
	return header_lines(v) + (last - first) + stat_lines(v) + (i - v->first_diff) + 1;
}
