// SPDX-License-Identifier: GPL-2.0-or-later
#include "testbeds/bench/calibrate.h"

#include "base/clock.h"
#include "base/fs.h"
#include "base/proc.h"
#include <fnmatch.h>
#include <math.h>

/* More than a bench boots one kernel in one run: the guest seeds of two runs do not meet. */
#define SEEDS_A_RUN 10000

void calibrate_result_done(struct calibrate_result *r)
{
	for (size_t i = 0; i < r->n_rows; i++) {
		struct calibrate_row *row = &r->row[i];

		for (size_t k = 0; k < row->n_counts; k++) {
			free(row->count[k].name);
			free(row->count[k].change);
		}
		free(row->count);
		free(row->name);
	}
	free(r->row);
	free(r->trouble);
	*r = (struct calibrate_result){0};
}

static struct calibrate_count *
count_of(struct calibrate_row *row, const struct calibrate_pair *pair, const struct bench_metric *m)
{
	struct calibrate_count *c;

	for (size_t i = 0; i < row->n_counts; i++)
		if (strcmp(row->count[i].name, m->name) == 0)
			return &row->count[i];
	row->count = xreallocarray(row->count, row->n_counts + 1, sizeof(*row->count));
	c = &row->count[row->n_counts++];
	*c = (struct calibrate_count){
		.name = xstrdup(m->name),
		.lower_is_better = m->lower_is_better,
		.planted = pair->share != 0 && fnmatch(pair->metrics, m->name, FNM_EXTMATCH) == 0};
	return c;
}

/* Whether the word is a hit: see struct calibrate_row. */
static bool count_metric(struct calibrate_count *c, const struct calibrate_pair *pair,
			 const struct bench_metric *m)
{
	c->runs++;
	c->word[m->word]++;
	if (isfinite(m->change)) {
		c->change = xreallocarray(c->change, c->n_changes + 1, sizeof(*c->change));
		c->change[c->n_changes++] = m->change;
	}
	return pair->share == 0 ? m->word != BENCH_UNCHANGED
				: c->planted && m->word == BENCH_SLOWER;
}

void calibrate_take(struct calibrate_row *row, const struct calibrate_pair *pair,
		    const struct bench_result *r)
{
	bool hit = pair->share == 0 && r->outcome == OUTCOME_FAIL;

	if (r->outcome == OUTCOME_ERROR || r->base_bad) {
		row->spoilt++;
		return;
	}
	for (size_t i = 0; i < r->n_metrics; i++)
		if (r->metric[i].judged)
			hit |= count_metric(count_of(row, pair, &r->metric[i]), pair,
					    &r->metric[i]);
	row->runs++;
	row->hits += hit;
}

/*
 * A testbed that stands before the real one: counts boots and moves the guest's seed. `arg` is the
 * testbed's argument, and how the struct is found again.
 */
struct watch {
	char arg[1];
	struct testbed testbed;
	const struct testbed *real;
	const char *real_arg;
	unsigned seed;
	unsigned boots, good;
};

static int watch_boot(const char *arg, const struct boot_spec *spec, struct boot_result *ret,
		      struct err *err)
{
	struct watch *w = (struct watch *)(void *)(arg - offsetof(struct watch, arg));
	struct boot_spec moved = *spec;
	int rc;

	moved.seed += w->seed;
	rc = w->real->boot(w->real_arg, &moved, ret, err);
	if (rc == ERR_CANCELLED)
		return rc;
	w->boots++;
	w->good += rc == 0 && ret->end == BOOT_DONE;
	return rc;
}

struct calibration {
	const struct calibrate_request *req;
	struct calibrate_result *ret;
	struct watch watch;
	double began;
	unsigned run;	   /* from 1 */
	size_t pair;	   /* at work */
	unsigned done;	   /* comparisons */
	const char *doing; /* what the bench says */
	char *dir;	   /* of the comparison at work */
};

static void tell(struct calibration *c)
{
	const struct calibrate_request *req = c->req;
	unsigned total = req->runs * (unsigned)req->n_pairs;
	double left = c->done ? (clock_mono() - c->began) / c->done * (total - c->done) : 0;
	auto_free char *what =
		xasprintf("run %u of %u, %s%s%s", c->run, req->runs, req->pair[c->pair].name,
			  c->doing ? ": " : "", c->doing ? c->doing : "");
	struct calibrate_progress p = {what, c->run, req->runs, left};

	if (req->on_progress)
		req->on_progress(req->ctx, &p);
}

