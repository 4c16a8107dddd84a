/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which function of a kernel an address is in, by the symbol table of vmlinux (ELF, by libelf). */
#ifndef FIRN_TESTBEDS_SYMBOLS_H
#define FIRN_TESTBEDS_SYMBOLS_H

#include "base/err.h"
#include <stdint.h>

struct symbols {
	struct symbol {
		char *name; /* as people know the function: without .isra.0, .constprop.1 ... */
		uint64_t start, end; /* `end` is that of its section */
	} * item;		     /* by address */
	size_t n, cap;
};

/* ERR_INPUT when it is not there, no ELF file, or has no symbols in executable sections. */
must_check int symbols_read(const char *vmlinux, struct symbols *ret, struct err *err);
/* The last that begins at or before `address`, in a section that holds it: as kallsyms has it. NULL
 * when there is none. */
const struct symbol *symbols_find(const struct symbols *s, uint64_t address);
void symbols_done(struct symbols *s);

#endif
