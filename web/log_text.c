// SPDX-License-Identifier: GPL-2.0-or-later
/* What is in a log, as text for people; and what is new in one. */
#include "web/log.h"

#include "report/escape.h"
#include "web/work_file.h"

#define FOLLOW_MAX (64 * 1024)
#define ESC	   0x1b

bool log_tail(int fd, int64_t size, struct str *ret, int64_t *ret_from)
{
	int64_t from = size > LOG_TAIL_MAX ? size - LOG_TAIL_MAX : 0;
	const char *line;

	if (!work_read(fd, from, (size_t)(size - from), ret))
		return false;
	line = from ? memchr(ret->buf, '\n', ret->len) : NULL;
	if (line) {
		size_t part = (size_t)(line + 1 - ret->buf);

		str_drop(ret, part);
		from += (int64_t)part;
	}
	*ret_from = from;
	return true;
}

/* Bytes of the control sequence that begins at s (ECMA-48, 5.4): "\e[31m". 0 for one that is not
 * whole and for other escapes, which are shown. */
static size_t sequence(const char *s, size_t n)
{
	size_t i = 2;

	if (n < 3 || s[0] != ESC || s[1] != '[')
		return 0;
	while (i < n && s[i] >= 0x20 && s[i] <= 0x3f)
		i++;
	return i < n && s[i] >= 0x40 && s[i] <= 0x7e ? i + 1 : 0;
}

/* One line without its end. */
static void add_line(struct str *out, struct str *line, const char *s, size_t n)
{
	str_reset(line);
	for (size_t i = 0; i < n;) {
		size_t skip = sequence(s + i, n - i);

		if (!skip)
			str_addc(line, s[i]);
		i += skip ? skip : 1;
	}
	if (line->len <= LOG_LINE_MAX) {
		term_text(out, line->buf, line->len);
	} else {
		size_t shown = LOG_LINE_MAX;

		while (shown && (line->buf[shown] & 0xc0) == 0x80) /* not inside a character */
			shown--;
		term_text(out, line->buf, shown);
		str_addf(out, " ... (%zu more bytes)", line->len - shown);
	}
	str_addc(out, '\n');
}

/* The end of the line at s: \n, \r\n, or the \r of a progress bar. Serial consoles send \r\r\n. */
static size_t line_end(const char *s, size_t n, size_t *ret_next)
{
	size_t end = 0, next;

	while (end < n && s[end] != '\n' && s[end] != '\r')
		end++;
	for (next = end; next < n && s[next] == '\r'; next++)
		;
	if (next < n && s[next] == '\n')
		next++;
	*ret_next = next;
	return end;
}

void log_text(struct str *out, const char *s, size_t n)
{
	auto_str struct str line;

	str_init(&line, 0);
	while (n) {
		size_t next, end = line_end(s, n, &next);

		add_line(out, &line, s, end);
		s += next;
		n -= next;
	}
}

void log_follow_done(struct log_follow *f)
{
	free(f->name);
	*f = (struct log_follow){0};
}

/* The newest log; then, so that none is left out, the first after the one that is followed. */
static const char *follow_next(const struct log_follow *f, const struct log_list *l)
{
	if (!f->name)
		return l->n ? l->name[l->n - 1] : NULL;
	for (size_t i = 0; i < l->n; i++)
		if (strverscmp(l->name[i], f->name) > 0)
			return l->name[i];
	return NULL;
}

/* Whole lines of the n bytes: without one, all when it is long or `last`. */
static size_t whole_lines(const struct str *s, bool last)
{
	const char *end = memrchr(s->buf, '\n', s->len);

	if (last || (!end && s->len > LOG_LINE_MAX))
		return s->len;
	return end ? (size_t)(end + 1 - s->buf) : 0;
}

/* `last`: the log has ended, so that a line without an end is one. */
static bool follow_read(struct log_follow *f, const char *work_dir, bool last, struct str *out)
{
	auto_str struct str raw;
	int64_t size = 0, left;
	auto_fd int fd = log_open(work_dir, f->name, &size);
	size_t n;

	str_init(&raw, FOLLOW_MAX);
	if (fd < 0 || size <= f->at)
		return false;
	left = size - f->at;
	if (!work_read(fd, f->at, left < FOLLOW_MAX ? (size_t)left : FOLLOW_MAX, &raw))
		return false;
	n = whole_lines(&raw, last && left <= FOLLOW_MAX);
	log_text(out, raw.buf, n);
	f->at += (int64_t)n;
	return n > 0;
}

/* A log that was there before we looked begins with its tail, one that comes later with all of it.
 */
static void follow_begin(struct log_follow *f, const char *work_dir, const char *name)
{
	bool first = !f->name;
	auto_str struct str tail;
	int64_t size = 0;
	auto_fd int fd = first ? log_open(work_dir, name, &size) : -1;

	free(f->name);
	*f = (struct log_follow){.name = xstrdup(name)};
	str_init(&tail, 0);
	if (fd >= 0)
		(void)!log_tail(fd, size, &tail, &f->at);
}

bool log_follow_from(struct log_follow *f, const char *name, int64_t at)
{
	if (!log_name_ok(name) || at < 0)
		return false;
	log_follow_done(f);
	*f = (struct log_follow){.name = xstrdup(name), .at = at};
	return true;
}

bool log_follow(struct log_follow *f, const char *work_dir, const char *step, struct str *out,
		bool *ret_new)
{
	auto_log_list struct log_list l = {0};
	const char *next;

	log_list_jobs(work_dir, step, &l);
	next = follow_next(f, &l);
	*ret_new = false;
	if (f->name && follow_read(f, work_dir, next != NULL, out))
		return true;
	if (!next)
		return false;
	follow_begin(f, work_dir, next);
	*ret_new = true;
	follow_read(f, work_dir, false, out);
	return true;
}
