// SPDX-License-Identifier: GPL-2.0-or-later
#include "testbeds/bench/sampler_state.h"

#include "base/clock.h"
#include "base/fs.h"
#include "base/proc.h"
#include "base/random.h"
#include "testbeds/bench/stats.h"
#include <math.h>

#define SAMPLES_DEFAULT 3
#define MOST_DEFAULT	20
#define BLOCK		2 /* boots of each kernel that are added at a time */
#define CERTAIN		2 /* boots that make a failure, or its absence, certain */

/* One cell's run. */
struct run {
	struct sampler *s;
	struct sampler_state *state;
	const struct sampler_cell *cell;
	struct cell *c;
	unsigned least, want; /* boots of each kernel: asked for, and as of now */
	unsigned block;
	double block_s;	 /* what the last block took */
	double deadline; /* of added samples, by clock_mono(); 0: none are added */
};

void sampler_init(struct sampler *s, const struct bench_request *req)
{
	s->req = req;
	s->state = xcalloc(1, sizeof(*s->state));
	s->state->numbers.max = METRICS_MAX;
	s->state->facts.max = FACTS_MAX;
	s->state->started = clock_mono();
}

static void number_done(void *row)
{
	struct bench_metric *m = &((struct number_row *)row)->metric;

	free(m->name);
	free(m->title);
	free(m->unit);
	free(m->group);
	free(m->x_title);
	free(m->base.sample);
	free(m->patched.sample);
}

static void fact_done(void *row)
{
	struct fact_row *f = row;

	free(f->title);
	free(f->group);
	free(f->expected);
	for (enum side i = 0; i < SIDES; i++)
		for (size_t k = 0; k < f->side[i].n; k++)
			free(f->side[i].variant[k].text);
}

static void test_done(void *row)
{
	free(((struct test_row *)row)->note);
}

static void complaint_row_done(void *row)
{
	free(((struct complaint_row *)row)->title);
	lines_done(&((struct complaint_row *)row)->lines);
}

static void cell_free(struct cell *c)
{
	free(c->title);
	for (enum side i = 0; i < SIDES; i++) {
		free(c->side[i].reason);
		lines_done(&c->side[i].lines);
	}
	rows_done(&c->tests, test_done);
	rows_done(&c->complaints, complaint_row_done);
	free(c);
}

void sampler_done(struct sampler *s)
{
	struct sampler_state *state = s->state;

	if (!state)
		return;
	rows_done(&state->numbers, number_done);
	rows_done(&state->facts, fact_done);
	for (size_t i = 0; i < state->n_cells; i++)
		cell_free(state->cell[i]);
	free(state->cell);
	bench_result_done(&state->profile);
	free(state);
	s->state = NULL;
}

void sampler_expect(struct sampler *s, unsigned boots)
{
	s->state->total += boots;
}

static void expect_less(struct sampler_state *state, unsigned boots)
{
	unsigned left = state->total > state->done ? state->total - state->done : 0;

	state->total -= boots < left ? boots : left;
}

static struct cell *cell_new(struct sampler_state *state, const struct sampler_cell *cell)
{
	struct cell *c = xcalloc(1, sizeof(*c));

	c->title = xstrdup(cell->title);
	c->tests.max = TESTS_MAX;
	c->complaints.max = COMPLAINTS_ALL;
	state->cell = xreallocarray(state->cell, state->n_cells + 1, sizeof(struct cell *));
	return state->cell[state->n_cells++] = c;
}

static int console_keep(const struct run *r, const struct cell_side *side, const char *name,
			const struct boot_result *boot, struct err *err)
{
	auto_free char *path = xasprintf("%s/%s-%s-%u.console", r->s->req->work_dir, r->cell->slug,
					 name, side->good + side->failed + 1);

	return fs_write_atomic(path, boot->console.buf, boot->console.len, err);
}

static struct boot_spec spec_make(const struct run *r, enum side side)
{
	const struct bench_request *req = r->s->req;
	const struct bench_kernel *kernel = side == SIDE_BASE ? &req->base : &req->patched;
	struct boot_spec spec = r->cell->boot;

	spec.kernel = kernel->vmlinux;
	spec.initramfs = kernel->initramfs;
	spec.work_dir = req->work_dir;
	spec.timeout_s = req->timeout_s;
	spec.count = req->mode == BENCH_COUNT;
	if (r->cell->vary_seed)
		spec.seed += r->c->side[side].good;
	return spec;
}

