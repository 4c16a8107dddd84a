/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a benchmark is asked for: from the configuration to the arguments of a bench job, and from
 * there to the bench. */
#ifndef FIRN_TRIAL_BENCH_ARGS_H
#define FIRN_TRIAL_BENCH_ARGS_H

#include "base/conf.h"
#include "base/str.h"
#include "testbeds/bench/bench.h"

/* "count" and "clock". */
const char *bench_mode_name(enum bench_mode mode);
bool bench_mode_find(const char *word, enum bench_mode *ret);

/* Everything but the kernels and the cache: bench, testbed, sizes, mode, samples, budget, seed,
 * profile, timeout. */
json_t *bench_args_make(const struct conf *conf, const struct bench *bench);

/* Appends the options of a command line that ask for the same again: --testbed, --lmbs and so on.
 * Not `here`: without a testbed that is a folder of this machine. */
void bench_args_options(struct str *out, const struct conf *conf, bool here);

/* The configuration key that holds the sizes of a bench; CONF_N when there is none. */
enum conf_id bench_sizes_key(const struct bench *bench);

/* The builder whose kernels a bench needs: that of the configuration, or the one that has the
 * bench's fragment on top of it. NULL: there is none. */
const char *bench_builder(const struct conf *conf, const struct bench *bench);

/* The reverse: finds bench and testbed and fills what bench_args_make() wrote, and `only`. Strings
 * of `ret` belong to `args`; its sizes are `*ret_sizes`, which the caller frees (NULL: the bench's
 * own). ERR_INPUT when an argument is missing, ERR_CONFIG when a name is none. */
must_check int bench_args_read(const json_t *args, const struct bench **ret_bench,
			       struct bench_request *ret, unsigned **ret_sizes, struct err *err);

/* Host seconds that the job may take: many boots that all run into their limit. */
double bench_args_timeout(const json_t *args);

#endif
