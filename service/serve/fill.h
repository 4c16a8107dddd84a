/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Filling in what a store of an older firn lacks (store/fill.h), a second at a time. */
#ifndef FIRN_SERVE_FILL_H
#define FIRN_SERVE_FILL_H

#include <stdbool.h>
#include <stdint.h>

/* Of one role. */
struct fill {
	bool begun;
	bool ended; /* nothing is left: a store that is in use does not become old again */
	int64_t total;
	double next_tell; /* clock_mono() */
};
/* Rows of the list that are looked at in one go. */
#define FILL_BATCH 64
/* How long one go takes at most, while there is other work too, and how long others then have the
 * machine. */
#define FILL_S	     1.0
#define FILL_BUSY_S  0.1
#define FILL_PAUSE_S 0.25

/* Logs how far it is: when it begins, twice a minute, and at the end. `what`: "files and texts of
 * series". */
void fill_tell(struct fill *f, const char *what, int64_t left);

#endif
