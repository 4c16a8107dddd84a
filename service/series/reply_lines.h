/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text of a reply, line by line, and whose words each line is: the sender's own, somebody
 * else's, a patch's.
 */
#ifndef FIRN_SERIES_REPLY_LINES_H
#define FIRN_SERIES_REPLY_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum line_place {
	LINE_PLAIN,	/* the sender's own */
	LINE_QUOTED,	/* "> ", "| ", and all below "-----Original Message-----" */
	LINE_INDENTED,	/* begins with white space */
	LINE_SIGNATURE, /* below "-- " */
	LINE_PATCH,	/* of a whole patch in the mail, its commit message included */
};

struct reply_line {
	const char *text; /* not NUL-terminated; without the newline */
	size_t len;
	uint32_t number; /* 1-based */
	enum line_place place;
};

struct reply_lines {
	const char *pos, *end;
	const char *patch, *patch_end; /* of the whole patch; both NULL when there is none */
	const char *diff;	       /* first unquoted line of a diff; NULL */
	uint32_t number;
	bool quoted, signature; /* from here to the end */
};

/* `text` must outlive the reader. */
void reply_lines_begin(struct reply_lines *r, const char *text, size_t n);
/* False at the end. */
bool reply_lines_next(struct reply_lines *r, struct reply_line *ret_line);

/* True when a diff begins at `line`: "diff --git", "Index:" or a pair of "---" and "+++" lines. */
bool reply_diff_begins(const char *line, const char *end);

/* The line without leading quote marks and the white space around them. */
void reply_line_unquote(struct reply_line *line);

#endif
