/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How large the modules of a kernel are. They are not kept, so an artefact has a file that says it:
 *
 *	firn-module-sizes 1
 *	m drivers/net/dummy.ko	  the modules, sorted by name
 *	s 1234 .text		  of each the sections that are loaded
 *	f 56 dummy_xmit		  and the symbols
 */
#ifndef FIRN_KERNEL_BUILDERS_MODULE_SIZES_H
#define FIRN_KERNEL_BUILDERS_MODULE_SIZES_H

#include "kernel-builders/sizes.h"
#include <stdio.h>

#define MODULE_SIZES "module-sizes" /* the file */

void module_sizes_begin(FILE *to);
/* Each after the one before it by strcmp(). */
void module_sizes_add(FILE *to, const char *name, const struct sizes *s);

/* Compares two such files: {"base": bytes of all, "patched", "grown", "shrunk", "added", "removed":
 * how many modules, "modules": [{"name", "base", "patched", "symbols": at most 5 as
 * sizes_compare() has them}, ...], the largest difference first and at most 20}.
 * ERR_INPUT when one is no such file; ERR_INFRA when it cannot be read. */
must_check int module_sizes_compare(const char *base, const char *patched, json_t **ret,
				    struct err *err);

/* The names in a modules.order (5.3 and later; .o or .ko), sorted and each once: what cannot be one
 * is left out. NULL-terminated; the caller frees it and what is in it by module_names_done(). */
char **module_names(const char *order, size_t *ret_n);
void module_names_done(char **names);

#endif
