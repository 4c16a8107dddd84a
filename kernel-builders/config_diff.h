/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which options two configurations differ in: what a change of Kconfig does. */
#ifndef FIRN_KERNEL_BUILDERS_CONFIG_DIFF_H
#define FIRN_KERNEL_BUILDERS_CONFIG_DIFF_H

#include "base/err.h"
#include <jansson.h>

/* Of two texts in the form of .config: an array of {"option": "CONFIG_NUMA", "base": "y",
 * "patched": "n", "word": "off"}, sorted. "n" is what is not set, null what is not asked for.
 * Words: "on" and "off", "changed" (from a value to another), "new" (asked for now, and not set),
 * "gone" (it was not set, and is not asked for any more). */
json_t *config_diff(const char *base, const char *patched);
/* The same of two files. */
must_check int config_diff_files(const char *base, const char *patched, json_t **ret_list,
				 struct err *err);

#endif
