/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Is the testbed well? It is asked before boots, at most every hour, and after each boot that
 * failed by its own fault. One that is out is asked again after a minute, then later and later, up
 * to an hour; until then boots wait. The first boot of a trial is that of its base kernel: when the
 * testbed fails in that, it is out too, since no series has a part in it.
 */
#ifndef FIRN_SERVE_ENGINE_TESTBED_H
#define FIRN_SERVE_ENGINE_TESTBED_H

#include "base/conf.h"
#include "store/queue.h"
#include <jansson.h>

/* `*ret_good`: boots may begin. Else `*ret_words` (the caller frees) and when to come again. */
struct testbed_state {
	bool good;
	char *words;
	int64_t again;
};
must_check int testbed_ask(const struct conf *conf, struct store *s, struct testbed_state *ret,
			   struct err *err);
/* How many a job made, by what it found. */
unsigned testbed_boots(const json_t *data);
/* What a job did with it: `boots` of them, and the testbed's failure (NULL: none). `base`: no patch
 * of the series was in the kernel. */
must_check int testbed_used(const struct conf *conf, struct store *s, unsigned boots,
			    const char *failure, bool base, struct err *err);

#endif
