/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the diff parser share; nobody else includes this. */
#ifndef FIRN_SERIES_DIFF_PARSE_H
#define FIRN_SERIES_DIFF_PARSE_H

#include "series/diff.h"

/* A piece of the parsed text; not NUL-terminated. */
struct span {
	const char *p;
	size_t n;
};

bool span_starts(struct span s, const char *prefix);
bool span_is(struct span s, const char *text);
/* What follows the first n bytes. */
struct span span_after(struct span s, size_t n);

/* Goes through the text line by line. */
struct diff_reader {
	const char *pos, *end; /* what is left */
	uint32_t line;	       /* 1-based number of the line at pos */
	size_t n_lines;	       /* hunk lines so far, and */
	size_t inflated;       /* bytes of binary patches so far: for the caps of diff.h */
};

/* The line at pos without its newline; empty at the end of the text. */
struct span reader_line(const struct diff_reader *r);
bool reader_at_end(const struct diff_reader *r);
/* False when the text ends within the line at pos. */
bool reader_line_ends(const struct diff_reader *r);
void reader_next(struct diff_reader *r);

/* diff_hunk.c. The @@ line at the reader, without moving on; false when it is none. */
bool hunk_header_parse(struct span line, struct diff_hunk *ret_hunk);
/* The hunk at the reader, which stands on its @@ line. */
must_check int hunk_parse(struct diff_reader *r, struct diff_hunk *ret_hunk, struct err *err);

/* diff_git.c. The header that begins with the "diff --git" line at the reader. The reader is left
 * behind it; when nothing but that first line is one, `*ret_found` is false (it is prose, and the
 * search goes on). */
must_check int git_header_parse(struct diff_reader *r, struct diff_file *f, bool *ret_found,
				struct err *err);
/* An octal mode; false when it is none that git has for files. */
bool mode_parse(struct span s, uint32_t *ret_mode);

/* diff_name.c. All return memory of the caller's, or NULL when there is no name. */
/* A name behind "rename from " and the like, with `strip` leading folders taken off. */
char *name_of_git(struct span s, unsigned strip);
/* A name behind git's "--- " or "+++ ", which may end in a tab. */
char *name_of_side(struct span s);
/* The name that both halves of "a/x b/x" (behind "diff --git ") agree on. */
char *name_of_header(struct span s);
/* A name behind the plain form's "--- " or "+++ ": a date may follow. `other`, when not NULL, is
 * preferred when this one is only longer at its end ("x.orig"). */
char *name_of_plain(struct span s, const char *other);
/* Behind "--- " or "+++ ": /dev/null. */
bool name_is_null(struct span s);
/* Behind "--- " or "+++ ": the date is the beginning of 1970 UTC, diff -N's way to say that there
 * is no file. */
bool name_has_epoch(struct span s);
/* Refuses a path that is not one below the root of a work tree, or that is git's own. */
must_check int name_check(const char *path, struct err *err);

/* binary.c. The two halves behind a "GIT binary patch" line. */
must_check int binary_parse(struct diff_reader *r, struct diff_file *f, struct err *err);

#endif
