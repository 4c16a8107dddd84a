/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FIRN_REPORT_FINDINGS_H
#define FIRN_REPORT_FINDINGS_H

#include <jansson.h>

/* The findings of a checked report in the order in which people read them: by patch, the commit
 * message before files, by file and line, and otherwise as they came. Returns an array (free()) of
 * json_array_size() elements that belong to the report. */
const json_t **findings_sorted(const json_t *findings);

#endif
