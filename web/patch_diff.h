/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside web/: the lines of a patch as a mail, and what each of them is. For showing only: what
 * applies where is series/'s business. */
#ifndef FIRN_WEB_PATCH_DIFF_H
#define FIRN_WEB_PATCH_DIFF_H

#include "base/str.h"

#define PATCH_LINES_MAX 20000
#define PATCH_FILES_MAX 2000

enum patch_line_kind {
	PATCH_WORDS, /* header, message, what is below "---", a signature */
	PATCH_FILE,  /* the first line of a file's part */
	PATCH_META,  /* index, ---, +++, rename from, no newline at the end */
	PATCH_HUNK,  /* @@ */
	PATCH_ADDED,
	PATCH_REMOVED,
	PATCH_CONTEXT,
};

struct patch_line {
	const char *s; /* in the text; without its newline */
	unsigned n;
	enum patch_line_kind kind;
	unsigned before, after; /* its number in the old and in the new file; 0: not in it */
};

struct patch_file {
	char *path;  /* the new one; of a removed file the old one */
	size_t from; /* index of its PATCH_FILE line; it goes to the next one's */
	unsigned added, removed;
};

struct patch_lines {
	struct patch_line *line; /* line[0] is line 1 of the text */
	size_t n, cap;
	struct patch_file *file;
	size_t n_files, files_cap;
	size_t left_out; /* lines over PATCH_LINES_MAX */
};

/* Points into the text. `ret` zeroed. */
void patch_lines_read(const char *text, size_t n, struct patch_lines *ret);
void patch_lines_done(struct patch_lines *p);
#define auto_patch_lines __attribute__((cleanup(patch_lines_done)))

/* The index of the line that is line `number` of the new file at this path. False when the patch
 * does not show it. */
bool patch_lines_find(const struct patch_lines *p, const char *path, unsigned number,
		      size_t *ret_index);

#endif