static void on_bench_progress(void *ctx, const char *what, unsigned done, unsigned total)
{
	struct calibration *c = ctx;

	(void)done;
	(void)total;
	c->doing = what;
	tell(c);
	c->doing = NULL;
}

/* The consoles stay when they have something to explain. */
static int keep_or_drop(const struct calibration *c, bool keep, struct err *err)
{
	auto_free char *kept =
		xasprintf("%s/%s-%u", c->req->one.work_dir, c->req->pair[c->pair].name, c->run);
	int rc;

	if (!keep)
		return fs_rmtree(c->dir, err);
	rc = fs_rmtree(kept, err);
	if (rc == 0 && rename(c->dir, kept) < 0)
		rc = err_sys(err, ERR_INFRA, "cannot rename %s to %s", c->dir, kept);
	return rc;
}

static void say_trouble(struct calibrate_result *ret, const char *why)
{
	free(ret->trouble);
	ret->trouble = xstrdup(why);
}

/* What the bench said, counted. A run that the testbed spoilt is counted too, unless it was the
 * very first: then nothing works here. */
static int pair_take(struct calibration *c, int rc, const struct bench_result *r, bool *ret_keep,
		     struct err *err)
{
	struct calibrate_row *row = &c->ret->row[c->pair];
	unsigned hits = row->hits, spoilt = row->spoilt;

	if (rc == ERR_INFRA && c->done) {
		row->spoilt++;
		say_trouble(c->ret, err->msg);
		*ret_keep = true;
		return 0;
	}
	if (rc < 0)
		return rc;
	if (r->outcome == OUTCOME_SKIP)
		return err_set(err, ERR_CONFIG, "%s", r->reason);
	calibrate_take(row, &c->req->pair[c->pair], r);
	if (row->spoilt > spoilt)
		say_trouble(c->ret, r->reason);
	*ret_keep = row->spoilt > spoilt || (row->share == 0 && row->hits > hits);
	return 0;
}

static int pair_run(struct calibration *c, struct err *err)
{
	const struct calibrate_request *req = c->req;
	struct bench_request one = req->one;
	struct bench_result r = {0};
	bool keep = false;
	struct err second = ERR_INIT;
	int rc, dropped;

	one.testbed = &c->watch.testbed;
	one.testbed_arg = c->watch.arg;
	one.patched = req->pair[c->pair].patched;
	one.seed += c->run * (unsigned)req->n_pairs + (unsigned)c->pair;
	one.work_dir = c->dir;
	one.on_progress = on_bench_progress;
	one.ctx = c;
	c->watch.seed = (c->run - 1) * SEEDS_A_RUN;
	tell(c);
	rc = fs_mkdirs(c->dir, err);
	if (rc == 0)
		rc = bench_run(req->bench, &one, &r, err);
	rc = pair_take(c, rc, &r, &keep, err);
	bench_result_done(&r);
	dropped = keep_or_drop(c, keep, &second);
	if (rc == 0 && dropped < 0)
		rc = err_set(err, second.kind, "%s", second.msg);
	c->done++;
	return rc;
}

static int all_run(struct calibration *c, struct err *err)
{
	int rc = 0;

	for (c->run = 1; c->run <= c->req->runs && rc == 0; c->run++) {
		for (c->pair = 0; c->pair < c->req->n_pairs && rc == 0; c->pair++)
			rc = cancel_requested() ? err_cancelled(err) : pair_run(c, err);
		if (rc == 0)
			c->ret->runs = c->run;
	}
	return rc;
}

static void rows_init(const struct calibrate_request *req, struct calibrate_result *ret)
{
	ret->wanted = req->runs;
	ret->n_rows = req->n_pairs;
	ret->row = xcalloc(req->n_pairs, sizeof(*ret->row));
	for (size_t i = 0; i < req->n_pairs; i++) {
		ret->row[i].name = xstrdup(req->pair[i].name);
		ret->row[i].share = req->pair[i].share;
	}
}

int calibrate_run(const struct calibrate_request *req, struct calibrate_result *ret,
		  struct err *err)
{
	auto_free char *dir = xasprintf("%s/run", req->one.work_dir);
	struct calibration c = {.req = req, .ret = ret, .began = clock_mono(), .dir = dir};
	int rc;

	rows_init(req, ret);
	c.watch = (struct watch){.testbed = *req->one.testbed,
				 .real = req->one.testbed,
				 .real_arg = req->one.testbed_arg};
	c.watch.testbed.boot = watch_boot;
	rc = all_run(&c, err);
	ret->boots = c.watch.boots;
	ret->good = c.watch.good;
	ret->seconds = clock_mono() - c.began;
	return rc;
}
