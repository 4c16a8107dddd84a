/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between the files that make a view. */
#ifndef FIRN_CHECKERS_CHECKPATCH_VIEW_READ_H
#define FIRN_CHECKERS_CHECKPATCH_VIEW_READ_H

#include "checkers/checkpatch/view.h"

void file_set_path(struct view_file *f, const char *path);
/* What follows "--- ", "+++ " and "diff --git " on their lines. */
void file_read_old(struct view_file *f, const char *s, size_t n);
void file_read_new(struct view_file *f, const char *s, size_t n);
void file_read_git(struct view_file *f, const char *s, size_t n);
/* One of git's extended header lines: true when it is one. */
bool file_read_extended(struct view_file *f, const char *s, size_t n);
void file_done(struct view_file *f);

/* Sets is_blank, prev_code and next_code of a hunk's lines. */
void view_read_blank(struct view *v, const struct view_hunk *h);

/* Finds the brackets of a hunk whose lines are all there. */
void view_read_brackets(struct view *v, const struct view_hunk *h);

/* Sets in_log and in_dump of the message's lines. */
void view_read_log(struct view *v);

#endif
