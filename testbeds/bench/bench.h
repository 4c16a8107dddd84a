/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Benchmarks: base and patched kernel on one testbed, rows of numbers out. To add one: a file that
 * ends in one `const struct bench` and a row in benches[].
 */
#ifndef FIRN_TESTBEDS_BENCH_H
#define FIRN_TESTBEDS_BENCH_H

#include "testbeds/testbed.h"
#include <jansson.h>

struct bench_kernel {
	const char *vmlinux,
		*initramfs; /* paths; initramfs holds the modules built for this kernel */
	bool same_as_base;  /* the image is bit-identical to the base's */
};

struct bench_request {
	const struct testbed *testbed;
	const char *testbed_arg;
	struct bench_kernel base, patched;
	const unsigned
		*lmbs; /* sizes to measure, 0 at the end; NULL: the bench's own default (16, 64) */
	unsigned samples;     /* boots of each kernel for each size; 0: 3 */
	unsigned seed;	      /* of the order in which base and patched are booted */
	const char *work_dir; /* consoles are kept here: SIZE-{base,patched}-N.console */
	double timeout_s;     /* each boot; 0: 300 */
	/* Called before each boot: "hot-add 16 LMBs, base, boot 2 of 3", and how far we are; may be
	 * NULL. */
	void (*on_progress)(void *ctx, const char *what, unsigned done, unsigned total);
	void *ctx;
};

/* What the numbers say. */
enum bench_word { BENCH_UNCHANGED, BENCH_FASTER, BENCH_SLOWER, BENCH_UNDECIDED };
const char *bench_word_name(enum bench_word w); /* "unchanged", "faster", "slower", "undecided" */

struct bench_side {
	double *sample; /* in order of measurement, in `unit` */
	size_t n;
};

struct bench_metric {
	char *name;	  /* permanent: "hot-add/16" */
	char *title;	  /* "hot-add of 16 LMBs" */
	const char *unit; /* "us" */
	bool lower_is_better;
	bool exact; /* samples of one kernel do not differ: the exact rule was used */
	struct bench_side base, patched;
	enum bench_word word;
	double change;	 /* (new - old) / old of the medians; 0.003 = +0.3 % */
	double smallest; /* the smallest relative change that this run could have seen */
	char *why;	 /* how the word was found, in words */
};

struct bench_result {
	enum outcome outcome; /* PASS unchanged or better, WARN slower or undecided, FAIL a
				 functional check failed on patched only, SKIP */
	char *reason;	      /* one line, always set */
	struct bench_metric *metric;
	size_t n_metrics;
	char **evidence; /* lines for a failed check */
	size_t n_evidence;
	char *caveat; /* what these numbers can and cannot show, one line */
	/* When a boot ended badly: which side. Only one of both is the author's. */
	bool base_bad, patched_bad;
};

struct bench {
	const char *name; /* permanent slug */
	const char *summary;
	unsigned needs; /* of enum testbed_cap */
	/* 0 and a filled result, or ERR_INFRA, ERR_CONFIG, ERR_CANCELLED. `ret` is zeroed. */
	int (*run)(const struct bench_request *req, struct bench_result *ret, struct err *err);
};
extern const struct bench bench_hot_add;
extern const struct bench *const benches[]; /* NULL at the end */
/* Checks what the testbed can do first: SKIP with the reason. */
must_check int bench_run(const struct bench *b, const struct bench_request *req,
			 struct bench_result *ret, struct err *err);
void bench_result_done(struct bench_result *r);

#endif
