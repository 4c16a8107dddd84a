/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a trial is shown while it runs: on a terminal one live line for the step at work, else a
 * plain line at each end. */
#ifndef FIRN_COMMANDS_VIEW_H
#define FIRN_COMMANDS_VIEW_H

#include "trial/trial.h"
#include <stdio.h>

struct view {
	FILE *out;
	bool live, colour;
	const char *step; /* at work; NULL */
	char what[160];	  /* what it is doing */
	unsigned done, total;
	double began, drawn; /* clock_mono() */
	double expected;     /* seconds; 0: not known */
	/* How long a step usually takes; may be NULL. */
	double (*expect)(void *ctx, const char *step);
	/* What the step at work is doing; may be NULL. */
	void (*doing)(void *ctx, const struct view *v);
	/* Called with the row of each step that ended; may be NULL. */
	void (*ended)(void *ctx, const json_t *step);
	void *ctx;
};

/* `out` a terminal: live, and in colour unless $NO_COLOR is set. */
void view_init(struct view *v, FILE *out);
/* An observer whose ctx is the view. */
struct trial_observer view_observer(struct view *v);
/* Takes the live line away. */
void view_clear(struct view *v);

#endif
