/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One emulator process from its start to its end: the guest's console, the control socket, limits,
 * Ctrl-C. What is said here about QEMU's behaviour holds for any of its machines.
 */
#ifndef FIRN_TESTBEDS_EMULATOR_H
#define FIRN_TESTBEDS_EMULATOR_H

#include "base/proc.h"
#include "sandbox/disk.h"
#include "testbeds/qmp.h"
#include "testbeds/testbed.h"

struct emulator {
	struct machine machine; /* what on_stop() is given; `ops` set by the testbed */
	const char *name;	/* what its own messages begin with: "qemu-system-ppc64" */
	struct proc proc;	/* started */
	int console_fd; /* socket with the console and, on the same stream, the emulator's own
			   messages */
	int qmp_fd; /* socket of a machine started with -S; -1: it runs already and nobody can stop
		       it */
	struct disk_watch disk;		    /* what it may write to; no folders: nothing */
	struct qmp qmp;			    /* valid while emulator_watch() runs */
	unsigned dimms;			    /* plugged now: for their names */
	unsigned boot_cpus, cpus, max_cpus; /* at the start, plugged now, and room for */
};

/* Text that the guest hands to ibm,os-term when it wants to be stopped and is well:
 * guest/pause/pause.c. A guest that stops with another text has panicked. */
#define EMULATOR_STOP_TEXT "firn: planned stop"

/* Lets the machine run, watches it to its end and fills `ret`. Then the process is gone, whatever
 * is returned: 0 when the guest's fate is known; ERR_INFRA with the emulator's words when that
 * failed, or when more was written than `disk` allows; ERR_CANCELLED; what on_stop() returned.
 * Closes both sockets. */
must_check int emulator_watch(struct emulator *e, const struct boot_spec *spec,
			      struct boot_result *ret, struct err *err);

#endif
