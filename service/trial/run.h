/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside of a trial: what its steps share. Only service/trial/ includes this. */
#ifndef FIRN_TRIAL_RUN_H
#define FIRN_TRIAL_RUN_H

#include "base/json.h"
#include "kernel-builders/builder.h"
#include "series/apply.h"
#include "series/base_pick.h"
#include "series/depends.h"
#include "series/offer.h"
#include "series/series.h"
#include "testbeds/bench/bench.h"
#include "trial/trial.h"

/* May steps that need this one run? */
enum step_use {
	STEP_USE_OUTCOME, /* where it passed or warned */
	STEP_USE_YES,	  /* even so: what they need is there */
	STEP_USE_NO,	  /* not even then */
};

/* What came of one step; json_t members are owned. */
struct step_result {
	enum outcome outcome;
	char *reason;	  /* one line */
	size_t patch;	  /* number it is attributed to; 0: none */
	json_t *evidence; /* array of lines; NULL: none */
	bool cached;
	char *log;	 /* relative to the work folder; NULL */
	json_t *details; /* object; NULL */
	enum step_use use;
};

void step_result_set(struct step_result *r, enum outcome outcome, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Appends one line of evidence. */
void step_result_line(struct step_result *r, const char *line);
void step_result_done(struct step_result *r);

struct step {
	const char *name;    /* permanent slug */
	const char *summary; /* for --help */
	const char
		*needs; /* names of steps, separated by spaces, that must have passed (or warned) */
	bool always;	/* --only does not leave it out */
	/* 0 and a filled result, or an error: ERR_PATCH makes `fail`, ERR_CANCELLED ends the trial,
	 * every other kind makes `error`. */
	int (*run)(struct trial *t, struct step_result *ret, struct err *err);
};
extern const struct step steps[]; /* ends with a NULL name */
#define STEPS_MAX  16
#define STEP_BENCH "bench-" /* before the name of a benchmark */

int step_intake(struct trial *t, struct step_result *ret, struct err *err);
int step_series(struct trial *t, struct step_result *ret, struct err *err);
int step_base(struct trial *t, struct step_result *ret, struct err *err);
int step_apply(struct trial *t, struct step_result *ret, struct err *err);
int step_check(struct trial *t, struct step_result *ret, struct err *err);
int step_build(struct trial *t, struct step_result *ret, struct err *err);
int step_boot(struct trial *t, struct step_result *ret, struct err *err);
int step_bench(struct trial *t, struct step_result *ret, struct err *err);

struct trial {
	const struct trial_options *opt;
	const struct trial_observer *observer;
	int64_t started; /* wall clock */
	bool wanted[STEPS_MAX];
	bool named[STEPS_MAX]; /* by --only, itself */
	bool ran[STEPS_MAX];
	struct step_result result[STEPS_MAX];
	double seconds[STEPS_MAX];
	size_t step; /* index of the running step */

	char *input;		  /* for messages: the one input, "standard input", "3 inputs" */
	char *id;		  /* "20261130-141500-a1b2c3" */
	char *work_dir;		  /* absolute; NULL before the series was found */
	int work_held, slot_held; /* see base/hold.h; -1: not yet, or the caller's to keep */

	struct mail_list mails;
	struct series_set set;
	const struct series *series; /* of `set`, or of `offered` */
	struct threads *threads;
	struct offers offers;
	struct series_set offered; /* the series with --offer on top */
	struct depends_plan plan;  /* the series that it needs, and itself */
	git_repository *repo, *user_repo;
	const char *tree; /* path of user_repo */
	char *base_name;  /* "powerpc/merge": tree and branch as the configuration calls them; NULL
			   */
	bool has_base;
	struct base_choice base;
	git_oid start; /* the base, with what the series needs on top: what it is compared with */
	struct apply_result applied;

	char *base_artifact, *patched_artifact; /* artefact folders */
	char **between; /* those after each patch but the last, where trial_each() says so */
	size_t n_between;
	bool same_image;	   /* base and patched vmlinux are the same bytes */
	json_t *checks, *findings; /* arrays of the report */
	json_t *ledger;		   /* array of the report; NULL before the series step */
	json_t *counts;		   /* NULL: nothing was checked */
	json_t *since;		   /* what changed since the version before; NULL */
	json_t *bench;		   /* what benchmarks found: see bench_json.h */
	json_t *builds;		   /* array of the report; NULL: nothing was built */
	unsigned n_jobs;
};

/* Tells the observer what is going on. */
void trial_progress(struct trial *t, const char *what, unsigned done, unsigned total);

/* Writes mails/ and patches/ into the new work folder. */
must_check int trial_keep_input(const struct trial *t, struct err *err);
/* "patches/0001.patch": check_patch_text() of it. The caller frees. */
char *trial_patch_name(const struct patch *p);

/* Writes a job, runs it under the launcher and reads its result. `name` is for its folder:
 * jobs/03-NAME. Takes `args`.
 * `*ret_log` (may be NULL) is the log's path relative to the work folder. Runs it again after
 * ERR_INFRA until `tries` is used up. */
struct trial_job {
	const char *kind, *name;
	json_t *args;
	double timeout_s;
	unsigned tries;
};
must_check int trial_job_run(struct trial *t, struct trial_job *job, json_t **ret_data,
			     char **ret_log, struct err *err);

/* One boot: which kernel, on which machine. */
struct trial_boot {
	size_t n; /* patches in it; 0: the base */
	const char *artifact;
	const char *machine;	      /* for its folder's name; NULL: the usual one */
	const struct boot_node *node; /* its nodes; NULL: two even ones */
	size_t n_nodes;
};

/* Is the kernel tried after every patch? (Else after the last, and in between only to find out
 * whose fault something is.) */
bool trial_each(const struct trial *t);

/* Builds the commit after patch `n` (0: the base): a job, or the cache. `data` is the job's. */
struct trial_kernel {
	size_t n;
	const char *builder;	    /* NULL: the configuration's, or `row` */
	const struct builder *row;  /* NULL: that of `builder` */
	const char *const *touched; /* see builder.h; NULL */
	/* Artefacts that it is compared with; NULL: none */
	const char *before; /* its configuration */
	const char *base;   /* its size */
};
must_check int trial_build(struct trial *t, struct trial_kernel which, json_t **ret_data,
			   char **ret_log, struct err *err);
/* Did it build? Else its reason says why not. */
bool trial_built(const json_t *build);
/* Boots a kernel that trial_build() made. */
must_check int trial_boot(struct trial *t, const struct trial_boot *boot, json_t **ret_data,
			  char **ret_log, struct err *err);

/* The first bad patch, given that the base is good and the whole series is bad. Returns 1, 0 or an
 * error. */
typedef int attribute_fn(struct trial *t, size_t n, void *ctx, struct err *err);
must_check int attribute_patch(struct trial *t, attribute_fn *is_bad, void *ctx, size_t *ret_n,
			       struct err *err);
/* The same, into the step's patch and its reason ("patch 2/3: ..."). Not to find out whose fault it
 * is takes nothing from the result: the reason says why. Fails with ERR_CANCELLED only. */
must_check int attribute_step(struct trial *t, attribute_fn *is_bad, void *ctx,
			      struct step_result *ret, struct err *err);

/* The report of what has run so far: see ../report/SCHEMA.md. */
json_t *report_make(const struct trial *t);
/* The verdict over all steps: outcome, and words in one line. */
enum outcome judge_trial(const struct trial *t, char **ret_words);

#endif
