/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Boots base and patched kernel in random order, each time afresh, collects what each boot says,
 * and judges it: the part that all benches have in common. The rules, their words and how often
 * they are wrong: MEASURING.md.
 *
 *	struct sampler s;
 *
 *	sampler_init(&s, req);
 *	sampler_expect(&s, boots);
 *	for each machine:
 *		rc = sampler_run(&s, &cell, err);
 *	sampler_judge(&s, ret);	// metrics, facts, failed checks -> outcome and reason
 *	sampler_done(&s);
 *
 * A boot that ends badly is tried once more; a side whose boots ended badly twice is bad, and is
 * not booted again in that cell: the other one only until it was good twice.
 *
 * A KTAP test, an expected fact or a complaint of the kernel counts against the patched kernel when
 * it went wrong in two of its boots, and in half of them, and never in two or more of the base
 * (boots are added where a cell has one only). Less is a warning.
 *
 * A console is hostile input: 1,000 numbers and 500 facts are kept, texts of 1,024 bytes; numbers
 * that are not finite or over 1e18 are left out. What was left out is counted in the evidence.
 */
#ifndef FIRN_TESTBEDS_SAMPLER_H
#define FIRN_TESTBEDS_SAMPLER_H

#include "testbeds/bench/bench.h"

/* What a number is. Strings are copied when the row is first seen. */
struct sample_row {
	const char *name, *title, *unit;
	bool higher_is_better;
	bool shown_only;   /* is not judged */
	double resolution; /* samples that differ by no more are equal (exact rule); negative: never
			    */
	double floor;	   /* relative changes up to this do not matter */
	const char *group, *x_title; /* see struct bench_metric; NULL: none */
	double x;
};

/* What one boot says. Filled by a cell's read(). One value of each name in a boot: those that
 * follow are not independent of it, and are not taken. */
struct sample;
void sample_number(struct sample *s, const struct sample_row *row, double value);
/* `expected` NULL: nothing is known. */
struct sample_fact {
	const char *name, *title, *group, *expected;
};
void sample_text(struct sample *s, const struct sample_fact *fact, const char *text);

struct sampler_cell {
	const char *slug;  /* of console files: "16" */
	const char *title; /* for people: "hot-add of 16 LMBs" */
	/* kernel, initramfs, work_dir and limits are filled in by the sampler, and `count` from the
	 * request's mode. */
	struct boot_spec boot;
	/* Takes what a boot that reached its end says. `ctx` is the cell's. */
	void (*read)(const struct boot_result *boot, struct sample *ret, const void *ctx);
	const void *ctx;
	const char *only; /* what the names of its metrics begin with, in whole parts ("hot-add/16"
			     is in "hot-add", not in "hot-add/1"), for bench_request.only; NULL: the
			     cell is always run */
	unsigned samples; /* least boots of each kernel, where the request does not say; 0: 3 */
	unsigned most;	  /* 0: 20 */
	bool vary_seed;	  /* boot number i has guest seed `boot.seed + i` on both sides: the spread
			     is that over seeds, not over hosts */
	double target;	  /* enough when every judged metric's interval is no wider to either side
			     (relative); 0: the row's floor */
};

struct sampler {
	const struct bench_request *req;
	struct sampler_state *state; /* private */
};

void sampler_init(struct sampler *s, const struct bench_request *req);
void sampler_done(struct sampler *s);
/* How many boots will be made at least, both kernels together; call before the first cell. For
 * progress, and to share the time budget among the cells. */
void sampler_expect(struct sampler *s, unsigned boots);
/* Runs one cell. Errors are the testbed's. */
must_check int sampler_run(struct sampler *s, const struct sampler_cell *cell, struct err *err);
/* Judges all that came: metrics (several rank-tested ones are corrected for, Holm 1979), facts, and
 * failed checks; the reason names what changed. Adds to `ret` (outcome, reason, metric, fact,
 * evidence, stopped, boots, seconds, base_bad, patched_bad) and leaves the rest alone. */
void sampler_judge(struct sampler *s, struct bench_result *ret);

/* For cells' read(): walks over the guest's lines that begin with `prefix` ("firn: ipi "); `*pos`
 * begins at boot->console.buf. `*ret` points behind the prefix, not terminated; NULL-safe. False at
 * the end. A line that the kernel wrote into is left out: what it was cannot be told. */
bool sample_line(const struct boot_result *boot, const char **pos, const char *prefix,
		 const char **ret, size_t *ret_n);

#endif
