/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a guest says on its console, read as it comes: kernel lines with their time, complaints of
 * the kernel, test results (KTAP) and the marks of our own init.
 *
 *	struct console c;
 *
 *	console_init(&c, 0);
 *	while (...)
 *		console_feed(&c, data, n); // in any pieces: where they are cut changes nothing
 *	console_finish(&c, CONSOLE_EXITED, 0, ret);
 *	console_done(&c);
 *
 * A kernel line begins with its printk time, "[    1.234567] " ("<4>" may come before it, and
 * "[    T1]" after it where CONFIG_PRINTK_CALLER is on). Only such lines can be complaints, since
 * tests in the guest print what they like. A panic counts without a time too, unless init reports
 * its end after it. A program in the guest that forges a printk time is believed: the console
 * carries nothing that tells them apart.
 *
 * A kernel line that comes in the middle of a line of the guest is taken out of it (hvc writes in
 * pieces of 16 bytes, so this does happen), and the guest's line is put together again.
 */
#ifndef FIRN_TESTBEDS_CONSOLE_H
#define FIRN_TESTBEDS_CONSOLE_H

#include "testbeds/complaint.h"
#include "testbeds/ktap.h"
#include "testbeds/testbed.h"

/* Our own init says this, alone on its line, when all was run: the machine may be ended. */
#define CONSOLE_DONE "firn: done"
/* A line that says this, alone or behind QEMU's "OS terminated: ": the guest stopped itself for the
 * host (guest/pause). */
#define CONSOLE_STOP "firn: planned stop"

#define CONSOLE_MAX_DEFAULT ((size_t)8 << 20)
/* Longer lines are read in parts (and kept whole in the text). */
#define CONSOLE_LINE_MAX 2048

struct console {
	/* To be looked at between feeds. */
	bool kernel_seen;   /* the kernel said something, or our init did (so that it runs) */
	bool done;	    /* CONSOLE_DONE came */
	bool panic;	    /* "Kernel panic" came */
	unsigned stops;	    /* how many CONSOLE_STOP came */
	uint64_t kernel_us; /* last printk time */
	size_t bytes;	    /* all that came, kept or not */

	/* Private. */
	struct str head; /* the first half of what is kept */
	char *tail;	 /* ring with the last half */
	size_t tail_max, tail_len, tail_start;
	char line[CONSOLE_LINE_MAX];
	size_t line_len;
	bool line_goes_on;	     /* `line` is a later part of an overlong line */
	char half[CONSOLE_LINE_MAX]; /* start of a guest line that a kernel line broke in two */
	size_t half_len;
	int escape;	  /* where we are in a terminal escape */
	bool panic_timed; /* the panic had a printk time */
	char panic_title[256];
	char last[128]; /* last line that was not empty, cut */
	struct complaint_log complaints;
	struct ktap ktap;
};

/* How the machine ended, as the testbed saw it. A machine that failed is not here: that is an
 * error. */
enum console_machine {
	CONSOLE_EXITED,	 /* it went off, or the testbed ended it after CONSOLE_DONE or a panic */
	CONSOLE_SILENCE, /* no output for `limit_s` seconds */
	CONSOLE_TIMEOUT, /* not finished after `limit_s` seconds */
};

/* `max`: bytes of text kept, half of it the head and half the tail; 0: CONSOLE_MAX_DEFAULT. */
void console_init(struct console *c, size_t max);
void console_feed(struct console *c, const char *data, size_t n);
/* The text so far, as it came; where bytes were dropped, a line says how many. Initialises `ret`.
 */
void console_text(const struct console *c, struct str *ret);
/* Fills end, reason, console, complaint, test and guest_seconds of `ret`, zeroed by the caller;
 * host_seconds is the testbed's. Once only. A panic wins, then CONSOLE_DONE, then how the machine
 * ended. */
void console_finish(struct console *c, enum console_machine how, double limit_s,
		    struct boot_result *ret);
void console_done(struct console *c);

/* Walks over the kernel lines of a text, those in the middle of other lines too. `*pos` begins at
 * its start and moves on. False at the end. */
bool console_kernel_line(const char **pos, const char *end, struct console_line *ret);
/* Whether the line's text begins with `prefix`. */
bool console_line_starts(const struct console_line *line, const char *prefix);

/* For console.c: the printk prefix at the start of s. Returns its length and fills all but `len`
 * of `ret`; 0 when there is none. */
size_t console_prefix(const char *s, size_t n, struct console_line *ret);
/* Where in the line the first kernel line begins; n when there is none. One that a guest quotes in
 * a diagnostic ("# [    1.000000] ...") is not one. */
size_t console_prefix_find(const char *s, size_t n);

#endif
