/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names the functions that a change of a number comes from: base and patched once more in the same
 * cell, with guest instructions counted by function. */
#ifndef FIRN_TESTBEDS_PROFILE_PAIR_H
#define FIRN_TESTBEDS_PROFILE_PAIR_H

#include "testbeds/bench/sampler.h"

/* How many functions are named. */
#define PROFILE_FUNCTIONS 12

/* Appends to ret->function. Needs BENCH_COUNT and TESTBED_PROFILE. The profiles are kept in the
 * request's work_dir: SLUG-{base,patched}.profile. ERR_INFRA also when a boot ends badly: it did
 * not before. */
must_check int profile_pair(const struct bench_request *req, const struct sampler_cell *cell,
			    struct bench_result *ret, struct err *err);

#endif
