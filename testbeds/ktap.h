/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Test results of the guest: KTAP version 1 (Documentation/dev-tools/ktap.rst of the kernel), read
 * line by line. The version lines of TAP 13 and 14 are taken too.
 *
 * What comes out is a flat list of leaves: a subtest is named "parent/child". A parent has a row of
 * its own only when it failed and no child did. What a plan promised and did not come is one FAIL
 * row that says how many, and so is "Bail out!". A number out of order is said in the note and
 * changes nothing else.
 *
 *	ok 1 name                   PASS
 *	not ok 1 name               FAIL; without a note of its own, the last diagnostic before it
 *	ok 1 name # SKIP why        SKIP, note "why"; so is "not ok"
 *	not ok 1 name # TODO why    SKIP, note "TODO why"; so is XFAIL
 */
#ifndef FIRN_TESTBEDS_KTAP_H
#define FIRN_TESTBEDS_KTAP_H

#include "testbeds/testbed.h"

#define KTAP_DEPTH_MAX 8    /* deeper subtests are not read: their parents are */
#define KTAP_TESTS_MAX 4096 /* more rows are counted, not kept */
#define KTAP_TEXT_MAX  256  /* longer names and notes are cut */

struct ktap_level {
	unsigned indent; /* of its lines, in columns */
	bool has_plan;
	unsigned long plan;
	unsigned long seen; /* tests that came */
	unsigned long due;  /* number that the next one should have */
	size_t first;	    /* first row that came since the last result of this level */
};

struct ktap {
	struct ktap_level level[KTAP_DEPTH_MAX];
	unsigned depth; /* levels open; 0: no version line came, nothing is read */
	bool bailed;
	unsigned long dropped; /* rows over KTAP_TESTS_MAX */
	char diagnostic[KTAP_TEXT_MAX];
	struct ktap_test *test;
	size_t n, cap;
};

/* A zeroed struct is ready. */

/* One line of the guest without its line end. */
void ktap_line(struct ktap *k, const char *line, size_t len);
/* Whether the line is one that ktap_line() would read. */
bool ktap_is_line(const char *line, size_t len);
/* Closes what is open and gives the rows to the caller. `k` is empty afterwards. */
void ktap_finish(struct ktap *k, struct ktap_test **ret_test, size_t *ret_n);
void ktap_done(struct ktap *k);

#endif
