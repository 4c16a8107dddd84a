// SPDX-License-Identifier: GPL-2.0-or-later
/* What is asked of a bench, and whether it was seen. */
#include "testbeds/bench/calibrate.h"
#include <math.h>

double calibrate_share(enum bench_mode mode)
{
	return mode == BENCH_COUNT ? 0.01 : 0.05;
}

static struct calibrate_aim *aim_add(struct calibrate_aims *a, char *what, unsigned k, unsigned n)
{
	struct calibrate_aim *aim;

	a->aim = xreallocarray(a->aim, a->n + 1, sizeof(*a->aim));
	aim = &a->aim[a->n++];
	*aim = (struct calibrate_aim){.what = what, .k = k, .n = n, .rate = (double)k / n};
	return aim;
}

static void add_alarms(struct calibrate_aims *a, const struct calibrate_result *r)
{
	struct calibrate_aim *aim;
	unsigned runs = 0, hits = 0;

	for (size_t i = 0; i < r->n_rows; i++) {
		if (r->row[i].share != 0)
			continue;
		runs += r->row[i].runs;
		hits += r->row[i].hits;
	}
	if (!runs)
		return;
	aim = aim_add(a, xasprintf("at most %g %% false alarms", CALIBRATE_ALARMS * 100), hits,
		      runs);
	aim->alarms = true;
	aim->bound = calibrate_upper(hits, runs, CALIBRATE_LEVEL);
	aim->state = aim->rate > CALIBRATE_ALARMS    ? CALIBRATE_MISSED
		     : aim->bound > CALIBRATE_ALARMS ? CALIBRATE_OPEN
						     : CALIBRATE_SHOWN;
}

static void add_detection(struct calibrate_aims *a, const struct calibrate_row *row,
			  const struct calibrate_count *c)
{
	struct calibrate_aim *aim;

	if (!c->planted || !c->runs)
		return;
	aim = aim_add(a,
		      xasprintf("at least %g %% of %+g %% seen in %s", CALIBRATE_DETECTION * 100,
				row->share * 100, c->name),
		      c->word[BENCH_SLOWER], c->runs);
	aim->bound = calibrate_lower(aim->k, aim->n, CALIBRATE_LEVEL);
	aim->state = aim->rate < CALIBRATE_DETECTION	? CALIBRATE_MISSED
		     : aim->bound < CALIBRATE_DETECTION ? CALIBRATE_OPEN
							: CALIBRATE_SHOWN;
}

void calibrate_aims_make(const struct calibrate_result *r, enum bench_mode mode,
			 struct calibrate_aims *ret)
{
	struct calibrate_aims a = {0};

	add_alarms(&a, r);
	for (size_t i = 0; i < r->n_rows; i++) {
		const struct calibrate_row *row = &r->row[i];

		if (fabs(row->share - calibrate_share(mode)) > 1e-9)
			continue;
		for (size_t k = 0; k < row->n_counts; k++)
			add_detection(&a, row, &row->count[k]);
	}
	for (size_t i = 0; i < a.n; i++)
		a.missed |= a.aim[i].state == CALIBRATE_MISSED;
	*ret = a;
}

void calibrate_aims_done(struct calibrate_aims *a)
{
	for (size_t i = 0; i < a->n; i++)
		free(a->aim[i].what);
	free(a->aim);
	*a = (struct calibrate_aims){0};
}
