/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What one sandbox may use in sum: its control group, and the watch over its disk. */
#ifndef FIRN_SANDBOX_GUARD_H
#define FIRN_SANDBOX_GUARD_H

#include "sandbox/cgroup.h"
#include "sandbox/disk.h"
#include "sandbox/sandbox.h"

struct guard {
	struct cgroup group;
	struct cgroup_limits limits;
	struct disk_watch disk;
	int join[CGROUP_DIRS + 1]; /* for struct proc_spec; -1 at the end */
};
#define GUARD_INIT                                                                                 \
	{                                                                                          \
		.group = {.lock = -1}, .join = { -1, -1, -1, -1 }                                  \
	}

/* Where groups can be made for this process; found, and swept, once. */
const struct cgroup_place *guard_place(void);

/* Makes the group, where groups can be had, and fills what of `proc` has to do with it. `g` stays
 * where it is until guard_end(). */
must_check int guard_begin(const struct sandbox_spec *spec, struct guard *g, struct proc_spec *proc,
			   struct err *err);
/* The child is in the group, or there is none: closes what it joined by. */
void guard_joined(struct guard *g);
/* Ends all that is left of it. Which limit was reached, in words; NULL: none. The caller frees. */
char *guard_end(struct guard *g);

/* Keeps the group of a sandbox that goes on when we return: it is ended once nothing is in it, by
 * the next guard_begin(), or when this process ends. */
void guard_leave(struct guard *g);

#endif
