/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Panics, oopses, warnings, lockups and stalls in the kernel's messages. Part of console.h. */
#ifndef FIRN_TESTBEDS_COMPLAINT_H
#define FIRN_TESTBEDS_COMPLAINT_H

#include "testbeds/testbed.h"

/* Different complaints kept of one boot; one that repeats (same key) is kept once. */
#define COMPLAINTS_MAX	    64
#define COMPLAINT_LINES_MAX 40

/* One kernel line; the strings point into the text that it was read from, without a final NUL. */
struct console_line {
	uint64_t us;	    /* printk time, exact */
	int level;	    /* of "<4>"; -1: none */
	const char *caller; /* "T1", "C0" (CONFIG_PRINTK_CALLER); length 0: none */
	size_t caller_len;
	const char *text; /* without prefixes and line end */
	size_t len;
};

struct complaint_log {
	struct complaint *complaint;
	size_t n, cap;

	/* Private: the one whose lines are coming. */
	bool is_open;
	struct complaint open;
	uint64_t open_us;     /* time of its last line */
	char open_caller[16]; /* whose lines are its; "" when the kernel does not say */
	bool trace;	      /* "Call Trace:" came */
	bool dump;	      /* in the instruction dump */
	bool placed;	      /* the key has its function */
	bool cut_here;	      /* between "cut here" and a title; `open` has the lines so far */
};

/* A zeroed log is ready. Takes one kernel line. */
void complaint_log_line(struct complaint_log *log, const struct console_line *line);
/* A title that came without a printk time. */
void complaint_log_add(struct complaint_log *log, enum complaint_kind kind, const char *title);
/* Keeps the one that is open. */
void complaint_log_close(struct complaint_log *log);
void complaint_log_done(struct complaint_log *log);

/* The title without what differs between two boots of the same kernel, or between two kernels of
 * which one has a few lines more: CPU, PID, task, addresses, offsets, counts, times, and line
 * numbers. The file and the function stay. The caller frees. */
char *complaint_key(const char *title);

void complaint_done(struct complaint *c);
/* "panic", "oops", "bug", "warn", "lockup", "stall". */
const char *complaint_kind_name(enum complaint_kind k);

#endif
