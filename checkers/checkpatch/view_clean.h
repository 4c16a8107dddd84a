/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Blanks comments and strings, so that rules about code see neither. */
#ifndef FIRN_CHECKERS_CHECKPATCH_VIEW_CLEAN_H
#define FIRN_CHECKERS_CHECKPATCH_VIEW_CLEAN_H

#include "checkers/checkpatch/view.h"

/* What a character stands in. Goes on over the ends of lines, as far as the hunk goes: so does
 * checkpatch, even for quotes. */
enum clean_state { CLEAN_PLAIN, CLEAN_COMMENT, CLEAN_STRING, CLEAN_CHARACTER };

/* Writes n characters to `out` for the n of s. */
void clean_line(char *out, const char *s, size_t n, enum clean_state *state);

/* The state at the start of a hunk, guessed from its text (from the line after the @@ on) and its
 * number of lines in the new file. It is within a comment when the first mark of a comment closes
 * one, or when there is none and the first line looks like the middle of one. */
enum clean_state clean_hunk_state(const char *text, const char *end, uint32_t new_count);

#endif