static int boot_once(struct run *r, enum side side, struct err *err)
{
	const struct bench_request *req = r->s->req;
	struct boot_spec spec = spec_make(r, side);
	struct boot_result boot = {0};
	int rc;

	if (cancel_requested())
		return err_cancelled(err);
	rc = req->testbed->boot(req->testbed_arg, &spec, &boot, err);
	if (rc < 0)
		return err_wrap(err, "%s, %s", r->cell->title, side_name(side));
	rc = console_keep(r, &r->c->side[side], side_name(side), &boot, err);
	if (rc == 0) {
		struct sample sample = {r->state, r->c, side, ++r->state->boots};

		sample_take(&sample, r->cell, &boot);
	}
	boot_result_done(&boot);
	return rc;
}

static void progress(struct run *r, enum side side)
{
	const struct bench_request *req = r->s->req;
	struct sampler_state *state = r->state;
	auto_free char *what = xasprintf("%s, %s, boot %u of %u", r->cell->title, side_name(side),
					 r->c->side[side].good + 1, r->want);

	if (state->total <= state->done)
		state->total = state->done + 1;
	if (req->on_progress)
		req->on_progress(req->ctx, what, state->done, state->total);
	state->done++;
}

/* Beside a bad kernel the other has only to show whether it is good. */
static bool side_needs_boots(const struct cell *c, enum side side, unsigned want)
{
	if (c->side[!side].bad && want > CERTAIN)
		want = CERTAIN;
	return !c->side[side].bad && c->side[side].good < want;
}

/* One good boot of one side: a bad one is tried once more. */
static int step(struct run *r, enum side side, struct err *err)
{
	unsigned want = r->c->side[side].good + 1;
	int rc = 0;

	if (!side_needs_boots(r->c, side, want)) {
		expect_less(r->state, 1);
		return 0;
	}
	progress(r, side);
	while (rc == 0 && side_needs_boots(r->c, side, want))
		rc = boot_once(r, side, err);
	return rc;
}

/* `n` of each side, shuffled (Fisher and Yates). */
static void order_make(unsigned char *order, size_t n, uint64_t state)
{
	for (size_t i = 0; i < 2 * n; i++)
		order[i] = i < n ? SIDE_BASE : SIDE_PATCHED;
	for (size_t i = 2 * n - 1; i > 0; i--) {
		size_t j = splitmix64_below(&state, i + 1);
		unsigned char kept = order[i];

		order[i] = order[j];
		order[j] = kept;
	}
}

/* The cells of one run, and the blocks of one cell, differ in their order. */
static uint64_t order_seed(const struct run *r)
{
	uint64_t seed = r->s->req->seed;

	for (const char *p = r->cell->slug; *p; p++)
		seed = seed * 31 + (unsigned char)*p;
	return seed * 31 + r->block;
}

/* `n` boots of each side in random order. */
static int block_run(struct run *r, unsigned n, struct err *err)
{
	auto_free unsigned char *order = xmalloc(2 * (size_t)n);
	double started = clock_mono();
	int rc = 0;

	r->want += n;
	order_make(order, n, order_seed(r));
	for (size_t i = 0; i < 2 * (size_t)n && rc == 0; i++)
		rc = step(r, order[i], err);
	r->block++;
	r->block_s = clock_mono() - started;
	return rc;
}

static bool is_bad(const struct cell *c)
{
	return c->side[SIDE_BASE].bad || c->side[SIDE_PATCHED].bad;
}

/* A kernel that is bad is so beside one that is good twice. */
static int certain_run(struct run *r, struct err *err)
{
	int rc = 0;

	if (!is_bad(r->c) && cell_needs_boots(r->state, r->c) && r->want < CERTAIN)
		rc = block_run(r, CERTAIN - r->want, err);
	for (enum side i = 0; i < SIDES && rc == 0; i++)
		while (rc == 0 && is_bad(r->c) && side_needs_boots(r->c, i, CERTAIN))
			rc = step(r, i, err);
	return rc;
}

static double resolution_of(const struct run *r, const struct number_row *n)
{
	return r->s->req->mode == BENCH_COUNT ? n->resolution : -1;
}

static bool is_exact(const struct run *r, const struct number_row *n)
{
	return stats_is_exact(&n->metric.base, &n->metric.patched, resolution_of(r, n));
}

