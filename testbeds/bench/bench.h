/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Benchmarks: base and patched kernel on one testbed; rows of numbers and of facts out. To add one:
 * a file that ends in one `const struct bench` and a row in benches[].
 *
 * A bench describes cells (a machine, what its guest does, how the console is read) and gives them
 * to a sampler (sampler.h), which boots, collects and judges. The bench adds what only it knows:
 * tables as people in its field draw them, fits, its caveat.
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

/* How time passes in the guest. */
enum bench_mode {
	BENCH_COUNT, /* by instructions: the same kernel gives the same microsecond on any host */
	BENCH_CLOCK, /* as on the host's clock: real machines, and what needs CPUs in parallel */
};

struct bench_request {
	const struct testbed *testbed;
	const char *testbed_arg;
	struct bench_kernel base, patched;
	enum bench_mode mode;
	const unsigned *sizes; /* LMBs, or CPUs: what the bench sweeps over; 0 at the end; NULL: the
				  bench's own default */
	const char *only; /* the one metric that is wanted: cells without it are left out; NULL: all
			   */
	unsigned samples; /* least boots of each kernel in each cell; 0: the bench's own default */
	double budget_s;  /* host seconds for the whole bench: more samples are added until the
			     interval is narrow enough or this is used up; 0: none are added */
	unsigned seed;	  /* of the order in which base and patched are booted */
	bool profile;	  /* where a judged metric changed: count instructions by function */
	const char *work_dir; /* consoles are kept here: CELL-{base,patched}-N.console */
	double timeout_s;     /* each boot; 0: 300 */
	/* Called before each boot: "hot-add of 16 LMBs, base, boot 2 of 3", and how far we are; may
	 * be NULL. */
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
	char *name;  /* permanent: "hot-add/16", "ipi/one-to-many/8" */
	char *title; /* "hot-add of 16 LMBs" */
	char *unit;  /* "us", "1/s", "count" */
	bool lower_is_better;
	bool judged; /* counts for the verdict; else it is shown, and `word` is what it would be */
	char *group; /* metrics of one group form a curve over `x`: "hot-add"; NULL: none */
	double x;    /* 16 */
	char *x_title; /* "LMBs"; NULL when there is no group */
	struct bench_side base, patched;

	/* Judged (stats.h): */
	bool exact; /* samples of one kernel do not differ: the exact rule was used */
	enum bench_word word;
	double change;	  /* (new - old) / old of the medians; 0.003 = +0.3 %; NAN: has no size */
	double low, high; /* 95 % interval of `change`; both equal to it when exact; NAN: unknown */
	double smallest;  /* the smallest relative change that this run could have seen */
	char *why;	  /* how the word was found, in words */
};

/* What a kernel says that is not a number: "1-2" of /sys/devices/system/node/online. */
struct bench_fact {
	char *name;  /* permanent: "node-offline/empty-node0/online" */
	char *title; /* "/sys/devices/system/node/online" */
	char *group; /* rows that belong together: "empty node 0"; "" when there is one only */
	char *base, *patched; /* NULL: that side did not say */
	char *expected; /* what it must be; NULL: nothing is known, a difference is shown only */
	bool steady;	/* every boot of a side said the same */
};

/* How a number grows with x: y = constant + linear x + quadratic x^2, least squares. */
struct bench_fit {
	char *group; /* of the metrics */
	char *title; /* "hot-add over LMBs" */
	struct bench_fit_side {
		double constant, linear, quadratic;
		double share; /* of y at the largest x that is the quadratic term's */
		char *words;  /* "linear in the number of LMBs: 1,120 us and 560 us each" */
	} base, patched;
};

/* A table as people draw it by hand: text cells, ready to be aligned. */
struct bench_table {
	char *title;
	char *note; /* under it; NULL */
	size_t columns, rows;
	char **head;   /* `columns` of them */
	char **cell;   /* rows * columns, row by row; "" where a row is not full */
	size_t filled; /* cells that bench_table_add() was given */
};

/* One function of the kernel, from a profile. */
struct bench_function {
	char *name;
	double base, patched; /* guest instructions in one boot's measured part */
};

struct bench_result {
	enum outcome outcome; /* PASS unchanged or better; WARN slower or undecided; FAIL a check or
				 a fact right on base and wrong on patched, twice; SKIP; ERROR the
				 base is bad */
	char *reason;	      /* one line, always set */
	enum bench_mode mode; /* how time passed: not every bench can do as the request has it */
	struct bench_metric *metric;
	size_t n_metrics;
	struct bench_fact *fact;
	size_t n_facts;
	struct bench_fit *fit;
	size_t n_fits;
	struct bench_table *table;
	size_t n_tables;
	struct bench_function *function; /* that grew or shrank most, largest difference first */
	size_t n_functions;
	char *profiled;	 /* what they were counted in: "hot-add of 16 LMBs"; NULL: nothing was */
	char **evidence; /* lines for a failed check */
	size_t n_evidence;
	char *caveat;	/* what these numbers can and cannot show, one line */
	char *stopped;	/* why no more samples were taken: "every interval is narrow enough" */
	unsigned boots; /* made */
	double seconds; /* of the host */
	/* When a boot ended badly: which side. Only one of both is the author's. */
	bool base_bad, patched_bad;
};

struct bench {
	const char *name; /* permanent slug */
	const char *summary;
	unsigned needs;	      /* of enum testbed_cap */
	const char *fragment; /* the kernel needs more than the lean configuration: file under
				 kernel-builders/configs/; NULL */
	const char *module;   /* guest module that must be in the initramfs: "ipi"; NULL */
	const char *sizes;    /* what sizes are: "LMBs"; NULL when it has none */
	/* 0 and a filled result, or ERR_INFRA, ERR_CONFIG, ERR_CANCELLED. `ret` is zeroed. */
	int (*run)(const struct bench_request *req, struct bench_result *ret, struct err *err);
};
extern const struct bench bench_node_offline, bench_cpu_hotplug, bench_memory_online;
extern const struct bench bench_hot_add, bench_http, bench_ipi;
extern const struct bench *const benches[];	  /* NULL at the end */
const struct bench *bench_find(const char *name); /* NULL: none of that name */
/* What the testbed must be able to do, in words: "boot a kernel, add memory". The caller frees. */
char *bench_needs(const struct bench *b);
/* The first of it that this testbed cannot do, in words; NULL: it can do all. */
const char *bench_lacks(const struct bench *b, const struct testbed *testbed);
/* Checks what the testbed can do first: SKIP with the reason. */
must_check int bench_run(const struct bench *b, const struct bench_request *req,
			 struct bench_result *ret, struct err *err);
void bench_result_done(struct bench_result *r);

/* For benches: an empty table with these heads, to be filled with bench_table_add(). It stays where
 * it is until the next one is added. */
struct bench_table *bench_result_add_table(struct bench_result *r, const char *title,
					   const char *const *heads, size_t columns);
/* Appends a cell; a row is full after `columns` of them. */
void bench_table_add(struct bench_table *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* The metric of that name; NULL when it was not measured. */
const struct bench_metric *bench_result_metric(const struct bench_result *r, const char *name);

#endif
