/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The store's part in a run by hand: it keeps what ran and how long each step took. A run does not
 * depend on it: when the store cannot be used, one warning says so and the run goes on.
 */
#ifndef FIRN_COMMANDS_HISTORY_H
#define FIRN_COMMANDS_HISTORY_H

#include "commands/view.h"

struct history;

/* Hooks into the view: expected times for it, ended steps from it. CACHE/firn.db is opened once the
 * series is known. */

struct history *history_open(const struct trial_options *opt, struct view *view,
			     const struct trial *t);
/* Records how the run ended; `report` NULL: it did not. */
void history_close(struct history *h, const json_t *report, const char *work_dir);

#endif
