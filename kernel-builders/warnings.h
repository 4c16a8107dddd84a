/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The warnings of everything that is in a folder of objects.
 *
 * A build prints only those of what it makes. They are kept for each unit ("CC mm/memory.o") and
 * replaced when that is made again, so what is known is always what a build from nothing would
 * print.
 */
#ifndef FIRN_KERNEL_BUILDERS_WARNINGS_H
#define FIRN_KERNEL_BUILDERS_WARNINGS_H

#include "kernel-builders/diagnostic.h"

struct warnings_spec {
	const char *src;	    /* the tree: what is about a file that is gone is forgotten */
	const char *const *touched; /* only units that are made of these files; NULL: all */
};

/* Brings `kept` ({"UNIT": [diagnostic, ...]}) up to date with what a build found, and adds to
 * `found` what it did not print again. Of the same complaint from several units `found` has one
 * afterwards. */
void warnings_complete(struct diagnostics *found, json_t *kept, const struct warnings_spec *spec);

#endif
