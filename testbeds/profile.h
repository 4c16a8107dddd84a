/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Guest instructions by function: two profiles (TESTBED_PROFILE: plugin/) and the kernels' symbols
 * in, the functions that grew out.
 *
 * Where QEMU counts, what it counted is exact: a difference is a difference of path.
 */
#ifndef FIRN_TESTBEDS_PROFILE_H
#define FIRN_TESTBEDS_PROFILE_H

#include "base/err.h"
#include "testbeds/bench/bench.h"

struct profile {
	struct profile_function {
		char *name; /* "" for what is in no function of vmlinux: modules, user space */
		double n;   /* instructions executed */
	} * function;	    /* by name */
	size_t n_functions;
	double total;
};

/* Reads the file that a testbed wrote for `vmlinux`. ERR_INFRA when it is cut or no profile;
 * ERR_INPUT when vmlinux has no symbols. */
must_check int profile_read(const char *path, const char *vmlinux, struct profile *ret,
			    struct err *err);
void profile_done(struct profile *p);

/* The `most` functions whose numbers differ most, largest first. Appends to r->function. */
void profile_compare(const struct profile *base, const struct profile *patched, size_t most,
		     struct bench_result *r);

#endif
