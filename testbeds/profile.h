/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Guest instructions by function: two profiles (TESTBED_PROFILE: plugin/) and the kernels' symbols
 * in, the functions that grew out.
 *
 * Where QEMU counts, what it counted is exact: a difference is a difference of path. See
 * bench/PROFILE.md.
 */
#ifndef FIRN_TESTBEDS_PROFILE_H
#define FIRN_TESTBEDS_PROFILE_H

#include "base/err.h"
#include "testbeds/bench/bench.h"

/* Names of what is in no function of vmlinux. Firmware and kernel code that runs before the MMU is
 * on have low addresses, as user space has. */
#define PROFILE_USER	"(user space, firmware)"
#define PROFILE_MODULES "(modules)"

struct profile {
	struct profile_function {
		char *name; /* functions of one name are one: static ones of several files, clones
			       that gcc made */
		double n;   /* instructions executed */
	} * function;	    /* by name */
	size_t n_functions;
	double total;
};

/* Reads the file that a testbed wrote for `vmlinux`. ERR_INFRA when it is cut or no profile;
 * ERR_INPUT when vmlinux has no symbols. `ret` is untouched then. */
must_check int profile_read(const char *path, const char *vmlinux, struct profile *ret,
			    struct err *err);
void profile_done(struct profile *p);

/* The `most` functions of vmlinux whose numbers differ most, largest first. Appends to r->function.
 * What is in none is not compared: it is our own, and guest/pause waits for a point of guest time
 * in a loop. */
void profile_compare(const struct profile *base, const struct profile *patched, size_t most,
		     struct bench_result *r);

#endif
