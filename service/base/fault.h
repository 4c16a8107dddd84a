/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Dying at a chosen place, for tests of what a crash leaves behind.
 *
 * FIRN_FAULT=N in the environment kills the process (SIGKILL) at the N-th fault point that it
 * reaches; FIRN_FAULT=N:NAME at the N-th of that name. FIRN_FAULT_LOG=FILE appends the name of each
 * point that is passed. A point costs a load and a compare when neither is set.
 */
#ifndef FIRN_BASE_FAULT_H
#define FIRN_BASE_FAULT_H

/* Before and after each thing that others can see: a commit, a rename, a request that changes
 * something elsewhere. */
void fault_point(const char *name);

#endif
