/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a guest's console says about interprocessor interrupts: see guest/ipi_run.c. */
#ifndef FIRN_TESTBEDS_IPI_LOG_H
#define FIRN_TESTBEDS_IPI_LOG_H

#include "testbeds/testbed.h"

#define IPI_CPUS_MAX  64
#define IPI_RUNS_MAX  64
#define IPI_LINES_MAX 16
#define IPI_NAME_MAX  16

enum ipi_kind {
	IPI_ONE_TO_MANY,  /* CPU 0 to all others in one call */
	IPI_EACH_IN_TURN, /* CPU 0 to one after the other */
	IPI_ALL_TO_ALL,	  /* every CPU to others by chance */
	IPI_ALL_TO_CHIP,  /* every CPU to others of its node by chance */
	IPI_KINDS
};
extern const char *const ipi_kind_name[IPI_KINDS]; /* permanent: "one-to-many" */

/* One kind of sending among the CPUs 0 to cpus - 1. */
struct ipi_run {
	enum ipi_kind kind;
	unsigned cpus;
	unsigned repeats;
	double rate;		       /* IPIs in a second, of the fastest repeat */
	double cpu_rate[IPI_CPUS_MAX]; /* of each sender over all repeats; 0: does not send */
};

/* A line of /proc/interrupts: what came on it while the runs took place. */
struct ipi_line {
	char name[IPI_NAME_MAX]; /* "IPI-0" */
	uint64_t count[IPI_CPUS_MAX];
	bool after; /* count is a difference */
};

struct ipi_log {
	struct ipi_run run[IPI_RUNS_MAX];
	size_t n_runs;
	struct ipi_line line[IPI_LINES_MAX];
	size_t n_lines;
};

/* Lines that are cut, absurd, or more than there is room for are left out. */
void ipi_log_read(const struct boot_result *boot, struct ipi_log *ret);

uint64_t ipi_line_total(const struct ipi_line *l);
/* "IPI-0: CPUs 0-3; IPI-1: CPUs 4-7": the lines on which something came. "" when there is none. The
 * caller frees. */
char *ipi_log_served(const struct ipi_log *log);

#endif
