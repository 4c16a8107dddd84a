/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a benchmark found, in the shape of ../report/SCHEMA.md. */
#ifndef FIRN_TRIAL_BENCH_JSON_H
#define FIRN_TRIAL_BENCH_JSON_H

#include "testbeds/bench/bench.h"

/* The data of a bench job: `outcome`, `reason`, `evidence`, `base_bad`, `patched_bad`, and an array
 * for each of the report's: `benches` (one row), `metrics`, `facts`, `fits`, `tables`, `functions`.
 * Guests are hostile: what is not UTF-8 becomes U+FFFD, what is not finite null or left out. */
json_t *bench_json(const struct bench *bench, const struct bench_request *req,
		   const struct bench_result *r);

/* How a fact stands: "same", "changed", "wrong", "mended", "both-wrong". */
const char *bench_fact_word(const struct bench_fact *f);

/* The arrays of the report that benchmarks fill; NULL at the end. Appends those of `data` to those
 * of `report`, both objects; makes what `report` lacks. */
extern const char *const bench_arrays[];
void bench_json_merge(json_t *report, const json_t *data);

#endif
