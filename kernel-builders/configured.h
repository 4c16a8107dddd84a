/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether the configuration in a folder of objects is what configuring anew would give. Making it
 * takes half as long as a make with nothing to do, and few patches change what it is made of.
 *
 * It is, when the row asks for the same, no file has changed since but such as kconfig does not
 * read (sources, device trees, documentation outside scripts/), it had nothing to complain about,
 * and .config is byte for byte what was there then: the state is out of reach of what is built, so
 * a hostile patch that writes to it is found out.
 */
#ifndef FIRN_KERNEL_BUILDERS_CONFIGURED_H
#define FIRN_KERNEL_BUILDERS_CONFIGURED_H

#include "kernel-builders/build.h"

bool configured_still(struct build *b);
/* .config as it is there; NULL: it is not a file that can be one. The caller frees. */
char *configured_text(const struct build *b);
/* After it was made: notes what from. */
void configured_note(struct build *b);
/* Can kconfig, or a script that it calls, read this file? */
bool configured_reads(const char *path);

#endif
