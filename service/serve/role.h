/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Roles of the service: processes that share the store and nothing else. `firn serve` runs all of
 * them; `firn intake --once` and its like run one by hand, until nothing is left to do.
 *
 * A role takes rows in one state and leaves them in the next, by transactions: a crash anywhere
 * repeats at most the step in hand.
 */
#ifndef FIRN_SERVE_ROLE_H
#define FIRN_SERVE_ROLE_H

#include "base/conf.h"
#include "store/store.h"

struct role_env {
	const struct conf *conf;
	const char *data_dir; /* firn.db, lore/, trials/ */
	const char *cache_dir;
	const char *config;  /* file that `conf` was read from, for processes of a role; NULL */
	struct store *store; /* open for writing */
	bool once;	     /* do what there is to do, then return */
	/* Tells the supervisor that the role is alive; at least every 30 s, during long work too.
	 */
	void (*alive)(void *ctx);
	void *ctx;
};

struct role {
	const char *name; /* "intake", "engine", "post" */
	const char *summary;
	/* Runs until cancelled (0), or `once` is done. An error is of the kind that a restart may
	 * mend (ERR_INFRA) or not (ERR_CONFIG): those of sources, trials and servers are noted in
	 * the store and logged, and do not end a role. */
	int (*run)(const struct role_env *env, struct err *err);
};
extern const struct role role_intake, role_engine, role_post;
extern const struct role *const roles[]; /* NULL at the end */

/* Waits until somebody else has written to the store, `until` (clock_mono()) is reached or a cancel
 * is requested; calls alive(). Returns whether to go on (false: cancelled). */
bool role_wait(const struct role_env *env, double until);

#endif
