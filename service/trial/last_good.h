/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A base that does not build, and what is used instead where build.last-good allows it. */
#ifndef FIRN_TRIAL_LAST_GOOD_H
#define FIRN_TRIAL_LAST_GOOD_H

#include "trial/run.h"

/* Moves the trial to the newest commit before its base that this row has built, with the series
 * applied there. Returns 1 when it did, 0 when there is none or the series does not apply to it, or
 * an error. `why` is what is wrong with the base. */
must_check int last_good_use(struct trial *t, const struct builder *row, const char *why,
			     struct err *err);

#endif
