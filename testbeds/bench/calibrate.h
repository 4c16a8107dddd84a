/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How far a bench can be trusted: it is run many times where the answer is known, and what it said
 * is counted. How to read the numbers: CALIBRATION.md.
 *
 * A comparison is the base against a kernel of which it is known what changed: nothing (the same
 * image, or a null series that moves code and data about) or a planted share of work. Each run has
 * another order of boots and another seed in the guest.
 */
#ifndef FIRN_TESTBEDS_CALIBRATE_H
#define FIRN_TESTBEDS_CALIBRATE_H

#include "testbeds/bench/bench.h"

/* Of a bound that holds in 95 % of all calibrations, to its one side. */
#define CALIBRATE_LEVEL 0.05

/* Bounds of a probability of which `k` of `n` trials are known, one-sided, after C. J. Clopper and
 * E. S. Pearson, Biometrika 26 (1934) 404: the truth is beyond one with a probability of `level`
 * at most. For k = 0 the upper one is near 3 / n. No trials: 1 and 0. */
double calibrate_upper(unsigned k, unsigned n, double level);
double calibrate_lower(unsigned k, unsigned n, double level);
/* The trials without a failure that bound the failures by `rate`: 299 for 1 %. 0 < rate < 1. */
unsigned calibrate_runs_for(double rate, double level);

struct calibrate_pair {
	const char *name;    /* "same", "null-string", "slower-1" */
	double share;	     /* planted: 0.01 = it takes 1 % longer; 0: nothing changed */
	const char *metrics; /* of which names that is so: a glob pattern, "@(a|b)" too */
	struct bench_kernel patched;
};

/* How one of a bench's metrics was judged in the runs of one comparison. */
struct calibrate_count {
	char *name; /* the metric's */
	bool lower_is_better;
	bool planted;	  /* the comparison's share is in it */
	unsigned runs;	  /* that judged it */
	unsigned word[4]; /* of them, by enum bench_word */
	double *change;	  /* `n_changes` of them: those that have a size */
	size_t n_changes;
};

struct calibrate_row {
	char *name;
	double share;
	unsigned runs;	 /* that came to a judgement */
	unsigned spoilt; /* that did not: base kernel or testbed failed */
	unsigned hits;	 /* of `runs`, share 0: some word was not "unchanged", or a check failed;
			    else: a metric that has the share was called slower */
	struct calibrate_count *count;
	size_t n_counts;
};

struct calibrate_result {
	struct calibrate_row *row; /* one for each comparison */
	size_t n_rows;
	unsigned wanted, runs; /* of each comparison: asked for, made */
	unsigned boots, good;  /* made; reached their end */
	double seconds;
	char *trouble; /* why the last spoilt run was; NULL */
};
void calibrate_result_done(struct calibrate_result *r);

struct calibrate_progress {
	const char *what; /* "run 3 of 50, null-string: hot-add of 16 LMBs, base, boot 1 of 2" */
	unsigned run, runs;
	double left; /* seconds, expected; 0: not known yet */
};

struct calibrate_request {
	const struct bench *bench;
	struct bench_request one; /* of each run: what differs between them is filled in; consoles
				     of runs that hit where nothing changed, or were spoilt, are
				     kept in its work_dir as NAME-RUN */
	const struct calibrate_pair *pair;
	size_t n_pairs;
	unsigned runs;							    /* of each comparison */
	void (*on_progress)(void *ctx, const struct calibrate_progress *p); /* may be NULL */
	void *ctx;
};

/* 0; else ERR_CONFIG (the testbed cannot do it), ERR_INFRA (the first run failed already), or
 * ERR_CANCELLED. `ret` is zeroed; it holds what is known in every case. */
must_check int calibrate_run(const struct calibrate_request *req, struct calibrate_result *ret,
			     struct err *err);

/* Counts one result: what calibrate_run() does with each. */
void calibrate_take(struct calibrate_row *row, const struct calibrate_pair *pair,
		    const struct bench_result *r);

/* calibrate_aim.c: what is asked of a bench. */

#define CALIBRATE_ALARMS    0.01 /* of runs in which nothing changed, at most */
#define CALIBRATE_DETECTION 0.95 /* of runs with the share below, at least */
/* 0.01 in count mode, 0.05 in clock mode. */
double calibrate_share(enum bench_mode mode);

enum calibrate_state {
	CALIBRATE_SHOWN, /* the bound is within the aim */
	CALIBRATE_OPEN,	 /* the rate is, its bound is not: too few runs */
	CALIBRATE_MISSED /* the rate is not */
};
struct calibrate_aim {
	char *what;  /* "at most 1 % false alarms" */
	bool alarms; /* it is about these, else about detection */
	unsigned k, n;
	double rate, bound;
	enum calibrate_state state;
};
struct calibrate_aims {
	struct calibrate_aim *aim; /* false alarms over all comparisons with share 0; then, for each
				      metric with the share, its detection. What was not tried is
				      not here */
	size_t n;
	bool missed; /* one of them */
};
void calibrate_aims_make(const struct calibrate_result *r, enum bench_mode mode,
			 struct calibrate_aims *ret);
void calibrate_aims_done(struct calibrate_aims *a);

/* calibrate_view.c: */
void calibrate_text(const struct calibrate_result *r, enum bench_mode mode, struct str *out);
json_t *calibrate_json(const struct calibrate_result *r, enum bench_mode mode);

/* calibrate_planted.c: series of ours, in planted/ of the data folder. */

struct calibrate_planted {
	const char *name;    /* "null-string", "slower-1" */
	double share;	     /* 0: a null series */
	const char *file;    /* below testbeds/bench/planted in the data folder */
	const char *metrics; /* see struct calibrate_pair */
};
/* `list` is "none", "all" (every null series, and the shares 0.5, 1 and 5 %) or names with commas
 * between; "slower-2.5" is any share up to 100 %. Names are the caller's to free with
 * calibrate_planted_free(). ERR_USAGE. */
must_check int calibrate_planted_parse(const char *list, const char *bench,
				       struct calibrate_planted **ret, size_t *ret_n,
				       struct err *err);
void calibrate_planted_free(struct calibrate_planted *list, size_t n);
/* The series as a mail, its share put in. */
must_check int calibrate_planted_text(const struct calibrate_planted *p, struct str *ret,
				      struct err *err);

#endif
