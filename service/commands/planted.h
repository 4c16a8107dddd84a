/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kernels with a series of ours of which it is known what it does. */
#ifndef FIRN_COMMANDS_PLANTED_H
#define FIRN_COMMANDS_PLANTED_H

#include "commands/kernels.h"
#include "testbeds/bench/calibrate.h"

/* Applies each of the `n` series to the commit `base` (hex) of with->tree and builds it.
 * `*ret_kernels` has `n` kernels in the same order; the caller frees them and the array.
 * ERR_CONFIG: one does not apply to this base, or does not build. */
must_check int planted_prepare(const struct kernels *with, const char *base,
			       const struct calibrate_planted *planted, size_t n,
			       struct kernel **ret_kernels, struct err *err);

#endif