/* A side that never gives the number will not with more boots either. */
static bool is_one_sided(const struct number_row *n)
{
	return !n->metric.base.n || !n->metric.patched.n;
}

/* Judged numbers that the rank test will decide: so many will be corrected for. */
static size_t family_of(const struct run *r)
{
	size_t family = 0;

	for (size_t i = 0; i < r->state->numbers.n; i++) {
		const struct number_row *n = r->state->numbers.row[i];

		family += n->metric.judged && !is_one_sided(n) && !is_exact(r, n);
	}
	return family;
}

static bool number_is_narrow(const struct run *r, const struct number_row *n, size_t family)
{
	const struct bench_side *base = &n->metric.base, *patched = &n->metric.patched;
	double target = r->cell->target > 0 ? r->cell->target : n->floor, old, change;
	struct stats_interval i;

	if (is_one_sided(n) || is_exact(r, n))
		return true;
	if (stats_smallest_p(base->n, patched->n) * (double)family > STATS_LEVEL ||
	    !stats_bootstrap(base->sample, base->n, patched->sample, patched->n, &i))
		return false;
	old = stats_of(base->sample, base->n).median;
	change = (stats_of(patched->sample, patched->n).median - old) / fabs(old);
	return change - i.low <= target && i.high - change <= target;
}

static bool is_narrow(const struct run *r)
{
	size_t family = family_of(r);

	for (size_t i = 0; i < r->state->numbers.n; i++) {
		const struct number_row *n = r->state->numbers.row[i];

		if (n->cell == r->c && n->metric.judged && !number_is_narrow(r, n, family))
			return false;
	}
	return true;
}

/* Samples are added by the width of the intervals alone, never by what the test says: a test that
 * is looked at until it says something would say it too often. */
static int more_run(struct run *r, struct err *err)
{
	unsigned most = r->cell->most ? r->cell->most : MOST_DEFAULT;
	int rc = 0;

	r->c->stop = STOP_ASKED;
	while (rc == 0 && r->deadline > 0) {
		if (is_bad(r->c))
			r->c->stop = STOP_BAD;
		else if (is_narrow(r))
			r->c->stop = STOP_NARROW;
		else if (r->want >= most)
			r->c->stop = STOP_MOST;
		else if (clock_mono() + r->block_s > r->deadline)
			r->c->stop = STOP_BUDGET;
		else {
			rc = block_run(r, most - r->want < BLOCK ? most - r->want : BLOCK, err);
			continue;
		}
		break;
	}
	return rc;
}

/* This cell's share of the time that is left, by the boots that are still expected. */
static double deadline_of(const struct run *r)
{
	const struct sampler_state *state = r->state;
	double now = clock_mono(), left = state->started + r->s->req->budget_s - now;
	double expected = state->total > state->done ? state->total - state->done : 0;

	if (r->s->req->budget_s <= 0)
		return 0;
	return now + left * (expected > 2 * r->least ? 2 * r->least / expected : 1);
}

/* "hot-add/16" is in "hot-add" and in itself, and not in "hot-add/1". */
static bool name_is_in(const char *name, const char *prefix)
{
	size_t n = strlen(prefix);

	return strncmp(name, prefix, n) == 0 &&
	       (name[n] == '\0' || name[n] == '/' || (n && prefix[n - 1] == '/'));
}

static bool is_wanted(const struct bench_request *req, const struct sampler_cell *cell)
{
	return !req->only || !cell->only || name_is_in(req->only, cell->only) ||
	       name_is_in(cell->only, req->only);
}

int sampler_run(struct sampler *s, const struct sampler_cell *cell, struct err *err)
{
	const struct bench_request *req = s->req;
	struct run r = {.s = s, .state = s->state, .cell = cell};
	int rc;

	r.least = req->samples ? req->samples : cell->samples ? cell->samples : SAMPLES_DEFAULT;
	if (!is_wanted(req, cell)) {
		expect_less(s->state, 2 * r.least);
		return 0;
	}
	r.deadline = deadline_of(&r);
	r.c = cell_new(s->state, cell);
	rc = block_run(&r, r.least, err);
	if (rc == 0)
		rc = certain_run(&r, err);
	if (rc == 0)
		rc = more_run(&r, err);
	if (rc == 0)
		rc = cell_profile(s, cell, r.c, err);
	return rc;
}
