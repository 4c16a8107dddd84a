// SPDX-License-Identifier: GPL-2.0-or-later
/* Which functions a change comes from: asked while the cell that shows it is still there. */
#include "testbeds/bench/sampler_state.h"

#include "base/proc.h"
#include "testbeds/bench/profile_pair.h"
#include "testbeds/bench/stats.h"

/* As it would be judged alone: a profile too many costs two boots. */
static bool number_has_changed(const struct number_row *n)
{
	struct bench_metric m = n->metric;

	stats_judge(&m, n->resolution, n->floor);
	free(m.why);
	return m.word == BENCH_SLOWER || m.word == BENCH_FASTER;
}

static bool cell_has_changed(const struct sampler_state *state, const struct cell *c)
{
	for (size_t i = 0; i < state->numbers.n; i++) {
		const struct number_row *n = state->numbers.row[i];

		if (n->cell == c && n->metric.judged && number_has_changed(n))
			return true;
	}
	return false;
}

static bool is_wanted(const struct sampler *s, const struct cell *c)
{
	const struct bench_request *req = s->req;

	return req->profile && req->mode == BENCH_COUNT && (req->testbed->caps & TESTBED_PROFILE) &&
	       !s->state->profile.profiled && !c->side[SIDE_BASE].bad &&
	       !c->side[SIDE_PATCHED].bad && cell_has_changed(s->state, c);
}

int cell_profile(struct sampler *s, const struct sampler_cell *cell, const struct cell *c,
		 struct err *err)
{
	struct bench_result *r = &s->state->profile;
	struct err problem = ERR_INIT;
	int rc;

	if (!is_wanted(s, c))
		return 0;
	r->profiled = xstrdup(cell->title);
	rc = profile_pair(s->req, cell, r, &problem);
	if (rc == ERR_CANCELLED)
		return err_cancelled(err);
	/* The numbers are as good without. */
	if (rc < 0)
		result_add_evidence(r, "no profile: %s", problem.msg);
	return 0;
}

void profile_take(struct sampler_state *state, struct bench_result *ret)
{
	struct bench_result *r = &state->profile;

	if (!r->profiled)
		return;
	for (size_t i = 0; i < r->n_evidence; i++)
		result_add_evidence(ret, "%s", r->evidence[i]);
	if (!r->n_functions)
		return;
	ret->function = take(r->function);
	ret->n_functions = r->n_functions;
	r->n_functions = 0;
	ret->profiled = take(r->profiled);
}
