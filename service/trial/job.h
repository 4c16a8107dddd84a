/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A job is a directory: job.json in; log and result.json out. `firn job DIR` runs one, the same
 *under the local launcher, under a batch system and in a developer's shell.
 *
 *	job.json     {"firn-job": 1, "kind": "build", "args": {...}}
 *	log          what the job's tools printed
 *	result.json  {"firn-result": 1, "kind": "build", "seconds": 212.4, "data": {...}}, or in
 *place of "data" "error": {"kind": "infra", "message": "..."}; written aside and renamed, so it is
 *whole or not there
 *
 * While it runs, a job says on standard output what it is doing, a line each: "[4/12] hot-add 16
 *LMBs, base".
 */
#ifndef FIRN_TRIAL_JOB_H
#define FIRN_TRIAL_JOB_H

#include "base/conf.h"
#include "base/err.h"
#include <git2.h>
#include <jansson.h>

struct job {
	const char *dir; /* absolute */
	const json_t *args;
	char *log; /* DIR/log */
};

struct job_kind {
	const char *name;
	const char *summary;
	/* 0 and the data, or an error that goes into result.json. */
	int (*run)(const struct job *job, json_t **ret_data, struct err *err);
};
extern const struct job_kind job_check, job_build, job_boot, job_bench;
extern const struct job_kind *const job_kinds[]; /* NULL at the end */

/* Writes DIR/job.json, creating DIR. Takes the reference to `args`. */
must_check int job_write(const char *dir, const char *kind, json_t *args, struct err *err);

/* Runs the job in DIR in this process and writes result.json. Returns 0 when a result was written
 * with data, else the error that is in it. A cancelled job writes no result. ERR_INPUT when
 * job.json is missing or wrong. */
must_check int job_run(const char *dir, struct err *err);

/* Reads DIR/result.json: 0 and the data, or the error that the job had. */
must_check int job_result(const char *dir, json_t **ret_data, struct err *err);

/* The arguments of a build job. */
struct builder;
struct build_job {
	git_repository *repo;
	const git_oid *commit;
	const char *builder; /* a shipped row's name; or `row` */
	const struct builder *row;
	const char *slot, *cache_dir;
	bool is_base;		    /* keep the objects: see builder.h */
	const git_oid *on;	    /* else the commit that the series is on; NULL: see there */
	const char *const *touched; /* files that the series touches; NULL */
	/* Artefacts that the result is compared with; NULL: with nothing. Its configuration, and
	 * the size of its vmlinux. */
	const char *before, *base;
	const struct conf *conf; /* limits */
};
json_t *build_job_args(const struct build_job *b);
/* How long the job may take, in seconds. */
double build_job_timeout(const struct conf *conf);

/* One line on standard output. */
void job_progress(const char *what, unsigned done, unsigned total);

/* A string or unsigned argument that must be there: ERR_INPUT names it. */
must_check int job_arg_str(const struct job *job, const char *name, const char **ret,
			   struct err *err);

#endif
