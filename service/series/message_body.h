/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text of a mail down to where the patch begins: git-mailinfo(1) with --scissors. */
#ifndef FIRN_SERIES_MESSAGE_BODY_H
#define FIRN_SERIES_MESSAGE_BODY_H

#include "base/str.h"

/* The headers that may stand in the body, before the text. */
enum { BODY_FROM, BODY_SUBJECT, BODY_DATE, BODY_HEADERS };

struct body {
	char *header[BODY_HEADERS]; /* decoded; NULL when absent */
	struct str log;		    /* the commit message, as it stands */
	size_t lines, end;	    /* how much of the text is before the patch */
	bool has_patch;		    /* a line ended the message: "---", or a diff */

	/* while reading */
	bool in_headers; /* no line of text has been seen yet */
	bool in_file;	 /* these are the headers of a file by git-format-patch(1) */
	int open; /* the header that a continuation line would belong to; BODY_HEADERS: none */
	struct str value; /* of that header */
};

/*
 * Reads `text`, UTF-8. Everything above a scissors line ("-- >8 --") is left out, since a person
 * who writes one means that; git am does so with --scissors or mailinfo.scissors. The first line of
 * a file that git-format-patch(1) wrote counts as scissors as well, and its headers as those of the
 * body: somebody attached the whole file.
 */
void body_read(struct body *ret, const char *text, size_t n);
void body_done(struct body *b);

/* Lines, as the message sees them; a line has its newline. */
size_t text_line_len(const char *p, size_t n);
bool text_begins(const char *line, size_t n, const char *prefix);
bool text_is_blank(const char *line, size_t n);
/* What git takes for white space, whatever the locale. */
static inline bool text_is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

#endif
