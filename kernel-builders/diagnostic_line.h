/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside of diagnostic.h: the forms that a line with a complaint may have. */
#ifndef FIRN_KERNEL_BUILDERS_DIAGNOSTIC_LINE_H
#define FIRN_KERNEL_BUILDERS_DIAGNOSTIC_LINE_H

#include "kernel-builders/diagnostic.h"

const char *line_skip(const char *s);
/* The path as the tree has it. NULL for what is not a file of it: "{standard input}". The caller
 * frees. */
char *line_path(const char *s, size_t n);
/* "path:12:", "path:12:5:" or "path:12.5-13:" at the front. Returns what follows, NULL when there
 * is no such thing. */
const char *line_place(const char *line, size_t *ret_path_len, unsigned *ret_line);
/* gcc shows the source under a complaint: "   12 |  code". That is the author's text, not a tool's.
 */
bool line_is_excerpt(const char *line);
/* Does it speak of a full disk or the like? Then d->infra is it. */
void line_read_infra(struct diagnostics *d, const char *line);

/* Each fills tool (where the line says it), path, line, text and whether it is an error, or returns
 * false. */
bool line_read_located(const char *line, struct diagnostic *ret);
bool line_read_make(struct diagnostics *d, const char *line, struct diagnostic *ret);
bool line_read_linker(struct diagnostics *d, const char *line, struct diagnostic *ret);
bool line_read_tool(const char *line, struct diagnostic *ret);

#endif
