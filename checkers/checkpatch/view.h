/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A whole patch as an array of lines: what the rules look at.
 *
 * Text is read as it is, without asking whether a diff in it applies: hunks that lie about their
 * length, cut ends and NULs give lines too. Everything here is linear in the size of the text, or
 * looks things up in what was built once.
 *
 * The lines of the new file (context and added) lie one after the other in `text` and `plain`,
 * hunk after hunk, each without its prefix and followed by a newline. Both have the same length, so
 * that one offset is good for both: a statement over several lines is one stretch of either.
 * Removed lines, and those outside of hunks, lie in the same two buffers where they stand between
 * hunks; removed ones after the hunk's end.
 */
#ifndef FIRN_CHECKERS_CHECKPATCH_VIEW_H
#define FIRN_CHECKERS_CHECKPATCH_VIEW_H

#include "base/str.h"
#include <stdint.h>

/* Stands for each character of a comment. Neither a space nor a part of a word. */
#define VIEW_COMMENT '\x1c'
#define VIEW_NONE    UINT32_MAX

/* Bits, so that a rule can name several. */
enum line_kind {
	LINE_HEADER = 1 << 0, /* "From: ", "Subject: ", ... and what continues them */
	LINE_LOG = 1 << 1,    /* the commit message, up to the "---" or the diff */
	LINE_BELOW = 1 << 2,  /* from the "---" (itself too) to the diff */
	LINE_DIFF = 1 << 3,   /* "diff --git", "index", "---", "+++", modes, renames */
	LINE_HUNK = 1 << 4,   /* "@@ -1,2 +1,3 @@" */
	LINE_CONTEXT = 1 << 5,
	LINE_ADDED = 1 << 6,
	LINE_REMOVED = 1 << 7,
	LINE_OTHER = 1 << 8, /* "\ No newline", the signature, what follows a hunk's end */
	LINE_NEW = LINE_CONTEXT | LINE_ADDED, /* what is in the new file */
};

/* What kind of file a path is, by its name alone. Bits. */
enum file_kind {
	FILE_C = 1 << 0,       /* .c */
	FILE_H = 1 << 1,       /* .h */
	FILE_ASM = 1 << 2,     /* .S, .s */
	FILE_KCONFIG = 1 << 3, /* Kconfig, Kconfig.x */
	FILE_MAKE = 1 << 4,    /* Makefile, Makefile.x, Kbuild, .mk */
	FILE_DTS = 1 << 5,     /* .dts, .dtsi, .dtso */
	FILE_YAML = 1 << 6,
	FILE_RST = 1 << 7,     /* .rst */
	FILE_SHELL = 1 << 8,   /* .sh */
	FILE_PERL = 1 << 9,    /* .pl, .pm */
	FILE_PYTHON = 1 << 10, /* .py */
	FILE_AWK = 1 << 11,
	FILE_LD = 1 << 12, /* .lds, .lds.S is FILE_ASM */
	FILE_TXT = 1 << 13,
	FILE_RUST = 1 << 14,
	FILE_OTHER = 1 << 15,
	FILE_CODE = FILE_C | FILE_H,
	FILE_ANY = 0xffff,
};

struct view_file {
	char *path;		   /* the new name, or the old one of a file that goes */
	char *old_path, *new_path; /* a/ and b/ taken off; NULL for /dev/null and unknown */
	unsigned kind;		   /* one bit of enum file_kind */
	bool is_new, is_gone, is_renamed;
	bool checks;   /* CHECKs are on without --strict: net/, drivers/net/, drivers/staging/ */
	uint32_t mode; /* octal, of "new file mode", "new mode" or "index"; 0: not said */
	char *old_id;  /* hex of the index line; NULL */
	uint32_t first, last; /* its lines, headers too: [first, last) */
};

struct view_line {
	const char *raw; /* as it is in the patch, with its prefix, without newline */
	uint32_t raw_len;
	uint32_t start;	 /* offset of its text in text/plain */
	uint32_t len;	 /* raw_len, less the prefix of a hunk's line */
	uint16_t kind;	 /* one bit of enum line_kind */
	bool is_counted; /* one of the "N lines checked"; its findings have a path:line */
	bool in_log;	 /* LINE_LOG before the first sign-off */
	bool in_dump;	 /* LINE_LOG in what looks like an oops or a register dump */
	bool in_table;	 /* LINE_LOG of a table or of quoted text: columns, "| ", "> " */
	bool in_comment; /* begins within a comment */
	bool ends_in_comment;
	bool is_blank;	  /* of a hunk's line: spaces and comment, or nothing */
	uint32_t number;  /* line of the new file; of a removed line: that of the next new one */
	uint32_t file;	  /* index, or VIEW_NONE; a line of a hunk always has one */
	uint32_t hunk;	  /* index, or VIEW_NONE */
	uint32_t top;	  /* innermost open bracket where it begins: bracket index, or VIEW_NONE */
	uint32_t end_top; /* and where it ends */
	uint32_t prev_code, next_code; /* see view_prev_code() */
};

struct view_hunk {
	uint32_t file;	      /* index, or VIEW_NONE */
	uint32_t first, last; /* lines after the @@: [first, last) */
	uint32_t start, end;  /* its new text: offsets */
	uint32_t old_start, old_count, new_start, new_count;
};

/* A bracket, brace or square bracket in the sanitised new text of C and assembler files. What is
 * open at an #if is so again at its #else, and at #endif what was open at the end of the first
 * branch. Strings and comments hold none. */
