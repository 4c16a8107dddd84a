/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The numbers behind the zeroes of a struct sandbox_spec. */
#ifndef FIRN_SANDBOX_LIMITS_H
#define FIRN_SANDBOX_LIMITS_H

#include "sandbox/sandbox.h"

#define LIMITS_MEMORY	 (8UL << 30)
#define LIMITS_FILE	 (4UL << 30)
#define LIMITS_TMP	 (64UL << 20)
#define LIMITS_PROCESSES 512

/* A million for the usual 10 GiB; an allmodconfig kernel has 60,000. */
static inline unsigned long limits_files(const struct sandbox_spec *spec)
{
	return spec->disk_bytes / 10240 > 10000 ? spec->disk_bytes / 10240 : 10000;
}

static inline unsigned long limits_or(unsigned long value, unsigned long dflt)
{
	return value ? value : dflt;
}

static inline unsigned limits_processes(const struct sandbox_spec *spec)
{
	return spec->processes ? spec->processes : LIMITS_PROCESSES;
}

/* Three quarters of the machine, so that the service and its store have room. */
static inline unsigned long limits_total(const struct sandbox_spec *spec)
{
	unsigned long machine = (unsigned long)sysconf(_SC_PHYS_PAGES) *
				(unsigned long)sysconf(_SC_PAGESIZE) / 4 * 3;

	return spec->total_bytes && spec->total_bytes < machine ? spec->total_bytes : machine;
}

#endif
