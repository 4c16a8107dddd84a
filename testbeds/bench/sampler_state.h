/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a sampler remembers: private to sampler*.c. */
#ifndef FIRN_TESTBEDS_SAMPLER_STATE_H
#define FIRN_TESTBEDS_SAMPLER_STATE_H

#include "testbeds/bench/sampler.h"

#include "base/str.h"

/* What a console may make us remember: it was written by a kernel that a stranger changed. */
#define METRICS_MAX    1000
#define FACTS_MAX      500
#define TESTS_MAX      4096 /* in a cell */
#define COMPLAINTS_ALL 256  /* in a cell */
#define TEXT_MAX       1024 /* bytes of a fact; longer ones are cut */
#define WORDS_MAX      256  /* bytes of a name or title */
#define NUMBER_MAX     1e18 /* larger ones are no measurement */
#define SHOWN_LINES    20   /* of one boot or complaint */
#define EVIDENCE_MAX   80

enum side { SIDE_BASE, SIDE_PATCHED, SIDES };

/* Rows by name: found in logarithmic time, kept in the order in which they came. Each begins with
 * its name. */
struct rows {
	void *tree; /* of tsearch(3) */
	void **row;
	size_t n, cap, max;
	unsigned long dropped; /* that were over `max` */
};
/* The row of that name. A new one has `size` bytes, zeroed, and a copy of the name; NULL when there
 * is no room for it. */
void *rows_get(struct rows *r, const char *name, size_t size);
/* NULL: none. */
void *rows_find(const struct rows *r, const char *name);
void rows_done(struct rows *r, void (*done)(void *row));

struct lines {
	char **line;
	size_t n;
};
/* At most `max` are kept. */
void lines_add(struct lines *l, const char *text, size_t n, size_t max);
void lines_done(struct lines *l);

struct number_row {
	char *name; /* first, for struct rows */
	struct bench_metric metric;
	size_t cap[SIDES];
	unsigned last_boot; /* that gave a sample */
	double resolution, floor;
	const struct cell *cell;
};

#define VARIANTS_MAX 4
struct fact_side {
	struct {
		char *text;
		unsigned boots;
	} variant[VARIANTS_MAX];
	size_t n;	    /* variants */
	unsigned boots;	    /* that said something */
	unsigned right;	    /* that said what is expected */
	unsigned last_boot; /* that said something */
};
struct fact_row {
	char *name;
	char *title, *group, *expected;
	struct fact_side side[SIDES];
	const struct cell *cell;
};

/* A KTAP test of a cell. */
struct test_row {
	char *name;
	unsigned passed[SIDES], failed[SIDES]; /* boots */
	unsigned last_boot;		       /* that had it */
	bool last_failed;
	char *note; /* of the first failure on patched, else on base */
	bool note_is_patched;
};

/* A complaint of the kernel in a cell, by its key. */
struct complaint_row {
	char *name;
	char *title;
	unsigned boots[SIDES];
	struct lines lines;
};

struct cell_side {
	unsigned good;	 /* boots that reached their end */
	unsigned failed; /* and that did not */
	bool bad;	 /* they did not twice */
	bool silent;	 /* not one line from the kernel in the last of them */
	char *reason;	 /* of the last boot that ended badly; NULL: none */
	struct lines lines;
	unsigned numbers_lost; /* not finite, or absurd */
};

/* Why no more samples were taken. */
enum stop { STOP_ASKED, STOP_NARROW, STOP_MOST, STOP_BUDGET, STOP_BAD, STOPS };

struct cell {
	char *title;
	enum stop stop;
	struct cell_side side[SIDES];
	struct rows tests, complaints;
};

struct sampler_state {
	struct rows numbers, facts;
	struct cell **cell;
	size_t n_cells;
	unsigned boots, done, total;
	double started;
	struct bench_result profile; /* functions; evidence where there is none */
};

struct sample {
	struct sampler_state *state;
	struct cell *cell;
	enum side side;
	unsigned boot; /* serial number, from 1 */
};

static inline const char *side_name(enum side side)
{
	return side == SIDE_BASE ? "base" : "patched";
}

/* All that a boot says: ends, complaints, tests, and what the cell reads. (sampler_take.c) */
void sample_take(struct sample *s, const struct sampler_cell *cell, const struct boot_result *boot);
/* Whether a failure was seen that more boots would make certain. */
bool cell_needs_boots(const struct sampler_state *state, const struct cell *c);

/* What is said in the end: the worst outcome with the first few of its reasons. */
struct verdict {
	enum outcome outcome;
	char *reason;
	unsigned shown, more; /* reasons of this outcome, and those that are not shown */
};
/* Takes `reason` over. */
void verdict_say(struct verdict *v, enum outcome o, char *reason);
/* Failed boots, tests, complaints and facts. (sampler_checks.c) */
void cells_judge(const struct sampler_state *state, struct bench_result *ret, struct verdict *v);
void result_add_evidence(struct bench_result *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Where a judged number of this cell has changed, the first time: counts instructions by function,
 * if that was asked for. (sampler_profile.c) */
must_check int cell_profile(struct sampler *s, const struct sampler_cell *cell,
			    const struct cell *c, struct err *err);
/* Moves what came of it into the result. */
void profile_take(struct sampler_state *state, struct bench_result *ret);

#endif
