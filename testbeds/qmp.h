/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * QEMU Machine Protocol over a socket: commands out, answers and events in, one JSON object a line
 * (docs/interop/qmp-spec.txt of QEMU).
 *
 * In count mode nothing may be sent while the guest runs, or its time is no longer the same from
 * boot to boot. Reading events does no harm. The caller sees to it: commands before the first
 * "cont", and between STOP and "cont", only.
 *
 *	qmp_init(&q, fd);
 *	qmp_hello(&q, err);
 *	qmp_command(&q, "cont", NULL, err);
 *	... poll fd ...
 *	qmp_read(&q, err);
 *	if (q.stopped) ...
 */
#ifndef FIRN_TESTBEDS_QMP_H
#define FIRN_TESTBEDS_QMP_H

#include "base/err.h"
#include "base/str.h"
#include <jansson.h>
#include <stdbool.h>

struct qmp {
	int fd;	       /* the caller's */
	bool stopped;  /* the machine stands still: STOP came, no RESUME since */
	bool panicked; /* GUEST_PANICKED came since the last qmp_command() */
	bool closed;   /* QEMU closed the socket: it is ending */
	struct str in; /* bytes after the last whole line */
};

void qmp_init(struct qmp *q, int fd);
void qmp_done(struct qmp *q);

/* Reads the greeting and leaves negotiation mode. */
must_check int qmp_hello(struct qmp *q, struct err *err);

/* Sends a command and waits for its answer. `args` (an object, or NULL) is taken over. ERR_INFRA
 * with QEMU's own words when it refuses, when it ends meanwhile, and after 60 s without an answer;
 * ERR_CANCELLED. */
must_check int qmp_command(struct qmp *q, const char *name, json_t *args, struct err *err);

/* Reads what is there, without waiting, and notes events. ERR_INFRA on what is not QMP. */
must_check int qmp_read(struct qmp *q, struct err *err);

#endif
