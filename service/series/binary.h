/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The contents of a file after a "GIT binary patch". */
#ifndef FIRN_SERIES_BINARY_H
#define FIRN_SERIES_BINARY_H

#include "series/bytes.h"
#include "series/diff.h"

/* False when a delta is broken or was made against other contents. `ret_new` must be initialised.
 */
must_check bool binary_apply(const struct diff_binary *half, struct bytes old, struct str *ret_new);

#endif
