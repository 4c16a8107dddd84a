/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs job directories somewhere. One file and one row a kind of launcher. */
#ifndef FIRN_TRIAL_LAUNCHER_H
#define FIRN_TRIAL_LAUNCHER_H

#include "base/err.h"

struct launch {
	const char *dir;
	double timeout_s;
	/* What the job says it is doing. */
	void (*on_progress)(void *ctx, const char *what, unsigned done, unsigned total);
	/* At least once a second; may be NULL. */
	void (*on_tick)(void *ctx);
	void *ctx;
};

struct launcher {
	const char *name;
	/* Runs the job to its end: 0 when it ran, whatever result.json holds; ERR_INFRA when it was
	 * killed, ran out of time or left no result; ERR_CANCELLED. */
	int (*run)(const struct launch *launch, struct err *err);
};

extern const struct launcher launcher_local; /* a child process: `firn job DIR` */

#endif
