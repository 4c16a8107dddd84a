/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a guest says in lines "PREFIX KEY TEXT", and what each key stands for: a fact or a number of
 * a benchmark. For benches whose guests say one thing a line.
 */
#ifndef FIRN_TESTBEDS_SAID_H
#define FIRN_TESTBEDS_SAID_H

#include "testbeds/bench/sampler.h"

struct said {
	const char *prefix; /* "firn: node " */
	const char *name;   /* before each key: "node-offline/two-nodes" */
	const char *title;  /* of the machine: group of the facts, and before titles of numbers */
	struct said_row *row;
	size_t n, cap;
};
void said_done(struct said *s);

/* `expected` NULL: nothing is known. All strings are copied. */
void said_add_fact(struct said *s, const char *key, const char *title, const char *expected);
/* Of `row` all but name, title and group count. */
void said_add_number(struct said *s, const char *key, const char *title,
		     const struct sample_row *row);

/* For a sampler_cell's read(); `said` is a struct said. Lines with other keys are left out. */
void said_read(const struct boot_result *boot, struct sample *ret, const void *said);

/* A bench of one cell, whose `ctx` is a struct said: boots, judges and adds the caveat. */
must_check int said_bench_run(const struct bench_request *req, const struct sampler_cell *cell,
			      const char *caveat, struct bench_result *ret, struct err *err);

#endif
