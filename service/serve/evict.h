/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What may go from the disk. Always: folders of trials past serve.keep-days (the evidence of open
 * findings stays), with their refs; what killed processes left in the cache (trial/sweep.h). While
 * more than serve.disk is used: runs by hand past serve.keep-days, then kernels, the least lately
 * used first; not those that a trial under way has built. Never: repositories, the store, and the
 * objects and worktrees that every build begins with.
 */
#ifndef FIRN_SERVE_EVICT_H
#define FIRN_SERVE_EVICT_H

#include "base/conf.h"
#include "store/queue.h"

struct evict {
	const struct conf *conf;
	const char *data_dir, *cache_dir;
	struct store *store;
	void (*alive)(void *ctx); /* called now and then; may be NULL */
	void *ctx;

	/* Filled: */
	int64_t used; /* bytes, after it */
	bool over;    /* what is left is more than the budget, and cannot go */
};
must_check int evict_run(struct evict *e, struct err *err);

#endif