struct view_bracket {
	uint32_t at;	 /* offset */
	uint32_t match;	 /* offset of its partner, or VIEW_NONE */
	uint32_t parent; /* index of the bracket around it, or VIEW_NONE */
	uint32_t depth;	 /* 1: nothing around it within the hunk */
	uint32_t
		brace; /* of an opening one: the innermost open brace (itself, too), or VIEW_NONE */
	char c;
};

struct view {
	struct str text, plain;
	struct view_line *line;
	uint32_t n, cap;
	uint32_t *order; /* line indexes by their place in `text` */
	uint32_t n_ordered;
	struct view_file *file;
	uint32_t n_files, files_cap;
	struct view_hunk *hunk;
	uint32_t n_hunks, hunks_cap;
	struct view_bracket *bracket; /* in order of `at`, openings and closings */
	uint32_t n_brackets, brackets_cap;
	bool is_source; /* a source file, read as all added (-f) */
	unsigned lines_checked;
	unsigned
		first_line; /* number of line[0] in what the user has: patch_line is this + index */
	uint32_t subject;   /* line index of "Subject:", or VIEW_NONE */
	uint32_t separator; /* of the "---", or VIEW_NONE */
	uint32_t first_diff;	     /* of the first line of the diff; n when there is none */
	size_t fuel;		     /* bytes that may still be walked for statements */
	struct ccode *code;	     /* ccode_of(); view_done() frees it */
	struct camelcase *camelcase; /* the names that were told; view_done() frees it */
};

/* Reads a patch. `raw` points into the text, which must outlive the view. Text over 1 GiB is cut.
 */
void view_read(struct view *v, const char *text, size_t n);
/* Reads a source file as the patch that adds it. */
void view_read_source(struct view *v, const char *path, const char *text, size_t n);
void view_done(struct view *v);

unsigned path_kind(const char *path);

/* --- lines. An index may be VIEW_NONE, and then the answer is VIEW_NONE or NULL. --- */

static inline const char *view_text(const struct view *v, uint32_t i)
{
	return v->text.buf + v->line[i].start;
}
static inline const char *view_plain(const struct view *v, uint32_t i)
{
	return v->plain.buf + v->line[i].start;
}
static inline const struct view_file *view_file(const struct view *v, uint32_t i)
{
	return v->line[i].file == VIEW_NONE ? NULL : &v->file[v->line[i].file];
}
/* The line before or after i in the new file, within the hunk (removed ones are stepped over). */
uint32_t view_prev(const struct view *v, uint32_t i);
uint32_t view_next(const struct view *v, uint32_t i);
/* The same, and over lines that are empty, spaces, or nothing but comment. */
uint32_t view_prev_code(const struct view *v, uint32_t i);
uint32_t view_next_code(const struct view *v, uint32_t i);
/* Nothing but spaces and comment (a line of a hunk). */
bool view_is_blank(const struct view *v, uint32_t i);
/* Columns before the first character that is no space; tabs go to multiples of 8. */
unsigned view_indent(const struct view *v, uint32_t i);
/* Columns of text[0..n), tabs expanded. */
unsigned text_columns(const char *text, size_t n);
/* The line that an offset into text/plain is on. Logarithmic. */
uint32_t view_line_at(const struct view *v, uint32_t at);
/* How many brackets of any kind are open where line i begins and ends, within its hunk. */
unsigned view_depth(const struct view *v, uint32_t i);
unsigned view_end_depth(const struct view *v, uint32_t i);

/* Line number in `git format-patch`'s own output: without what stood below the "---", with the
 * diffstat that git makes. 0 for a line that is not in there. */
unsigned view_format_line(const struct view *v, uint32_t i);

/* --- statements and blocks: offsets into text/plain, never over the end of the hunk --- */

/* The partner of the bracket at this offset, or VIEW_NONE. */
uint32_t view_match(const struct view *v, uint32_t at);
/* The innermost bracket that is open at this offset (one that stands at it is not), as an index. */
uint32_t view_bracket_around(const struct view *v, uint32_t at);
/* The next offset that holds no space, comment or newline (and, a backslash at a line's end counts
 * as space); `end` when there is none before it. */
uint32_t view_skip_space(const struct view *v, uint32_t at, uint32_t end);

/* What begins at a place: checkpatch's cut, from there to the ';' outside of all brackets, to the
 * '{', or to the end of a directive. */
struct statement {
	uint32_t start, end;  /* `end` is after the ';', or at the '{' */
	uint32_t first, last; /* the lines that hold start and end - 1 */
	bool is_closed;	      /* ends in ';' outside of all brackets */
	bool opens;	      /* ends at a '{' */
	uint32_t next_line;   /* index of the first line on which another statement may begin */
};
struct statement view_statement(struct view *v, uint32_t i);

/* if, else, for, while, do, switch and the like that begin at an offset; `kind` '\0': none does. */
struct block {
	char kind; /* 'i' if, 'e' else, 'I' else if, 'f' for and for_each_x, 'w' while, 'd' do, 's'
		      switch */
	uint32_t start;		 /* of the keyword */
	uint32_t cond, cond_end; /* after the '(' and at its ')'; both VIEW_NONE: none */
	uint32_t body;		 /* first character of the body, '{' or a statement */
	uint32_t body_end;	 /* after the body: its '}' or ';' */
	bool has_brace;
	bool is_whole;	       /* all of it is in the hunk */
	uint32_t n_lines;      /* lines of the new file that the body touches, without its braces */
	uint32_t n_statements; /* in the body's first level; 2 stands for more */
};
struct block view_block(struct view *v, uint32_t at);

#endif
