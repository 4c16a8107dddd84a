/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How far a running trial is. */
#ifndef FIRN_COMMANDS_PROGRESS_H
#define FIRN_COMMANDS_PROGRESS_H

#include "store/store.h"

struct progress {
	unsigned done, total; /* steps */
	char *step;	      /* that runs; NULL: between two */
	/* Seconds that its steps still need, as they usually take; 0: never seen. */
	double left;
};
/* `ret` zeroed. */
must_check int progress_get(struct store *s, int64_t trial, struct progress *ret, struct err *err);
void progress_done(struct progress *p);
/* "build, step 6 of 12, about 4 min 10 s left". The caller frees. */
char *progress_words(const struct progress *p);

#endif
