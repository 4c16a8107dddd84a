/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside web/: what the server counts of itself, for /metrics. */
#ifndef FIRN_WEB_COUNTS_H
#define FIRN_WEB_COUNTS_H

#include "base/str.h"
#include <stdint.h>

#define COUNTS_STATUS 600

struct conns;

struct counts {
	uint64_t answers[COUNTS_STATUS]; /* by status */
	const struct conns *conns;
	/* What the store was found to hold last, and until when that will do (clock_mono()). */
	char *store;
	double next;
};

static inline void counts_add(struct counts *c, unsigned status)
{
	if (status < COUNTS_STATUS)
		c->answers[status]++;
}

static inline void counts_done(struct counts *c)
{
	free(c->store);
	c->store = NULL;
}

#endif
