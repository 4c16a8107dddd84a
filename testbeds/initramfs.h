/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The guest's root: our own static init, the modules and a script of what to do, as a reproducible
 * cpio (newc). */
#ifndef FIRN_TESTBEDS_INITRAMFS_H
#define FIRN_TESTBEDS_INITRAMFS_H

#include "base/err.h"

/* Compiles testbeds/guest/init.c with CROSS-gcc -static in the sandbox, once, and keeps it in the
 * cache under a key over source and compiler. `*ret_path`: the program; the caller frees.
 * ERR_CONFIG names the missing package. */
must_check int guest_init_build(const char *cross_compile, const char *cache_dir, char **ret_path,
				struct err *err);

/* Writes CPIO with /init, /dev/console, the files in `modules` (NULL-terminated paths) under
 * /lib/modules, all with mtime 0, owner 0 and a fixed order: the same input gives the same bytes.
 */
must_check int initramfs_write(const char *cpio, const char *init, const char *const *modules,
			       struct err *err);

#endif
