/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A unified diff, parsed: git's form (git-diff(1), "GENERATING PATCH TEXT WITH -P") and the plain
 * ---/+++ form of diff(1) and quilt ("Index:" lines).
 *
 * Nothing is copied: lines point into the text that was parsed, which must outlive the diff.
 */
#ifndef FIRN_SERIES_DIFF_H
#define FIRN_SERIES_DIFF_H

#include "base/err.h"
#include "base/str.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct diff_line {
	char kind;	  /* ' ', '+' or '-' */
	bool no_newline;  /* "\ No newline at end of file" follows it */
	const char *text; /* without kind and newline; not NUL-terminated */
	size_t len;
	uint32_t patch_line; /* 1-based line in the parsed text */
};

struct diff_hunk {
	uint32_t old_start, old_count, new_start, new_count; /* as in @@ -a,b +c,d @@ */
	uint32_t patch_line;				     /* of the @@ line */
	struct diff_line *line;
	size_t n_lines;
	const char *section; /* text after the second @@; may be empty */
	size_t section_len;
};

enum diff_op { DIFF_MODIFY, DIFF_CREATE, DIFF_DELETE, DIFF_RENAME, DIFF_COPY };

/* One half of "GIT binary patch" (forward or reverse), inflated. */
struct diff_binary {
	bool present;
	bool delta; /* else literal */
	char *data; /* inflated; owned */
	size_t len;
};

struct diff_file {
	enum diff_op op;
	char *old_path, *new_path; /* unquoted, a/ and b/ taken off; NULL for /dev/null */
	/* Plain form with only added lines and no /dev/null: a creation when old_path is not there.
	 */
	bool may_create;
	uint32_t old_mode, new_mode; /* octal file mode; 0 when the diff does not say */
	char old_id[41],
		new_id[41]; /* hex of the index line, perhaps abbreviated; "" when absent */
	bool is_binary;	    /* "GIT binary patch" or "Binary files ... differ" */
	struct diff_binary forward, reverse;
	struct diff_hunk *hunk;
	size_t n_hunks;
	uint32_t patch_line; /* of its first header line */
};

struct diff {
	struct diff_file *file;
	size_t n_files;
};

/* Caps against hostile mail; the largest kernel patches have some 20,000 files and 500,000 lines.
 */
#define DIFF_FILES_MAX	  100000u
#define DIFF_LINES_MAX	  4000000u
#define DIFF_INFLATED_MAX ((size_t)256 << 20) /* of all binary patches together */

/* Finds the diffs in `text`, from the first "diff --git", "--- " or "Index: " line that begins one.
 * Text that holds no diff gives a diff of no files and 0. ERR_PATCH for a broken one: "line 41:
 * hunk ends early ...", and for paths that lead out of the tree or into .git. What is a diff and
 * what is not follows git-apply(1). */
must_check int diff_parse(const char *text, size_t len, struct diff **ret_diff, struct err *err);
void diff_free(struct diff *d);

/* The name to show for a file: the new path, or the old one of a deletion. Belongs to the file. */
const char *diff_file_path(const struct diff_file *f);

#endif
