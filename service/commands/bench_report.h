/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report of `firn bench`: two kernels, one benchmark, no series (../report/SCHEMA.md). */
#ifndef FIRN_COMMANDS_BENCH_REPORT_H
#define FIRN_COMMANDS_BENCH_REPORT_H

#include "commands/kernels.h"
#include <stdint.h>

struct bench_run {
	const struct bench *bench;
	const struct kernel *base, *patched;
	const char *tree; /* NULL */
	const struct conf *conf;
	const json_t *data;	/* of the bench job */
	const char *log;	/* relative to the work folder; NULL */
	int64_t began, ended;	/* wall clock */
	double seconds, waited; /* the whole run; the benchmark */
	const char *repeat;	/* command line */
};
json_t *bench_report_make(const struct bench_run *run);

#endif
