/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Warnings of what is not built any more.
 *
 * A configuration or a Makefile that has changed may leave out a source that it had: its object
 * stays where it was, its warning would be known for ever, and the same warning, when it comes
 * back, would not be new. So after such a change what has warnings is removed before make runs: it
 * is made, and complained about, again, or not.
 */
#ifndef FIRN_KERNEL_BUILDERS_STALE_H
#define FIRN_KERNEL_BUILDERS_STALE_H

#include "kernel-builders/build.h"

/* With the tree checked out, before anything is made. */
must_check int stale_remove(struct build *b, struct err *err);

#endif
