/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The same change has the same id, wherever it goes: `git patch-id --stable` (git-patch-id(1)). */
#ifndef FIRN_SERIES_PATCH_ID_H
#define FIRN_SERIES_PATCH_ID_H

#include "series/series.h"

#define PATCH_ID_HEX_MAX 41

/* False for a text that git has no id for: no "diff" line begins in it. */
bool patch_id(const char *text, size_t n, char ret_hex[static PATCH_ID_HEX_MAX]);

/* For each patch of `series` the index of the same change in `old`, SIZE_MAX where there is none.
 * The caller frees. */
size_t *patch_pairs_find(const struct series *series, const struct series *old);

#endif
