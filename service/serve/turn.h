/* SPDX-License-Identifier: GPL-2.0-or-later */
/* So many at once: a counting lock between processes. It is a file for each place (flock(2)), so a
 * holder that dies gives its place back. */
#ifndef FIRN_SERVE_TURN_H
#define FIRN_SERVE_TURN_H

#include "base/err.h"

/* Waits for one of `places` places of CACHE/locks/NAME.N. Closing `*ret_fd` gives it back.
 * `on_wait` (may be NULL) is called once when none is free. ERR_CANCELLED. */
struct turn {
	const char *cache_dir, *name;
	unsigned places;
	void (*on_wait)(void *ctx);
	void *ctx;
};
must_check int turn_take(const struct turn *turn, int *ret_fd, struct err *err);

#endif
