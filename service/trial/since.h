/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What changed since the version before, as the report and the pages have it: "since" in
 * ../report/SCHEMA.md. */
#ifndef FIRN_TRIAL_SINCE_H
#define FIRN_TRIAL_SINCE_H

#include "series/range_diff.h"
#include <jansson.h>

/* Diffs of two patches that are kept, in all. */
#define SINCE_DIFF_MAX ((size_t)128 << 10)

json_t *since_json(const struct range_diff *rd, const struct series *older,
		   const struct series *newer);

#endif
