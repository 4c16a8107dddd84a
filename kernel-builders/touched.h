/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The objects that files are compiled to, by their names alone. */
#ifndef FIRN_KERNEL_BUILDERS_TOUCHED_H
#define FIRN_KERNEL_BUILDERS_TOUCHED_H

#include "base/str.h"

/* "mm/memory.o" of "mm/memory.c"; NULL for what has no
 * object of its own, and for names that make would not take as one. The caller frees. */
char *touched_object(const char *path);
/* Is it the name of a file below a folder, and nothing that make and the shell see more in? */
bool touched_is_plain(const char *path);
/* Are there any among these files (NULL at the end)? */
bool touched_any(const char *const *paths);
/* Is "CC mm/memory.o" or "CHECK mm/memory.c" one of these files'? "" is every one's. */
bool touched_has_unit(const char *const *paths, const char *unit);

#endif
