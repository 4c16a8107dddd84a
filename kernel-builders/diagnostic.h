/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds what gcc, as, ld, modpost, Kconfig and make complain about in the output of a kernel build.
 */
#ifndef FIRN_KERNEL_BUILDERS_DIAGNOSTIC_H
#define FIRN_KERNEL_BUILDERS_DIAGNOSTIC_H

#include "kernel-builders/builder.h"
#include <jansson.h>

/* Where the tree and the objects are in the sandbox: taken off the front of paths. */
#define DIAGNOSTIC_SRC	 "/src/"
#define DIAGNOSTIC_BUILD "/build/"

/* More than so many different complaints are not kept. */
#define DIAGNOSTICS_MAX 500

struct diagnostics {
	struct diagnostic *item; /* as they came, each once */
	size_t n, cap;
	/* The object that the linker speaks of: "arch/powerpc/mm/numa.o". NULL: none */
	char *linked;
	/* "make: *** [...] Error 1": what an error led to. Says something only when there is no
	 * error. NULL: none */
	char *make_failed;
	/* The first line that speaks of a full disk, a killed compiler and the like. NULL: none */
	char *infra;
};

/* Reads one line without its newline. */
void diagnostics_read(struct diagnostics *d, const char *line);
/* Appends unless it is there; takes over the strings. */
void diagnostics_add(struct diagnostics *d, struct diagnostic *item);
/* Errors first, else in the order in which they came. */
void diagnostics_sort(struct diagnostics *d);
void diagnostics_done(struct diagnostics *d);
void diagnostic_done(struct diagnostic *d);

/* "mm/memory.c:12: error: text" or "error: text". The caller frees. */
char *diagnostic_text(const struct diagnostic *d);

json_t *diagnostic_to_json(const struct diagnostic *d);
/* Fields that are missing or of another type are NULL, 0 and false; text is never NULL. */
void diagnostic_from_json(const json_t *obj, struct diagnostic *ret);

#endif
