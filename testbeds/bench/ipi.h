/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the ipi bench share. */
#ifndef FIRN_TESTBEDS_IPI_H
#define FIRN_TESTBEDS_IPI_H

#include "testbeds/bench/ipi_log.h"
#include "testbeds/bench/sampler.h"

#define IPI_NODES 2

/* One machine: interrupt controller and kernel command line. */
struct ipi_setup {
	const char *name;  /* permanent: "xive-noirqdebug" */
	const char *title; /* "XIVE, noirqdebug" */
	const char *append;
	bool xics;
};
enum { IPI_XIVE, IPI_XIVE_NOIRQDEBUG, IPI_XICS, IPI_XICS_NOIRQDEBUG, IPI_SETUPS };
extern const struct ipi_setup ipi_setups[IPI_SETUPS];

/* "xive/one-to-many/8" with "ipi/" in front. The caller frees. */
char *ipi_metric_name(const struct ipi_setup *setup, enum ipi_kind kind, unsigned cpus);

/* Takes what one boot says: a cell's read(). `ctx` is a struct ipi_cell. */
struct ipi_cell {
	const struct ipi_setup *setup;
	unsigned cpus; /* of the machine: the largest size */
};
void ipi_read(const struct boot_result *boot, struct sample *ret, const void *ctx);

/* The tables, from the judged result. `sizes` ends with 0; `note` goes under each, or NULL. */
void ipi_tables_add(struct bench_result *r, const unsigned *sizes, unsigned cpus, const char *note);

#endif
