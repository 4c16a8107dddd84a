/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A store with something of everything that the API shows. */
#ifndef FIRN_TESTS_API_FILL_H
#define FIRN_TESTS_API_FILL_H

#include "base/err.h"

/* Trials of the filled store. */
#define FILL_REPORT  1 /* finished, with a report that has builds, a benchmark, logs and patches */
#define FILL_GONE    2 /* finished; its report is no longer on disk */
#define FILL_BROKEN  3 /* finished; its report is none */
#define FILL_RUNNING 4
#define FILL_WAITING 5
#define FILL_BY_HAND 6
/* Its series: 1 is replaced by 2, 3 is incomplete. */

/* Makes the store; `dir` gets the work folder. `text` is what strangers wrote, everywhere. */
must_check int api_fill(const char *store_path, const char *dir, const char *text, struct err *err);

#endif
