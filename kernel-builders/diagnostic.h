/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds what gcc, clang, sparse, as, ld, modpost, objtool, Kconfig, dtc and make complain about in
 * the output of a kernel build.
 *
 * Lines such as "  CC      mm/memory.o" say what is being made: a *unit*, "CC mm/memory.o". make
 * prints what belongs to one together (--output-sync=target), so a complaint belongs to the unit
 * above it.
 */
#ifndef FIRN_KERNEL_BUILDERS_DIAGNOSTIC_H
#define FIRN_KERNEL_BUILDERS_DIAGNOSTIC_H

#include "kernel-builders/builder.h"
#include <jansson.h>

/* Where the tree and the objects are in the sandbox: taken off the front of paths. */
#define DIAGNOSTIC_SRC	 "/src/"
#define DIAGNOSTIC_BUILD "/build/"

/* More than so many different complaints are not kept, nor more units. */
#define DIAGNOSTICS_MAX 2000
#define UNITS_MAX	100000

struct diagnostics {
	struct diagnostic *item; /* as they came, each once */
	size_t n, cap;
	bool cut;	/* there were more */
	unsigned *slot; /* hash table: 1 + index; 0: free */
	/* The object that the linker speaks of: "arch/powerpc/mm/numa.o". NULL: none */
	char *linked;
	/* "make: *** [...] Error 1": what an error led to. Says something only when there is no
	 * error. NULL: none */
	char *make_failed;
	/* What make could not make, as keys; NULL: nothing */
	json_t *failed;
	/* The first line that speaks of a full disk, a killed compiler and the like. NULL: none */
	char *infra;
	/* A header for a program of the host, or a command, was not there: something may be missing
	 * on this machine. */
	bool lacks;
	const char *compiler; /* "gcc", "clang": what a unit CC runs; NULL: gcc */
	char *unit;	      /* what is being made; NULL: nothing yet */
	json_t *units;	      /* all that was made, as keys; NULL: nothing */
	/* "In function 'f':", and of which file */
	char *function, *function_path;
	unsigned more; /* lines that may still belong to the last one */
};

/* Reads one line without its newline. */
void diagnostics_read(struct diagnostics *d, const char *line);
/* A line that says what is made next: "  CC [M]  fs/x.o". False when it is none. */
bool diagnostics_read_unit(struct diagnostics *d, const char *line);
/* Appends unless it is there; takes over the strings. */
void diagnostics_add(struct diagnostics *d, struct diagnostic *item);
/* Takes back what came since there were `n`. */
void diagnostics_truncate(struct diagnostics *d, size_t n);
/* Errors first, else in the order in which they came. Nothing is to be added afterwards. */
void diagnostics_sort(struct diagnostics *d);
void diagnostics_done(struct diagnostics *d);
void diagnostic_done(struct diagnostic *d);

/* "mm/memory.c:12: error: text" or "error: text". The caller frees. */
char *diagnostic_text(const struct diagnostic *d);

json_t *diagnostic_to_json(const struct diagnostic *d);
/* Fields that are missing or of another type are NULL, 0 and false; text is never NULL. */
void diagnostic_from_json(const json_t *obj, struct diagnostic *ret);

#endif
