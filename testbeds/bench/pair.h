/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Boots base and patched kernel in random order, each time afresh, and keeps what was measured: the
 * part that all benchmarks of two kernels have in common.
 *
 * A boot that ends badly is tried once more; a side whose boots ended badly twice is bad, and is
 * not booted again.
 */
#ifndef FIRN_TESTBEDS_PAIR_H
#define FIRN_TESTBEDS_PAIR_H

#include "testbeds/bench/bench.h"

enum { PAIR_BASE, PAIR_PATCHED };

struct pair_side {
	const char *name; /* "base", "patched" */
	const struct bench_kernel *kernel;
	double *sample;
	size_t n;	 /* measured */
	unsigned good;	 /* boots that reached their end, measured or not */
	unsigned failed; /* and that did not */
	bool bad;
	struct boot_result shown; /* the last boot that ended badly if the side is bad, else the
				     first good one */
};

struct pair {
	const struct bench_request *req;
	struct boot_spec boot; /* kernel, initramfs, work_dir and limits are filled in here */
	const char *title;     /* for people: "hot-add of 16 LMBs" */
	const char *slug;      /* of console files: "16" */
	/* Reads the number out of a good boot. False when it has none. */
	bool (*measure)(const struct boot_result *boot, double *ret);
	unsigned done, total; /* for progress */
	struct pair_side side[2];
};

/* Fills `side`. Errors are the testbed's. */
must_check int pair_run(struct pair *p, struct err *err);
void pair_done(struct pair *p);

/* Boots of each side that a request asks for. */
unsigned pair_samples(const struct bench_request *req);

/* Moves the samples into a metric. */
void pair_take_samples(struct pair *p, struct bench_metric *m);

/* The test that failed on patched and did not fail on base, the first of them. NULL: none. */
const struct ktap_test *pair_new_failure(const struct pair *p);
/* The first test that failed on base. NULL: none. */
const struct ktap_test *pair_base_failure(const struct pair *p);

#endif
