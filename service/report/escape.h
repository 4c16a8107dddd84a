/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text from strangers (mails, compilers, consoles, patched kernels) on its way out: one function a
 * context. All take any bytes. What would act on the reader's screen (control characters, bytes
 * that are not UTF-8, invisible and direction-changing characters) is written out as \x1b or
 * \u{202e}, so that nobody sees something else than what was there.
 */
#ifndef FIRN_REPORT_ESCAPE_H
#define FIRN_REPORT_ESCAPE_H

#include "base/str.h"

/* For a terminal or a plain mail, on one line: a newline becomes \n, a tab moves to the next
 * multiple of 8 columns counted from the start of `s`. */
void term_text(struct str *out, const char *s, size_t n);

/* Between HTML tags. Newlines and tabs stay. */
void html_text(struct str *out, const char *s, size_t n);

/* Columns on a terminal that the n bytes of UTF-8 take: combining characters 0, East Asian wide
 * ones 2. */
size_t term_width(const char *s, size_t n);

/* Bytes of `s` that fit in `columns` columns, never half a character. */
size_t term_fit(const char *s, size_t n, size_t columns);

#endif
