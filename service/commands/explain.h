/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an input holds: `firn run --explain`. */
#ifndef FIRN_COMMANDS_EXPLAIN_H
#define FIRN_COMMANDS_EXPLAIN_H

#include "base/err.h"

/* Prints each mail with its state and the reason, then each series. `inputs` as for source_read(),
 * NULL at the end. */
must_check int explain(const char *const *inputs, struct err *err);

#endif
