/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `firn check` is given: patches, mailboxes, source files, standard input. */
#ifndef FIRN_COMMANDS_CHECK_INPUT_H
#define FIRN_COMMANDS_CHECK_INPUT_H

#include "base/err.h"
#include "base/str.h"

/* One patch, or one source file. */
struct check_piece {
	const char *text;
	size_t n;
	unsigned first_line; /* of the file that it stands in */
	char *decoded;	     /* the text, when it had to be made out of an encoded mail; NULL */
};

struct check_input {
	const char *name; /* "-" is standard input */
	struct str text;
	struct check_piece *piece;
	size_t n, cap;
};

/* Files over this size are refused. */
#define CHECK_INPUT_MAX ((size_t)512 << 20)

/* Reads a file and finds the patches in it. Mails are taken as they are written, which is what line
 * numbers count in; those with a transfer encoding (RFC 2045) as `git am` would read them.
 * ERR_INPUT. */
must_check int check_input_read(const char *name, bool is_source, struct check_input *ret,
				struct err *err);
/* Takes the transfer encoding of one piece off: check_decode.c, or check_late.c. */
must_check int check_piece_decode(const struct check_input *in, struct check_piece *p,
				  struct err *err);
void check_input_done(struct check_input *in);

#endif
