// SPDX-License-Identifier: GPL-2.0-or-later
#include "commands/check_input.h"

#include <ctype.h>
#include <fcntl.h>
#include <strings.h>

static int read_all(const char *name, struct str *ret, struct err *err)
{
	auto_fd int fd = strcmp(name, "-") == 0 ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
						: open(name, O_RDONLY | O_CLOEXEC);
	char buf[65536];
	ssize_t got;

	if (fd < 0)
		return err_sys(err, ERR_INPUT, "cannot open %s", name);
	while ((got = read(fd, buf, sizeof(buf))) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return err_sys(err, ERR_INPUT, "cannot read %s", name);
		if (!str_add(ret, buf, (size_t)got))
			return err_set(err, ERR_INPUT, "%s is too large", name);
	}
	return 0;
}

/* "From WORD Mon Sep 17 00:00:00 2001": the line before a mail of an mbox (mbox(5)). */
static bool is_separator(const char *line, const char *end)
{
	static const char digits[] = "ddd ddd dd dd:dd:dd dddd";
	const char *at = line + 5;

	if (end - line < 5 + (ptrdiff_t)sizeof(digits) || memcmp(line, "From ", 5) != 0)
		return false;
	while (at < end && *at != ' ' && *at != '\n')
		at++;
	if (end - at < (ptrdiff_t)sizeof(digits) || *at++ != ' ')
		return false;
	return at[3] == ' ' && at[7] == ' ' && at[10] == ' ' && at[13] == ':' && at[16] == ':' &&
	       isdigit((unsigned char)at[9]) && isdigit((unsigned char)at[20]);
}

static void piece_add(struct check_input *in, const char *from, const char *to, unsigned line)
{
	arr_grow(in->piece, in->n, in->cap);
	in->piece[in->n++] = (struct check_piece){from, (size_t)(to - from), line, NULL};
}

static void split(struct check_input *in)
{
	const char *from = in->text.buf, *end = from + in->text.len;
	unsigned line = 1, from_line = 1;
	bool after_blank = true;

	for (const char *at = from, *nl; at < end; at = nl + 1, line++) {
		nl = memchr(at, '\n', (size_t)(end - at));
		nl = nl ? nl : end;
		if (after_blank && at > from && is_separator(at, end)) {
			piece_add(in, from, at, from_line);
			from = at;
			from_line = line;
		}
		after_blank = nl == at;
	}
	piece_add(in, from, end, from_line);
}

/* Whether the mail's header says that its text is not as it was written. */
static bool is_encoded(const struct check_piece *p)
{
	static const char *const fields[] = {"content-transfer-encoding: quoted-printable",
					     "content-transfer-encoding: base64",
					     "content-type: multipart/"};
	const char *end = p->text + p->n;

	for (const char *at = p->text, *nl; at < end && *at != '\n'; at = nl + 1) {
		nl = memchr(at, '\n', (size_t)(end - at));
		nl = nl ? nl : end;
		for (size_t i = 0; i < array_size(fields); i++)
			if ((size_t)(nl - at) >= strlen(fields[i]) &&
			    strncasecmp(at, fields[i], strlen(fields[i])) == 0)
				return true;
	}
	return false;
}

int check_input_read(const char *name, bool is_source, struct check_input *ret, struct err *err)
{
	struct check_input in = {.name = name};
	int rc;

	str_init(&in.text, CHECK_INPUT_MAX);
	rc = read_all(name, &in.text, err);
	if (rc == 0 && is_source)
		piece_add(&in, in.text.buf, in.text.buf + in.text.len, 1);
	else if (rc == 0)
		split(&in);
	for (size_t i = 0; rc == 0 && !is_source && i < in.n; i++)
		if (is_encoded(&in.piece[i]))
			rc = check_piece_decode(&in, &in.piece[i], err);
	if (rc == 0)
		*ret = in;
	else
		check_input_done(&in);
	return rc;
}

void check_input_done(struct check_input *in)
{
	for (size_t i = 0; i < in->n; i++)
		free(in->piece[i].decoded);
	free(in->piece);
	str_done(&in->text);
}
