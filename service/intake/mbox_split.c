// SPDX-License-Identifier: GPL-2.0-or-later
#include "intake/mbox_split.h"

#include "base/proc.h"
#include <ctype.h>
#include <poll.h>
#include <sys/stat.h>

/* Longer lines come in pieces; no From_ line is this long. */
#define PIECE_MAX 65536

struct split {
	struct intake *in;
	const char *name;
	int fd;
	char buf[PIECE_MAX];
	size_t begin, end;
	bool eof;
	bool is_mbox, first, bol, after_blank;
	struct str msg;
	unsigned n; /* of the message that is being read */
};

static int split_fill(struct split *s, struct err *err)
{
	struct pollfd fds[] = {{.fd = s->fd, .events = POLLIN},
			       {.fd = cancel_fd(), .events = POLLIN}};
	ssize_t got;

	memmove(s->buf, s->buf + s->begin, s->end - s->begin);
	s->end -= s->begin;
	s->begin = 0;
	do {
		if (poll(fds, array_size(fds), -1) < 0 && errno != EINTR)
			return err_sys(err, ERR_INFRA, "cannot wait for %s", s->name);
		if (cancel_requested())
			return err_cancelled(err);
		got = read(s->fd, s->buf + s->end, sizeof(s->buf) - s->end);
	} while (got < 0 && (errno == EINTR || errno == EAGAIN));
	if (got < 0)
		return err_sys(err, ERR_INPUT, "cannot read %s", s->name);
	s->eof = got == 0;
	s->end += (size_t)got;
	return 0;
}

/* The next line with its newline, or a piece of a long one; *ret_n is 0 at the end. */
static int split_line(struct split *s, const char **ret_line, size_t *ret_n, struct err *err)
{
	const char *nl;

	while (!(nl = memchr(s->buf + s->begin, '\n', s->end - s->begin)) && !s->eof &&
	       s->end - s->begin < sizeof(s->buf)) {
		int rc = split_fill(s, err);

		if (rc < 0)
			return rc;
	}
	*ret_line = s->buf + s->begin;
	*ret_n = nl ? (size_t)(nl - *ret_line) + 1 : s->end - s->begin;
	s->begin += *ret_n;
	return 0;
}

/* git-format-patch(1) writes this date whatever the day, so that file(1) can know it. */
static bool is_format_patch(const char *line)
{
	return strspn(line + 5, "0123456789abcdef") >= 40 &&
	       strstr(line, " Mon Sep 17 00:00:00 2001");
}

/* "From ADDRESS Thu Jan  1 00:00:00 1970": asctime(3) after one word. Prose that begins with "From
 * " has none. */
static bool is_separator(const struct split *s, const char *line, size_t n)
{
	char copy[256], weekday[4], month[4];
	int day, hour, minute;

	if (n < 20 || n >= sizeof(copy) || memcmp(line, "From ", 5) != 0)
		return false;
	memcpy(copy, line, n);
	copy[n] = '\0';
	if (is_format_patch(copy))
		return true;
	return s->after_blank && sscanf(copy, "From %*s %3[A-Za-z] %3[A-Za-z] %2d %2d:%2d", weekday,
					month, &day, &hour, &minute) == 5;
}

static bool is_escaped(const char *line, size_t n)
{
	size_t i = 0;

	while (i < n && line[i] == '>')
		i++;
	return i > 0 && n - i >= 5 && memcmp(line + i, "From ", 5) == 0;
}

/* The message is whole: into the list with it, and with the empty line that an mbox puts after it:
 * git keeps that too, and it may be the last line of a diff. `last` tells that the file ends here.
 */
static int split_flush(struct split *s, bool last, struct err *err)
{
	auto_free char *origin = NULL;
	struct mail *m;
	int rc;

	if (s->msg.len == 0 && !(last && s->n == 1))
		return 0;
	if (s->in->list->n == INTAKE_MAILS_MAX)
		return err_set(err, ERR_INPUT, "%s: more than the limit of %zu mails", s->name,
			       INTAKE_MAILS_MAX);
	origin = last && s->n == 1 ? xstrdup(s->name) : xasprintf("%s, message %u", s->name, s->n);
	rc = mail_parse(s->msg.buf, s->msg.len, origin, &m, err);
	if (rc < 0)
		return rc;
	mail_list_add(s->in->list, m);
	str_reset(&s->msg);
	s->n++;
	return 0;
}

static int too_large(const struct split *s, struct err *err)
{
	auto_free char *which = s->is_mbox ? xasprintf(", message %u,", s->n) : xstrdup("");
	auto_free char *size = NULL;
	struct stat st;

	if (fstat(s->fd, &st) == 0 && S_ISREG(st.st_mode))
		size = xasprintf(" (the file has %lld bytes)", (long long)st.st_size);
	return err_set(err, ERR_INPUT, "%s%s is larger than the limit of %zu bytes for one mail%s",
		       s->name, which, MAIL_MAX, size ? size : "");
}

static int split_take(struct split *s, const char *line, size_t n, struct err *err)
{
	if (s->first)
		s->is_mbox = n >= 5 && memcmp(line, "From ", 5) == 0;
	if (s->bol && s->is_mbox && (s->first || is_separator(s, line, n))) {
		s->first = false;
		s->after_blank = false;
		return split_flush(s, false, err);
	}
	s->first = false;
	s->after_blank = s->bol && (line[0] == '\n' || (n == 2 && line[0] == '\r'));
	if (s->bol && s->is_mbox && is_escaped(line, n)) {
		line++;
		n--;
	}
	if (!str_add(&s->msg, line, n))
		return too_large(s, err);
	s->in->bytes += n;
	if (s->in->bytes > INTAKE_BYTES_MAX)
		return err_set(err, ERR_INPUT,
			       "%s: more than the limit of %zu bytes of mail in all", s->name,
			       INTAKE_BYTES_MAX);
	return 0;
}

static int split_run(struct split *s, struct err *err)
{
	const char *line;
	size_t n;
	int rc;

	while ((rc = split_line(s, &line, &n, err)) == 0 && n > 0) {
		bool ends = line[n - 1] == '\n';

		rc = split_take(s, line, n, err);
		if (rc < 0)
			return rc;
		s->bol = ends;
	}
	return rc < 0 ? rc : split_flush(s, true, err);
}

int mbox_split(struct intake *in, int fd, const char *name, struct err *err)
{
	struct split *s = xcalloc(1, sizeof(*s));
	int rc;

	s->in = in;
	s->fd = fd;
	s->name = name;
	s->first = s->bol = true;
	s->n = 1;
	str_init(&s->msg, MAIL_MAX);
	rc = split_run(s, err);
	str_done(&s->msg);
	free(s);
	return rc;
}
