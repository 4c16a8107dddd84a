/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside the supervisor: one role's process. */
#ifndef FIRN_SERVE_CHILD_H
#define FIRN_SERVE_CHILD_H

#include "base/proc.h"
#include "serve/serve.h"

/* Times are clock_mono(). */
struct serve_child {
	const struct serve_role *role;
	struct proc proc;  /* pid 0: does not run */
	int alive_fd;	   /* -1: does not run */
	bool up;	   /* has said so since it was started */
	bool was_up;	   /* ever */
	double heard;	   /* when it last said something; first: when it was started */
	double next;	   /* when it may be started again */
	double hurry;	   /* waits are divided by it */
	unsigned failures; /* in a row */
	char words[64];	   /* how it ended last; "" */
};

void child_start(struct serve_child *c);
/* Its process has ended: says how. False: the service ends (SERVE_EXIT_CONFIG). */
bool child_ended(struct serve_child *c);
/* Reads what it said; notes that it is up. */
void child_hear(struct serve_child *c);
/* Kills it when it has been silent for so long. */
void child_check(struct serve_child *c, double silence_s);
void child_stop(struct serve_child *c);

/* Seconds before it is started again, after so many failures in a row. */
double child_backoff(unsigned failures);
/* The environment of a role: of `env` what all may have, and what `may` adds; and `extra`. The
 * caller frees the block; the strings are those of `env`. */
const char **child_environment(char *const *env, unsigned may, const char *extra);

#endif
