/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files that a series touches. */
#ifndef FIRN_TRIAL_TOUCHED_FILES_H
#define FIRN_TRIAL_TOUCHED_FILES_H

#include "series/series.h"

/* Old and new paths, sorted, each once, NULL at the end. They belong to the series; the caller
 * frees the list. */
const char **touched_files(const struct series *series);

#endif
