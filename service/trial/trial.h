/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A trial: one series on one base with one plan of steps.
 *
 *	intake -> series -> base -> apply -> check -> build -> boot -> bench-hot-add, ...
 *
 * The first four run in this process; the others are jobs (job.h): child processes under a
 *launcher. A step that cannot be done because of an earlier one is skipped, with the reason. What
 *all steps found is made into one report
 * (../report/SCHEMA.md).
 */
#ifndef FIRN_TRIAL_TRIAL_H
#define FIRN_TRIAL_TRIAL_H

#include "base/conf.h"
#include "base/err.h"
#include "base/outcome.h"
#include <jansson.h>
#include <stdbool.h>

/* One of several repositories that a series may belong to. */
struct trial_tree {
	const char *name, *path;
	const char *const *branches; /* to try in order, NULL at the end; NULL: HEAD */
	const char *ignore; /* TYPEs of checkpatch that are waived on it, a list; NULL: none */
};

struct trial_options {
	const char *const *inputs; /* each as source_read() takes it; NULL at the end */
	const char *pick;  /* message ID of the series, when the input holds several; NULL */
	const char *offer; /* message ID of a reply whose diff is tried on top; NULL */
	const char *link;  /* by which anybody gets the series; NULL */
	const char *tree;  /* the kernel's repository */
	/* Instead of `tree`: the first in which the series finds its place; a NULL path at the
	 * end. */
	const struct trial_tree *trees;
	const char *base; /* revision; NULL: base_pick() finds one */
	const char *why;  /* why this base, for the report; NULL: it was asked for */
	const char *only; /* comma-separated step names; NULL: all */
	const char
		*work_dir; /* where mails, jobs, logs and the report are kept; NULL: in the cache */
	const char *cache_dir;
	const struct conf *conf;
	const char *id; /* name of slots and refs: [a-z0-9-]; NULL: made from the time */
	bool resume;	/* jobs of `work_dir` that came to a result are not run again */
};

/* A job of the trial, for those who watch. */
struct trial_job_info {
	const char *kind, *name; /* "boot", "boot-base" */
};

/* Who watches: all may be NULL. */
struct trial_observer {
	void (*step_begin)(void *ctx, const char *name);
	/* What it is doing now; `done` of `total`, or 0 of 0 when that is not known. */
	void (*step_progress)(void *ctx, const char *what, unsigned done, unsigned total);
	/* At least once a second while a job runs. */
	void (*tick)(void *ctx);
	/* `step` is its row of the report. */
	void (*step_end)(void *ctx, const json_t *step);
	/* The same, with the report of what has run so far. */
	void (*step_reported)(void *ctx, const json_t *step, const json_t *report);
	/* Before a job runs: may wait for its turn. An error is the job's. */
	int (*job_begin)(void *ctx, const struct trial_job_info *job, struct err *err);
	/* After it, when job_begin() was good: 0 and what it found, or its error. */
	void (*job_end)(void *ctx, const struct trial_job_info *job, int rc, const json_t *data);
	void *ctx;
};

struct trial;

/* Checks the options: ERR_USAGE for an unknown step, ERR_CONFIG for an unknown testbed or builder.
 * Copies nothing: the options must outlive the trial. */
must_check int trial_new(const struct trial_options *opt, const struct trial_observer *observer,
			 struct trial **ret_trial, struct err *err);
void trial_free(struct trial *t);

/* Runs the steps. Returns 0 and the report, whatever its verdict; an error when there is nothing to
 * report on: the input cannot be read (ERR_INPUT), cancelled, the tree is none (ERR_CONFIG).
 * Nothing is left on disk in that case. */
must_check int trial_run(struct trial *t, json_t **ret_report, struct err *err);

/* Where mails, jobs and logs of this trial are; NULL before the series was found. */
const char *trial_work_dir(const struct trial *t);

/* What is wrong with a value that a table must know (testbed, builder, benchmarks); NULL: nothing.
 * The caller frees. */
char *trial_conf_mistake(const struct conf *conf, enum conf_id id);

/* Will this trial run step `i` of the table, if nothing before it is bad? */
bool trial_step_wanted(const struct trial *t, unsigned i);

/* The steps, for --help: name and summary of row `i`; false past the end. */
bool trial_step_info(unsigned i, const char **ret_name, const char **ret_summary);

#endif
