/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The system call filter of the sandbox. */
#ifndef FIRN_SANDBOX_SECCOMP_H
#define FIRN_SANDBOX_SECCOMP_H

#include "base/err.h"

/* A memory file that holds the filter as BPF, read position at the start, for bwrap's --seccomp.
 * The caller closes it. */
must_check int seccomp_filter_fd(int *ret_fd, struct err *err);

#endif
